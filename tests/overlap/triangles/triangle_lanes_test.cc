// SPDX-License-Identifier: Apache-2.0

// Compares the bounds of a point's distances in eight lanes with the exact
// distances. Bounds must hold, certain decisions about a radius must be right,
// and floats must decide the easy cases.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "orbox/overlap/triangles/triangle_distance.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/overlap/triangles/triangle_lanes_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"

#ifndef ORBOX_TESTS_OVERLAP_TRIANGLE_LANES_TYPES
#define ORBOX_TESTS_OVERLAP_TRIANGLE_LANES_TYPES
namespace orbox {

struct PointLanes {
  alignas(32) float lower[8];
  alignas(32) float upper[8];
  // For a radius: by slacks of their own, and by those of the reach.
  uint32_t beyond;
  uint32_t beyond_by_reach;
  uint32_t within_by_reach;
  uint32_t same_in_pairs;
};

}  // namespace orbox
#endif  // ORBOX_TESTS_OVERLAP_TRIANGLE_LANES_TYPES

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

PointLanes ClassifyPoint(const Vec3& point, const Triangle (&triangles)[8],
                         float radius, float error, float reach) {
  alignas(32) float corners[9][8];
  for (size_t i = 0; i < 8; ++i) {
    for (size_t k = 0; k < 9; ++k) {
      corners[k][i] = static_cast<float>(triangles[i][k / 3][k % 3]);
    }
  }
  const float p[3] = {static_cast<float>(point.x), static_cast<float>(point.y),
                      static_cast<float>(point.z)};
  const T8 t = LoadTriangles(corners);
  const PointGuess8 guess = GuessDistances(Set8x3(p), t, error);
  RadiusLimits limits;
  limits.Set(radius, radius, error, reach);
  const PointLengths8 lengths = GuessLengths(Set8x3(p), t);
  PointLanes lanes;
  Store8(guess.Lower(), lanes.lower);
  Store8(guess.Upper(), lanes.upper);
  lanes.beyond = Bits(guess.IsBeyond(radius));
  // In front of others, and behind them.
  const V8 q = Set8x3(p) + V8{error, radius, 1};
  const auto pairs = [&](const V8& first, const V8& second) HWY_ATTR {
    return GuessDistances(Joined(first, second), Joined(t, t),
                          Joined(Set8(error), Set8(error)));
  };
  const PointGuessOf<F16> front = pairs(Set8x3(p), q);
  const PointGuessOf<F16> back = pairs(q, Set8x3(p));
  lanes.same_in_pairs = Bits((RowOf<0>(front.Lower()) == guess.Lower()) &
                             (RowOf<0>(front.Upper()) == guess.Upper()) &
                             (RowOf<1>(back.Lower()) == guess.Lower()) &
                             (RowOf<1>(back.Upper()) == guess.Upper()));
  lanes.beyond_by_reach = Bits(limits.IsBeyond(lengths));
  lanes.within_by_reach = Bits(limits.IsWithin(lengths));
  return lanes;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "gtest/gtest.h"
#include "tests/support/trees.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

HWY_EXPORT(ClassifyPoint);

struct Counts {
  int all = 0;
  int tight = 0;    // bounds within 0.1 % of the extent of each other
  int decided = 0;  // by the reach
};

class PointLanesTest {
 public:
  PointLanesTest(TriangleKind kind, double scale, double shift)
      : scale_(scale), shift_(shift), cases_(kind, 7) {}

  Counts Run() {
    for (int round = 0; round < 20; ++round) CheckRow();
    return counts_;
  }

 private:
  void CheckRow() {
    Triangle triangles[8];
    const Vec3 move = noise_.Gaussian() * shift_;
    const Vec3 p = noise_.Gaussian() * scale_ + move;
    double largest = MaxCoordinate(Abs(p));
    double reach = 0;
    for (Triangle& t : triangles) {
      t = Transformed(cases_.Next().first, scale_, move);
      for (int k = 0; k < 3; ++k) {
        largest = std::max(largest, MaxCoordinate(Abs(t[k])));
        reach = std::max(reach, MaxCoordinate(Abs(t[k] - p)));
      }
    }
    // The point and the corners round to float, by up to u of themselves.
    const auto error = static_cast<float>(largest * 0x1p-22 + kUnderflow);
    const auto widest = static_cast<float>(reach * (1 + 0x1p-20)) + 2 * error;
    // At the distance of one of them, which is hardest to decide.
    for (const Triangle& at : triangles) {
      const auto radius = static_cast<float>(Distance(p, at).distance);
      const PointLanes lanes = ORBOX_DYNAMIC_DISPATCH(ClassifyPoint)(
          p, triangles, radius, error, widest);
      EXPECT_EQ(lanes.same_in_pairs, 0xffu);
      for (int i = 0; i < 8; ++i) {
        CheckLane(lanes, i, radius, Distance(p, triangles[i]).distance);
      }
    }
  }

  void CheckLane(const PointLanes& lanes, int i, double radius, double d) {
    EXPECT_LE(lanes.lower[i], d) << i;
    EXPECT_GE(lanes.upper[i], d) << i;
    const bool beyond = (lanes.beyond_by_reach >> i & 1) != 0;
    const bool within = (lanes.within_by_reach >> i & 1) != 0;
    if ((lanes.beyond >> i & 1) != 0 || beyond) {
      EXPECT_GT(d, radius) << i;
    }
    if (within) {
      EXPECT_LE(d, radius) << i;
    }
    ++counts_.all;
    counts_.tight += lanes.upper[i] - lanes.lower[i] <= 0.001 * scale_;
    counts_.decided += beyond || within;
  }

  // Part of the error that triangle_lanes-inl.h requires for squares that
  // underflow.
  static constexpr double kUnderflow = 0x1p-50;

  const double scale_;
  const double shift_;
  TriangleCases cases_;
  TriangleCases noise_{TriangleKind::kRandom, 8};
  Counts counts_;
};

TEST(TriangleLanesTest, WhatIsCertainOfAPointIsTrue) {
  trees::OnEachInstructionSet([] {
    for (const TriangleKind kind : kTriangleKinds) {
      SCOPED_TRACE(NameOf(kind));
      for (const double scale : {1.0, 0x1p-20, 0x1p-45, 0x1p-70, 0x1p20}) {
        PointLanesTest(kind, scale, 0).Run();
        PointLanesTest(kind, scale, 100 * scale).Run();
      }
    }
  });
}

// Without this, bounds of nothing and everything would pass. One of
// eight lanes has the radius itself for its distance, and others may share a
// corner.
TEST(TriangleLanesTest, MostIsCertain) {
  for (const TriangleKind kind :
       {TriangleKind::kRandom, TriangleKind::kTouching,
        TriangleKind::kLattice}) {
    SCOPED_TRACE(NameOf(kind));
    const Counts c = PointLanesTest(kind, 1, 0).Run();
    EXPECT_GE(c.tight, 0.95 * c.all);
    EXPECT_GE(c.decided, 0.6 * c.all);
  }
}

}  // namespace
}  // namespace orbox
#endif  // HWY_ONCE
