// SPDX-License-Identifier: Apache-2.0

// Very small and very large shapes are decided as they are at size one, and
// without integers.
#include "orbox/overlap/triangles/internal/scaled_points.h"

#include <array>
#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/triangles/distance_bounds.h"
#include "orbox/overlap/triangles/predicates.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

constexpr double kLeastDenormal = std::numeric_limits<double>::denorm_min();

Vec3 AtExponent(const Vec3& p, int exponent) {
  return {std::ldexp(p.x, exponent), std::ldexp(p.y, exponent),
          std::ldexp(p.z, exponent)};
}
Triangle AtExponent(const Triangle& t, int exponent) {
  return {AtExponent(t.a, exponent), AtExponent(t.b, exponent),
          AtExponent(t.c, exponent)};
}

// A point of whole numbers, so that no scale loses digits.
Vec3 WholePoint(meshes::Random& random, double size) {
  const Vec3 p = random.Point(-size, size);
  return {std::round(p.x), std::round(p.y), std::round(p.z)};
}
Triangle WholeTriangle(meshes::Random& random, double size) {
  return {WholePoint(random, size), WholePoint(random, size),
          WholePoint(random, size)};
}

// Products of up to six whole coordinates leave double's range.
constexpr int kScaledExponents[] = {-1000, -550, -400, 300, 550, 980};

TEST(ScaledPointsTest, AnswersAreThoseOfTheShapesOfUsualSize) {
  meshes::Random random(1);
  for (const int exponent : kScaledExponents) {
    SCOPED_TRACE(exponent);
    ArithmeticCounts counts;
    for (int i = 0; i < 300; ++i) {
      const Triangle s = WholeTriangle(random, 1 << 20);
      const Triangle t = WholeTriangle(random, 1 << 20);
      const Vec3 p = WholePoint(random, 1 << 20);
      const Triangle small_s = AtExponent(s, exponent);
      const Triangle small_t = AtExponent(t, exponent);
      const Vec3 small_p = AtExponent(p, exponent);
      const double near = std::round(random.Uniform(0, 1 << 20));
      const double small_near = std::ldexp(near, exponent);
      EXPECT_EQ(Distance(small_p, small_t, &counts).distance,
                std::ldexp(Distance(p, t).distance, exponent));
      EXPECT_EQ(Distance(small_s, small_t, &counts).distance,
                std::ldexp(Distance(s, t).distance, exponent));
      EXPECT_EQ(WithinDistance(small_s, small_t, small_near, &counts),
                WithinDistance(s, t, near));
      EXPECT_EQ(Overlaps(Sphere{small_p, small_near}, small_t, &counts),
                Overlaps(Sphere{p, near}, t));
      EXPECT_EQ(Overlaps(small_s, small_t, &counts), Overlaps(s, t));
      const Vec3 half = Vec3{1, 1, 1} * near;
      const Vec3 small_half = Vec3{1, 1, 1} * small_near;
      EXPECT_EQ(Overlaps(Aabb{small_p - small_half, small_p + small_half},
                         small_t, &counts),
                Overlaps(Aabb{p - half, p + half}, t));
      EXPECT_EQ(Orient3d(small_p, small_t.a, small_t.b, small_t.c, nullptr),
                Orient3d(p, t.a, t.b, t.c, nullptr));
    }
    EXPECT_EQ(counts.by_exact, 0u);
    // All but few of 1,800.
    EXPECT_GT(counts.by_double, 1700u);
  }
}

// Whole multiples of the least double there is: distances are rounded to such,
// and once only.
TEST(ScaledPointsTest, DenormalDistancesAreTheNearest) {
  meshes::Random random(2);
  for (const double size : {4.0, 30.0, 1e3, 1e6, 1e12}) {
    SCOPED_TRACE(size);
    ArithmeticCounts counts;
    for (int i = 0; i < 300; ++i) {
      const Triangle s = WholeTriangle(random, size);
      Triangle t = WholeTriangle(random, size);
      for (Vec3* v : {&t.a, &t.b, &t.c}) v->x += 1.5 * size;
      const bool is_point = i % 2 == 0;
      const double found =
          is_point
              ? Distance(AtExponent(s.a, -1074), AtExponent(t, -1074), &counts)
                    .distance
              : Distance(AtExponent(s, -1074), AtExponent(t, -1074), &counts)
                    .distance;
      const DistanceInterval exact =
          is_point ? BoundsOfDistance(s.a, t) : BoundsOfDistance(s, t);
      const double steps = found / kLeastDenormal;
      if (exact.upper > 0 && exact.upper <= 0.5) {
        EXPECT_EQ(steps, 1);  // only what is 0 becomes 0
        continue;
      }
      EXPECT_GE(exact.lower, steps - 0.5);
      EXPECT_LE(exact.upper, steps + 0.5);
      if (exact.lower == exact.upper && std::abs(steps - exact.lower) == 0.5) {
        EXPECT_EQ(std::fmod(steps, 2), 0);
      }
    }
    // Halves, which are as near to two, are left to integers.
    EXPECT_LT(counts.by_exact, 20u);
  }
}

TEST(ScaledPointsTest, WhatWouldLoseDigitsStaysAsItIs) {
  using Points = std::array<Vec3, 2>;
  EXPECT_FALSE(Rescaled<2>(Points{Vec3{1, 2, 3}, Vec3{4, 5, 6}}).has_value());
  EXPECT_FALSE(Rescaled<2>(Points{}).has_value());
  EXPECT_FALSE(
      Rescaled<2>(Points{Vec3{1e300, 0, 0}, Vec3{1e-30, 0, 0}}).has_value());
  EXPECT_TRUE(
      Rescaled<2>(Points{Vec3{1e300, 0, 0}, Vec3{1e90, 0, 0}}).has_value());
  EXPECT_TRUE(
      Rescaled<2>(Points{Vec3{kLeastDenormal, 0, 0}, Vec3{}}).has_value());
}

}  // namespace
}  // namespace orbox
