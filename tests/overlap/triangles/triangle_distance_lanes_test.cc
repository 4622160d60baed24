// SPDX-License-Identifier: Apache-2.0

// The eight-lane bounds of triangle distances against the exact distances, lane
// by lane: they must hold, and be tight if floats are precise enough.
#include <algorithm>
#include <cmath>

#include "orbox/overlap/triangles/triangle_distance.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE \
  "tests/overlap/triangles/triangle_distance_lanes_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/triangles/internal/triangle_distance_lanes-inl.h"

#ifndef ORBOX_TESTS_OVERLAP_TRIANGLE_DISTANCE_LANES_TYPES
#define ORBOX_TESTS_OVERLAP_TRIANGLE_DISTANCE_LANES_TYPES
namespace orbox {

struct Bounds {
  alignas(32) float lower[8];
  alignas(32) float upper[8];
};

}  // namespace orbox
#endif  // ORBOX_TESTS_OVERLAP_TRIANGLE_DISTANCE_LANES_TYPES

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

Bounds BoundsOfLanes(const Triangle (&s)[8], int lane, const Triangle (&t)[8],
                     float error) {
  TriangleRow rows[2];
  for (int side = 0; side < 2; ++side) {
    alignas(32) float corners[9][8];
    for (size_t i = 0; i < 8; ++i) {
      const Triangle& triangle = side == 0 ? s[i] : t[i];
      for (size_t k = 0; k < 9; ++k) {
        corners[k][i] = static_cast<float>(triangle[k / 3][k % 3]);
      }
    }
    rows[side].Fill(LoadTriangles(corners));
  }
  const TriangleDistanceBounds d =
      DistanceOfTriangles(rows[0], lane, rows[1], error);
  Bounds bounds;
  Store8(d.lower, bounds.lower);
  Store8(d.upper, bounds.upper);
  return bounds;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "gtest/gtest.h"
#include "tests/support/trees.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

HWY_EXPORT(BoundsOfLanes);

struct Counts {
  int apart = 0;
  int tight = 0;  // bounds within 0.1 % of the extent of each other
};

Counts CheckKind(TriangleKind kind, double scale, double shift) {
  Counts counts;
  TriangleCases cases(kind, 7);
  TriangleCases noise(TriangleKind::kRandom, 8);
  for (int round = 0; round < 12; ++round) {
    Triangle s[8], t[8];
    double reach = 0;
    const Vec3 move = noise.Gaussian() * shift;
    for (int i = 0; i < 8; ++i) {
      const auto [first, second] = cases.Next();
      s[i] = Transformed(first, scale, move);
      t[i] = Transformed(second, scale, move);
      for (int k = 0; k < 9; ++k) {
        reach = std::max({reach, std::abs(s[i][k / 3][k % 3]),
                          std::abs(t[i][k / 3][k % 3])});
      }
    }
    // Each rounds to float, by up to u of itself.
    const auto error = static_cast<float>(reach * 0x1p-23);
    for (int lane = 0; lane < 8; ++lane) {
      const Bounds b = ORBOX_DYNAMIC_DISPATCH(BoundsOfLanes)(s, lane, t, error);
      for (int i = 0; i < 8; ++i) {
        const double d = Distance(s[lane], t[i]).distance;
        EXPECT_LE(b.lower[i], d) << lane << " " << i;
        EXPECT_GE(b.upper[i], d) << lane << " " << i;
        if (d > 0) {
          ++counts.apart;
          counts.tight += b.upper[i] - b.lower[i] <= 0.001 * scale;
        }
      }
    }
  }
  return counts;
}

TEST(TriangleDistanceLanesTest, BoundsHold) {
  trees::OnEachInstructionSet([] {
    for (const TriangleKind kind : kTriangleKinds) {
      SCOPED_TRACE(NameOf(kind));
      for (const double scale : {1.0, 0x1p-20, 0x1p-45, 0x1p-70, 0x1p20}) {
        CheckKind(kind, scale, 0);
        CheckKind(kind, scale, 100 * scale);
      }
    }
  });
}

// Without this, bounds of nothing and everything would pass.
TEST(TriangleDistanceLanesTest, BoundsAreTight) {
  for (const TriangleKind kind :
       {TriangleKind::kRandom, TriangleKind::kSharedVertex,
        TriangleKind::kTouching, TriangleKind::kParallel,
        TriangleKind::kLattice}) {
    SCOPED_TRACE(NameOf(kind));
    const Counts c = CheckKind(kind, 1, 0);
    EXPECT_GT(c.apart, 50);
    EXPECT_GE(c.tight, 0.95 * c.apart);
  }
}

TEST(TriangleDistanceLanesTest, WhatIsBeyondFloatHasNoBound) {
  Triangle s[8], t[8];
  for (int i = 0; i < 8; ++i) {
    s[i] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    t[i] = {{0, 0, 5}, {1, 0, 5}, {0, 1, 5}};
  }
  const Bounds b = ORBOX_DYNAMIC_DISPATCH(BoundsOfLanes)(
      s, 0, t, std::numeric_limits<float>::infinity());
  for (int i = 0; i < 8; ++i) {
    EXPECT_FALSE(b.lower[i] > 0);
    EXPECT_FALSE(b.upper[i] < 5);
  }
}

}  // namespace
}  // namespace orbox
#endif  // HWY_ONCE
