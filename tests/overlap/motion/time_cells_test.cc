// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/motion/internal/time_cells.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

TEST(TimeCellsTest, WidthsAreWithinTheTolerance) {
  EXPECT_EQ(TimeCells(0x1p-40).width(), 0x1p-40);
  EXPECT_EQ(TimeCells(1e-3).width(), 0x1p-10);
  EXPECT_EQ(TimeCells(1).width(), 1);
  EXPECT_EQ(TimeCells(1e300).width(), 1);
  for (const double least :
       {0.0, -1.0, 0x1p-60, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(TimeCells(least).width(), 0x1p-50);
  }
}

TEST(TimeCellsTest, WholeMultiplesAreInTheMiddle) {
  const TimeCells cells(0.25);
  EXPECT_EQ(cells.StartOf(0.5), 0.375);
  EXPECT_EQ(cells.EndOf(0.5), 0.625);
  EXPECT_EQ(cells.StartOf(0), 0);
  EXPECT_EQ(cells.EndOf(0), 0.125);
  EXPECT_EQ(cells.StartOf(1), 0.875);
  EXPECT_EQ(cells.EndOf(1), 1);
  // The end of a cell belongs to the next cell.
  EXPECT_EQ(cells.StartOf(0.125), 0.125);
  EXPECT_EQ(cells.EndOf(0.125), 0.375);
}

TEST(TimeCellsTest, CellsFollowEachOtherWithoutGaps) {
  meshes::Random random(1);
  for (int i = 0; i < 3000; ++i) {
    const double tolerance = std::ldexp(1.0, -static_cast<int>(i % 51));
    const TimeCells cells(tolerance);
    const double t = random.Uniform(0, 1);
    const double start = cells.StartOf(t);
    const double end = cells.EndOf(t);
    EXPECT_LE(start, t);
    EXPECT_GT(end, t);
    EXPECT_LE(end - start, tolerance);
    EXPECT_EQ(cells.StartOf(start), start);
    EXPECT_EQ(cells.EndOf(std::nextafter(end, 0)), end);
    EXPECT_TRUE(end == 1 || cells.StartOf(end) == end);
    EXPECT_TRUE(start == 0 || cells.EndOf(std::nextafter(start, 0)) == start);
  }
}

}  // namespace
}  // namespace orbox
