// SPDX-License-Identifier: Apache-2.0

#include "tools/report/internal/time_chart.h"

#include <algorithm>
#include <cmath>

#include "tools/base/text.h"
#include "tools/picture/palette.h"
#include "tools/picture/scale.h"
#include "tools/report/internal/bar_chart.h"
#include "tools/report/internal/html.h"

namespace orbox::report {
namespace {

using tools::Cat;

// In units of the SVG, which scales to the width of the page.
constexpr double kWidth = 960, kHeight = 300;
constexpr double kLeft = 78, kRight = 24, kTop = 16, kBottom = 52;
constexpr double kPlotWidth = kWidth - kLeft - kRight;
constexpr double kPlotHeight = kHeight - kTop - kBottom;

// Columns of the plot. Each shows one value.
constexpr size_t kColumns = 429;
constexpr double kColumnWidth = kPlotWidth / (kColumns - 1);

class Plot {
 public:
  Plot(const TimeChart& chart, Html& html) : chart_(chart), html_(html) {
    for (const std::optional<double>& distance : chart.distances) {
      highest_ = std::max(highest_, distance.value_or(0));
    }
    if (!(highest_ > 0)) highest_ = 1;
  }

  void Add();

 private:
  size_t ColumnOf(size_t i) const;
  static double X(size_t column) {
    return kLeft + kColumnWidth * static_cast<double>(column);
  }
  double Y(double distance) const {
    return kTop + kPlotHeight * (1 - distance / highest_);
  }

  void AddText(const std::string& text, double x, double y,
               const std::string& anchor);
  void AddAxes();
  void AddFrameLabels();
  void AddMeetings();
  void AddLine(const std::vector<std::optional<double>>& columns);
  void AddMark();

  const TimeChart& chart_;
  Html& html_;
  double highest_ = 0;
};

size_t Plot::ColumnOf(size_t i) const {
  const auto first = static_cast<double>(chart_.frames.front());
  const double span = static_cast<double>(chart_.frames.back()) - first;
  if (!(span > 0)) return 0;
  const double share = (static_cast<double>(chart_.frames[i]) - first) / span;
  return static_cast<size_t>(share * (kColumns - 1) + 0.5);
}

void Plot::AddText(const std::string& text, double x, double y,
                   const std::string& anchor) {
  html_.Leaf("text",
             {{"x", Place(x)}, {"y", Place(y)}, {"text-anchor", anchor}}, text);
}

void Plot::AddAxes() {
  for (const double tick : picture::ScaleTicks(highest_)) {
    const double y = Y(tick);
    html_.Empty("line", {{"class", tick == 0 ? "axis" : "grid"},
                         {"x1", Place(kLeft)},
                         {"x2", Place(kWidth - kRight)},
                         {"y1", Place(y)},
                         {"y2", Place(y)}});
    AddText(picture::ShortNumber(tick), kLeft - 8, y + 4, "end");
  }
  AddText("frame", kLeft + kPlotWidth / 2, kHeight - 8, "middle");
  html_.Leaf("text",
             {{"transform", Cat("translate(14 ", Place(kTop + kPlotHeight / 2),
                                ") rotate(-90)")},
              {"text-anchor", "middle"}},
             "smallest distance");
}

// Labels the first frame, the last, and some between them.
void Plot::AddFrameLabels() {
  constexpr size_t kMost = 6;
  const size_t last = chart_.frames.size() - 1;
  const size_t labels = std::min(kMost, last);
  size_t previous = 0;
  for (size_t k = 0; k <= labels; ++k) {
    const size_t i = labels == 0 ? 0 : k * last / labels;
    const size_t column = ColumnOf(i);
    // Labels of uneven frames may crowd at one side, so some are skipped.
    if (k > 0 && column < previous + 24) continue;
    AddText(Cat(chart_.frames[i]), X(column), kTop + kPlotHeight + 18,
            "middle");
    previous = column;
  }
}

// Marks each contact from its first frame to its last.
void Plot::AddMeetings() {
  const std::vector<std::optional<double>>& distances = chart_.distances;
  for (size_t i = 0; i < distances.size(); ++i) {
    if (distances[i] != 0.0) continue;
    const double left = X(ColumnOf(i)) - kColumnWidth / 2;
    while (i + 1 < distances.size() && distances[i + 1] == 0.0) ++i;
    const double right = X(ColumnOf(i)) + kColumnWidth / 2;
    html_.Empty("rect", {{"x", Place(left)},
                         {"y", Place(Y(0) - 3)},
                         {"width", Place(right - left)},
                         {"height", "6"},
                         {"style", Cat("stroke:none;fill:",
                                       CssColor(picture::kColorOfMeeting))}});
  }
}

void Plot::AddLine(const std::vector<std::optional<double>>& columns) {
  std::string path;
  // Skips columns without a frame; a frame without a distance breaks the line.
  bool joined = false;
  size_t i = 0;
  while (i < chart_.frames.size()) {
    const size_t column = ColumnOf(i);
    while (i < chart_.frames.size() && ColumnOf(i) == column) ++i;
    const std::optional<double>& distance = columns[column];
    if (!distance.has_value()) {
      joined = false;
      continue;
    }
    const std::string at = Cat(Place(X(column)), " ", Place(Y(*distance)));
    // A single frame is a dot: a line without length, with round ends.
    path += joined ? Cat("L", at) : Cat("M", at, "L", at);
    joined = true;
  }
  if (path.empty()) return;
  html_.Empty("path", {{"d", path},
                       {"style", Cat("fill:none;stroke:", CssColor(0x2a7fb8),
                                     ";stroke-width:2.5;stroke-linecap:round;"
                                     "stroke-linejoin:round")}});
}

void Plot::AddMark() {
  if (!chart_.marked.has_value()) return;
  const double distance = chart_.distances[*chart_.marked].value_or(0);
  html_.Open("circle", {{"cx", Place(X(ColumnOf(*chart_.marked)))},
                        {"cy", Place(Y(distance))},
                        {"r", "6"},
                        {"style", Cat("fill:none;stroke-width:2.5;stroke:",
                                      CssColor(picture::kColorOfGap))}});
  html_.Leaf("title", chart_.mark);
  html_.Close();
}

void Plot::Add() {
  std::vector<std::optional<double>> columns(kColumns);
  for (size_t i = 0; i < chart_.distances.size(); ++i) {
    const std::optional<double>& distance = chart_.distances[i];
    std::optional<double>& column = columns[ColumnOf(i)];
    if (!distance.has_value()) continue;
    column = std::min(column.value_or(*distance), *distance);
  }
  html_.Open("svg",
             {{"viewBox", Cat("0 0 ", Place(kWidth), " ", Place(kHeight))},
              {"role", "img"},
              {"aria-label", chart_.title}});
  AddAxes();
  AddFrameLabels();
  AddLine(columns);
  AddMeetings();
  AddMark();
  html_.Close();
}

}  // namespace

void AddTimeChart(const TimeChart& chart, Html& html) {
  Plot(chart, html).Add();
}

}  // namespace orbox::report
