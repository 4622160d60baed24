#include "tools/orbox/picture/legend.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/orbox/picture/text_strokes.h"

namespace orbox::cli {
namespace {

using ::testing::ElementsAre;

TEST(LegendTest, TicksAreRoundAndEndWithTheEnd) {
  EXPECT_THAT(ScaleTicks(0.2),
              ElementsAre(0, 0.05, 0.1, 0.15000000000000002, 0.2));
  EXPECT_THAT(ScaleTicks(5), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(ScaleTicks(7.3), ElementsAre(0, 2, 4, 6, 7.3));
  for (double end = 1e-300; end < 1e300; end *= 3.7e9) {
    const std::vector<double> ticks = ScaleTicks(end);
    EXPECT_GE(ticks.size(), 3U) << end;
    EXPECT_LE(ticks.size(), 7U) << end;
    EXPECT_EQ(ticks.back(), end);
    for (size_t i = 1; i < ticks.size(); ++i) {
      EXPECT_GT(ticks[i] - ticks[i - 1], 0.05 * end);
    }
  }
}

TEST(LegendTest, NumbersAreShortAndCanBeWritten) {
  EXPECT_EQ(ShortNumber(0.15000000000000002), "0.15");
  EXPECT_EQ(ShortNumber(0), "0");
  EXPECT_EQ(ShortNumber(123456), "1.235e+05");
  for (double v = 1e-300; v < 1e300; v *= 123.4567) {
    EXPECT_TRUE(HasShapes(ShortNumber(v))) << v;
    EXPECT_LE(ShortNumber(v).size(), 10U) << v;
  }
}

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
}  // namespace orbox::cli
