// SPDX-License-Identifier: Apache-2.0

// The frame of a report, and the elements that all reports share.
//
//   Html html;
//   BeginPage("Clearance of A and B", html);
//   ...
//   EndPage(html);
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_PAGE_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_PAGE_H_

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tools/report/internal/html.h"
#include "tools/report/report_pictures.h"

namespace orbox::report {

// Begins a page. The title is also a heading.
void BeginPage(std::string_view title, Html& html);
void EndPage(Html& html);

// Adds a card to an element with class "verdict". `kind` is "good", "bad" or
// empty.
void AddFact(std::string_view kind, std::string_view what,
             std::string_view value, std::string_view note, Html& html);

// Adds the pictures, in a row, or the reason why there are none.
void AddFigures(const std::vector<ReportPicture>& pictures, Html& html);

// Adds a picture, embedded in the page.
void AddPicture(const ReportPicture& picture, const std::string& alt,
                Html& html);

// Adds the colours of distances up to `within`, as an entry of a list with
// class "key". Requires a positive value.
void AddDistanceScale(double within, Html& html);

struct TableColumn {
  std::string_view name;
  bool is_number = false;
};

// Begins a table. The caller adds the rows and ends it.
void BeginTable(std::initializer_list<TableColumn> columns, Html& html);
void EndTable(Html& html);

// Adds a cell with a number.
void AddNumberCell(std::string_view text, Html& html);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_PAGE_H_
