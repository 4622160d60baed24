// SPDX-License-Identifier: Apache-2.0

// Pairs of triangles that ranks find are those that one process finds, in its
// order, where the ranks' parts are joined.

#include "orbox/bvh/large/pairs.h"
#include "orbox/bvh/mpi/distributed_tree.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/large/pairs.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/query/pairs/self_overlap.h"
#include "orbox/bvh/query/pairs/self_within.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/bvh/mpi/ranks.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

std::vector<GlobalPair> Global(const std::vector<TrianglePair>& pairs) {
  std::vector<GlobalPair> global;
  for (const TrianglePair& p : pairs) global.push_back({p.a, p.b});
  return global;
}
std::vector<GlobalPairDistance> Global(const std::vector<PairDistance>& pairs) {
  std::vector<GlobalPairDistance> global;
  for (const PairDistance& p : pairs) {
    global.push_back({{p.triangles.a, p.triangles.b}, p.distance});
  }
  return global;
}

void RunPairs(Communicator& ranks, const SharedTree& a, const SharedTree& b,
              const Pose& pose) {
  const PosedTree posed = PosedTree::Create(a.whole(), pose).value();
  const PosedDistributedTree moved(a.Open(), pose);
  const DistributedTree other = b.Open();

  const std::vector<GlobalPair> overlaps =
      Global(AllOverlaps(posed, b.whole()));
  const auto part = AllOverlaps(moved, other);
  ASSERT_TRUE(part.ok()) << part.status();
  EXPECT_EQ(Joined(ranks, *part), overlaps);
  const auto count = CountOverlaps(moved, other);
  ASSERT_TRUE(count.ok()) << count.status();
  EXPECT_EQ(*count, overlaps.size());
  const auto any = AnyOverlap(moved, other);
  ASSERT_TRUE(any.ok()) << any.status();
  EXPECT_EQ(*any, !overlaps.empty());

  for (const double d : {0.0, 0.1, 0.7, kInfinity}) {
    const std::vector<GlobalPairDistance> within =
        Global(AllWithin(posed, b.whole(), d));
    const auto near = AllWithin(moved, other, d);
    ASSERT_TRUE(near.ok()) << near.status();
    EXPECT_EQ(Joined(ranks, *near), within) << d;
    const auto witnesses = AllWitnessesWithin(moved, other, d);
    ASSERT_TRUE(witnesses.ok()) << witnesses.status();
    const std::vector<GlobalWitness> all = Joined(ranks, *witnesses);
    ASSERT_EQ(all.size(), within.size());
    for (size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(all[i].triangles, within[i].triangles);
      EXPECT_EQ(all[i].distance, within[i].distance);
      const TrianglePairDistance one =
          Distance(posed.triangle(all[i].triangles.a),
                   b.whole().mesh().triangle(all[i].triangles.b));
      EXPECT_EQ(all[i].on_a, one.on_first);
      EXPECT_EQ(all[i].on_b, one.on_second);
    }
    const auto near_count = CountWithin(moved, other, d);
    ASSERT_TRUE(near_count.ok()) << near_count.status();
    EXPECT_EQ(*near_count, within.size());
    const auto any_near = AnyWithin(moved, other, d);
    ASSERT_TRUE(any_near.ok()) << any_near.status();
    EXPECT_EQ(*any_near, !within.empty());
    std::vector<GlobalPairDistance> visited;
    const absl::Status status =
        VisitWithin(moved, other, d, [&](const GlobalPairDistance& pair) {
          visited.push_back(pair);
          return Visit::kContinue;
        });
    ASSERT_TRUE(status.ok()) << status;
    visited = Joined(ranks, visited);
    std::sort(visited.begin(), visited.end());
    EXPECT_EQ(visited, within);
  }
  const auto none = AllWithin(moved, other, -1.0);
  ASSERT_TRUE(none.ok()) << none.status();
  EXPECT_TRUE(none->empty());
}

void RunOnSelf(Communicator& ranks, const SharedTree& mesh) {
  const DistributedTree tree = mesh.Open();
  const std::vector<GlobalPair> overlaps =
      Global(AllSelfOverlaps(mesh.whole()));
  const auto part = AllSelfOverlaps(tree);
  ASSERT_TRUE(part.ok()) << part.status();
  EXPECT_EQ(Joined(ranks, *part), overlaps);
  const auto count = CountSelfOverlaps(tree);
  ASSERT_TRUE(count.ok()) << count.status();
  EXPECT_EQ(*count, overlaps.size());
  const auto any = AnySelfOverlap(tree);
  ASSERT_TRUE(any.ok()) << any.status();
  EXPECT_EQ(*any, !overlaps.empty());
  for (const double d : {0.0, 0.1}) {
    const std::vector<GlobalPairDistance> within =
        Global(AllSelfWithin(mesh.whole(), d));
    const auto near = AllSelfWithin(tree, d);
    ASSERT_TRUE(near.ok()) << near.status();
    EXPECT_EQ(Joined(ranks, *near), within);
    const auto near_count = CountSelfWithin(tree, d);
    ASSERT_TRUE(near_count.ok()) << near_count.status();
    EXPECT_EQ(*near_count, within.size());
    const auto any_near = AnySelfWithin(tree, d);
    ASSERT_TRUE(any_near.ok()) << any_near.status();
    EXPECT_EQ(*any_near, !within.empty());
  }
}

