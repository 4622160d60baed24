// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/triangle_distance.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/support/exact_triangles.h"
#include "tests/support/sanitized.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

// Bound of the error of a witness point: a few ulp of the largest coordinate,
// since positions, edges and products of coefficients round.
double WitnessTolerance(const Triangle& s, const Triangle& t) {
  return 16 * std::max(0x1p-52 * std::max(Reach(s), Reach(t)),
                       std::numeric_limits<double>::denorm_min());
}

bool IsOn(const Vec3& p, const Triangle& t, double tolerance) {
  return oracle::SquaredDistance(p, t) <=
         oracle::Rational(tolerance) * tolerance;
}

void ExpectRight(const Triangle& s, const Triangle& t) {
  const TrianglePairDistance d = Distance(s, t);
  EXPECT_TRUE(oracle::IsRoundedRoot(d.distance, oracle::SquaredDistance(s, t)))
      << d.distance;
  const double tolerance = WitnessTolerance(s, t);
  EXPECT_TRUE(IsOn(d.on_first, s, tolerance));
  EXPECT_TRUE(IsOn(d.on_second, t, tolerance));
  EXPECT_NEAR(SafeNorm(d.on_second - d.on_first), d.distance, 4 * tolerance);

  const PointTriangleDistance e = Distance(s.a, t);
  EXPECT_TRUE(
      oracle::IsRoundedRoot(e.distance, oracle::SquaredDistance(s.a, t)));
  EXPECT_TRUE(IsOn(e.closest, t, tolerance));
  EXPECT_NEAR(SafeNorm(e.closest - s.a), e.distance, 4 * tolerance);
}

class TriangleDistanceTest : public testing::TestWithParam<TriangleKind> {};

INSTANTIATE_TEST_SUITE_P(Kinds, TriangleDistanceTest,
                         testing::ValuesIn(kTriangleKinds),
                         [](const auto& kind) { return NameOf(kind.param); });

TEST_P(TriangleDistanceTest, IsExactDistanceCorrectlyRounded) {
  TriangleCases cases(GetParam(), 1);
  for (int i = 0; i < 60 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const auto [s, t] = cases.Next();
    ExpectRight(s, t);
  }
}

TEST(TriangleDistance, OfUnevenTrianglesIsCorrectlyRounded) {
  TriangleCases cases(TriangleKind::kUneven, 1);
  const int pairs = kSanitized ? 60 : 300;
  for (int i = 0; i < pairs && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const auto [s, t] = cases.Next();
    ExpectRight(s, t);
    ExpectRight({t.b, t.c, t.a}, {s.c, s.b, s.a});
  }
}

TEST_P(TriangleDistanceTest, IsRightAtAnyScaleAndOffset) {
  for (const Setting& setting : kSettings) {
    TriangleCases cases(GetParam(), 2);
    for (int i = 0; i < 4 && !HasFailure(); ++i) {
      SCOPED_TRACE(testing::Message() << i << " scale " << setting.scale
                                      << " offset " << setting.offset);
      const auto [s, t] = cases.Next();
      const Vec3 shift = Vec3{1, 1, 1} * setting.offset;
      ExpectRight(Transformed(s, setting.scale, shift),
                  Transformed(t, setting.scale, shift));
    }
  }
}

TEST_P(TriangleDistanceTest, IsTheSameWithoutWitnessPoints) {
  for (const Setting& setting : kSettings) {
    TriangleCases cases(GetParam(), 9);
    for (int i = 0; i < 20; ++i) {
      SCOPED_TRACE(testing::Message() << i << " scale " << setting.scale
                                      << " offset " << setting.offset);
      const auto [first, second] = cases.Next();
      const Vec3 shift = Vec3{1, 1, 1} * setting.offset;
      const Triangle s = Transformed(first, setting.scale, shift);
      const Triangle t = Transformed(second, setting.scale, shift);
      const double d = Distance(s, t).distance;
      EXPECT_EQ(DistanceBetween(s, t), d);
      EXPECT_EQ(DistanceBetween({t.c, t.a, t.b}, {s.b, s.a, s.c}), d);
    }
  }
}

