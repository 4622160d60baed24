// SPDX-License-Identifier: Apache-2.0

// A matrix of the bodies that overlap or come close, as inline SVG.
//
//   AddClashMatrix({.names = names, .cells = cells, .within = 0.5}, html);
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_CLASH_MATRIX_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_CLASH_MATRIX_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/report/internal/html.h"

namespace orbox::report {

struct ClashCell {
  size_t a = 0;  // position among the names
  size_t b = 0;
  double distance = 0;  // the smallest in all frames
  std::string what;     // shown when the pointer is over it
};

struct ClashMatrix {
  std::vector<std::string> names;
  std::vector<ClashCell> cells;  // each pair once
  std::optional<double> within;
};

// More names would not be legible.
inline constexpr size_t kMostInMatrix = 40;

// Returns the numbers of the bodies in a matrix, ascending: all bodies, or, if
// there are too many, those with the smallest distances.
std::vector<size_t> BodiesToShow(size_t bodies,
                                 const std::vector<ClashCell>& cells);

// Adds a matrix: red for overlapping bodies, otherwise the colour of the
// distance. Fills both halves. Requires at most kMostInMatrix names.
void AddClashMatrix(const ClashMatrix& matrix, Html& html);

// Returns at most `most` characters of UTF-8, with an ellipsis if the text is
// longer.
std::string Shortened(std::string_view text, size_t most);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_CLASH_MATRIX_H_
