// SPDX-License-Identifier: Apache-2.0

#include "tools/report/internal/pair_histogram.h"

#include <numeric>

#include "gtest/gtest.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/xml.h"

namespace orbox::report {
namespace {

TEST(PairHistogramTest, CountsEachPairWhereItBelongs) {
  const Mesh a = meshes::Soup(80, 0.3, 1), b = meshes::Soup(80, 0.3, 2);
  constexpr double kWithin = 0.3;
  const std::vector<PairDistance> pairs = brute_force::Within(a, b, kWithin);
  const PairHistogram histogram = HistogramOf(pairs, kWithin);
  uint64_t sum = histogram.meeting;
  for (size_t i = 0; i < kHistogramBins; ++i) {
    uint64_t expected = 0;
    for (const PairDistance& pair : pairs) {
      const double share = pair.distance / kWithin * kHistogramBins;
      if (share > static_cast<double>(i) && share <= static_cast<double>(i + 1))
        ++expected;
    }
    EXPECT_EQ(histogram.bins[i], expected) << i;
    sum += histogram.bins[i];
  }
  EXPECT_GT(histogram.meeting, 0U);
  EXPECT_EQ(sum, pairs.size());
}

TEST(PairHistogramTest, EdgesBelongToTheLowerBin) {
  const PairHistogram histogram = HistogramOf(
      std::vector<PairDistance>{{{0, 0}, 2}, {{0, 1}, 0.1}, {{0, 2}, 1e-300}},
      2);
  EXPECT_EQ(histogram.bins[kHistogramBins - 1], 1U);
  EXPECT_EQ(histogram.bins[0], 2U);
}

// The heights of a chart's bars are as their values.
TEST(BarChartTest, HeightsAreProportional) {
  PairHistogram histogram;
  for (size_t i = 0; i < kHistogramBins; ++i) histogram.bins[i] = 100 * i;
  Html html;
  AddBarChart(ChartOf(histogram, 5), html);
  const std::optional<Xml> svg =
      ParseXml(html.bytes().substr(0, html.bytes().size()));
  ASSERT_TRUE(svg.has_value()) << html.bytes();
  EXPECT_EQ(svg->name, "svg");
  EXPECT_NE(svg->attribute("aria-label"), "");
  const std::vector<Xml> bars = svg->All("rect");
  ASSERT_EQ(bars.size(), kHistogramBins - 1);  // one is nothing
  const double unit = std::stod(bars.back().attribute("height")) / 19;
  for (size_t i = 0; i < bars.size(); ++i) {
    const double height = std::stod(bars[i].attribute("height"));
    EXPECT_NEAR(height, unit * static_cast<double>(i + 1), 0.11) << i;
    EXPECT_EQ(bars[i].attribute("fill").size(), 7U);
    EXPECT_EQ(bars[i].All("title").size(), 1U);
    const double bottom = std::stod(bars[i].attribute("y")) + height;
    EXPECT_NEAR(bottom,
                std::stod(bars[0].attribute("y")) +
                    std::stod(bars[0].attribute("height")),
                0.21);
  }
  EXPECT_NE(svg->AllText().find("1,500"), std::string::npos);
}

}  // namespace
}  // namespace orbox::report
