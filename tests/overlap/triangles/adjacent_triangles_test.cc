// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/adjacent_triangles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tests/support/exact_triangles.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

// By rational arithmetic: whether a corner of the common set, and so the set,
// is outside of the hull of the shared corners.
bool OverlapsBeyondByOracle(const Triangle& s, const Triangle& t,
                            std::span<const Vec3> shared) {
  const auto common = oracle::CommonCorners(s, t);
  if (shared.empty()) return !common.empty();
  const oracle::Corners hull = oracle::Lift(
      Triangle{shared.front(), shared[shared.size() / 2], shared.back()});
  return std::any_of(common.begin(), common.end(), [&](const auto& p) {
    return oracle::ToTriangle(p, hull) != 0;
  });
}

// Gives `t` one or two corners of `s`, in any order.
Triangle Joined(const Triangle& s, Triangle t, TriangleCases& cases) {
  const auto i = static_cast<size_t>(cases.Whole(0, 2));
  const auto j = static_cast<size_t>(cases.Whole(0, 2));
  t[i] = s[j];
  if (cases.Coin()) t[(i + 1) % 3] = s[(j + 1) % 3];
  return t;
}

void ExpectAsOracle(const Triangle& s, const Triangle& t) {
  const CornerSet common = CommonCorners(s, t);
  // All shared corners, and any of them: the choices that indices may give.
  for (size_t count = 0; count <= common.size(); ++count) {
    for (size_t first = 0; first + count <= common.size(); ++first) {
      const auto shared = common.points().subspan(first, count);
      const bool expected = OverlapsBeyondByOracle(s, t, shared);
      EXPECT_EQ(OverlapsBeyond(s, t, shared), expected);
      EXPECT_EQ(OverlapsBeyond(t, s, shared), expected);
    }
  }
}

class AdjacentTrianglesTest : public testing::TestWithParam<TriangleKind> {};

INSTANTIATE_TEST_SUITE_P(Kinds, AdjacentTrianglesTest,
                         testing::ValuesIn(kTriangleKinds),
                         [](const auto& kind) { return NameOf(kind.param); });

TEST_P(AdjacentTrianglesTest, AgreeWithTheOracle) {
  TriangleCases cases(GetParam(), 1);
  for (int i = 0; i < 70 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const auto [s, t] = cases.Next();
    ExpectAsOracle(s, t);
    ExpectAsOracle(s, Joined(s, t, cases));
  }
}

// Powers of two, and coordinates that trade places or signs, round nothing.
TEST_P(AdjacentTrianglesTest, DoNotDependOnOrderScaleOrAxes) {
  TriangleCases cases(GetParam(), 2);
  for (int i = 0; i < 20 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const auto [s, other] = cases.Next();
    const Triangle t = Joined(s, other, cases);
    const CornerSet shared = CommonCorners(s, t);
    const bool expected = OverlapsBeyond(s, t, shared.points());
    for (const Triangle& x : OrdersOf(s)) {
      for (const Triangle& y : OrdersOf(t)) {
        EXPECT_EQ(OverlapsBeyond(x, y, CommonCorners(x, y).points()), expected);
      }
    }
    for (int exponent : {-600, -40, 40, 600}) {
      const double scale = std::ldexp(1.0, exponent);
      const auto move = [&](const Vec3& p) {
        return Vec3{-p.z, p.x, p.y} * scale;
      };
      const Triangle x{move(s.a), move(s.b), move(s.c)};
      const Triangle y{move(t.a), move(t.b), move(t.c)};
      EXPECT_EQ(OverlapsBeyond(x, y, CommonCorners(x, y).points()), expected);
    }
  }
}

TEST(AdjacentTrianglesTest, AnEdgeIsFoldedOrNot) {
  const Triangle s{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const auto beyond = [&s](const Vec3& apex) {
    const Triangle t{{1, 0, 0}, {0, 0, 0}, apex};
    EXPECT_EQ(CommonCorners(s, t).size(), 2U);
    return OverlapsBeyond(s, t, CommonCorners(s, t).points());
  };
  EXPECT_FALSE(beyond({0.5, -1, 0}));
  EXPECT_TRUE(beyond({0.5, 1, 0}));
  EXPECT_TRUE(beyond({0.5, 0x1p-1000, 0}));
  EXPECT_FALSE(beyond({0.5, 1, 0x1p-1000}));
  // A triangle without area that continues along the edge's line, and one that
  // is on the edge.
  EXPECT_FALSE(beyond({2, 0, 0}));
  EXPECT_FALSE(beyond({0.5, 0, 0}));
  const Triangle long_one{{0, 0, 0}, {1, 0, 0}, {3, 0, 0}};
  const Triangle longer{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  EXPECT_TRUE(OverlapsBeyond(long_one, longer,
                             CommonCorners(long_one, longer).points()));
}

TEST(AdjacentTrianglesTest, WhatSharesAllCornersHasNothingBeyond) {
  const Triangle t{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  EXPECT_EQ(CommonCorners(t, {t.b, t.a, t.c}).size(), 3U);
  EXPECT_FALSE(OverlapsBeyond(t, {t.b, t.a, t.c}, CornersOf(t).points()));
  EXPECT_TRUE(
      OverlapsBeyond(t, {t.b, t.a, t.c}, CornersOf(t).points().first(2)));
}

// A point is a degenerate triangle, which takes no integers.
TEST(AdjacentTrianglesTest, CountsTheArithmeticThatDecides) {
  ArithmeticCounts counts;
  const Triangle s{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const Triangle up{{0, 0, 0}, {1, 1, 1}, {2, 1, 1}};
  EXPECT_FALSE(OverlapsBeyond(s, up, CommonCorners(s, up).points(), &counts));
  EXPECT_EQ(counts, (ArithmeticCounts{.by_double = 1}));
  const Triangle point{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  EXPECT_FALSE(
      OverlapsBeyond(s, point, CommonCorners(s, point).points(), &counts));
  EXPECT_EQ(counts, (ArithmeticCounts{.by_double = 2}));
}

// All pairs of lattice triangles around a corner: comparisons decide most pairs
// that a plane across an axis separates, and are right.
TEST(AdjacentTrianglesTest, AroundACornerOfALattice) {
  std::vector<Vec3> points;
  for (int i = 0; i < 27; ++i) {
    if (i == 13) continue;
    points.push_back({i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0});
  }
  int overlapping = 0;
  int apart = 0;
  for (int n = 0; n < 3000 && !HasFailure(); ++n) {
    const auto point = [&](int k) {
      const int mixed = n * 7919 + k * 104729 + n / 17 * k;
      return points[static_cast<size_t>(mixed) % points.size()];
    };
    // Degenerate ones, too.
    const Triangle s{{0, 0, 0}, point(1), point(2)};
    const Triangle t{point(3), {0, 0, 0}, point(4)};
    const std::vector<Vec3> shared = {{0, 0, 0}};
    const bool expected = OverlapsBeyondByOracle(s, t, shared);
    EXPECT_EQ(OverlapsBeyond(s, t, shared), expected);
    EXPECT_EQ(OverlapsBeyond(t, s, shared), expected);
    ++(expected ? overlapping : apart);
  }
  EXPECT_GT(overlapping, 100);
  EXPECT_GT(apart, 100);
}

}  // namespace
}  // namespace orbox
