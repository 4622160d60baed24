// SPDX-License-Identifier: Apache-2.0

// The clashes of a page as a list of cards, with a form to search and filter
// them, and the groups as a matrix.
//
//   AddClashCards(report, html);
//   AddClashGroups(report, html);
//   AddClashScript(report, html);        // after both
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_CLASH_CARDS_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_CLASH_CARDS_H_

#include "tools/report/clash_report.h"
#include "tools/report/internal/html.h"

namespace orbox::report {

// Adds the clashes to review, the worst first, at most kMostClashesOnPage.
void AddClashCards(const ClashReport& report, Html& html);

// Adds the number of clashes between each two labels, as a matrix if there are
// few, and the groups, with the worst clash first. Adds nothing if there are no
// groups.
void AddClashGroups(const ClashReport& report, Html& html);

// Adds the scripts of the form and of the model. Both are hidden without
// scripts.
void AddClashScript(const ClashReport& report, Html& html);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_CLASH_CARDS_H_
