// SPDX-License-Identifier: Apache-2.0

// Views of clashes, and issues as topics for programs that coordinate
// buildings.
//
//   const picture::PlacePainter painter(bodies);
//   absl::StatusOr<ClashView> view = ViewClash(painter, pair, size);
//   std::vector<BcfTopic> topics = TopicsOf(context, views);
#ifndef ORBOX_TOOLS_REPORT_CLASH_ISSUES_H_
#define ORBOX_TOOLS_REPORT_CLASH_ISSUES_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/picture/picture.h"
#include "tools/picture/place_picture.h"
#include "tools/report/bcf.h"
#include "tools/report/clash_list.h"
#include "tools/report/clash_model.h"
#include "tools/report/issue_list.h"
#include "tools/report/scene_facts.h"

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

// The issues of a scene.
struct IssueContext {
  const SceneFacts& scene;
  const ClashList& list;
  const SceneWords& words;
  std::span<const Issue> issues;
  const std::string& unit;
};

// Returns a topic for each issue, in their order, and then a closed one for
// each clash that is resolved and for each decision that no issue has
// (`review`, may be null, and `left`, as Decide returns it). `views` has the
// views of the first clashes of the list, or of all. The camera views the place
// of the worst clash with a field of 60 degrees.
std::vector<BcfTopic> TopicsOf(const IssueContext& context,
                               std::span<const ClashView> views,
                               const Review* review,
                               std::span<const std::string> left);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_CLASH_ISSUES_H_
