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

// What there is to look at, the worst first, kMostClashesOnPage at most.
void AddClashCards(const ClashReport& report, Html& html);

// How many clashes each two labels have, as a matrix if they are few, and the
// groups, the one with the worst clash first. Nothing without groups.
void AddClashGroups(const ClashReport& report, Html& html);

// What makes the form work, and the model; they are hidden without it.
void AddClashScript(const ClashReport& report, Html& html);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_CLASH_CARDS_H_
