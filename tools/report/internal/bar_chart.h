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
  std::string what;    // shown when the pointer is over it
};

struct Bar {
  std::string label;  // below it; may be empty
  std::vector<BarPiece> pieces;
};

struct BarChart {
  std::string title;   // for readers who cannot see the chart
  std::string x_axis;  // meaning of the labels
  std::string y_axis;  // meaning of the values
  std::vector<Bar> bars;

  // In units of the SVG, in which a letter is 12 high. The page scales the SVG.
  double width = 640;

  // Puts labels between bars instead of below them: the first at the left edge
  // of the first bar, then one at the right edge of each bar that has a label.
  bool labels_at_edges = false;
  std::string first_edge;
};

void AddBarChart(const BarChart& chart, Html& html);

// Adds a patch of the colour and its meaning, for a list with class "key".
void AddKeyEntry(uint32_t color, std::string_view text, Html& html);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_BAR_CHART_H_
