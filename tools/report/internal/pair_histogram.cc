// SPDX-License-Identifier: Apache-2.0

#include "tools/report/internal/pair_histogram.h"

#include <algorithm>
#include <cmath>

#include "tools/base/text.h"
#include "tools/picture/palette.h"
#include "tools/picture/scale.h"

namespace orbox::report {
namespace {

using tools::Cat;
using tools::Counted;

void Count(double distance, double within, PairHistogram& histogram) {
  if (distance == 0) {
    ++histogram.meeting;
    return;
  }
  const double place = std::ceil(distance / within * kHistogramBins);
  const auto bin = static_cast<size_t>(
      std::clamp(place, 1.0, static_cast<double>(kHistogramBins)));
  ++histogram.bins[bin - 1];
}

}  // namespace

PairHistogram HistogramOf(std::span<const PairDistance> pairs, double within) {
  PairHistogram histogram;
  for (const PairDistance& pair : pairs) {
    Count(pair.distance, within, histogram);
  }
  return histogram;
}

PairHistogram HistogramOf(std::span<const double> distances, double within) {
  PairHistogram histogram;
  for (const double distance : distances) Count(distance, within, histogram);
  return histogram;
}

BarChart ChartOf(const PairHistogram& histogram, double within,
                 std::string_view noun) {
  const std::string nouns = Cat(noun, "s");
  BarChart chart{.title = noun == "pair" ? "Pairs of triangles by distance"
                                         : Cat("Distances of ", nouns),
                 .x_axis = "distance",
                 .y_axis = nouns,
                 .labels_at_edges = true,
                 .first_edge = "0"};
  for (size_t i = 0; i < kHistogramBins; ++i) {
    const auto edge = [within](size_t bin) {
      return picture::ShortNumber(within * static_cast<double>(bin) /
                                  kHistogramBins);
    };
    const double middle = (static_cast<double>(i) + 0.5) / kHistogramBins;
    const std::string what = Cat(Counted(histogram.bins[i], noun), " from ",
                                 edge(i), " to ", edge(i + 1));
    chart.bars.push_back(
        {.label = (i + 1) % 5 == 0 ? edge(i + 1) : "",
         .pieces = {{static_cast<double>(histogram.bins[i]),
                     picture::HexOf(picture::MapColor(middle)), what}}});
  }
  return chart;
}

}  // namespace orbox::report
