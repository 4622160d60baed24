// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/statistics.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/query/pairs/self_overlap.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

constexpr VolumeKind kBox = VolumeKind::kAabb;

// Checks the relations that hold for the statistics of any query.
void CheckSums(const TraversalStatistics& s) {
  const VolumeStatistics total = s.Total();
  EXPECT_GT(total.nodes_visited, 0u);
  EXPECT_LE(total.accepted, total.volume_tests);
  EXPECT_LE(total.test_false_positives, total.accepted);
  EXPECT_LE(total.subtree_false_positives, total.accepted);
  EXPECT_LE(s.leaf_box_tests, total.volume_tests);
  EXPECT_EQ(s.settled_by_float + s.settled_by_double + s.settled_by_expansion +
                s.settled_by_exact,
            s.triangle_tests);
  VolumeStatistics by_kind;
  for (const VolumeKind k :
       {VolumeKind::kSphere, VolumeKind::kAabb, VolumeKind::kObb}) {
    by_kind += s.TotalOfKind(k);
  }
  EXPECT_EQ(by_kind, total);
  VolumeStatistics by_depth;
  for (int d = 0; d < TraversalStatistics::kDepths; ++d) {
    by_depth += s.TotalOfDepth(d);
  }
  EXPECT_EQ(by_depth, total);
  for (const auto& kinds : s.pairs) {
    for (const PairStatistics& p : kinds) {
      EXPECT_LE(p.accepted, p.tests);
      EXPECT_LE(p.test_false_positives, p.accepted);
    }
  }
}

// Each test of a volume of two trees is one of a pair.
void CheckPairSums(const TraversalStatistics& s) {
  const VolumeStatistics total = s.Total();
  const PairStatistics pairs = s.TotalOfPairs();
  EXPECT_EQ(pairs.tests, total.volume_tests);
  EXPECT_EQ(pairs.accepted, total.accepted);
  EXPECT_EQ(pairs.rejected(), total.rejected());
  EXPECT_EQ(pairs.test_false_positives, total.test_false_positives);
}

// Two subtrees are accepted at the root, and two in the first of them; they are
// entered in an order that no stack would give.
TEST(CountersTest, SubtreesAreJudgedWhenTheirLastPartIsLeft) {
  TraversalStatistics s;
  StatisticsCounters counters(&s);
  const auto left = counters.Accept(kBox);
  const auto right = counters.Accept(kBox);
  counters.Enter(left);
  const auto barren = counters.Accept(kBox);
  const auto fruitful = counters.Accept(kBox);
  counters.Enter(right);
  counters.Enter(barren);
  // Until the other part of `left` is left, nothing is known of it.
  EXPECT_EQ(s.TotalOfDepth(0).subtree_false_positives, 1u);
  counters.Enter(fruitful);
  EXPECT_EQ(s.TotalOfDepth(1).subtree_false_positives, 1u);
  counters.Contribute();
  counters.Finish();
  EXPECT_EQ(s.TotalOfDepth(0).subtree_false_positives, 1u);
  EXPECT_EQ(s.TotalOfDepth(1).subtree_false_positives, 1u);
}

TEST(CountersTest, LanesAreCountedAsBitsAtTheirDepth) {
  TraversalStatistics s;
  StatisticsCounters counters(&s);
  const auto child = counters.Accept(kBox);
  counters.Enter(child);
  counters.VisitNode(VolumeKind::kObb);
  counters.TestVolumes(VolumeKind::kObb, 0xff, 0x0f, 0x05, 0xf0);
  const VolumeStatistics v = s.TotalOfKind(VolumeKind::kObb);
  EXPECT_EQ(v, s.TotalOfDepth(1));
  EXPECT_EQ(v.nodes_visited, 1u);
  EXPECT_EQ(v.volume_tests, 8u);
  EXPECT_EQ(v.accepted, 4u);
  EXPECT_EQ(v.rejected(), 4u);
  EXPECT_EQ(v.test_false_positives, 2u);
  EXPECT_EQ(s.leaf_box_tests, 4u);
}

