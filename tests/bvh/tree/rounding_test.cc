// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/tree/internal/rounding.h"

#include <cmath>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"

namespace orbox {
namespace {

// The float above or at x, found with the library's own next-float function.
float Above(double x) {
  const float f = static_cast<float>(x);
  return static_cast<double>(f) < x ? std::nextafter(f, kFloatInf) : f;
}

TEST(RoundingTest, IsTheNextFloatOnTheRightSide) {
  meshes::Random random(1);
  for (int i = 0; i < 100'000; ++i) {
    const double x = std::ldexp(random.Uniform(-1, 1),
                                static_cast<int>(random.Below(300)) - 160);
    EXPECT_EQ(RoundUp(x), Above(x)) << x;
    EXPECT_EQ(RoundDown(x), -Above(-x)) << x;
  }
  for (const double x : {0.0, 1e-300, -1e-300, 1.0, -1.0, 1e300, -1e300,
                         3.4028234663852886e38, -3.4028234663852886e38}) {
    EXPECT_EQ(RoundUp(x), Above(x)) << x;
    EXPECT_GE(static_cast<double>(RoundUp(x)), x);
    EXPECT_LE(static_cast<double>(RoundDown(x)), x);
  }
  EXPECT_EQ(RoundUp(kFloatInf), kFloatInf);
  EXPECT_EQ(RoundUp(-kFloatInf), -kFloatInf);
  EXPECT_TRUE(std::isnan(RoundUp(std::nan(""))));
}

}  // namespace
}  // namespace orbox
