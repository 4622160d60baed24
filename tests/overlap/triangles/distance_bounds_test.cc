// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/distance_bounds.h"

#include <cmath>
#include <limits>
#include <utility>

#include "gtest/gtest.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/exact_triangles.h"
#include "tests/support/special_numbers.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

using oracle::Rational;

bool IsBelow(double x, const Rational& y) {
  return x < 0 || (!std::isinf(x) && Rational(x) < y);
}
bool IsAbove(double x, const Rational& y) {
  return std::isinf(x) || Rational(x) > y;
}

// Returns true if the bounds are the definition: one double, or neighbours on
// either side.
bool AreTightestOf(const DistanceInterval& bounds, const Rational& value) {
  if (bounds.lower == bounds.upper) return Rational(bounds.lower) == value;
  return bounds.upper == std::nextafter(bounds.lower, kInf) &&
         IsBelow(bounds.lower, value) && IsAbove(bounds.upper, value);
}

bool AreTightestOfRoot(const DistanceInterval& bounds,
                       const Rational& squared) {
  const Rational lower(bounds.lower);
  if (bounds.lower == bounds.upper) return lower * lower == squared;
  if (bounds.upper != std::nextafter(bounds.lower, kInf)) return false;
  if (!(lower * lower < squared)) return false;
  if (std::isinf(bounds.upper)) return true;
  const Rational upper(bounds.upper);
  return upper * upper > squared;
}

Triangle Scaled(const Triangle& t, double factor) {
  return {t.a * factor, t.b * factor, t.c * factor};
}

DistanceInterval Scaled(const DistanceInterval& d, double factor) {
  return {d.lower * factor, d.upper * factor};
}

class DistanceBoundsOfKind : public testing::TestWithParam<TriangleKind> {};

TEST_P(DistanceBoundsOfKind, AreTheNeighboursOfTheRationalDistance) {
  TriangleCases cases(GetParam(), 1);
  for (int i = 0; i < 100; ++i) {
    const auto [s, t] = cases.Next();
    const Rational pair = oracle::SquaredDistance(s, t);
    EXPECT_TRUE(AreTightestOfRoot(BoundsOfDistance(s, t), pair)) << i;
    EXPECT_TRUE(AreTightestOf(BoundsOfSquaredDistance(s, t), pair)) << i;
    const Rational point = oracle::SquaredDistance(s.a, t);
    EXPECT_TRUE(AreTightestOfRoot(BoundsOfDistance(s.a, t), point)) << i;
    EXPECT_TRUE(AreTightestOf(BoundsOfSquaredDistance(s.a, t), point)) << i;
  }
}

TEST_P(DistanceBoundsOfKind, OneOfThemIsTheRoundedDistance) {
  TriangleCases cases(GetParam(), 2);
  for (int i = 0; i < 300; ++i) {
    const auto [s, t] = cases.Next();
    const double distance = Distance(s, t).distance;
    const DistanceInterval bounds = BoundsOfDistance(s, t);
    EXPECT_TRUE(distance == bounds.lower || distance == bounds.upper) << i;
    EXPECT_EQ(bounds.upper == 0, distance == 0) << i;
  }
}

