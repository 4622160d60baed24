// SPDX-License-Identifier: Apache-2.0

// The smallest distance over the frames of a motion, as inline SVG.
//
//   AddTimeChart({.frames = numbers, .distances = distances}, html);
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_TIME_CHART_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_TIME_CHART_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/report/internal/html.h"

namespace orbox::report {

struct TimeChart {
  std::string title;             // for readers who cannot see the chart
  std::vector<uint64_t> frames;  // ascending
  std::vector<std::optional<double>> distances;  // per frame; not negative

  // The position of the marked frame among the frames, and the reason.
  std::optional<size_t> marked;
  std::string mark;
};

// Adds a line, broken at frames without a distance, with a red mark below where
// the distance is 0. Each column shows the smallest distance of its frames, so
// the page does not grow with the motion. Requires at least one frame.
void AddTimeChart(const TimeChart& chart, Html& html);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_TIME_CHART_H_
