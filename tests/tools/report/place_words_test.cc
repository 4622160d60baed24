// SPDX-License-Identifier: Apache-2.0

#include "tools/report/place_words.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace orbox::report {
namespace {

TEST(PlaceWordsTest, FindsTheStorey) {
  const PlaceWords words({{"Roof", 6}, {"Level 1", 0}, {"Level 2", 3}}, {});
  EXPECT_EQ(words.StoreyOf({0, 0, -1}), "Level 1");
  EXPECT_EQ(words.StoreyOf({0, 0, 0}), "Level 1");
  EXPECT_EQ(words.StoreyOf({0, 0, 2.99}), "Level 1");
  EXPECT_EQ(words.StoreyOf({0, 0, 3}), "Level 2");
  EXPECT_EQ(words.StoreyOf({0, 0, 60}), "Roof");
  EXPECT_EQ(words.CrossingOf({0, 0, 0}), "");
  EXPECT_EQ(PlaceWords().StoreyOf({0, 0, 0}), "");
}

TEST(PlaceWordsTest, FindsTheNearestCrossing) {
  // Axes A to D along y at x = 0, 5, ...; 1 to 3 along x at y = 0, 4, 8.
  std::vector<GridAxis> axes;
  for (int i = 0; i < 4; ++i) {
    const std::string name(1, static_cast<char>('A' + i));
    axes.push_back({.name = name, .from = {5.0 * i, 0}, .to = {5.0 * i, 8}});
  }
  axes.push_back({.name = "A'", .from = {0.01, 0}, .to = {0.02, 8}});
  for (int i = 0; i < 3; ++i) {
    axes.push_back({.name = std::to_string(i + 1),
                    .from = {0, 4.0 * i},
                    .to = {15, 4.0 * i}});
  }
  // An axis that ends before it meets others. A' is beside A.
  axes.push_back({.name = "X", .from = {40, 0}, .to = {50, 1}});
  const PlaceWords words({}, axes);
  EXPECT_EQ(words.CrossingOf({0.1, -0.2, 7}).substr(0, 1), "A");
  EXPECT_EQ(words.CrossingOf({5.2, 4.1, 0}), "B/2");
  EXPECT_EQ(words.CrossingOf({100, 100, 0}), "D/3");
  EXPECT_EQ(words.CrossingOf({12.4, 1.9, 0}), "C/1");
  // Every place gets the crossing that is nearest of all.
  for (double x = -3; x < 19; x += 0.7) {
    for (double y = -3; y < 12; y += 0.7) {
      const int column = x < 2.5 ? 0 : x < 7.5 ? 1 : x < 12.5 ? 2 : 3;
      const int row = y < 2 ? 0 : y < 6 ? 1 : 2;
      if (column == 0) continue;  // A' is there, too
      EXPECT_EQ(words.CrossingOf({x, y, 0}),
                std::string(1, static_cast<char>('A' + column)) + "/" +
                    std::to_string(row + 1))
          << x << " " << y;
    }
  }
}

}  // namespace
}  // namespace orbox::report
