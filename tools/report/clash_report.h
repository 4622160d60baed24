// SPDX-License-Identifier: Apache-2.0

// A page for reviewing the clashes of a scene: one HTML page that loads
// nothing.
//
//   const ClashReport report{.scene = facts, .summary = summary, .list = list,
//                            .words = words, .issues = issues};
//   std::string page = ClashReportPage(report);
//
// Equal contents give equal bytes. The page is also well-formed XML. Scripts
// draw the rows of the list that are in view, filter them, and save what people
// decide as a table (review.h). Without scripts, the page has the worst issues
// and the pictures.
#ifndef ORBOX_TOOLS_REPORT_CLASH_REPORT_H_
#define ORBOX_TOOLS_REPORT_CLASH_REPORT_H_

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "orbox/bvh/traverse/statistics.h"
#include "tools/report/clash_list.h"
#include "tools/report/clash_model.h"
#include "tools/report/issue_list.h"
#include "tools/report/report_pictures.h"
#include "tools/report/review.h"
#include "tools/report/scene_facts.h"
#include "tools/report/scene_summary.h"

namespace orbox::report {

// Larger pages take long to load.
inline constexpr size_t kMostClashesOnPage = 50'000;
inline constexpr size_t kMostModelBytes = size_t{48} << 20;

// A picture of the worst clash of an issue.
struct IssuePicture {
  size_t issue = 0;
  ReportPicture picture;
};

struct ClashReport {
  const SceneFacts& scene;
  const SceneSummary& summary;
  const ClashList& list;
  const SceneWords& words;
  std::span<const Issue> issues;
  double tolerance = 0;
  std::string unit;  // of lengths, as a label; may be empty
  TraversalStatistics statistics;
  std::vector<std::map<std::string, std::string>> properties;  // of each body
  std::vector<IssuePicture> pictures;                          // by issue
  // Decisions about issues of the last run that are not there any more, by
  // their ids (Decide). The page keeps them for its table.
  const Review* review = nullptr;
  std::vector<std::string> left;
  // Views of the first clashes of the list, at most kMostClashesOnPage. The
  // page has the issues whose clashes all have a view.
  std::vector<ModelView> views;
  // A model to rotate (PlainModel). Empty if there is none; `no_model` is then
  // the reason, as a sentence, or empty.
  std::string model;
  std::string no_model;
};

// Returns true if pages can show a model: Orbox was built with its viewer.
bool HasViewer();

std::string ClashReportPage(const ClashReport& report);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_CLASH_REPORT_H_
