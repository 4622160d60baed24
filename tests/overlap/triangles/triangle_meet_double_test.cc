// SPDX-License-Identifier: Apache-2.0

// The test of triangles in double lanes against the exact one: what it is
// certain of must be true, and it must be certain of nearly all.
#include <cstddef>
#include <cstdint>

#include "orbox/overlap/triangles/triangle_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE \
  "tests/overlap/triangles/triangle_meet_double_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/triangles/internal/triangle_meet_double-inl.h"

#ifndef ORBOX_TESTS_OVERLAP_TRIANGLE_MEET_DOUBLE_TYPES
#define ORBOX_TESTS_OVERLAP_TRIANGLE_MEET_DOUBLE_TYPES
namespace orbox {

struct OverlapDoubleVerdict {
  uint32_t yes;
  uint32_t maybe;
  uint32_t apart;  // of these, by pairs of doubles
};

}  // namespace orbox
#endif  // ORBOX_TESTS_OVERLAP_TRIANGLE_MEET_DOUBLE_TYPES

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

OverlapDoubleVerdict Classify(const Triangle* s, const Triangle* t,
                              size_t count) {
  PairColumns columns;
  for (size_t i = 0; i < count; ++i) columns.Set(i, s[i], t[i]);
  const OverlapLanes m = TrianglesOverlap(columns, count);
  return {m.yes, m.maybe, ApartByLongPlanes(columns, m.maybe)};
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

Counts CheckKind(TriangleKind kind, double scale, const Vec3& shift,
                 int rounds) {
  Counts counts;
  TriangleCases cases(kind, 9);
  for (int round = 0; round < rounds; ++round) {
    const auto count = static_cast<size_t>(round % 8 + 1);
    Triangle s[8], t[8];
    for (size_t i = 0; i < count; ++i) {
      const auto [first, second] = cases.Next();
      s[i] = Transformed(first, scale, shift);
      t[i] = Transformed(second, scale, shift);
    }
    const OverlapDoubleVerdict v =
        ORBOX_DYNAMIC_DISPATCH(Classify)(s, t, count);
    EXPECT_EQ(v.yes & v.maybe, 0u);
    EXPECT_EQ((v.yes | v.maybe) >> count, 0u);
    EXPECT_EQ(v.apart & ~v.maybe, 0u);
    for (size_t i = 0; i < count; ++i) {
      const bool meet = Overlaps(s[i], t[i]);
      const bool yes = (v.yes >> i & 1) != 0;
      const bool no = ((v.yes | v.maybe) >> i & 1) == 0;
      ++(meet ? counts.met : counts.apart);
      counts.certain_yes += yes;
      counts.certain_no += no;
      EXPECT_FALSE(yes && !meet) << i;
      EXPECT_FALSE(no && meet) << i;
      EXPECT_FALSE((v.apart >> i & 1) != 0 && meet) << i;
    }
  }
  return counts;
}

TEST(TriangleMeetDoubleTest, WhatIsCertainIsTrue) {
  trees::OnEachInstructionSet([] {
    ForEachKindAndPlace([](TriangleKind kind, double scale, const Vec3& shift) {
      SCOPED_TRACE(::testing::Message() << NameOf(kind) << " " << scale);
      CheckKind(kind, scale, shift, 40);
    });
  });
}

// Without this, a test that always returns "maybe" would pass.
TEST(TriangleMeetDoubleTest, NearlyAllIsCertain) {
  const Counts c = CheckKind(TriangleKind::kRandom, 1, {}, 300);
  EXPECT_GT(c.met, 50);
  EXPECT_EQ(c.certain_yes, c.met);
  EXPECT_EQ(c.certain_no, c.apart);
  const Counts far = CheckKind(TriangleKind::kRandom, 1, {0x1p40, 0, 0}, 300);
  EXPECT_GE(far.certain_yes, 0.9 * far.met);
  EXPECT_GE(far.certain_no, 0.9 * far.apart);
}

// A corner moved by an ulp or few through the other's face: what is called
// certain has to turn from one side to the other with the exact answer.
TEST(TriangleMeetDoubleTest, HoldsAnUlpFromTouching) {
  const Triangle base{{0, 0, 0}, {4, 0, 0}, {0, 4, 1}};
  trees::OnEachInstructionSet([&] {
    int maybe = 0;
    for (int i = -40; i <= 40; ++i) {
      // Over (1, 1) the face is at 0.25.
      const Triangle t{{1, 1, 0.25 + i * 0x1p-54}, {1, 1.5, 3}, {2, 1, 3}};
      const OverlapDoubleVerdict v =
          ORBOX_DYNAMIC_DISPATCH(Classify)(&base, &t, 1);
      const bool meet = Overlaps(base, t);
      EXPECT_EQ(meet, i <= 0);
      EXPECT_FALSE(v.yes != 0 && !meet) << i;
      EXPECT_FALSE((v.yes | v.maybe) == 0 && meet) << i;
      maybe += v.maybe != 0;
    }
    EXPECT_GT(maybe, 0);
  });
}

// Triangles that nearly coincide, an ulp or few above each other: double knows
// none of them, and pairs of doubles all that do not meet.
TEST(TriangleMeetDoubleTest, PairsOfDoublesTellWhatNearlyCoincides) {
  trees::OnEachInstructionSet([&] {
    TriangleCases cases(TriangleKind::kRandom, 4);
    int met = 0;
    int apart = 0;
    int proven = 0;
    for (int i = 0; i < 500; ++i) {
      const auto [s, unused] = cases.Next();
      Triangle t = s;
      const double by = 0x1p-51 * (i % 7 - 3);
      t.a = t.a + cases.Gaussian() * by;
      t.b = t.b + cases.Gaussian() * by;
      t.c = t.c + cases.Gaussian() * by;
      const OverlapDoubleVerdict v =
          ORBOX_DYNAMIC_DISPATCH(Classify)(&s, &t, 1);
      EXPECT_EQ(v.yes | v.maybe, 1u);
      const bool meet = Overlaps(s, t);
      EXPECT_FALSE(meet && v.apart != 0) << i;
      met += meet ? 1 : 0;
      apart += meet ? 0 : 1;
      proven += v.apart != 0 ? 1 : 0;
    }
    EXPECT_GT(met, 50);
    EXPECT_GT(apart, 50);
    EXPECT_GT(proven, apart * 9 / 10);
  });
}

}  // namespace
}  // namespace orbox
#endif  // HWY_ONCE
