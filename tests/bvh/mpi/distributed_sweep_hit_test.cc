// SPDX-License-Identifier: Apache-2.0

// Hits of moving balls in a tree that ranks share have the bytes of the hits in
// those chunks in one process.

#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/mpi/distributed_tree.h"

#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/large/queries.h"
#include "tests/bvh/mpi/ranks.h"
#include "tests/support/chunks.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

std::vector<SweptSphere> SomeBalls(size_t count) {
  meshes::Random random(11);
  std::vector<SweptSphere> balls;
  for (size_t i = 0; i < count; ++i) {
    const Vec3 p = random.Point(-2, 2);
    balls.push_back({p, random.Point(-1, 1), 0.1});
    balls.push_back({p, p, 0.9});  // does not move
    balls.push_back({p, random.Point(-1, 1), 0});
  }
  return balls;
}

void ExpectSameSweep(const GlobalSweepHit& found, const GlobalSweepHit& one) {
  EXPECT_EQ(found.triangle, one.triangle);
  EXPECT_EQ(found.earliest, one.earliest);
  EXPECT_EQ(found.latest, one.latest);
  EXPECT_TRUE(chunks::SameBits(found.point, one.point));
}

void CheckSweeps(const SharedTree& mesh, const std::vector<SweptSphere>& own) {
  const DistributedTree tree = mesh.Open();
  const ChunkedTree& here = tree.chunks();
  for (const double most : {std::numeric_limits<double>::infinity(), 0.5}) {
    const DistributedOptions options{.max_distance = most};
    const QueryOptions one{.max_distance = most};
    const auto any = AnyHit(tree, own, options);
    const auto counts = CountHits(tree, own, options);
    const auto first = ClosestHit(tree, own, options);
    const auto lists = AllHits(tree, own, options);
    ASSERT_TRUE(any.ok() && counts.ok() && first.ok() && lists.ok());
    EXPECT_EQ(*any, AnyHit(here, own, one).value());
    EXPECT_EQ(*counts, CountHits(here, own, one).value());
    const auto one_first = ClosestHit(here, own, one).value();
    const auto one_lists = AllHits(here, own, one).value();
    EXPECT_EQ(lists->offsets, one_lists.offsets);
    for (size_t i = 0; i < own.size(); ++i) {
      ASSERT_EQ((*first)[i].has_value(), one_first[i].has_value());
      if (one_first[i]) ExpectSameSweep(*(*first)[i], *one_first[i]);
      for (size_t k = 0; k < one_lists[i].size(); ++k) {
        ExpectSameSweep((*lists)[i][k], one_lists[i][k]);
      }
    }
  }
}

TEST(DistributedSweepHitTest, AnswersAreThoseOfOneProcess) {
  Communicator ranks = Ranks();
  const std::vector<SweptSphere> balls = SomeBalls(12);
  for (const Mesh& mesh : {meshes::Torus(20, 10), meshes::Soup(120, 0.3),
                           meshes::Identical(30), meshes::OneTriangle()}) {
    const SharedTree shared(ranks, mesh, 16);
    CheckSweeps(shared, OwnShare(ranks, balls));
    CheckSweeps(shared, ranks.rank() == 0 ? balls : std::vector<SweptSphere>());
  }
}

// Each hit once, on the rank that has the triangle.
TEST(DistributedSweepHitTest, HitsAreVisitedWhereTheyAreFound) {
  Communicator ranks = Ranks();
  const SharedTree shared(ranks, meshes::Torus(20, 10), 16);
  const DistributedTree tree = shared.Open();
  const std::vector<SweptSphere> all = SomeBalls(12);
  struct Seen {
    uint64_t ball;
    uint64_t triangle;
  };
  std::vector<Seen> seen;
  const absl::Status status =
      VisitHits(tree, OwnShare(ranks, all),
                [&](int rank, uint64_t ball, const GlobalSweepHit& hit) {
                  seen.push_back({ball * static_cast<uint64_t>(ranks.size()) +
                                      static_cast<uint64_t>(rank),
                                  hit.triangle});
                },
                {.memory = 1 << 16});
  ASSERT_TRUE(status.ok()) << status;
  std::vector<std::vector<uint64_t>> found(all.size());
  for (const Seen& s : Joined(ranks, seen)) found[s.ball].push_back(s.triangle);
  const auto lists = AllHits(tree.chunks(), all).value();
  for (size_t i = 0; i < all.size(); ++i) {
    std::vector<uint64_t> one;
    for (const GlobalSweepHit& hit : lists[i]) one.push_back(hit.triangle);
    EXPECT_THAT(found[i], ::testing::UnorderedElementsAreArray(one));
  }
}

}  // namespace
}  // namespace orbox
