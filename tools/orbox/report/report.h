// A clearance report: one HTML page that loads nothing.
//
//   std::string page = ReportPage(report);
//
// The same contents give the same bytes. Also well-formed XML.
#ifndef ORBOX_TOOLS_ORBOX_REPORT_REPORT_H_
#define ORBOX_TOOLS_ORBOX_REPORT_REPORT_H_

#include <string>
#include <string_view>
#include <vector>

#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/shapes/pose.h"
#include "tools/orbox/picture/findings.h"
#include "tools/orbox/report/page.h"

namespace orbox::cli {

struct Report {
  std::string title;          // "A (arm.stl) and B (wall.stl)"
  Findings findings;          // of two meshes, with `nearest`
  std::string_view relation;  // as SentenceOf (pair_relation.h) has it
  TraversalStatistics statistics;
  std::vector<ReportPicture> pictures;  // perhaps none
};

std::string ReportPage(const Report& report);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_REPORT_REPORT_H_
