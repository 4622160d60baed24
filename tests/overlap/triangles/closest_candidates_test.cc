// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/internal/closest_candidates.h"

#include <gtest/gtest.h>

#include <cmath>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/support/exact_triangles.h"
#include "tests/support/range_encloses.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

using oracle::Rational;

TEST(ClosestCandidates, EncloseTheDistanceOfTrianglesApart) {
  int certified = 0;
  int apart = 0;
  for (TriangleKind kind : kTriangleKinds) {
    TriangleCases cases(kind, 1);
    for (int i = 0; i < 100; ++i) {
      const auto [s, t] = cases.Next();
      if (Overlaps(s, t)) continue;
      ++apart;
      PairGuess closest;
      const SquaredRange range =
          RangeOfClosest(s, t, ClosestCandidates(s, t), &closest);
      if (!range.is_certified) continue;
      ++certified;
      EXPECT_TRUE(Encloses(range, oracle::SquaredDistance(s, t)))
          << NameOf(kind) << i;
      const Vec3 way = closest.second.PointOn(t) - closest.first.PointOn(s);
      EXPECT_LE(SquaredNorm(way), range.value.hi + range.above + 1e-13);
      EXPECT_GE(SquaredNorm(way), range.value.hi - range.below - 1e-13);
    }
  }
  EXPECT_GT(apart, 500);
  EXPECT_GT(certified, apart * 9 / 10);
}

// Edges that are nearly parallel, with the closest points inside of both.
TEST(ClosestCandidates, NearlyParallelEdgesAreEnclosed) {
  TriangleCases cases(TriangleKind::kRandom, 2);
  int certified = 0;
  for (int i = 0; i < 300; ++i) {
    const double turn = std::ldexp(1.0, -cases.Whole(5, 60));
    const double gap = std::ldexp(1.0, -cases.Whole(0, 20));
    // One edge along x, the other above it, turned a little.
    const Triangle s{{-1, 0, 0}, {1, 0, 0}, {0, -1, -1}};
    const Triangle t{{-1, -turn, gap}, {1, turn, gap}, {0, 1, gap + 1}};
    const Pose pose =
        Pose::Rotation(Normalized(cases.Gaussian()), 1, cases.Gaussian());
    const Triangle u = pose.Apply(s);
    const Triangle v = pose.Apply(t);
    PairGuess closest;
    const SquaredRange range =
        RangeOfClosest(u, v, ClosestCandidates(u, v), &closest);
    if (!range.is_certified) continue;
    ++certified;
    ASSERT_TRUE(Encloses(range, oracle::SquaredDistance(u, v)));
    ASSERT_TRUE(oracle::IsRoundedRoot(Distance(u, v).distance,
                                      oracle::SquaredDistance(u, v)));
  }
  EXPECT_GT(certified, 250);
}

// Faces and edges that are parallel except for the rounding of a rotation, as
// in any assembly of boxes: they are equally close at many points.
TEST(ClosestCandidates, ParallelFacesNeedNoExactArithmetic) {
  TriangleCases cases(TriangleKind::kRandom, 3);
  ArithmeticCounts counts;
  for (int i = 0; i < 1000; ++i) {
    const double gap = std::abs(cases.Gaussian().x);
    const Pose pose =
        Pose::Rotation(Normalized(cases.Gaussian()), 1, cases.Gaussian());
    const Triangle floor{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const Triangle roof{{0, 0, gap}, {1, 0, gap}, {1, 1, gap}};
    const double distance =
        Distance(pose.Apply(floor), pose.Apply(roof), &counts).distance;
    EXPECT_NEAR(distance, gap, 1e-14);
  }
  EXPECT_LE(counts.by_exact, 10);
}

}  // namespace
}  // namespace orbox
