// SPDX-License-Identifier: Apache-2.0

#include "tools/report/internal/bar_chart.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "tools/base/text.h"
#include "tools/picture/scale.h"
#include "tools/report/internal/html.h"

namespace orbox::report {
namespace {

using tools::Cat;
using tools::Grouped;

// In units of the SVG, which scales to the width of the page.
constexpr double kBarHeight = 280;
constexpr double kBarLeft = 78, kBarRight = 12, kBarTop = 14, kBarBottom = 52;
constexpr double kBarPlotHeight = kBarHeight - kBarTop - kBarBottom;

double HeightOf(const Bar& bar) {
  double sum = 0;
  for (const BarPiece& piece : bar.pieces) sum += piece.value;
  return sum;
}

void AddText(const std::string& text, double x, double y,
             const std::string& anchor, Html& html) {
  html.Leaf("text", {{"x", Place(x)}, {"y", Place(y)}, {"text-anchor", anchor}},
            text);
}

void AddAxes(const BarChart& chart, double highest, Html& html) {
  // Ticks are round and whole, because counts have no fractions.
  const double step = std::max(1.0, picture::ScaleTicks(highest)[1]);
  for (int i = 0; i * step <= highest; ++i) {
    const double tick = i * step;
    const double y = kBarTop + kBarPlotHeight * (1 - tick / highest);
    html.Empty("line", {{"class", tick == 0 ? "axis" : "grid"},
                        {"x1", Place(kBarLeft)},
                        {"x2", Place(chart.width - kBarRight)},
                        {"y1", Place(y)},
                        {"y2", Place(y)}});
    AddText(Grouped(static_cast<uint64_t>(tick)), kBarLeft - 8, y + 4, "end",
            html);
  }
  AddText(chart.x_axis, (kBarLeft + chart.width - kBarRight) / 2,
          kBarHeight - 8, "middle", html);
  html.Leaf(
      "text",
      {{"transform", Cat("translate(14 ", Place(kBarTop + kBarPlotHeight / 2),
                         ") rotate(-90)")},
       {"text-anchor", "middle"}},
      chart.y_axis);
}

void AddBar(const Bar& bar, double left, double width, double highest,
            Html& html) {
  double below = 0;
  for (const BarPiece& piece : bar.pieces) {
    if (piece.value == 0) continue;
    // A value above 0 stays visible.
    const double height = std::max(1.0, kBarPlotHeight * piece.value / highest);
    const double bottom = kBarTop + kBarPlotHeight * (1 - below / highest);
    html.Open("rect", {{"x", Place(left)},
                       {"y", Place(bottom - height)},
                       {"width", Place(width)},
                       {"height", Place(height)},
                       {"fill", CssColor(piece.color)}});
    html.Leaf("title", piece.what);
    html.Close();
    below += piece.value;
  }
}

}  // namespace

void AddKeyEntry(uint32_t color, std::string_view text, Html& html) {
  html.Open("span");
  html.Leaf("i", {{"style", Cat("background:", CssColor(color))}}, "");
  html.Text(text);
  html.Close();
}

void AddBarChart(const BarChart& chart, Html& html) {
  double highest = 0;
  for (const Bar& bar : chart.bars) highest = std::max(highest, HeightOf(bar));
  if (!(highest > 0)) highest = 1;
  html.Open("svg", {{"viewBox",
                     Cat("0 0 ", Place(chart.width), " ", Place(kBarHeight))},
                    {"role", "img"},
                    {"aria-label", chart.title}});
  AddAxes(chart, highest, html);
  const double step = (chart.width - kBarLeft - kBarRight) /
                      static_cast<double>(chart.bars.size());
  const double gap = chart.labels_at_edges ? 1 : std::min(step * 0.25, 12.0);
  const double label_y = kBarTop + kBarPlotHeight + 18;
  if (chart.labels_at_edges) {
    AddText(chart.first_edge, kBarLeft, label_y, "middle", html);
  }
  for (size_t i = 0; i < chart.bars.size(); ++i) {
    const double left = kBarLeft + step * static_cast<double>(i);
    AddBar(chart.bars[i], left + gap / 2, step - gap, highest, html);
    const double x = left + (chart.labels_at_edges ? step : step / 2);
    const bool last = i + 1 == chart.bars.size();
    AddText(chart.bars[i].label, x, label_y,
            chart.labels_at_edges && last ? "end" : "middle", html);
  }
  html.Close();
}

}  // namespace orbox::report
