// SPDX-License-Identifier: Apache-2.0

// The eight-lane test of triangles against the exact one, lane by lane: what it
// is certain of must be true, and it must be certain of most.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "orbox/overlap/triangles/triangle_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/overlap/triangles/triangle_meet_lanes_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/triangles/internal/triangle_meet_lanes-inl.h"

#ifndef ORBOX_TESTS_OVERLAP_TRIANGLE_MEET_LANES_TYPES
#define ORBOX_TESTS_OVERLAP_TRIANGLE_MEET_LANES_TYPES
namespace orbox {

struct OverlapLanesVerdict {
  uint32_t yes;
  uint32_t maybe;
  bool pairs_agree;  // tested as pairs of any lanes
};

}  // namespace orbox
#endif  // ORBOX_TESTS_OVERLAP_TRIANGLE_MEET_LANES_TYPES

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Returns true if pairs of the triangles lane, lane + 1, ... of s, each with
// one of t, have the results of single triangles.
bool DoPairsAgree(const TriangleRow& s, int lane, const TriangleRow& t,
                  float error) {
  uint32_t codes[8];
  uint32_t near = 0;
  OverlapLanes expected{0, 0};
  for (uint32_t k = 0; k < 8; ++k) {
    const auto i = (static_cast<uint32_t>(lane) + k) % 8;
    const uint32_t bit = 1u << k;
    codes[k] = 8 * i + k;
    const int of_s = static_cast<int>(i);
    near |= BoxesOverlap(s, of_s, t, error, bit);
    const OverlapLanes one = TrianglesOverlap(s, of_s, t, error, bit);
    expected.yes |= one.yes;
    expected.maybe |= one.maybe;
  }
  const OverlapLanes m = PairsOverlap(s, t, codes, error, near);
  if (!kTestsPairs) return m.yes == 0 && m.maybe == near;
  return m.yes == expected.yes && m.maybe == expected.maybe;
}

OverlapLanesVerdict Classify(const Triangle (&s)[8], int lane,
                             const Triangle (&t)[8], float error) {
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
  const OverlapLanes m = TrianglesOverlap(rows[0], lane, rows[1], error, 0xff);
  return {m.yes, m.maybe, DoPairsAgree(rows[0], lane, rows[1], error)};
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "gtest/gtest.h"
#include "tests/support/trees.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

HWY_EXPORT(Classify);

struct Counts {
  int met = 0;
  int apart = 0;
  int certain_yes = 0;
  int certain_no = 0;
};

// All pairs of eight by eight; `exact` are the shapes that `rounded`, which the
// lanes are given, are within `error` of.
void Compare(const Triangle (&exact_s)[8], const Triangle (&exact_t)[8],
             const Triangle (&s)[8], const Triangle (&t)[8], float error,
             Counts* counts) {
  for (int lane = 0; lane < 8; ++lane) {
    const OverlapLanesVerdict v =
        ORBOX_DYNAMIC_DISPATCH(Classify)(s, lane, t, error);
    ASSERT_EQ(v.yes & v.maybe, 0u);
    ASSERT_TRUE(v.pairs_agree);
    for (int i = 0; i < 8; ++i) {
      const bool meet = Overlaps(exact_s[lane], exact_t[i]);
      const bool yes = (v.yes >> i & 1) != 0;
      const bool no = ((v.yes | v.maybe) >> i & 1) == 0;
      ++(meet ? counts->met : counts->apart);
      counts->certain_yes += yes;
      counts->certain_no += no;
      ASSERT_FALSE(yes && !meet) << lane << " " << i;
      ASSERT_FALSE(no && meet) << lane << " " << i;
    }
  }
}

Counts CompareKind(TriangleKind kind, double scale, double shift) {
  Counts counts;
  TriangleCases cases(kind, 5);
  TriangleCases noise(TriangleKind::kRandom, 6);
  for (int round = 0; round < 40; ++round) {
    Triangle s[8], t[8], near_s[8], near_t[8];
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
    // Rounding to float changes each coordinate by up to 2^-24 of it. The
    // shapes are moved by as much again, which `error` includes.
    for (int i = 0; i < 8; ++i) {
      near_s[i] = s[i];
      near_t[i] = t[i];
      for (int k = 0; k < 9; ++k) {
        near_s[i][k / 3][k % 3] += (noise.Coin() ? 0x1p-24 : 0) * reach;
        near_t[i][k / 3][k % 3] -= (noise.Coin() ? 0x1p-24 : 0) * reach;
      }
    }
    const auto error = static_cast<float>(reach * 4.5 * 0x1p-24);
    Compare(s, t, near_s, near_t, error, &counts);
  }
  return counts;
}

TEST(TriangleMeetLanesTest, WhatIsCertainIsTrue) {
  trees::OnEachInstructionSet([] {
    for (const TriangleKind kind : kTriangleKinds) {
      SCOPED_TRACE(NameOf(kind));
      for (const double scale : {1.0, 0x1p-20, 0x1p-45, 0x1p-60, 0x1p20}) {
        CompareKind(kind, scale, 0);
        CompareKind(kind, scale, 100 * scale);
      }
    }
  });
}

// Without this, a test that always returns "maybe" would pass.
TEST(TriangleMeetLanesTest, MostIsCertain) {
  const Counts c = CompareKind(TriangleKind::kRandom, 1, 0);
  EXPECT_GT(c.met, 100);
  EXPECT_GE(c.certain_yes, 0.99 * c.met);
  EXPECT_GE(c.certain_no, 0.99 * c.apart);
  // Also where rounding takes all but twelve bits of the shapes.
  const Counts far = CompareKind(TriangleKind::kRandom, 0x1p-12, 1);
  EXPECT_GT(far.met, 100);
  EXPECT_GT(far.certain_yes, 0.4 * far.met);
  EXPECT_GT(far.certain_no, 0.9 * far.apart);
}

// Corners on planes, edges through edges, one plane: never certain.
TEST(TriangleMeetLanesTest, TouchingIsLeftOpen) {
  const Triangle base{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const Triangle touching[8] = {
      {{1, 1, 0}, {1, 1, 3}, {2, 1, 3}},     // a corner on the face
      {{4, 0, 0}, {5, 1, 3}, {5, -1, 3}},    // corner on corner
      {{2, 0, 0}, {2, -1, 2}, {3, -1, 3}},   // a corner on an edge
      {{2, 0, -1}, {2, 0, 1}, {2, -3, 0}},   // edge through edge
      {{1, 1, 0}, {2, 1, 0}, {1, 2, 0}},     // in one plane, inside
      {{4, 0, 0}, {8, 0, 0}, {4, -4, 0}},    // in one plane, a corner
      {{1, 1, 1}, {1, 1, -1}, {1, 1, 0.5}},  // a segment through the face
      {{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}};    // a point
  Triangle all[8];
  for (Triangle& t : all) t = base;
  trees::OnEachInstructionSet([&] {
    const OverlapLanesVerdict v =
        ORBOX_DYNAMIC_DISPATCH(Classify)(all, 0, touching, 0x1p-22f);
    EXPECT_EQ(v.yes, 0u);
    EXPECT_EQ(v.maybe, 0xffu);
    // With an infinite error, nothing is certain.
    const OverlapLanesVerdict far = ORBOX_DYNAMIC_DISPATCH(Classify)(
        all, 0, touching, std::numeric_limits<float>::infinity());
    EXPECT_EQ(far.yes, 0u);
    EXPECT_EQ(far.maybe, 0xffu);
  });
}

}  // namespace
}  // namespace orbox
#endif  // HWY_ONCE