TEST(StatisticsTest, AddUpForEveryQueryAndKind) {
  meshes::Random random(1);
  const Mesh mesh = meshes::Torus(40, 16);
  for (const trees::Kind& kind : trees::Kinds()) {
    SCOPED_TRACE(kind.name);
    const Tree tree = trees::Make(mesh, kind.volumes);
    const PosedTree posed =
        PosedTree::Create(tree, Pose::Rotation({1, 0, 0}, 1, {0.7, 0, 0}))
            .value();
    for (int i = 0; i < 10; ++i) {
      const Vec3 p = random.Point(-1.5, 1.5);
      TraversalStatistics ball, box, nearest, overlap, distance;
      AllOverlaps(tree, Sphere{p, 0.4}, {.statistics = &ball}).value();
      AllOverlaps(tree, Aabb{p, p + Vec3{0.5, 0.5, 0.5}}, {.statistics = &box})
          .value();
      ClosestPoint(tree, p, 10, {.statistics = &nearest}).value();
      AllOverlaps(posed, tree, {.statistics = &overlap}).value();
      ClosestPair(posed, tree, {}, {.statistics = &distance}).value();
      CheckSums(ball);
      CheckSums(nearest);
      CheckSums(overlap);
      CheckSums(distance);
      CheckPairSums(overlap);
      CheckPairSums(distance);
      EXPECT_EQ(ball.TotalOfPairs(), PairStatistics());
      EXPECT_EQ(nearest.TotalOfPairs(), PairStatistics());
      if (box.Total().nodes_visited > 0) CheckSums(box);
    }
  }
}

// The kinds that are forced, except for the boxes of whole meshes, which come
// first.
void ExpectPairsOf(const TraversalStatistics& s, VolumeKind a, VolumeKind b) {
  CheckPairSums(s);
  for (int i = 0; i < kVolumeKinds; ++i) {
    for (int j = 0; j < kVolumeKinds; ++j) {
      const auto kind_a = static_cast<VolumeKind>(i);
      const auto kind_b = static_cast<VolumeKind>(j);
      const uint64_t tests = s.pairs[i][j].tests;
      if (kind_a == a && kind_b == b) {
        EXPECT_GT(2 * tests, s.TotalOfPairs().tests);
      } else if ((kind_a != a && kind_a != kBox) ||
                 (kind_b != b && kind_b != kBox)) {
        EXPECT_EQ(tests, 0u) << i << " " << j;
      }
    }
  }
}

// With rows of which float leaves most open, and the first pair of which ends
// the query.
TEST(StatisticsTest, AddUpWhereAQueryStops) {
  const Mesh grid = meshes::Grid(16);
  const Tree tree = trees::Make(grid);
  const Tree above =
      trees::Make(meshes::Moved(grid, Pose::Translation({0, 0, 0.25})));
  TraversalStatistics overlap;
  EXPECT_TRUE(AnyOverlap(tree, tree, {.statistics = &overlap}).value());
  CheckSums(overlap);
  TraversalStatistics within;
  EXPECT_TRUE(AnyWithin(tree, above, 0.25, {.statistics = &within}).value());
  CheckSums(within);
}