TEST_P(DistanceBoundsOfKind, DependOnNoOrderAndScaleByPowersOfTwo) {
  TriangleCases cases(GetParam(), 3);
  for (int i = 0; i < 100; ++i) {
    const auto [s, t] = cases.Next();
    const DistanceInterval bounds = BoundsOfDistance(s, t);
    const DistanceInterval squared = BoundsOfSquaredDistance(s, t);
    EXPECT_EQ(BoundsOfDistance(t, s), bounds) << i;
    EXPECT_EQ(BoundsOfSquaredDistance(t, s), squared) << i;
    EXPECT_EQ(BoundsOfDistance({s.b, s.c, s.a}, {t.c, t.b, t.a}), bounds) << i;
    EXPECT_EQ(BoundsOfDistance(s.a, {t.c, t.b, t.a}), BoundsOfDistance(s.a, t));
    // Denormal values, and those that become denormal, do not scale.
    if (squared.upper != 0 && squared.upper < 0x1p-500) continue;
    for (const double factor : {0x1p-250, 0x1p-30, 0x1p40, 0x1p250}) {
      const Triangle u = Scaled(s, factor);
      const Triangle v = Scaled(t, factor);
      EXPECT_EQ(BoundsOfDistance(u, v), Scaled(bounds, factor)) << i;
      EXPECT_EQ(BoundsOfSquaredDistance(u, v), Scaled(squared, factor * factor))
          << i;
      EXPECT_EQ(BoundsOfDistance(u.a, v),
                Scaled(BoundsOfDistance(s.a, t), factor))
          << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, DistanceBoundsOfKind,
                         testing::ValuesIn(kTriangleKinds),
                         [](const auto& kind) { return NameOf(kind.param); });

TEST(DistanceBounds, ADistanceThatIsADoubleIsBothBounds) {
  const Triangle floor{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  EXPECT_EQ(BoundsOfDistance(Vec3{1, 1, 3}, floor), (DistanceInterval{3, 3}));
  EXPECT_EQ(BoundsOfSquaredDistance(Vec3{1, 1, 3}, floor),
            (DistanceInterval{9, 9}));
  const Triangle above{{1, 1, 2}, {2, 1, 2}, {1, 2, 2}};
  EXPECT_EQ(BoundsOfDistance(floor, above), (DistanceInterval{2, 2}));
  // 3, 4, 5; and the root of two is no double.
  EXPECT_EQ(BoundsOfDistance(Vec3{-3, 0, 4}, floor), (DistanceInterval{5, 5}));
  const DistanceInterval root = BoundsOfDistance(Vec3{-1, 0, 1}, floor);
  EXPECT_LT(root.lower, root.upper);
  EXPECT_EQ(BoundsOfSquaredDistance(Vec3{-1, 0, 1}, floor),
            (DistanceInterval{2, 2}));
  EXPECT_EQ(BoundsOfDistance(Vec3{1, 1, 0}, floor), (DistanceInterval{0, 0}));
}

// The root of 1 + 2^-104 is above 1 by less than doubles resolve.
TEST(DistanceBounds, SeeWhatRoundingHides) {
  const Triangle point{{1, 0x1p-52, 0}, {1, 0x1p-52, 0}, {1, 0x1p-52, 0}};
  EXPECT_EQ(Distance(Vec3{}, point).distance, 1);
  EXPECT_EQ(BoundsOfDistance(Vec3{}, point),
            (DistanceInterval{1, 1 + 0x1p-52}));
  EXPECT_EQ(BoundsOfSquaredDistance(Vec3{}, point),
            (DistanceInterval{1, 1 + 0x1p-52}));
}

TEST(DistanceBounds, BeyondTheRangeOfDoubleAreStillBounds) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  const Triangle far{{kLargest, kLargest, 0},
                     {kLargest, kLargest, 1},
                     {kLargest, kLargest, 0}};
  EXPECT_EQ(BoundsOfDistance(Vec3{-kLargest, 0, 0}, far),
            (DistanceInterval{kLargest, kInf}));
  EXPECT_EQ(BoundsOfSquaredDistance(Vec3{-kLargest, 0, 0}, far),
            (DistanceInterval{kLargest, kInf}));
  // Closer to the plane than the smallest denormal.
  const Triangle slope{{0, 0, 0}, {1, 0, 1}, {0, 1, 0}};
  const Vec3 near{0x1p-3, 0x1p-3, 0x1p-3 + 0x1p-55};
  EXPECT_LT(0, BoundsOfDistance(near, slope).lower);
  const Triangle tiny{{0, 0, 0}, {kLeast, 0, kLeast}, {0, kLeast, 0}};
  EXPECT_EQ(BoundsOfDistance(Vec3{kLeast, 0, 0}, tiny),
            (DistanceInterval{0, kLeast}));
  EXPECT_EQ(BoundsOfSquaredDistance(Vec3{kLeast, 0, 0}, tiny),
            (DistanceInterval{0, kLeast}));
}

}  // namespace
}  // namespace orbox
