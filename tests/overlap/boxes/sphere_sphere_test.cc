// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/boxes/sphere_sphere.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "orbox/overlap/internal/numbers/exact_number.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

// The definition, without rounding.
bool SpheresOverlap(const Sphere& s, const Sphere& t) {
  Exact squared;
  for (size_t i = 0; i < 3; ++i) {
    const Exact d = Exact(t.center[i]) - Exact(s.center[i]);
    squared = squared + d * d;
  }
  const Exact reach = Exact(s.radius) + Exact(t.radius);
  return (squared - reach * reach).Sign() <= 0;
}

void Check(const Sphere& s, const Sphere& t) {
  const bool truth = SpheresOverlap(s, t);
  EXPECT_EQ(Overlaps(s, t), truth);
  EXPECT_EQ(Overlaps(t, s), truth);
  if (truth) {
    EXPECT_TRUE(MayOverlap(s, t));
    EXPECT_TRUE(MayOverlap(t, s));
  }
}

TEST(SphereSphereTest, TouchingIsOverlappingAndOneUlpAwayIsNot) {
  for (const double scale : {1.0, 0x1p-500, 0x1p500, 0x1p-1060, 0x1p1020}) {
    const Sphere s{{0, 0, 0}, 2 * scale};
    const Sphere t{{3 * scale, 4 * scale, 0}, 3 * scale};
    EXPECT_TRUE(Overlaps(s, t)) << scale;
    EXPECT_TRUE(MayOverlap(s, t)) << scale;
    const Sphere away{{3 * scale, std::nextafter(4 * scale, INFINITY), 0},
                      3 * scale};
    EXPECT_FALSE(Overlaps(s, away)) << scale;
  }
}

TEST(SphereSphereTest, AgreesWithExactArithmeticNearContact) {
  meshes::Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    const double scale =
        std::ldexp(1.0, static_cast<int>(random.Bits() % 1800) - 900);
    const Vec3 offset = random.Point(-1, 1) * (i % 3 == 0 ? 0x1p20 : 1);
    const Vec3 direction = random.Direction();
    const double r = random.Uniform(0, 1);
    const double gap = random.Uniform(0, 2);
    const double nudge =
        1 + (static_cast<int>(random.Bits() % 9) - 4) * 0x1p-52;
    const Sphere s{offset * scale, r * scale};
    const Sphere t{(offset + direction * ((r + gap) * nudge)) * scale,
                   gap * scale};
    Check(s, t);
  }
}

TEST(SphereSphereTest, AgreesWithExactArithmeticAtRandom) {
  meshes::Random random(2);
  int overlapping = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Sphere s{random.Point(-1, 1), random.Uniform(0, 1)};
    const Sphere t{random.Point(-1, 1), random.Uniform(0, 1)};
    Check(s, t);
    overlapping += Overlaps(s, t) ? 1 : 0;
  }
  EXPECT_GT(overlapping, 2000);
  EXPECT_LT(overlapping, 18'000);
}

TEST(SphereSphereTest, PointsAndExtremes) {
  constexpr double kMax = std::numeric_limits<double>::max();
  constexpr double kMin = std::numeric_limits<double>::denorm_min();
  const double values[] = {0, -0.0, kMin, -kMin, 1, -1, kMax, -kMax};
  for (const double x : values) {
    for (const double y : values) {
      for (const double r : {0.0, kMin, 1.0, kMax}) {
        Check({{x, y, 0}, r}, {{y, 0, x}, 0});
        Check({{x, y, x}, r}, {{-x, y, x}, r});
      }
    }
  }
}

TEST(SphereSphereTest, CountsWhichArithmeticDecided) {
  ArithmeticCounts counts;
  EXPECT_TRUE(Overlaps(Sphere{{0, 0, 0}, 2}, Sphere{{1, 0, 0}, 2}, &counts));
  EXPECT_EQ(counts.by_double, 1u);
  EXPECT_TRUE(Overlaps(Sphere{{0, 0, 0}, 2}, Sphere{{4, 0, 0}, 2}, &counts));
  EXPECT_EQ(counts.by_double, 2u);
  const Sphere s{{0, 0, 0}, 0.1};
  EXPECT_TRUE(Overlaps(s, Sphere{{0.1 + 0x1p-60, 0, 0}, 0x1p-60}, &counts));
  EXPECT_EQ(counts.by_expansion + counts.by_double, 3u);
  EXPECT_FALSE(Overlaps(Sphere{{0, 0, 0}, 0x1p-600},
                        Sphere{{0x1p-598, 0, 0}, 0x1p-600}, &counts));
  EXPECT_EQ(counts.by_exact, 1u);
}

}  // namespace
}  // namespace orbox
