// SPDX-License-Identifier: Apache-2.0

// Penetration depths: instruction sets, threads, progress, cancellation.

#include <atomic>

#include "gtest/gtest.h"
#include "orbox/bvh/solids/penetration.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

TEST(PenetrationOptionsTest, EveryInstructionSetAgreesToTheLastCount) {
  const Tree a = trees::Make(meshes::Torus(20, 8));
  const Tree b = trees::Make(meshes::Icosphere(2, {1, 0, 0}, 0.4));
  TraversalStatistics first;
  SetInstructionSet(SupportedInstructionSets().front());
  const auto expected = PenetrationOf(a, b, {}, {.statistics = &first}).value();
  ASSERT_TRUE(expected.has_value());
  trees::OnEachInstructionSet([&] {
    TraversalStatistics statistics;
    const auto way =
        PenetrationOf(a, b, {}, {.statistics = &statistics}).value();
    EXPECT_EQ(way->depth, expected->depth);
    EXPECT_EQ(way->translation, expected->translation);
    EXPECT_EQ(statistics, first);
  });
}

TEST(PenetrationOptionsTest, OptionsAreThoseOfQueries) {
  const Tree a = trees::Make(meshes::Torus(40, 16));
  const Tree b = trees::Make(meshes::Icosphere(2, {1, 0, 0}, 0.4));
  TraversalStatistics one;
  const auto expected = PenetrationOf(a, b, {}, {.statistics = &one}).value();
  ASSERT_TRUE(expected.has_value());
  TraversalStatistics many;
  double share = 0;
  const RunOptions options{
      .statistics = &many, .threads = 3, .progress = [&](double done) {
        EXPECT_GE(done, share);
        share = done;
      }};
  const auto way = PenetrationOf(a, b, {}, options).value();
  EXPECT_EQ(way->translation, expected->translation);
  EXPECT_EQ(many, one);
  EXPECT_EQ(share, 1);
}

// The flag comes on at ever later times.
TEST(PenetrationOptionsTest, QueriesAreCancelled) {
  const Tree a = trees::Make(meshes::Torus(40, 16));
  const Tree b = trees::Make(meshes::Icosphere(2, {1, 0, 0}, 0.4));
  for (int reports = 0; reports < 8; ++reports) {
    std::atomic<bool> cancelled = reports == 0;
    int left = reports;
    const RunOptions options{
        .progress = [&](double) { cancelled = --left <= 0; },
        .cancelled = &cancelled};
    EXPECT_EQ(PenetrationOf(a, b, {}, options).status().code(),
              absl::StatusCode::kCancelled);
  }
}

}  // namespace
}  // namespace orbox
