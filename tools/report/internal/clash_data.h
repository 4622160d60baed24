// SPDX-License-Identifier: Apache-2.0

// The contents of a page of clashes for its scripts, as JSON:
//
//   {"run": "...", "title": "house.json", "statuses": ["Open", ...],
//    "colors": ["#56b4e9", "#f0b93a"],
//    "bodies": [{"t": title, "y": type, "s": storey, "f": file,
//                "n": name, "p": [[key, value], ...]}, ...],
//    "clashes": [{"id", "a", "b", "k": kind, "kt": kind in words, "m": size,
//                 "d": [[measure, value], ...], "at": [x, y, z], "r": radius,
//                 "gap", "back", "ma", "mb",
//                 "c": [[text, [x, y, z], radius], ...], "s": state}, ...],
//    "issues": [{"id", "t": title, "c": [clash, ...], "e": body, "w": storey,
//                "x": crossing, "p": priority, "g": group, "st": status,
//                "as": assigned, "co": [[text, author, date], ...]}, ...],
//    "groups": [label, ...],
//    "left": [[id, title, status, assigned, comments, clashes, place], ...]}
//
// `run` tells the page from others. Fields without a value are left out.
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_CLASH_DATA_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_CLASH_DATA_H_

#include <cstddef>
#include <string>

#include "tools/report/clash_report.h"

namespace orbox::report {

// Returns the number of issues that the page shows: the first ones, as long as
// their clashes have views.
size_t CountShownIssues(const ClashReport& report);

std::string ClashData(const ClashReport& report);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_CLASH_DATA_H_
