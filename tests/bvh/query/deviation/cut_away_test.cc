// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/deviation/internal/cut_away.h"

#include <algorithm>
#include <cmath>

#include "gtest/gtest.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"

namespace orbox {
namespace {

SampledCorners CornersOf(const Triangle& t) {
  SampledCorners corners;
  for (size_t i = 0; i < 3; ++i) {
    corners[i] = {t[i], kInf, 7, DistanceSample::Known::kExactly};
  }
  return corners;
}

Triangle TriangleOf(const SampledCorners& corners) {
  return {corners[0].point, corners[1].point, corners[2].point};
}

// Returns true if a point is on one of the parts, except for rounding.
bool IsLeft(const CutAway& cut, const Vec3& p) {
  return std::any_of(cut.left().begin(), cut.left().end(),
                     [&](const SampledCorners& part) {
                       return Distance(p, TriangleOf(part)).distance < 0x1p-44;
                     });
}

// All points that were cut away are near enough. New corners are points of the
// triangle, with upper bounds of their distances.
void ExpectRight(const CutAway& cut, const Triangle& t, const Triangle& near,
                 double enough) {
  constexpr int kSamples = 12;
  for (int i = 0; i <= kSamples; ++i) {
    for (int j = 0; i + j <= kSamples; ++j) {
      const double v = static_cast<double>(i) / kSamples;
      const double w = static_cast<double>(j) / kSamples;
      const Vec3 p = t.a * (1 - v - w) + t.b * v + t.c * w;
      if (Distance(p, near).distance <= enough) continue;
      EXPECT_TRUE(IsLeft(cut, p)) << v << " " << w;
    }
  }
  for (const SampledCorners& part : cut.left()) {
    for (const DistanceSample& corner : part) {
      EXPECT_LE(Distance(corner.point, t).distance, 0x1p-48);
      if (corner.known == DistanceSample::Known::kExactly) continue;
      EXPECT_EQ(corner.known, DistanceSample::Known::kAtMost);
      EXPECT_EQ(corner.triangle, 3U);
      EXPECT_LE(corner.distance, enough);
      EXPECT_GE(corner.distance, Distance(corner.point, near).distance);
    }
  }
}

TEST(CutAwayTest, WhatIsNotLeftIsNearEnough) {
  meshes::Random random(1);
  int cuts = 0;
  for (int n = 0; n < 3000; ++n) {
    const Triangle t{random.Point(-1, 1), random.Point(-1, 1),
                     random.Point(-1, 1)};
    const Vec3 middle = (t.a + t.b + t.c) * (1.0 / 3);
    // From islands to what covers all, mostly nearly parallel.
    const double size = random.Uniform(0.05, 1.5);
    Triangle near;
    for (size_t i = 0; i < 3; ++i) {
      near[i] = middle +
                size * (t[(i + n) % 3] - middle) * (n % 2 ? 1.0 : -1.0) +
                random.Point(-0.05, 0.05);
    }
    const double enough = random.Uniform(0.01, 0.3);
    CutAway cut(near, 3, enough);
    if (!cut.From(CornersOf(t), middle)) continue;
    ++cuts;
    SCOPED_TRACE(n);
    ExpectRight(cut, t, near, enough);
    double left = 0;
    for (const SampledCorners& part : cut.left()) {
      left += meshes::AreaOf(TriangleOf(part));
    }
    EXPECT_LT(left, meshes::AreaOf(t));
    if (HasFailure()) break;
  }
  EXPECT_GT(cuts, 1000);
}

TEST(CutAwayTest, TheMiddleOfFourLeavesThreeCorners) {
  const Triangle t{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
  const Triangle near{{1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  CutAway cut(near, 3, 0.01);
  ASSERT_TRUE(cut.From(CornersOf(t), {0.6, 0.6, 0}));
  EXPECT_EQ(cut.left().size(), 3U);
  ExpectRight(cut, t, near, 0.01);
}

TEST(CutAwayTest, NothingIsLeftOfWhatIsNear) {
  const Triangle t{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
  const Triangle near{{0, 0, 0.5}, {2, 0, 0.25}, {0, 2, 0.5}};
  CutAway cut(near, 3, 0.6);
  ASSERT_TRUE(cut.From(CornersOf(t), {0.6, 0.6, 0}));
  EXPECT_TRUE(cut.left().empty());
  EXPECT_GE(cut.upper(), 0.49);
  EXPECT_LE(cut.upper(), 0.6);
}

TEST(CutAwayTest, PointsAreNotCut) {
  const Vec3 p{1, 2, 3};
  const Triangle point{p, p, p};
  const Triangle away{{5, 5, 5}, {6, 5, 5}, {5, 6, 5}};
  CutAway cut(away, 3, 0.1);
  EXPECT_FALSE(cut.From(CornersOf(point), p));
}

TEST(CutAwayTest, TheUnitDoesNotMatter) {
  const Triangle t{{0, 0, 0}, {2, 0, 0}, {0, 2, 0.5}};
  const Triangle near{{1.5, 0, 0.1}, {1, 1, 0}, {0.25, 1, 0.2}};
  const Vec3 middle{0.6, 0.6, 0.1};
  CutAway expected(near, 3, 0.3);
  ASSERT_TRUE(expected.From(CornersOf(t), middle));
  ASSERT_FALSE(expected.left().empty());
  for (const int exponent : {-140, 190}) {
    const double s = std::ldexp(1.0, exponent);
    CutAway cut({s * near.a, s * near.b, s * near.c}, 3, s * 0.3);
    ASSERT_TRUE(cut.From(CornersOf({s * t.a, s * t.b, s * t.c}), s * middle));
    ASSERT_EQ(cut.left().size(), expected.left().size());
    for (size_t i = 0; i < cut.left().size(); ++i) {
      for (size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(cut.left()[i][k].point, s * expected.left()[i][k].point);
      }
    }
  }
}

}  // namespace
}  // namespace orbox
