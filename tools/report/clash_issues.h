// SPDX-License-Identifier: Apache-2.0

// Views of clashes, and clashes as issues for programs that coordinate
// buildings.
//
//   const picture::PlacePainter painter(bodies);
//   absl::StatusOr<ClashView> view = ViewClash(painter, pair, size);
//   BcfTopic topic = IssueOf({.clash = clash, .names = "wall and pipe", ...});
#ifndef ORBOX_TOOLS_REPORT_CLASH_ISSUES_H_
#define ORBOX_TOOLS_REPORT_CLASH_ISSUES_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/picture/picture.h"
#include "tools/picture/place_picture.h"
#include "tools/report/bcf.h"
#include "tools/report/clash_list.h"
#include "tools/report/clash_model.h"

namespace orbox::report {

struct ClashView {
  picture::PlaceView view;
  bool has_side = false;  // true if the view has its side, not only its radius
  std::string png;        // empty without libpng, and if nothing is drawn
};

// Returns the best view of the clash, and its picture. Without a size, only the
// place and the radius. Requires a painter with the bodies by the numbers of
// the pair. Errors are those of EncodePng. Thread-safe.
absl::StatusOr<ClashView> ViewClash(
    const picture::PlacePainter& painter, const BodyClash& pair,
    const std::optional<picture::PictureSize>& size);

// Returns the view for the model on a page, which has the bodies at the poses
// of their clash.
ModelView ModelViewOf(const ClashView& view);

// Returns the metres in a unit of the model, such as "mm"; 1 for an unknown
// unit.
double MetresOf(std::string_view unit);
// Returns true if MetresOf knows the unit.
bool IsUnit(std::string_view unit);

// Returns the IFC GlobalId among the properties of a body, under any key; empty
// if there is none.
std::string IfcGuidOf(const std::map<std::string, std::string>& properties);

struct ClashIssue {
  const ListedClash& clash;
  std::string names;        // "wall and pipe"
  std::string description;  // some lines
  std::vector<BcfComponent> components;
  const ClashView* drawn = nullptr;  // null without a viewpoint
  std::string view_id;               // a UUID, not that of the clash
  double metres = 1;                 // in a unit of the model
};

// Returns an open issue. Its camera views the place with a field of 60 degrees.
BcfTopic IssueOf(const ClashIssue& issue);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_CLASH_ISSUES_H_