TEST(StatisticsTest, PairsOfForcedKindsAreInTheirPlace) {
  const Mesh torus = meshes::Torus(40, 16);
  const Mesh ball = meshes::Icosphere(3, {0.9, 0.1, 0.2}, 0.5);
  const std::array<VolumeKind, 3> kinds = {VolumeKind::kSphere,
                                           VolumeKind::kAabb, VolumeKind::kObb};
  const std::array<Volumes, 3> forced = {Volumes::kSphere, Volumes::kAabb,
                                         Volumes::kObb};
  for (size_t i = 0; i < kinds.size(); ++i) {
    const Tree a = trees::Make(torus, forced[i]);
    for (size_t j = 0; j < kinds.size(); ++j) {
      SCOPED_TRACE(std::to_string(i) + " " + std::to_string(j));
      const Tree b = trees::Make(ball, forced[j]);
      TraversalStatistics all, all_swapped, nearest, nearest_swapped;
      EXPECT_EQ(AllOverlaps(a, b, {.statistics = &all}).value().size(),
                AllOverlaps(b, a, {.statistics = &all_swapped}).value().size());
      EXPECT_EQ(
          ClosestPair(a, b, {}, {.statistics = &nearest}).value()->distance,
          ClosestPair(b, a, {}, {.statistics = &nearest_swapped})
              .value()
              ->distance);
      ExpectPairsOf(all, kinds[i], kinds[j]);
      ExpectPairsOf(all_swapped, kinds[j], kinds[i]);
      ExpectPairsOf(nearest, kinds[i], kinds[j]);
      ExpectPairsOf(nearest_swapped, kinds[j], kinds[i]);

      // Skewed trees exchange their roles, or are rebuilt with the same kind.
      const Pose stretch{{{{2, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {}};
      const PosedTree x = PosedTree::Create(a, stretch).value();
      const PosedTree y = PosedTree::Create(b, stretch).value();
      TraversalStatistics skewed_a, skewed_b, skewed_both;
      AllOverlaps(x, b, {.statistics = &skewed_a}).value();
      AllOverlaps(a, y, {.statistics = &skewed_b}).value();
      AllOverlaps(x, y, {.statistics = &skewed_both}).value();
      ExpectPairsOf(skewed_a, kinds[i], kinds[j]);
      ExpectPairsOf(skewed_b, kinds[i], kinds[j]);
      ExpectPairsOf(skewed_both, kinds[i], kinds[j]);
    }
  }
  TraversalStatistics self;
  AllSelfOverlaps(trees::Make(torus, Volumes::kObb), {}, {.statistics = &self})
      .value();
  ExpectPairsOf(self, VolumeKind::kObb, VolumeKind::kObb);
  EXPECT_EQ(self.TotalOfPairs().tests,
            self.pairs[static_cast<size_t>(VolumeKind::kObb)]
                      [static_cast<size_t>(VolumeKind::kObb)]
                          .tests);
}

// The statistics of a range query against counts made by hand from its answer.
TEST(StatisticsTest, FalsePositivesOfSubtreesAreThoseWithoutResults) {
  const Mesh mesh = meshes::Grid(30, 0.2);
  const Tree tree = trees::Make(mesh);
  const Sphere nothing{{0.5, 0.5, 0.35}, 0.15};
  TraversalStatistics s;
  ASSERT_TRUE(AllOverlaps(tree, nothing, {.statistics = &s}).value().empty());
  EXPECT_EQ(s.Total().subtree_false_positives, s.Total().accepted);

  TraversalStatistics all;
  ASSERT_EQ(AllOverlaps(tree, Sphere{{0.5, 0.5, 0}, 5}, {.statistics = &all})
                .value()
                .size(),
            mesh.triangle_count());
  EXPECT_EQ(all.Total().subtree_false_positives, 0u);
  EXPECT_EQ(all.Total().test_false_positives, 0u);
  EXPECT_EQ(all.Total().accepted, all.Total().volume_tests);
}

// A ball that holds the root's children holds all that is below them.
TEST(StatisticsTest, WhatIsWhollyInsideIsReportedWithoutTests) {
  const Mesh mesh = meshes::Grid(30, 0.2);
  for (const trees::Kind& kind : trees::Kinds()) {
    const Tree tree = trees::Make(mesh, kind.volumes);
    TraversalStatistics s;
    ASSERT_EQ(CountOverlaps(tree, Sphere{{0.5, 0.5, 0}, 5}, {.statistics = &s})
                  .value(),
              mesh.triangle_count());
    EXPECT_EQ(s.Total().nodes_visited, 1u);
    EXPECT_EQ(s.triangle_tests, 0u);
    EXPECT_EQ(s.Total().subtree_false_positives, 0u);
  }
}

// A ball that reaches into a box's corner region along each axis, but not the
// corner itself: accepted by quick rejections, rejected by the distance.
TEST(StatisticsTest, FalsePositivesOfTheTestAreThoseOfThePaper) {
  // Two clusters make a root of two children or more; the ball is off a corner
  // of everything.
  const Mesh mesh = meshes::Grid(40);
  const Tree tree = trees::Make(mesh, Volumes::kAabb);
  TraversalStatistics s;
  const double r = 0.5;
  const Vec3 off{-0.9 * r, -0.9 * r, 0};
  EXPECT_FALSE(AnyOverlap(tree, Sphere{off, r}, {.statistics = &s}).value());
  EXPECT_GT(s.Total().test_false_positives, 0u);
  EXPECT_EQ(s.Total().test_false_positives, s.Total().accepted);
}

TEST(StatisticsTest, AreAddedToAndDoNotChangeAnswers) {
  const Tree tree = trees::Make(meshes::Grid(20, 0.3));
  TraversalStatistics once, twice;
  const Sphere ball{{0.3, 0.3, 0}, 0.2};
  const auto ids = AllOverlaps(tree, ball, {.statistics = &once}).value();
  EXPECT_EQ(ids, AllOverlaps(tree, ball));
  AllOverlaps(tree, ball, {.statistics = &twice}).value();
  AllOverlaps(tree, ball, {.statistics = &twice}).value();
  TraversalStatistics sum = once;
  sum += once;
  EXPECT_EQ(twice, sum);
}

// Numbers from a run of today's builder would only repeat it; what must hold is
// that tighter volumes never cost visits of more than a few nodes.
TEST(StatisticsTest, MixedTreesVisitNoMoreThanTheWorstKind) {
  const Mesh mesh = meshes::Torus(60, 30);
  meshes::Random random(2);
  std::vector<uint64_t> visited;
  for (const trees::Kind& kind : trees::Kinds()) {
    const Tree tree = trees::Make(mesh, kind.volumes);
    TraversalStatistics s;
    meshes::Random same(3);
    for (int i = 0; i < 200; ++i)
      ClosestPoint(tree, same.Point(-2, 2), 9, {.statistics = &s}).value();
    visited.push_back(s.Total().nodes_visited + s.leaves_visited);
  }
  EXPECT_LE(visited[0], *std::max_element(visited.begin() + 1, visited.end()));
}

TEST(StatisticsTest, AreWrittenAsText) {
  TraversalStatistics s;
  s.volumes[0][static_cast<int>(VolumeKind::kAabb)] = {
      .nodes_visited = 1, .volume_tests = 8, .accepted = 3};
  s.volumes[2][static_cast<int>(VolumeKind::kAabb)] = {
      .nodes_visited = 2, .volume_tests = 16, .subtree_false_positives = 5};
  s.volumes[1][static_cast<int>(VolumeKind::kObb)].volume_tests = 4;
  s.leaves_visited = 6;
  s.triangle_tests = 10;
  s.settled_by_float = 7;
  s.settled_by_double = 2;
  s.settled_by_exact = 1;
  std::ostringstream text;
  text << s;
  EXPECT_EQ(text.str(),
            "aabb: nodes visited: 3, volume tests: 24, accepted: 3, without "
            "result: 5\n"
            "obb: nodes visited: 0, volume tests: 4, accepted: 0, without "
            "result: 0\n"
            "leaves visited: 6\n"
            "triangle tests: 10 (float 7, double 2, expansion 0, exact 1)\n");
}

}  // namespace
}  // namespace orbox
