// The number of pairs of triangles by distance.
#ifndef ORBOX_TOOLS_REPORT_INTERNAL_PAIR_HISTOGRAM_H_
#define ORBOX_TOOLS_REPORT_INTERNAL_PAIR_HISTOGRAM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "orbox/bvh/query/pair_within.h"
#include "tools/report/internal/bar_chart.h"

namespace orbox::report {

inline constexpr size_t kHistogramBins = 20;

struct PairHistogram {
  uint64_t meeting = 0;  // at distance 0, in no bin
  // They have equal width. A distance at an edge belongs to the lower bin.
  std::array<uint64_t, kHistogramBins> bins{};
};

// Requires distances of at most `within`.
PairHistogram HistogramOf(std::span<const PairDistance> pairs, double within);

// A bar for each bin, in the colour of its distance. Requires `within` above 0.
BarChart ChartOf(const PairHistogram& histogram, double within);

}  // namespace orbox::report

#endif  // ORBOX_TOOLS_REPORT_INTERNAL_PAIR_HISTOGRAM_H_
