// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/triangle_overlap.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/exact_triangles.h"
#include "tests/support/sanitized.h"
#include "tests/support/special_numbers.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

bool OracleWithin(const oracle::Rational& squared, double distance) {
  return distance == kInf || squared <= oracle::Rational(distance) * distance;
}

// Sphere and triangle pair at the limits that a rounded distance names: just
// below, at, and just above.
void ExpectRightAround(const Triangle& s, const Triangle& t) {
  const oracle::Rational pair = oracle::SquaredDistance(s, t);
  const oracle::Rational point = oracle::SquaredDistance(s.a, t);
  EXPECT_EQ(Overlaps(s, t), pair == 0);
  const double root = std::sqrt(static_cast<double>(pair));
  const double ball = std::sqrt(static_cast<double>(point));
  for (double step : {-kInf, kInf, 0.0}) {
    const double d =
        step == 0 ? root : std::max(0.0, std::nextafter(root, step));
    EXPECT_EQ(WithinDistance(s, t, d), OracleWithin(pair, d)) << d;
    EXPECT_EQ(WithinDistance(t, s, d), OracleWithin(pair, d)) << d;
    const double r =
        step == 0 ? ball : std::max(0.0, std::nextafter(ball, step));
    EXPECT_EQ(WithinDistance(s.a, t, r), OracleWithin(point, r)) << r;
    if (r == kInf) continue;
    EXPECT_EQ(Overlaps(Sphere{s.a, r}, t), OracleWithin(point, r)) << r;
  }
  for (double factor : {0.5, 1.5}) {
    EXPECT_EQ(WithinDistance(s, t, root * factor),
              OracleWithin(pair, root * factor));
    EXPECT_EQ(WithinDistance(s.a, t, ball * factor),
              OracleWithin(point, ball * factor));
  }
}

// Boxes around and next to a triangle; faces and corners touch if corners of
// the triangles coincide with theirs.
void ExpectRightWithBoxes(const Triangle& s, const Triangle& t,
                          const Vec3& axis) {
  const Aabb box{Min(s.a, s.b), Max(s.a, s.b)};
  EXPECT_EQ(Overlaps(box, t), oracle::Overlaps(box, t));
  const Aabb flat{Min(s.a, s.c),
                  {Max(s.a, s.c).x, Max(s.a, s.c).y, Min(s.a, s.c).z}};
  EXPECT_EQ(Overlaps(flat, t), oracle::Overlaps(flat, t));
  Obb turned{s.a, Pose::Rotation(Normalized(axis), 1).rows, Abs(s.b - s.c)};
  EXPECT_EQ(Overlaps(turned, t), oracle::Overlaps(turned, t));
  turned.half_extents.z = 0;
  EXPECT_EQ(Overlaps(turned, t), oracle::Overlaps(turned, t));
  const Obb straight{s.a, Pose().rows, Abs(s.b - s.c)};
  EXPECT_EQ(Overlaps(straight, t), oracle::Overlaps(straight, t));
  // Not at right angles, not of unit length: slabs all the same.
  const Obb oblique{s.a, {{{1, 2, 3}, {0, 1, 1}, {2, 0, 1}}}, Abs(s.b)};
  EXPECT_EQ(Overlaps(oblique, t), oracle::Overlaps(oblique, t));
}

class TriangleOverlapTest : public testing::TestWithParam<TriangleKind> {};

INSTANTIATE_TEST_SUITE_P(Kinds, TriangleOverlapTest,
                         testing::ValuesIn(kTriangleKinds),
                         [](const auto& kind) { return NameOf(kind.param); });

TEST_P(TriangleOverlapTest, DecidesAsExactArithmeticDoes) {
  TriangleCases cases(GetParam(), 1);
  for (int i = 0; i < 25 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const auto [s, t] = cases.Next();
    ExpectRightAround(s, t);
    ExpectRightWithBoxes(s, t, cases.Gaussian());
  }
}

TEST(TriangleOverlap, OfUnevenTrianglesIsDecidedAsExactArithmeticDoes) {
  TriangleCases cases(TriangleKind::kUneven, 1);
  const int pairs = kSanitized ? 60 : 300;
  for (int i = 0; i < pairs && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const auto [s, t] = cases.Next();
    ExpectRightAround(s, t);
    ExpectRightAround({s.b, s.c, s.a}, {t.c, t.b, t.a});
  }
}

