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
  std::string title;                             // for those who do not see it
  std::vector<uint64_t> frames;                  // ascending
  std::vector<std::optional<double>> distances;  // of each; not negative

  // The position of the marked frame among the frames, and the reason.
  std::optional<size_t> marked;
  std::string mark;
};

// A line, broken at frames without distance, and red below where it is 0. Of
// frames at one place the smallest distance is drawn, so the page does not grow
// with the motion. Requires a frame.
void AddTimeChart(const TimeChart& chart, Html& html);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_TIME_CHART_H_
