// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/internal/motion_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

// In long double, whose range has room for the squares.
long double Moved(const Pose& from, const Pose& to, const Vec3& p) {
  const Vec3 x = from.Apply(p);
  const Vec3 y = to.Apply(p);
  long double squared = 0;
  for (size_t i = 0; i < 3; ++i) {
    const long double d = static_cast<long double>(y[i]) - x[i];
    squared += d * d;
  }
  return std::sqrt(squared);
}

Vec3 CornerOf(const Aabb& box, int corner) {
  return {(corner & 1) != 0 ? box.hi.x : box.lo.x,
          (corner & 2) != 0 ? box.hi.y : box.lo.y,
          (corner & 4) != 0 ? box.hi.z : box.lo.z};
}

Pose SomePose(meshes::Random& random, double scale) {
  Pose pose = Pose::Rotation(random.Direction(), random.Uniform(-3, 3),
                             random.Point(-2, 2) * scale);
  if (random.Below(4) == 0) pose.rows[1] = pose.rows[1] * 2.0;
  return pose;
}

TEST(MotionBoundTest, NoCornerMovesFurtherAndNoneMuchLess) {
  meshes::Random random(1);
  for (const int exponent : {-140, -100, 0, 100, 190}) {
    SCOPED_TRACE(exponent);
    const double scale = std::ldexp(1.0, exponent);
    for (int i = 0; i < 300; ++i) {
      const Vec3 p = random.Point(-1, 1) * scale;
      const Vec3 q = random.Point(-1, 1) * scale;
      const Aabb box{Min(p, q), Max(p, q)};
      const Pose from = SomePose(random, scale);
      Pose to = i % 3 == 0 ? SomePose(random, scale) : from;
      if (i % 3 == 1) to.translation += random.Point(-1, 1) * (0.01 * scale);
      if (i % 3 == 2) {
        for (Vec3& row : to.rows) row += random.Point(-1e-3, 1e-3);
      }
      const double bound = MotionBound(box, from, to);
      long double most = 0;
      for (int corner = 0; corner < 8; ++corner) {
        most = std::max(most, Moved(from, to, CornerOf(box, corner)));
      }
      EXPECT_LE(most, bound);
      EXPECT_GE(1.75L * most, bound);
    }
  }
}

TEST(MotionBoundTest, WhatIsNotFiniteIsInfinite) {
  Pose broken;
  broken.translation.x = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(MotionBound({}, {}, broken),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(MotionBound({}, broken, {}),
            std::numeric_limits<double>::infinity());
}

// So that a pose that is refused is close to none that is not.
TEST(MotionBoundTest, WhatIsBeyondTheRangeIsInfinite) {
  const Aabb box{{0, 0, 0}, {1, 1, 1}};
  const Pose last = Pose::Translation({0x1.fffffp199, 0, 0});
  const Pose beyond = Pose::Translation({0x1.00001p200, 0, 0});
  Pose steep;
  steep.rows[0].x = 0x1.00001p200;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(MotionBound(box, last, beyond), kInfinity);
  EXPECT_EQ(MotionBound(box, beyond, last), kInfinity);
  EXPECT_EQ(MotionBound({}, {}, steep), kInfinity);
  EXPECT_EQ(MotionBound({}, steep, {}), kInfinity);
  EXPECT_LT(MotionBound(box, Pose::Translation({0x1p197, 0, 0}), {}),
            kInfinity);
}

TEST(MotionBoundTest, RoundingAloneIsNotNothing) {
  EXPECT_GT(MotionBound({{0, 0, 0}, {1, 1, 1}}, {}, {}), 0);
}

}  // namespace
}  // namespace orbox
