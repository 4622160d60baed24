// SPDX-License-Identifier: Apache-2.0

// A page for reviewing the clashes of a scene: one HTML page that loads
// nothing.
//
//   const ClashReport report{.scene = facts, .summary = summary, .list = list};
//   std::string page = ClashReportPage(report);
//
// Equal contents give equal bytes. The page is also well-formed XML. Without
// scripts, it shows the list without search and filters.
#ifndef ORBOX_TOOLS_REPORT_CLASH_REPORT_H_
#define ORBOX_TOOLS_REPORT_CLASH_REPORT_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "orbox/bvh/traverse/statistics.h"
#include "tools/report/clash_list.h"
#include "tools/report/clash_model.h"
#include "tools/report/report_pictures.h"
#include "tools/report/scene_facts.h"
#include "tools/report/scene_summary.h"

namespace orbox::report {

// Larger pages would be slow to scroll and take megabytes to load.
inline constexpr size_t kMostClashesOnPage = 2000;
inline constexpr size_t kMostModelBytes = size_t{48} << 20;

struct ClashReport {
  const SceneFacts& scene;
  const SceneSummary& summary;
  const ClashList& list;
  double tolerance = 0;
  std::string unit;  // of lengths, as a label; may be empty
  TraversalStatistics statistics;
  std::vector<std::map<std::string, std::string>> properties;  // of each body
  // Pictures of the first clashes of the list.
  std::vector<ReportPicture> pictures;
  // A model to rotate (PlainModel), and its view of each clash on the page.
  // Empty if there is none; `no_model` is then the reason, as a sentence, or
  // empty.
  std::string model;
  std::string no_model;
  std::vector<ModelView> views;
};

// Returns true if pages can show a model: Orbox was built with its viewer.
bool HasViewer();

std::string ClashReportPage(const ClashReport& report);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_CLASH_REPORT_H_