TEST(DistributedPairsTest, PairsAreThoseOfOneProcess) {
  Communicator ranks = Ranks();
  const SharedTree torus(ranks, meshes::Torus(12, 6), 16);
  const SharedTree soup(ranks, meshes::Soup(120, 0.3), 20);
  RunPairs(ranks, torus, soup, Pose::Identity());
  RunPairs(ranks, soup, torus, Pose::Translation({0.1, 0.2, 0.3}));
  RunPairs(ranks, torus, soup, Pose::Rotation({0, 0, 1}, 1, {3, 0, 0}));
}

TEST(DistributedPairsTest, OfAMeshAndItself) {
  Communicator ranks = Ranks();
  RunOnSelf(ranks, {ranks, meshes::Soup(120, 0.3), 20});
  RunOnSelf(ranks, {ranks, meshes::Torus(12, 6), 16});
  RunOnSelf(ranks, {ranks, meshes::Identical(20), 6});
  RunOnSelf(ranks, {ranks, meshes::OneTriangle(), 6});
}

void RunClosest(Communicator&, const SharedTree& a, const SharedTree& b,
                const Pose& pose) {
  const PosedDistributedTree moved(a.Open(), pose);
  const DistributedTree other = b.Open();
  const PosedChunkedTree posed =
      PosedChunkedTree::Create(moved.tree.chunks(), pose).value();
  const PosedTree whole = PosedTree::Create(a.whole(), pose).value();
  for (const double d : {kInfinity, 1.0, 0.0}) {
    const auto found = ClosestPair(moved, other, {.max_distance = d});
    ASSERT_TRUE(found.ok()) << found.status();
    const auto one =
        ClosestPair(posed, other.chunks(), QueryOptions{.max_distance = d});
    ASSERT_TRUE(one.ok()) << one.status();
    ASSERT_EQ(found->has_value(), one->has_value());
    if (!found->has_value()) continue;
    EXPECT_EQ((*found)->triangles, (*one)->triangles);
    EXPECT_EQ((*found)->distance, (*one)->distance);
    EXPECT_EQ((*found)->on_a, (*one)->on_a);
    EXPECT_EQ((*found)->on_b, (*one)->on_b);
    EXPECT_EQ((*found)->distance, ClosestPair(whole, b.whole())->distance);
  }
}

TEST(DistributedPairsTest, ClosestPairsAreThoseOfOneProcess) {
  Communicator ranks = Ranks();
  const SharedTree torus(ranks, meshes::Torus(12, 6), 16);
  const SharedTree soup(ranks, meshes::Soup(120, 0.3), 20);
  const SharedTree one(ranks, meshes::OneTriangle(), 4);
  for (const double x : {0.0, 1.5, 2.5, 3.0, 40.0, 1e5}) {
    const Pose pose = Pose::Rotation({0, 0, 1}, x, {x, 0.1, 0.2});
    RunClosest(ranks, torus, soup, pose);
    RunClosest(ranks, soup, soup, pose);
    RunClosest(ranks, one, torus, pose);
    RunClosest(ranks, torus, torus, Pose::Translation({x, 0, 0}));
  }
}

TEST(DistributedPairsTest, MoreRanksThanChunks) {
  Communicator ranks = Ranks();
  const SharedTree one(ranks, meshes::OneTriangle(), 4);
  const SharedTree torus(ranks, meshes::Torus(12, 6), 1000);
  RunPairs(ranks, one, torus, Pose::Identity());
  RunPairs(ranks, torus, one, Pose::Identity());
  RunPairs(ranks, one, one, Pose::Identity());
}

TEST(DistributedPairsTest, AllTrianglesMayBeIdentical) {
  Communicator ranks = Ranks();
  const SharedTree same(ranks, meshes::Identical(20), 4);
  RunPairs(ranks, same, same, Pose::Identity());
}

TEST(DistributedPairsTest, AVisitorEndsTheSearchOfAll) {
  Communicator ranks = Ranks();
  const SharedTree soup(ranks, meshes::Soup(120, 0.3), 4);
  uint64_t visits[] = {0};
  const absl::Status status = VisitWithin(soup.Open(), soup.Open(), kInfinity,
                                          [&](const GlobalPairDistance&) {
                                            ++visits[0];
                                            return Visit::kStop;
                                          });
  ASSERT_TRUE(status.ok()) << status;
  ASSERT_TRUE(ranks.Sum(visits).ok());
  EXPECT_GE(visits[0], 1U);
  EXPECT_LE(visits[0], static_cast<uint64_t>(ranks.size()));
}

TEST(DistributedPairsTest, PairsBeyondTheMemoryAreRefused) {
  Communicator ranks = Ranks();
  const SharedTree soup(ranks, meshes::Soup(200, 0.3), 20);
  const DistributedOptions little{.memory = size_t{1} << 15};
  EXPECT_EQ(
      AllWithin(soup.Open(), soup.Open(), kInfinity, little).status().code(),
      absl::StatusCode::kResourceExhausted);
  const auto count = CountWithin(soup.Open(), soup.Open(), kInfinity, little);
  ASSERT_TRUE(count.ok()) << count.status();
  EXPECT_EQ(*count, 40000U);
}

TEST(DistributedPairsTest, StatisticsAreSummed) {
  Communicator ranks = Ranks();
  const SharedTree soup(ranks, meshes::Soup(200, 0.3), 20);
  TraversalStatistics all;
  TraversalStatistics own;
  ASSERT_TRUE(CountOverlaps(soup.Open(), soup.Open(),
                            {.statistics = &all, .own_statistics = &own})
                  .ok());
  uint64_t tests[] = {own.triangle_tests};
  ASSERT_TRUE(ranks.Sum(tests).ok());
  EXPECT_EQ(tests[0], all.triangle_tests);
  EXPECT_GT(tests[0], 0U);
}

}  // namespace
}  // namespace orbox
