// SPDX-License-Identifier: Apache-2.0

// Distances of several pairs at once are those of exact arithmetic, pair by
// pair, for any guess of features, on every instruction set that the machine
// has.
#include <cstddef>
#include <cstdint>

#include "orbox/overlap/shapes/shapes.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/overlap/triangles/pair_distances_test.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/triangles/internal/pair_distances-inl.h"
#include "orbox/overlap/triangles/internal/triangle_distance_lanes-inl.h"

#ifndef ORBOX_TESTS_OVERLAP_PAIR_DISTANCES_TYPES
#define ORBOX_TESTS_OVERLAP_PAIR_DISTANCES_TYPES
namespace orbox {

struct TestedPair {
  Triangle s;
  Triangle t;
  ClosestFeature feature;
};

struct Answers {
  uint32_t certified;
  double distances[8];
  Triangle first[8];
  Triangle second[8];
};

}  // namespace orbox
#endif  // ORBOX_TESTS_OVERLAP_PAIR_DISTANCES_TYPES

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

Answers MeasurePairs(const TestedPair* pairs, size_t count) {
  PairColumns columns;
  Answers answers{};
  for (size_t i = 0; i < count; ++i) {
    columns.Set(i, pairs[i].s, pairs[i].t, pairs[i].feature);
    answers.first[i] = columns.First(i);
    answers.second[i] = columns.Second(i);
  }
  answers.certified = CertifiedDistances(columns, count, answers.distances);
  return answers;
}

