// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/internal/closest_range.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/closest_guess.h"
#include "tests/support/exact_triangles.h"
#include "tests/support/range_encloses.h"
#include "tests/support/sanitized.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

using oracle::Rational;

Triangle Nudged(const Triangle& t, double size, TriangleCases* cases) {
  return {t.a + cases->Gaussian() * size, t.b + cases->Gaussian() * size,
          t.c + cases->Gaussian() * size};
}

// The guess for a neighbouring pair: the right features with coefficients that
// are off, or the wrong features, more often the larger the nudge.
TEST(ClosestRange, EnclosesTheDistanceWhateverTheGuess) {
  int certified[4] = {};
  for (TriangleKind kind : kTriangleKinds) {
    TriangleCases cases(kind, 1);
    for (int i = 0; i < 50; ++i) {
      const auto [s, t] = cases.Next();
      for (int k = 0; k < 4; ++k) {
        const double nudge = k == 0 ? 0 : std::ldexp(1.0, -15 * k);
        const Triangle near_s = Nudged(s, nudge, &cases);
        const Triangle near_t = Nudged(t, nudge, &cases);
        const PairGuess pair = GuessClosest(near_s, near_t);
        const SquaredRange range = RangeOf(pair.ToDifference(s, t));
        if (range.is_certified) {
          ++certified[k];
          EXPECT_TRUE(Encloses(range, oracle::SquaredDistance(s, t)));
        }
        const PointGuess point = GuessClosest(near_s.a, near_t);
        const SquaredRange other = RangeOf(point.ToDifference(s.a, t));
        if (other.is_certified) {
          ++certified[k];
          EXPECT_TRUE(Encloses(other, oracle::SquaredDistance(s.a, t)));
        }
      }
    }
  }
  // 550 pairs of each nudge, of which many meet or are degenerate.
  for (int count : certified) EXPECT_GT(count, 400);
}

// Corner i, the edge from it to the next one, or the face.
Feature FeatureOf(size_t i) {
  if (i < 3) return {1, {i, (i + 1) % 3, (i + 2) % 3}, {0, 0}};
  if (i < 6) return {2, {i - 3, (i - 2) % 3, (i - 1) % 3}, {0.5, 0}};
  return {3, {0, 1, 2}, {0.25, 0.25}};
}

// Squares that leave double's range are equal for lengths that differ by far.
TEST(ClosestRange, EnclosesTheDistanceOfUnevenTriangles) {
  TriangleCases cases(TriangleKind::kUneven, 1);
  const int pairs = kSanitized ? 100 : 400;
  int certified = 0;
  for (int i = 0; i < pairs; ++i) {
    const auto [s, t] = cases.Next();
    const oracle::Rational pair = oracle::SquaredDistance(s, t);
    const oracle::Rational point = oracle::SquaredDistance(s.a, t);
    const auto check = [&](const SquaredRange& range, const Rational& squared) {
      if (!range.is_certified) return;
      ++certified;
      EXPECT_TRUE(Encloses(range, squared));
    };
    check(RangeOf(GuessClosest(s, t).ToDifference(s, t)), pair);
    check(RangeOf(GuessClosest(s.a, t).ToDifference(s.a, t)), point);
    for (size_t k = 0; k < 7; ++k) {
      const PointGuess guess{FeatureOf(k)};
      check(RangeOf(guess.ToDifference(s.a, t)), point);
      for (size_t j = 0; j < 7; ++j) {
        // Two of its generators at most can be active.
        if (FeatureOf(k).size + FeatureOf(j).size > 4) continue;
        const PairGuess both{FeatureOf(k), FeatureOf(j), true};
        check(RangeOf(both.ToDifference(s, t)), pair);
      }
    }
  }
  EXPECT_GT(certified, pairs);
}

// The correction that is subtracted from a guess and added to the upper bound
// again has a rounding error of its own. (Found by the numbers that libc++
// draws.)
TEST(ClosestRange, EnclosesWhatIsFarBelowTheGuess) {
  const Vec3 p{-0x1.93d80b46596cap+129, -2, -0x1.ec2a77d93c69bp-219};
  const Triangle t{
      {2, 1, 0x1.1bf802a305a83p+0}, {0x1.40f1111371bf1p-1, -1, 0}, {2, 0, -2}};
  const oracle::Rational squared = oracle::SquaredDistance(p, t);
  int certified = 0;
  for (size_t k = 0; k < 7; ++k) {
    const PointGuess guess{FeatureOf(k)};
    const SquaredRange range = RangeOf(guess.ToDifference(p, t));
    if (!range.is_certified) continue;
    ++certified;
    EXPECT_TRUE(Encloses(range, squared)) << k;
  }
  EXPECT_GT(certified, 2);
}

TEST(ClosestRange, WrongFeaturesAreNotCertified) {
  // A vertex taken for the closest where an edge, or the face, is closer.
  const Triangle t{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const Feature vertex;
  const PointGuess guess{vertex};
  for (const Vec3& p : {Vec3{1, -1, 0}, Vec3{1, 1, 1}, Vec3{-1e-9, 1e-9, 1}}) {
    const SquaredRange range = RangeOf(guess.ToDifference(p, t));
    double root = 0;
    if (range.is_certified) {
      EXPECT_TRUE(Encloses(range, oracle::SquaredDistance(p, t)));
      if (RoundSqrt(range, &root)) {
        EXPECT_TRUE(oracle::IsRoundedRoot(root, oracle::SquaredDistance(p, t)));
      }
    }
  }
  const Vec3 beyond{-1, -2, 2};
  double root = 0;
  ASSERT_TRUE(RoundSqrt(RangeOf(guess.ToDifference(beyond, t)), &root));
  EXPECT_EQ(root, 3);
}

TEST(ClosestRange, RoundsRootsOnlyWhereTheRangeAllows) {
  double root = 0;
  SquaredRange range{{2, 0}, 0x1p-90, 0x1p-90, true};
  ASSERT_TRUE(RoundSqrt(range, &root));
  EXPECT_EQ(root, std::sqrt(2.0));
  range.above = 0x1p-50;
  EXPECT_FALSE(RoundSqrt(range, &root));
  // The square of a midpoint of two doubles: (1 + 2^-53)^2.
  range = {{1, 0x1p-52 + 0x1p-106}, 0x1p-100, 0x1p-100, true};
  EXPECT_FALSE(RoundSqrt(range, &root));
  range.is_certified = false;
  EXPECT_FALSE(RoundSqrt(range, &root));
}

TEST(ClosestRange, ComparesSquaresOnlyWhereTheRangeAllows) {
  const SquaredRange range{{2, 0}, 0x1p-90, 0x1p-90, true};
  const double root = std::sqrt(2.0);  // a little more than the exact one
  EXPECT_EQ(CompareWithSquare(range, root), -1);
  EXPECT_EQ(CompareWithSquare(range, std::nextafter(root, 0.0)), 1);
  EXPECT_EQ(CompareWithSquare({{4, 0}, 0x1p-90, 0x1p-90, true}, 2), 0);
  EXPECT_EQ(CompareWithSquare(range, 0), 0);  // left to exact arithmetic
  EXPECT_EQ(CompareWithSquare({{2, 0}, 0, 0, false}, 1), 0);
}

}  // namespace
}  // namespace orbox
