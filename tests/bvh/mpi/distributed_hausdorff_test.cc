// SPDX-License-Identifier: Apache-2.0

// Ranks find the Hausdorff distances of one process, on all of them.

#include "orbox/bvh/mpi/distributed_hausdorff.h"

#include <atomic>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "tests/bvh/mpi/ranks.h"
#include "tests/support/hausdorff_answers.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

using hausdorff::ExpectSame;
using hausdorff::Within;

void Check(const SharedTree& a, const SharedTree& b, const Pose& pose,
           const HausdorffLimits& goal) {
  const PosedTree posed = PosedTree::Create(a.whole(), pose).value();
  const SymmetricHausdorffResult one =
      SymmetricHausdorffDistance(posed, b.whole(), goal).value();
  const auto found = SymmetricHausdorffDistance(
      PosedDistributedTree(a.Open(), pose), b.Open(), goal);
  ASSERT_TRUE(found.ok()) << found.status();
  ExpectSame(found->a_to_b, one.a_to_b);
  ExpectSame(found->b_to_a, one.b_to_a);
}

TEST(DistributedHausdorffTest, AnswersAreThoseOfOneProcess) {
  Communicator ranks = Ranks();
  const SharedTree torus(ranks, meshes::Torus(20, 10), 16);
  const SharedTree soup(ranks, meshes::Soup(60, 0.4), 25);
  const SharedTree layer(ranks, meshes::Grid(5), 7);
  const Pose turned = {{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}, {0.3, -0.1, 0.05}};
  Check(torus, soup, Pose{}, Within(0.02, 400));
  Check(torus, layer, turned, Within(0.01, 400));
  Check(layer, layer, Pose::Translation({0, 0, 1e-3}), Within(0, 60));
}

void CheckField(Communicator& ranks, const SharedTree& a, const SharedTree& b,
                const Pose& pose, const HausdorffLimits& goal) {
  const std::vector<TriangleDeviation> one =
      DeviationField(PosedTree::Create(a.whole(), pose).value(), b.whole(),
                     goal)
          .value();
  TraversalStatistics statistics;
  const auto part = DeviationField(PosedDistributedTree(a.Open(), pose),
                                   b.Open(), goal, {.statistics = &statistics});
  ASSERT_TRUE(part.ok()) << part.status();
  const std::vector<GlobalDeviation> all = Joined(ranks, *part);
  ASSERT_EQ(all.size(), one.size());
  for (size_t t = 0; t < one.size(); ++t) {
    EXPECT_EQ(all[t].triangle, t);
    EXPECT_EQ(all[t].nearest, one[t].nearest) << t;
    EXPECT_EQ(all[t].farthest_lower, one[t].farthest_lower) << t;
    EXPECT_EQ(all[t].farthest_upper, one[t].farthest_upper) << t;
  }
  EXPECT_GT(statistics.leaves_visited, one.size());
}

TEST(DistributedHausdorffTest, FieldsAreThoseOfOneProcess) {
  Communicator ranks = Ranks();
  const SharedTree torus(ranks, meshes::Torus(20, 10), 16);
  const SharedTree soup(ranks, meshes::Soup(60, 0.4), 25);
  const Pose turned = {{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}, {0.3, -0.1, 0.05}};
  CheckField(ranks, torus, soup, Pose{}, Within(0.02, 400));
  CheckField(ranks, soup, torus, turned, Within(0.01, 400));
}

TEST(DistributedHausdorffTest, MoreRanksThanChunks) {
  Communicator ranks = Ranks();
  const SharedTree cube(ranks, meshes::Cube(), 100);
  const SharedTree sphere(ranks, meshes::Icosphere(1), 60);
  Check(cube, sphere, Pose{}, Within(1e-3, 300));
  CheckField(ranks, cube, sphere, Pose{}, Within(1e-3, 300));
}

TEST(DistributedHausdorffTest, ErrorsAreThoseOfAll) {
  Communicator ranks = Ranks();
  const SharedTree torus(ranks, meshes::Torus(12, 6), 16);
  const DistributedTree tree = torus.Open();
  EXPECT_EQ(HausdorffDistance(tree, tree, Within(-1, 10)).status().code(),
            absl::StatusCode::kInvalidArgument);
  if (ranks.size() > 1) {
    EXPECT_EQ(HausdorffDistance(tree, tree, Within(1 + ranks.rank(), 10))
                  .status()
                  .code(),
              absl::StatusCode::kInvalidArgument);
  }
  const std::atomic<bool> cancelled = ranks.rank() == ranks.size() - 1;
  EXPECT_EQ(HausdorffDistance(tree, tree, {}, {.cancelled = &cancelled})
                .status()
                .code(),
            absl::StatusCode::kCancelled);
  EXPECT_EQ(DeviationField(tree, tree, {}, {.memory = 1000}).status().code(),
            absl::StatusCode::kResourceExhausted);
  // All of them wait, and may take less than one of them does.
  const Pose aside = Pose::Translation({0, 0, 1e-3});
  EXPECT_EQ(HausdorffDistance(PosedDistributedTree(tree, aside), tree,
                              Within(0, 100), {.memory = 100})
                .status()
                .code(),
            absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace orbox
