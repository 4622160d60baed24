// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/scale.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/picture/internal/text_strokes.h"

namespace orbox::picture {
namespace {

using ::testing::ElementsAre;

TEST(ScaleTest, TicksAreRoundAndEndWithTheEnd) {
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

TEST(ScaleTest, NumbersAreShortAndCanBeWritten) {
  EXPECT_EQ(ShortNumber(0.15000000000000002), "0.15");
  EXPECT_EQ(ShortNumber(0), "0");
  EXPECT_EQ(ShortNumber(123456), "1.235e+05");
  for (double v = 1e-300; v < 1e300; v *= 123.4567) {
    EXPECT_TRUE(HasShapes(ShortNumber(v))) << v;
    EXPECT_LE(ShortNumber(v).size(), 10U) << v;
  }
}

}  // namespace
}  // namespace orbox::picture