TEST_P(TriangleDistanceTest, IsZeroExactlyWhereTrianglesOverlap) {
  TriangleCases cases(GetParam(), 3);
  for (int i = 0; i < 500; ++i) {
    const auto [s, t] = cases.Next();
    EXPECT_EQ(Distance(s, t).distance == 0, Overlaps(s, t)) << i;
  }
}

TEST_P(TriangleDistanceTest, DependsNeitherOnArgumentNorOnVertexOrder) {
  constexpr std::array<std::array<size_t, 3>, 6> kOrders{
      {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
  TriangleCases cases(GetParam(), 4);
  for (int i = 0; i < 60; ++i) {
    const auto [s, t] = cases.Next();
    const TrianglePairDistance d = Distance(s, t);
    const TrianglePairDistance swapped = Distance(t, s);
    EXPECT_EQ(swapped.distance, d.distance);
    EXPECT_EQ(swapped.on_first, d.on_second);
    EXPECT_EQ(swapped.on_second, d.on_first);
    const PointTriangleDistance p = Distance(s.a, t);
    for (const auto& order : kOrders) {
      const Triangle u{t[order[0]], t[order[1]], t[order[2]]};
      const TrianglePairDistance e = Distance(s, u);
      EXPECT_EQ(e.distance, d.distance);
      EXPECT_EQ(e.on_first, d.on_first);
      EXPECT_EQ(e.on_second, d.on_second);
      EXPECT_EQ(Distance(s.a, u).distance, p.distance);
      EXPECT_EQ(Distance(s.a, u).closest, p.closest);
    }
  }
}

Triangle Mapped(const Triangle& t, double scale) {
  const auto map = [scale](const Vec3& p) {
    return Vec3{p.z * scale, -p.x * scale, p.y * scale};
  };
  return {map(t.a), map(t.b), map(t.c)};
}

TEST_P(TriangleDistanceTest, ScalesAndTurnsWithoutRounding) {
  TriangleCases cases(GetParam(), 5);
  for (int i = 0; i < 100; ++i) {
    const auto [s, t] = cases.Next();
    const double distance = Distance(s, t).distance;
    if (distance != 0 && distance < 0x1p-900) continue;  // denormal corners
    for (double scale : {0x1p-60, 0x1p-1, 0x1p90}) {
      EXPECT_EQ(Distance(Mapped(s, scale), Mapped(t, scale)).distance,
                distance * scale);
    }
  }
}

TEST(TriangleDistance, TiesOnSharedFeaturesAreExact) {
  // The fans around an edge and around a vertex, seen from points whose closest
  // point is there: all triangles are exactly as far.
  TriangleCases cases(TriangleKind::kRandom, 6);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 a = cases.Gaussian();
    const Vec3 b = cases.Gaussian();
    const Vec3 p = cases.Gaussian();
    const PointTriangleDistance on_edge = Distance(p, {a, b, b});
    const Vec3 outward = p - on_edge.closest;
    for (int k = 0; k < 3; ++k) {
      // A third corner behind the plane through the closest point.
      Vec3 c = cases.Gaussian();
      const double ahead = Dot(c - on_edge.closest, outward);
      if (ahead > 0) c -= outward * (1.5 * ahead / SquaredNorm(outward));
      EXPECT_EQ(Distance(p, {a, b, c}).distance, on_edge.distance);
    }
  }
}

TEST(TriangleDistance, RandomTrianglesNeedNoExactArithmetic) {
  TriangleCases cases(TriangleKind::kRandom, 7);
  ArithmeticCounts points, pairs;
  uint64_t apart = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto [s, t] = cases.Next();
    Distance(s.a, t, &points);
    if (Overlaps(s, t)) continue;
    Distance(s, t, &pairs);
    ++apart;
  }
  EXPECT_EQ(points.by_double + points.by_exact, 20000);
  EXPECT_LE(points.by_exact, 2);
  EXPECT_EQ(pairs.by_double + pairs.by_exact, apart);
  EXPECT_LE(pairs.by_exact, 2);
}

