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
  size_t a = 0;  // of the names
  size_t b = 0;
  double distance = 0;  // the smallest of all frames
  std::string what;     // shown under the pointer
};

struct ClashMatrix {
  std::vector<std::string> names;
  std::vector<ClashCell> cells;  // each pair once
  std::optional<double> within;
};

// More names would not be legible.
inline constexpr size_t kMostInMatrix = 40;

// The numbers of the bodies in a matrix, ascending: all, or, if they are too
// many, those with the smallest distances.
std::vector<size_t> BodiesToShow(size_t bodies,
                                 const std::vector<ClashCell>& cells);

// Red for overlapping bodies, otherwise the colour of the distance. Fills both
// halves. Requires at most kMostInMatrix names.
void AddClashMatrix(const ClashMatrix& matrix, Html& html);

// At most `most` characters of UTF-8, with an ellipsis if it was longer.
std::string Shortened(std::string_view text, size_t most);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_CLASH_MATRIX_H_
