// SPDX-License-Identifier: Apache-2.0

// A report on the deviation of a scanned surface, or of a cloud of points, from
// a model: one HTML page that loads nothing.
//
//   std::string page = DeviationReportPage(
//       {.title = "A (scan.ply) and B (model.stl)", .a = scan, .b = model,
//       ...});
//
// Equal contents give equal bytes. The page is also well-formed XML.
#ifndef ORBOX_TOOLS_REPORT_DEVIATION_REPORT_H_
#define ORBOX_TOOLS_REPORT_DEVIATION_REPORT_H_

#include <string>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/deviation/deviation_summary.h"
#include "tools/report/pair_report.h"
#include "tools/report/report_pictures.h"

namespace orbox::report {

struct DeviationReport {
  std::string title;
  const PosedTree& a;
  const PosedTree& b;
  bool is_cloud = false;  // A has only points
  const SurfaceDeviation& deviation;
  DeviationLimits limits = {};          // of the deviation's summary
  std::vector<ReportPicture> pictures;  // perhaps none
  std::string unit = {};                // of lengths, as a label; may be empty
};

std::string DeviationReportPage(const DeviationReport& report);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_DEVIATION_REPORT_H_