TEST(TriangleDistance, NearContactNeedsNoExactArithmetic) {
  // Gaps down to 1e-9 of the size, corner over face and edge over edge.
  TriangleCases cases(TriangleKind::kRandom, 8);
  ArithmeticCounts counts;
  for (int i = 0; i < 2000; ++i) {
    const double gap = std::ldexp(1.0, -cases.Whole(1, 30));
    const Triangle floor{{-3, -3, 0}, {3, -3, 0}, {0, 5, 0}};
    const Triangle above{{0.1, 0.2, gap}, {0.3, 1, 1 + gap}, {0.5, 0, 2 + gap}};
    const Pose pose =
        Pose::Rotation(Normalized(cases.Gaussian()), 1, cases.Gaussian());
    const TrianglePairDistance d =
        Distance(pose.Apply(floor), pose.Apply(above), &counts);
    // The pose rounds coordinates of magnitude 10.
    EXPECT_NEAR(d.distance, gap, 1e-14);
  }
  EXPECT_LE(counts.by_exact, 2000 / 100);
}

TEST(TriangleDistance, OfWholeNumbersIsThatOfTheTextbook) {
  const Triangle floor{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  EXPECT_EQ(Distance(Vec3{1, 1, 3}, floor).distance, 3);
  EXPECT_EQ(Distance(Vec3{1, 1, 3}, floor).closest, (Vec3{1, 1, 0}));
  EXPECT_EQ(Distance(Vec3{-3, -4, 0}, floor).distance, 5);
  EXPECT_EQ(Distance(Vec3{1, 1, 0}, floor).distance, 0);
  EXPECT_EQ(Distance(Vec3{2, 2, 0}, floor).distance, 0);  // on an edge
  EXPECT_EQ(Distance(Vec3{4, 0, 0}, floor).distance, 0);  // at a corner
  EXPECT_EQ(Distance(Vec3{3, 3, 0}, floor).distance, std::sqrt(2.0));
  const Triangle roof{{1, 1, 2}, {2, 1, 2}, {1, 2, 2}};
  EXPECT_EQ(Distance(floor, roof).distance, 2);
  const Triangle nail{{1, 1, 5}, {1, 1, -5}, {1, 1, 0}};
  EXPECT_EQ(Distance(floor, nail).distance, 0);
  EXPECT_EQ(Distance(floor, nail).on_first, Distance(floor, nail).on_second);
}

TEST(TriangleDistance, FarApartBeyondDoubleIsInfinite) {
  const double large = std::numeric_limits<double>::max();
  const Triangle s{{-large, 0, 0}, {-large, 1, 0}, {-large, 0, 1}};
  const Triangle t{{large, 0, 0}, {large, 1, 0}, {large, 0, 1}};
  EXPECT_EQ(Distance(s, t).distance, std::numeric_limits<double>::infinity());
  EXPECT_EQ(Distance(s, t).on_first.x, -large);
  EXPECT_FALSE(Overlaps(s, t));
  EXPECT_FALSE(WithinDistance(s, t, large));
}

TEST(TriangleDistance, WhatIsApartIsNeverZero) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  const Triangle s{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const Triangle t{{0, 0, tiny}, {1, 0, tiny}, {0, 1, tiny}};
  EXPECT_EQ(Distance(s, t).distance, tiny);
  // A corner next to the middle of a sloping edge: 0.7 of tiny.
  const Triangle slope{{-1, 1, 0}, {1, -1, 0}, {-1, -1, 0}};
  EXPECT_EQ(Distance(Vec3{0, tiny, 0}, slope).distance, tiny);
}

// Other libraries have an absolute cutoff in the triangle distance, which
// returns 0 for small models.
TEST(TriangleDistance, SmallModelsKeepTheirGaps) {
  TriangleCases cases(TriangleKind::kRandom, 9);
  for (double size : {1e-2, 1e-3, 1e-6, 1e-12}) {
    const double gap = size * 1e-5;
    const Triangle s{{0, 0, 0}, {size, 0, 0}, {0, size, 0}};
    const Triangle t{{0, 0, gap}, {size, 0, gap}, {0, size, gap}};
    EXPECT_EQ(Distance(s, t).distance, gap);
    EXPECT_FALSE(Overlaps(s, t));
    EXPECT_FALSE(WithinDistance(s, t, std::nextafter(gap, 0.0)));
    EXPECT_TRUE(WithinDistance(s, t, gap));
  }
}

}  // namespace
}  // namespace orbox
