// SPDX-License-Identifier: Apache-2.0

// The cost of a report's queries, as charts and a table.
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_COST_SECTION_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_COST_SECTION_H_

#include "orbox/bvh/traverse/statistics.h"
#include "tools/report/internal/html.h"

namespace orbox::report {

void AddCostSection(const TraversalStatistics& statistics, Html& html);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_COST_SECTION_H_