TEST_P(TriangleOverlapTest, IsRightAtAnyScaleAndOffset) {
  for (const Setting& setting : kSettings) {
    TriangleCases cases(GetParam(), 2);
    const Vec3 shift = Vec3{1, 1, 1} * setting.offset;
    for (int i = 0; i < 2 && !HasFailure(); ++i) {
      SCOPED_TRACE(testing::Message() << i << " scale " << setting.scale
                                      << " offset " << setting.offset);
      const auto pair = cases.Next();
      const Triangle s = Transformed(pair.first, setting.scale, shift);
      const Triangle t = Transformed(pair.second, setting.scale, shift);
      EXPECT_EQ(Overlaps(s, t), oracle::Overlaps(s, t));
      const double distance = std::abs(cases.Gaussian().x) * setting.scale;
      EXPECT_EQ(WithinDistance(s, t, distance),
                OracleWithin(oracle::SquaredDistance(s, t), distance));
      EXPECT_EQ(Overlaps(Sphere{s.a, distance}, t),
                OracleWithin(oracle::SquaredDistance(s.a, t), distance));
      ExpectRightWithBoxes(s, t, cases.Gaussian());
    }
  }
}

TEST_P(TriangleOverlapTest, DependsNeitherOnArgumentNorOnVertexOrder) {
  constexpr std::array<std::array<size_t, 3>, 6> kOrders{
      {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
  TriangleCases cases(GetParam(), 3);
  for (int i = 0; i < 50; ++i) {
    const auto [s, t] = cases.Next();
    const bool overlap = Overlaps(s, t);
    for (const auto& p : kOrders) {
      for (const auto& q : kOrders) {
        EXPECT_EQ(Overlaps(Triangle{t[q[0]], t[q[1]], t[q[2]]},
                           Triangle{s[p[0]], s[p[1]], s[p[2]]}),
                  overlap);
      }
    }
  }
}

TEST(TriangleOverlap, CountsOneDecisionACall) {
  TriangleCases cases(TriangleKind::kRandom, 4);
  ArithmeticCounts counts;
  for (int i = 0; i < 10000; ++i) {
    const auto [s, t] = cases.Next();
    const Aabb box{Min(s.a, s.b), Max(s.a, s.b)};
    const Obb turned{s.a, Pose::Rotation({1, 0, 0}, 1).rows, Abs(s.b)};
    Overlaps(s, t, &counts);
    Overlaps(Sphere{s.a, 1}, t, &counts);
    Overlaps(box, t, &counts);
    Overlaps(turned, t, &counts);
    WithinDistance(s, t, 0.5, &counts);
  }
  EXPECT_EQ(counts.by_double + counts.by_exact, 50000);
  // Random coordinates leave nothing to exact arithmetic.
  EXPECT_LE(counts.by_exact, 5);
}

// Sums of doubles decide on which side of the common plane a rounded corner is.
// Doubles decide that the triangles are apart in the plane.
TEST(TriangleOverlap, ThoseApartNearlyInOnePlaneTakeDoublesAlone) {
  TriangleCases cases(TriangleKind::kRandom, 5);
  ArithmeticCounts counts;
  int apart = 0;
  for (int i = 0; i < 300; ++i) {
    const Pose pose = Pose::Rotation(Normalized(cases.Gaussian()), 1);
    const auto in_plane = [&] {
      const Vec3 p = cases.Gaussian();
      return pose.Apply(Vec3{p.x, p.y, 0});
    };
    const Triangle s{in_plane(), in_plane(), in_plane()};
    const Triangle t{in_plane(), in_plane(), in_plane()};
    ArithmeticCounts own;
    const bool overlap = Overlaps(s, t, &own);
    EXPECT_EQ(overlap, oracle::Overlaps(s, t));
    EXPECT_EQ(overlap, Overlaps(t, s));
    // Moved along the plane until they are apart for sure.
    const Vec3 far = pose.Apply(Vec3{0.9, -0.4, 0}) * 10;
    const Triangle u{t.a + far, t.b + far, t.c + far};
    EXPECT_FALSE(Overlaps(s, u, &counts));
    if (!overlap && own.by_double == 1) ++apart;
  }
  EXPECT_EQ(counts.by_double, 300);
  EXPECT_GT(apart, 50);
}

// Squares side by side, folded to segments or not, meet in corners that both
// have: no arithmetic is needed.
TEST(TriangleOverlap, ACommonCornerIsToldByComparisons) {
  TriangleCases cases(TriangleKind::kRandom, 6);
  ArithmeticCounts counts;
  for (int i = 0; i < 300; ++i) {
    const auto [s, t] = cases.Next();
    for (Triangle u : {t, Triangle{t.a, t.b, t.b}, Triangle{t.a, t.a, t.a}}) {
      u[static_cast<size_t>(i % 3)] = s[static_cast<size_t>(i / 3 % 3)];
      EXPECT_TRUE(Overlaps(s, u, &counts));
      EXPECT_TRUE(Overlaps(u, s, &counts));
    }
  }
  EXPECT_EQ(counts, (ArithmeticCounts{.by_double = 1800}));
}

// Boxes with a corner, or an edge, where an edge or the plane of a triangle is,
// to within rounding: only the axes that doubles leave undecided are tested
// again.
TEST(TriangleOverlap, BoxesAtEdgesAndFaces) {
  TriangleCases cases(TriangleKind::kRandom, 6);
  const int triangles = kSanitized ? 40 : 200;
  int meeting = 0;
  int apart = 0;
  for (int i = 0; i < triangles; ++i) {
    const Triangle t = cases.Next().first;
    const Vec3 half = Abs(cases.Gaussian()) * 0.5;
    for (const Vec3& at : {t.a * 0.5 + t.b * 0.5, t.b * 0.75 + t.c * 0.25,
                           t.c * 0.5 + t.a * 0.25 + t.b * 0.25}) {
      for (int k = 0; k < 8; ++k) {
        Vec3 far = at;
        for (size_t axis = 0; axis < 3; ++axis) {
          far[axis] += (k >> axis & 1) != 0 ? half[axis] : -half[axis];
        }
        const Aabb box{Min(at, far), Max(at, far)};
        const bool expected = oracle::Overlaps(box, t);
        EXPECT_EQ(Overlaps(box, t), expected);
        const Obb same{box.Center(), Pose().rows, box.HalfExtents()};
        EXPECT_EQ(Overlaps(same, t), oracle::Overlaps(same, t));
        ++(expected ? meeting : apart);
      }
    }
  }
  EXPECT_GT(meeting, 5 * triangles);
  EXPECT_GT(apart, 5 * triangles / 2);
}

// Balls on floors and walls, of coordinates of many digits: the planes'
// distance decides, over the triangle, next to it, and on its rim.
TEST(TriangleOverlap, BallsThatRestOnFloorsAndWalls) {
  TriangleCases cases(TriangleKind::kRandom, 5);
  ArithmeticCounts counts;
  int touching = 0;
  for (int i = 0; i < 300; ++i) {
    const size_t axis = i % 3;
    Triangle t = cases.Next().first;
    const double level = t.a[axis];
    t.b[axis] = t.c[axis] = level;
    for (const Vec3& over :
         {(t.a + t.b + t.c) * (1.0 / 3), cases.Gaussian(), t.a, t.b,
          t.a * 0.5 + t.b * 0.5, t.c * 1.125 - t.a * 0.125}) {
      Vec3 center = over;
      // At its radius from the plane, rounded.
      const double r = i % 2 == 0 ? 0.3 : 7.0;
      center[axis] = i % 4 < 2 ? level + r : level - r;
      const oracle::Rational squared = oracle::SquaredDistance(center, t);
      const double height = std::abs(center[axis] - level);
      for (const double radius :
           {r, height, std::nextafter(r, 0.0), std::nextafter(r, kInf)}) {
        const bool expected = OracleWithin(squared, radius);
        EXPECT_EQ(Overlaps(Sphere{center, radius}, t, &counts), expected);
        touching += expected;
      }
    }
  }
  EXPECT_GT(touching, 1000);
  EXPECT_EQ(counts.by_exact, 0u);
  // On corners and edges alone.
  EXPECT_LT(counts.by_expansion, 1500u);
}

TEST(TriangleOverlap, TangentSphereTouchesAndAnUlpLessDoesNot) {
  const Triangle t{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  for (double r : {1.0, 3.0, 0x1p-30, 1e-12, 1e12}) {
    const Vec3 above{1, 1, r};
    EXPECT_TRUE(Overlaps(Sphere{above, r}, t));
    EXPECT_FALSE(Overlaps(Sphere{above, std::nextafter(r, 0.0)}, t));
    EXPECT_FALSE(Overlaps(Sphere{{1, 1, std::nextafter(r, kInf)}, r}, t));
  }
  // At a corner, by 3-4-5.
  EXPECT_TRUE(Overlaps(Sphere{{-3, -4, 0}, 5}, t));
  EXPECT_FALSE(Overlaps(Sphere{{-3, -4, 0}, std::nextafter(5.0, 0.0)}, t));
  // A point, on the triangle and not.
  EXPECT_TRUE(Overlaps(Sphere{{1, 1, 0}, 0}, t));
  EXPECT_FALSE(Overlaps(Sphere{{1, 1, 5e-324}, 0}, t));
}

// The twelve triangles of the cube [0, size]^3, moved.
std::array<Triangle, 12> Cube(double size, const Vec3& shift) {
  std::array<Triangle, 12> triangles;
  size_t n = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    for (double side : {0.0, size}) {
      const auto corner = [&](double u, double v) {
        Vec3 p;
        p[axis] = side;
        p[(axis + 1) % 3] = u * size;
        p[(axis + 2) % 3] = v * size;
        return p + shift;
      };
      triangles[n++] = {corner(0, 0), corner(1, 0), corner(1, 1)};
      triangles[n++] = {corner(0, 0), corner(1, 1), corner(0, 1)};
    }
  }
  return triangles;
}

TEST(TriangleOverlap, CubesThatTouchFindEveryPair) {
  // By a face, partly; by an edge; by a vertex; and by a gap of one ulp.
  const Vec3 shifts[] = {{1, 0, 0},          {1, 0.25, 0.5}, {1, 1, 0},
                         {1, 1, 1},          {1, 1, -1},     {0.5, 0.5, 1},
                         {1 + 0x1p-52, 0, 0}};
  for (double size : {1.0, 1e-3, 1e-12}) {
    for (const Vec3& shift : shifts) {
      int count = 0;
      for (const Triangle& s : Cube(size, {})) {
        for (const Triangle& t : Cube(size, shift * size)) {
          const bool overlap = Overlaps(s, t);
          // The oracle where it is not obvious.
          if (Distance(s, t).distance < 0.01 * size) {
            EXPECT_EQ(overlap, oracle::Overlaps(s, t));
          }
          count += overlap ? 1 : 0;
        }
      }
      if (shift.x == 1 || shift.z == 1) {
        EXPECT_GT(count, 0);
      }
      if (shift.x > 1) {
        EXPECT_EQ(count, 0);
      }
    }
  }
}

// Gaps that other libraries take for contact, by an absolute tolerance or by
// floats, at their sizes and far from the origin.
TEST(TriangleOverlap, SmallGapsAreNoContact) {
  for (double size : {1.0, 1e-3, 1e-6, 1e-12}) {
    for (double offset : {0.0, 100.0, 10000.0}) {
      for (double gap : {1e-3, 1e-7, 1e-9}) {
        const Vec3 shift = Vec3{1, 1, 1} * (offset * size);
        const double z = shift.z + gap * size;
        if (z == shift.z) continue;
        const Triangle s{shift, shift + Vec3{size, 0, 0},
                         shift + Vec3{0, size, 0}};
        const Triangle t{{shift.x, shift.y, z},
                         {shift.x + size, shift.y, z},
                         {shift.x, shift.y + size, z + size}};
        EXPECT_FALSE(Overlaps(s, t));
        EXPECT_TRUE(WithinDistance(s, t, z - shift.z));
        EXPECT_FALSE(WithinDistance(s, t, std::nextafter(z - shift.z, 0.0)));
        EXPECT_FALSE(
            Overlaps(Sphere{{shift.x, shift.y, z}, gap * size / 2}, s));
      }
    }
  }
}

TEST(TriangleOverlap, OneInsideAnotherInItsPlaneMeets) {
  const Triangle large{{-10, -10, 1}, {10, -10, 1}, {0, 10, 1}};
  const Triangle small{{0, 0, 1}, {0.1, 0, 1}, {0, 0.1, 1}};
  EXPECT_TRUE(Overlaps(large, small));
  EXPECT_TRUE(Overlaps(small, large));
  const Triangle above{
      {0, 0, 1 + 1e-9}, {0.1, 0, 1 + 1e-9}, {0, 0.1, 1 + 1e-9}};
  EXPECT_FALSE(Overlaps(large, above));
}

TEST(TriangleOverlap, BallsOfNanMeetNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Triangle t{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  EXPECT_FALSE(Overlaps(Sphere{{0, 0, 0}, nan}, t));
  EXPECT_FALSE(Overlaps(Sphere{{nan, 0, 0}, 1}, t));
  EXPECT_FALSE(Overlaps(Sphere{{0, 0, nan}, 1}, t));
}

TEST(TriangleOverlap, InfiniteDistanceIsAlwaysWithin) {
  const double large = std::numeric_limits<double>::max();
  const Triangle s{{-large, 0, 0}, {-large, 1, 0}, {-large, 0, 1}};
  const Triangle t{{large, 0, 0}, {large, 1, 0}, {large, 0, 1}};
  EXPECT_TRUE(WithinDistance(s, t, kInf));
  EXPECT_TRUE(WithinDistance(s.a, t, kInf));
  EXPECT_FALSE(WithinDistance(s.a, t, large));
}

}  // namespace
}  // namespace orbox
