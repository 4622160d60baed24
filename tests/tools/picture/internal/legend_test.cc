// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/legend.h"

#include "gtest/gtest.h"

namespace orbox::picture {
namespace {

TEST(LegendTest, StaysInItsColumnAndShowsItsColours) {
  const Color red{1, 0, 0};
  const Legend legend{
      .entries = {{LegendEntry::Sign::kPatch, red, "A"},
                  {LegendEntry::Sign::kFrame, {0, 0, 1}, "AABBs"},
                  {LegendEntry::Sign::kGap, {0, 1, 0}, "gap 0.25"},
                  {LegendEntry::Sign::kText, {}, "level 3:"}},
      .scale_end = 0.5,
      .scale_title = "distance"};
  constexpr int kWidth = 400, kHeight = 500;
  Canvas canvas(kWidth, kHeight);
  DrawLegend(legend, canvas);
  const double column = LegendWidth(legend, kHeight);
  EXPECT_LT(column, 150);
  size_t reds = 0, inked = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const Covered& pixel = canvas.at(x, y);
      if (x < kWidth - column) {
        EXPECT_EQ(pixel.alpha, 0) << x << " " << y;
      }
      reds += pixel.light == red ? 1 : 0;
      inked += pixel.alpha > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(reds, 60U);
  EXPECT_GT(inked, 2000U);
  EXPECT_EQ(LegendWidth({}, kHeight), 0);
}

}  // namespace
}  // namespace orbox::picture
