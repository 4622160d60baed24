// SPDX-License-Identifier: Apache-2.0

// A report on a scene: one HTML page that loads nothing.
//
//   SceneReport report{.scene = facts, .summary = summary};
//   std::string page = SceneReportPage(report);
//
// The same contents give the same bytes. Also well-formed XML.
#ifndef ORBOX_TOOLS_REPORT_SCENE_REPORT_H_
#define ORBOX_TOOLS_REPORT_SCENE_REPORT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "orbox/bvh/traverse/statistics.h"
#include "tools/report/report_pictures.h"
#include "tools/report/scene_facts.h"
#include "tools/report/scene_summary.h"

namespace orbox::report {

// The contents of the pictures.
struct SceneMoment {
  size_t frame = 0;  // counted from 0
  CloseBodies pair;
  size_t left_out = 0;  // bodies that are not drawn
};

struct SceneReport {
  const SceneFacts& scene;
  const SceneSummary& summary;
  TraversalStatistics statistics;
  std::optional<SceneMoment> moment;
  std::vector<ReportPicture> pictures;  // perhaps none
};

std::string SceneReportPage(const SceneReport& report);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_SCENE_REPORT_H_