// The features that floats take for the closest, of each pair.
void GuessFeatures(TestedPair (&pairs)[8]) {
  TriangleRow rows[2];
  for (int side = 0; side < 2; ++side) {
    alignas(32) float corners[9][8];
    for (size_t i = 0; i < 8; ++i) {
      const Triangle& t = side == 0 ? pairs[i].s : pairs[i].t;
      for (size_t k = 0; k < 9; ++k) {
        corners[k][i] = static_cast<float>(t[k / 3][k % 3]);
      }
    }
    rows[side].Fill(LoadTriangles(corners));
  }
  for (int i = 0; i < 8; ++i) {
    alignas(32) float closest[8];
    Store8(DistanceOfTriangles(rows[0], i, rows[1], 0x1p-20f).closest, closest);
    pairs[i].feature = {static_cast<int>(closest[i])};
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <array>

#include "gtest/gtest.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/trees.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

HWY_EXPORT(MeasurePairs);
HWY_EXPORT(GuessFeatures);

constexpr int kFeatures = ClosestFeature::kCount;

struct Counts {
  int pairs = 0;
  int certified = 0;  // pairs of which some guess of features was
  int features = 0;   // guesses that were
};

// Each pair with each of the features that could be closest.
Counts CheckKind(TriangleKind kind, double scale, const Vec3& shift) {
  Counts counts;
  TriangleCases cases(kind, 3);
  for (int round = 0; round < 60; ++round) {
    const auto [first, second] = cases.Next();
    const Triangle s = Transformed(first, scale, shift);
    const Triangle t = Transformed(second, scale, shift);
    const double expected = DistanceBetween(s, t);
    std::array<TestedPair, kFeatures + 1> tested;
    for (int code = 0; code <= kFeatures; ++code) {
      tested[code] = {s, t, {code % kFeatures}};
    }
    int certified = 0;
    for (size_t from = 0; from < kFeatures; from += 8) {
      const size_t count = std::min<size_t>(8, kFeatures - from);
      const Answers answers =
          ORBOX_DYNAMIC_DISPATCH(MeasurePairs)(tested.data() + from, count);
      EXPECT_EQ(answers.certified >> count, 0u);
      for (size_t i = 0; i < count; ++i) {
        EXPECT_EQ(answers.first[i], s) << from + i;
        EXPECT_EQ(answers.second[i], t) << from + i;
        if ((answers.certified >> i & 1) == 0) continue;
        ++certified;
        EXPECT_EQ(answers.distances[i], expected) << from + i;
      }
    }
    ++counts.pairs;
    counts.certified += certified != 0;
    counts.features += certified;
  }
  return counts;
}

// At 2^40 shapes have 13 bits left; at the ends of the range squares do not fit
// a double.
TEST(PairDistancesTest, WhatIsCertifiedIsCorrectlyRounded) {
  trees::OnEachInstructionSet([] {
    for (const TriangleKind kind : kTriangleKinds) {
      SCOPED_TRACE(NameOf(kind));
      CheckKind(kind, 1, {});
      CheckKind(kind, 1, {0x1p40, -0x1p40, 3});
      for (const double scale : {1e-300, 1e-60, 1e-310, 1e60, 1e300}) {
        CheckKind(kind, scale, {});
      }
    }
    CheckKind(TriangleKind::kUneven, 1, {});
  });
}

// Without this, a function that certifies nothing would pass, and so would one
// that certifies every guess.
TEST(PairDistancesTest, TheRightFeaturesAreCertified) {
  const Counts c = CheckKind(TriangleKind::kRandom, 1, {});
  EXPECT_GE(c.certified, 0.5 * c.pairs);  // the others meet
  EXPECT_LE(c.features, 0.5 * kFeatures * c.pairs);
}

// Pairs that clearly do not meet: for each, some features are the closest.
TEST(PairDistancesTest, OfTrianglesApartNearlyAllAreCertified) {
  TriangleCases cases(TriangleKind::kRandom, 4);
  int certified = 0;
  constexpr int kPairs = 200;
  for (int round = 0; round < kPairs; ++round) {
    auto [s, t] = cases.Next();
    t = Transformed(t, 1, Normalized(cases.Gaussian()) * 10);
    bool is_certified = false;
    for (int code = 0; code < kFeatures && !is_certified; ++code) {
      const TestedPair tested{s, t, {code}};
      is_certified =
          ORBOX_DYNAMIC_DISPATCH(MeasurePairs)(&tested, 1).certified == 1;
    }
    certified += is_certified;
  }
  EXPECT_GE(certified, 0.99 * kPairs);
}

TEST(PairDistancesTest, FloatsNearlyAlwaysGuessTheFeatures) {
  for (const double gap : {0.5, 3.0, 30.0}) {
    TriangleCases cases(TriangleKind::kRandom, 5);
    int apart = 0;
    int certified = 0;
    for (int round = 0; round < 40; ++round) {
      TestedPair pairs[8];
      for (TestedPair& pair : pairs) {
        const auto [s, t] = cases.Next();
        pair = {s, Transformed(t, 1, Normalized(cases.Gaussian()) * gap), {}};
      }
      ORBOX_DYNAMIC_DISPATCH(GuessFeatures)(pairs);
      const Answers answers = ORBOX_DYNAMIC_DISPATCH(MeasurePairs)(pairs, 8);
      for (size_t i = 0; i < 8; ++i) {
        const double expected = DistanceBetween(pairs[i].s, pairs[i].t);
        if (expected == 0) continue;
        ++apart;
        if ((answers.certified >> i & 1) == 0) continue;
        ++certified;
        EXPECT_EQ(answers.distances[i], expected);
      }
    }
    EXPECT_GT(apart, 20) << gap;
    EXPECT_GE(certified, 0.97 * apart) << gap;
  }
}

TEST(PairDistancesTest, SwappedFeaturesAreTheOtherTriangles) {
  const Triangle s{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const Triangle t{{1, 1, 2}, {2, 1, 5}, {1, 2, 5}};
  const ClosestFeature over_s = ClosestFeature::OverFirst(0);
  const TestedPair tested[2] = {{s, t, over_s}, {t, s, over_s.Swapped()}};
  const Answers answers = ORBOX_DYNAMIC_DISPATCH(MeasurePairs)(tested, 2);
  EXPECT_EQ(answers.certified, 3u);
  EXPECT_EQ(answers.distances[0], 2);
  EXPECT_EQ(answers.distances[1], 2);
  for (int code = 0; code < kFeatures; ++code) {
    const ClosestFeature feature{code};
    EXPECT_EQ(feature.Swapped().Swapped().code, code);
  }
}

}  // namespace
}  // namespace orbox
#endif  // HWY_ONCE
