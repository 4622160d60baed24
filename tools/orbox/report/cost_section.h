// The cost of a report's queries, as charts and a table.
#ifndef ORBOX_TOOLS_ORBOX_REPORT_COST_SECTION_H_
#define ORBOX_TOOLS_ORBOX_REPORT_COST_SECTION_H_

#include "orbox/bvh/traverse/statistics.h"
#include "tools/orbox/report/html.h"

namespace orbox::cli {

void AddCostSection(const TraversalStatistics& statistics, Html& html);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_REPORT_COST_SECTION_H_
