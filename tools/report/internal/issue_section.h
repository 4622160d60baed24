// SPDX-License-Identifier: Apache-2.0

// The issues of a page: a list with filters, the model, the selected issue, and
// the groups as a matrix.
//
//   AddIssues(report, html);
//   AddClashGroups(report, html);
//   AddIssueScripts(report, html);        // after both
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_ISSUE_SECTION_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_ISSUE_SECTION_H_

#include "tools/report/clash_report.h"
#include "tools/report/internal/html.h"

namespace orbox::report {

// Adds the issues, the worst first, with at most kMostClashesOnPage clashes.
// Scripts show the list; without them, there is a table of the worst issues.
void AddIssues(const ClashReport& report, Html& html);

// Adds the number of clashes between each two labels, as a matrix if there are
// few, and the groups, with the worst clash first. Adds nothing if there are no
// groups.
void AddClashGroups(const ClashReport& report, Html& html);

// Adds the contents for the scripts, and the scripts.
void AddIssueScripts(const ClashReport& report, Html& html);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_ISSUE_SECTION_H_
