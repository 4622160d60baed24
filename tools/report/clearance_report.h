// SPDX-License-Identifier: Apache-2.0

// A clearance report: one HTML page that loads nothing.
//
//   const ClearanceReport report{.title = "A (arm.stl) and B (wall.stl)",
//                                .findings = findings,
//                                .statistics = statistics,
//                                .pictures = *pictures};
//   std::string page = ClearanceReportPage(report);
//
// Equal contents give equal bytes. The page is also well-formed XML.
#ifndef ORBOX_TOOLS_REPORT_CLEARANCE_REPORT_H_
#define ORBOX_TOOLS_REPORT_CLEARANCE_REPORT_H_

#include <string>
#include <string_view>
#include <vector>

#include "orbox/bvh/traverse/statistics.h"
#include "tools/picture/findings.h"
#include "tools/report/report_pictures.h"

namespace orbox::report {

struct ClearanceReport {
  std::string title;           // "A (arm.stl) and B (wall.stl)"
  picture::Findings findings;  // of two meshes, with `nearest`
  // The relation of surfaces that do not meet, such as "A is inside B". May be
  // empty.
  std::string_view relation;
  TraversalStatistics statistics;
  std::vector<ReportPicture> pictures;  // perhaps none
  std::string unit = {};                // of lengths, as a label; may be empty
};

std::string ClearanceReportPage(const ClearanceReport& report);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_CLEARANCE_REPORT_H_
