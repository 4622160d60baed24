// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/shapes/vec3.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"

namespace orbox {
namespace {

constexpr double kDenormal = std::numeric_limits<double>::denorm_min();

TEST(Vec3Test, SafeNormIsTheNormInAnyUnit) {
  meshes::Random random(1);
  for (int i = 0; i < 200; ++i) {
    const Vec3 v = random.Point(-1, 1);
    for (const int exponent : {-900, -500, -400, -10, 0, 10, 400, 500, 1000}) {
      const double scale = std::ldexp(1.0, exponent);
      EXPECT_EQ(SafeNorm(v * scale), Norm(v) * scale) << exponent;
    }
  }
}

TEST(Vec3Test, SafeNormOfWhatIsAtTheEnds) {
  EXPECT_EQ(SafeNorm({0, 0, 0}), 0);
  EXPECT_EQ(SafeNorm({0, kDenormal, 0}), kDenormal);
  EXPECT_EQ(SafeNorm({3 * kDenormal, 0, 4 * kDenormal}), 5 * kDenormal);
  EXPECT_EQ(SafeNorm({-kInf, 1, 0}), kInf);
  const double large = std::numeric_limits<double>::max();
  EXPECT_EQ(SafeNorm({0, 0, -large}), large);
  EXPECT_EQ(SafeNorm({large, large, 0}), kInf);
}

TEST(Vec3Test, DirectionsHaveUnitLengthWhateverTheVectors) {
  meshes::Random random(2);
  for (const double scale : {kDenormal * 0x1p60, 0x1p-600, 1.0, 0x1p1000}) {
    const Vec3 v = random.Direction();
    const Vec3 d = DirectionOf(v * scale);
    for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(d[i], v[i], 1e-15);
  }
  EXPECT_EQ(DirectionOf({0, 0, -kDenormal}), (Vec3{0, 0, -1}));
  EXPECT_EQ(DirectionOf({0, 0, 0}), Vec3());
  EXPECT_EQ(DirectionOf({kInf, 0, 0}), Vec3());
}

}  // namespace
}  // namespace orbox
