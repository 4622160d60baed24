// SPDX-License-Identifier: Apache-2.0

// Bar charts as inline SVG, in the text colour of the page.
//
//   AddBarChart({.title = "Pairs by distance", .bars = bars}, html);
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_BAR_CHART_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_BAR_CHART_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/report/internal/html.h"

namespace orbox::report {

// Stacked pieces, from the bottom.
struct BarPiece {
  double value = 0;    // a count: not negative
  uint32_t color = 0;  // 0xrrggbb
  std::string what;    // shown under the pointer
};

struct Bar {
  std::string label;  // below it; may be empty
  std::vector<BarPiece> pieces;
};

struct BarChart {
  std::string title;   // read to those who do not see it
  std::string x_axis;  // what the labels are
  std::string y_axis;  // what the values are
  std::vector<Bar> bars;

  // In units of the SVG, in which a letter is 12 high; the page scales it.
  double width = 640;

  // Puts labels between bars instead of below them: that of the left edge of
  // the first, then of the right edge of each bar that has one.
  bool labels_at_edges = false;
  std::string first_edge;
};

void AddBarChart(const BarChart& chart, Html& html);

// A patch of the colour and its meaning, for a list with class "key".
void AddKeyEntry(uint32_t color, std::string_view text, Html& html);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_BAR_CHART_H_
