// SPDX-License-Identifier: Apache-2.0

// The number of pairs of triangles, or of points, by distance.
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_PAIR_HISTOGRAM_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_PAIR_HISTOGRAM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "orbox/bvh/query/pairs/pair_within.h"
#include "tools/report/internal/bar_chart.h"

namespace orbox::report {

inline constexpr size_t kHistogramBins = 20;

struct PairHistogram {
  uint64_t meeting = 0;  // at distance 0, in no bin
  // Bins of equal width. A distance at an edge belongs to the lower bin.
  std::array<uint64_t, kHistogramBins> bins{};
};

// Requires that all distances are at most `within`.
PairHistogram HistogramOf(std::span<const PairDistance> pairs, double within);
PairHistogram HistogramOf(std::span<const double> distances, double within);

// Returns a chart with a bar for each bin, in the colour of its distance.
// `noun` names the counted things, such as "pair". Requires `within` above 0.
BarChart ChartOf(const PairHistogram& histogram, double within,
                 std::string_view noun = "pair");

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_PAIR_HISTOGRAM_H_
