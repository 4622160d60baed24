// SPDX-License-Identifier: Apache-2.0

// Rows of triangles and their planes in double against the exact answers: what
// is certain must be true, and nearly all that a plane parts must be certain.
#include <cstddef>
#include <cstdint>

#include "orbox/overlap/triangles/predicates.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/overlap/triangles/plane_rows_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/triangles/internal/plane_rows-inl.h"

#ifndef ORBOX_TESTS_OVERLAP_PLANE_ROWS_TYPES
#define ORBOX_TESTS_OVERLAP_PLANE_ROWS_TYPES
namespace orbox {

// All pairs, 8 i + j as a bit: that t[j] is on one side of the plane of
// s[i], and the reverse.
struct PlaneRowsVerdict {
  uint64_t t_on_one_side = 0;
  uint64_t s_on_one_side = 0;
};

}  // namespace orbox
#endif  // ORBOX_TESTS_OVERLAP_PLANE_ROWS_TYPES

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

template <Ways kWays>
PlaneRowsVerdict ClassifyBy(const Triangle (&s)[8], const Triangle (&t)[8]) {
  PlaneRow rows[2];
  for (size_t i = 0; i < 8; ++i) {
    rows[0].Set(i, s[i]);
    rows[1].Set(i, t[i]);
  }
  for (PlaneRow& row : rows) row.Finish();
  const double longest = LongestWay(rows[0], rows[1]);
  PlaneRowsVerdict verdict;
  for (size_t i = 0; i < 8; ++i) {
    verdict.t_on_one_side |=
        uint64_t{rows[0].OnOneSide<kWays>(i, rows[1], longest)} << 8 * i;
    verdict.s_on_one_side |=
        uint64_t{rows[1].WithOnOneSide<kWays>(rows[0], i, longest)} << 8 * i;
  }
  return verdict;
}

PlaneRowsVerdict Classify(const Triangle (&s)[8], const Triangle (&t)[8]) {
  return ClassifyBy<Ways::kLongest>(s, t);
}
PlaneRowsVerdict ClassifyClosely(const Triangle (&s)[8],
                                 const Triangle (&t)[8]) {
  return ClassifyBy<Ways::kOwn>(s, t);
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
HWY_EXPORT(ClassifyClosely);

bool IsOnOneSide(const Triangle& plane, const Triangle& t) {
  const int side = Orient3d(plane.a, plane.b, plane.c, t.a);
  return side != 0 && Orient3d(plane.a, plane.b, plane.c, t.b) == side &&
         Orient3d(plane.a, plane.b, plane.c, t.c) == side;
}

struct Counts {
  int parted = 0;
  int certain = 0;
  int certain_by_own = 0;
};

Counts CheckKind(TriangleKind kind, double scale, const Vec3& shift,
                 int rounds) {
  Counts counts;
  TriangleCases cases(kind, 12);
  for (int round = 0; round < rounds; ++round) {
    Triangle s[8], t[8];
    for (size_t i = 0; i < 8; ++i) {
      const auto [first, second] = cases.Next();
      s[i] = Transformed(first, scale, shift);
      t[i] = Transformed(second, scale, shift);
    }
    const PlaneRowsVerdict any = ORBOX_DYNAMIC_DISPATCH(Classify)(s, t);
    const PlaneRowsVerdict own = ORBOX_DYNAMIC_DISPATCH(ClassifyClosely)(s, t);
    const uint64_t t_on_one_side = any.t_on_one_side | own.t_on_one_side;
    const uint64_t s_on_one_side = any.s_on_one_side | own.s_on_one_side;
    for (size_t k = 0; k < 64; ++k) {
      const Triangle& first = s[k / 8];
      const Triangle& second = t[k % 8];
      const bool is_second = (t_on_one_side >> k & 1) != 0;
      const bool is_first = (s_on_one_side >> k & 1) != 0;
      const bool is_second_exactly = IsOnOneSide(first, second);
      const bool is_first_exactly = IsOnOneSide(second, first);
      EXPECT_LE(is_second, is_second_exactly) << k;
      EXPECT_LE(is_first, is_first_exactly) << k;
      EXPECT_FALSE((is_first || is_second) && Overlaps(first, second)) << k;
      counts.parted += is_first_exactly + is_second_exactly;
      counts.certain += static_cast<int>((any.s_on_one_side >> k & 1) +
                                         (any.t_on_one_side >> k & 1));
      counts.certain_by_own += static_cast<int>((own.s_on_one_side >> k & 1) +
                                                (own.t_on_one_side >> k & 1));
    }
  }
  return counts;
}

TEST(PlaneRowsTest, WhatIsCertainIsTrue) {
  trees::OnEachInstructionSet([] {
    ForEachKindAndPlace([](TriangleKind kind, double scale, const Vec3& shift) {
      SCOPED_TRACE(::testing::Message() << NameOf(kind) << " " << scale);
      CheckKind(kind, scale, shift, 10);
    });
  });
}

// Without this, a test that is never certain would pass.
TEST(PlaneRowsTest, NearlyAllIsCertain) {
  trees::OnEachInstructionSet([] {
    const Counts c = CheckKind(TriangleKind::kRandom, 1, {}, 50);
    EXPECT_GT(c.parted, 500);
    EXPECT_GE(c.certain, 0.999 * c.parted);
    EXPECT_GE(c.certain_by_own, c.certain);
    const Counts far = CheckKind(TriangleKind::kRandom, 1, {0x1p40, 0, 0}, 50);
    EXPECT_GE(far.certain, 0.9 * far.parted);
  });
}

// Over a face by an ulp or few: what is called certain has to turn from one
// side to the other with the exact answer.
TEST(PlaneRowsTest, HoldsAnUlpFromTouching) {
  trees::OnEachInstructionSet([] {
    const Triangle base{{0, 0, 0}, {4, 0, 0}, {0, 4, 1}};
    int certain = 0;
    int certain_by_own = 0;
    for (int first = -512; first < 512; first += 8) {
      Triangle s[8], t[8];
      for (int i = 0; i < 8; ++i) {
        // Over (1, 1) the face is at 0.25.
        s[i] = base;
        t[i] = {{1, 1, 0.25 + (first + i) * 0x1p-54}, {1, 1.5, 3}, {2, 1, 3}};
      }
      const PlaneRowsVerdict any = ORBOX_DYNAMIC_DISPATCH(Classify)(s, t);
      const PlaneRowsVerdict own =
          ORBOX_DYNAMIC_DISPATCH(ClassifyClosely)(s, t);
      for (int k = 0; k < 64; ++k) {
        const bool is_certain = (any.t_on_one_side >> k & 1) != 0;
        const bool is_by_own = (own.t_on_one_side >> k & 1) != 0;
        EXPECT_LE(is_certain || is_by_own, first + k % 8 > 0);
        certain += is_certain;
        certain_by_own += is_by_own;
      }
    }
    EXPECT_GT(certain, 0);
    EXPECT_GE(certain_by_own, certain);
  });
}

}  // namespace
}  // namespace orbox
#endif  // HWY_ONCE
