// SPDX-License-Identifier: Apache-2.0

#include "tools/report/internal/time_chart.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/xml.h"

namespace orbox::report {
namespace {

using ::testing::HasSubstr;

Xml ChartOf(const TimeChart& chart) {
  Html html;
  AddTimeChart(chart, html);
  const auto svg = ParseXml(html.bytes());
  EXPECT_TRUE(svg.has_value()) << html.bytes();
  return svg.value_or(Xml());
}

std::string PathOf(const Xml& svg) {
  const std::vector<Xml> paths = svg.All("path");
  return paths.size() == 1 ? paths[0].attribute("d") : "";
}

size_t Count(const std::string& text, char c) {
  return std::count(text.begin(), text.end(), c);
}

TEST(TimeChartTest, BreaksTheLineWhereThereIsNoDistance) {
  TimeChart chart{.title = "t",
                  .frames = {0, 1, 2, 3, 4},
                  .distances = {1.0, 0.5, std::nullopt, 2.0, std::nullopt}};
  const std::string path = PathOf(ChartOf(chart));
  EXPECT_EQ(Count(path, 'M'), 2U) << path;
  // Each begin is a dot as well.
  EXPECT_EQ(Count(path, 'L'), 3U) << path;
  chart.distances.assign(5, std::nullopt);
  EXPECT_EQ(ChartOf(chart).All("path").size(), 0U);
}

TEST(TimeChartTest, MarksContactsFromFirstToLast) {
  const TimeChart chart{.title = "t",
                        .frames = {10, 11, 12, 20, 30},
                        .distances = {0.0, 0.0, 1.0, 0.0, 0.25},
                        .marked = 3,
                        .mark = "a < b"};
  const Xml svg = ChartOf(chart);
  const std::vector<Xml> bars = svg.All("rect");
  ASSERT_EQ(bars.size(), 2U);
  const auto width = [](const Xml& bar) {
    return std::stod(bar.attribute("width"));
  };
  // A frame is a twentieth of the plot, one alone a column of it.
  EXPECT_NEAR(width(bars[0]) - width(bars[1]), 858.0 / 20, 2);
  EXPECT_NEAR(width(bars[1]), 2, 0.2);
  EXPECT_EQ(svg.All("circle").size(), 1U);
  EXPECT_THAT(svg.AllText(), HasSubstr("a < b"));
}

TEST(TimeChartTest, KeepsTheSmallestOfManyFrames) {
  TimeChart chart{.title = "t", .frames = {}, .distances = {}};
  constexpr size_t kFrames = 100'000;
  for (size_t i = 0; i < kFrames; ++i) {
    chart.frames.push_back(i);
    chart.distances.push_back(i == 54'321 ? 0.125 : 1 + i % 7 * 0.125);
  }
  Html html;
  AddTimeChart(chart, html);
  EXPECT_LT(html.bytes().size(), 20'000U);
  // The bottom of the plot is at 248, 232 below its top; the highest is 1.75.
  EXPECT_THAT(PathOf(*ParseXml(html.bytes())), HasSubstr(" 231.4"));
}

TEST(TimeChartTest, OneFrameIsADot) {
  const TimeChart chart{
      .title = "t", .frames = {7}, .distances = {3.0}, .marked = 0};
  const std::string path = PathOf(ChartOf(chart));
  EXPECT_EQ(Count(path, 'M') + Count(path, 'L'), 2U) << path;
}

}  // namespace
}  // namespace orbox::report
