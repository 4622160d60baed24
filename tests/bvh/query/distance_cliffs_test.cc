// SPDX-License-Identifier: Apache-2.0

// Distances of meshes that overlap, that are side by side, or that are equally
// near everywhere take few steps, like those of meshes in general position.
// Steps are counted, and so are the same on every machine.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/io/generate.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

struct Steps {
  uint64_t nodes = 0;
  uint64_t tests = 0;  // of triangles
  uint64_t exact = 0;  // decided by integers

  explicit Steps(const TraversalStatistics& s)
      : nodes(s.Total().nodes_visited),
        tests(s.triangle_tests),
        exact(s.settled_by_exact) {}
};

Steps OfOverlap(const PosedTree& a, const PosedTree& b) {
  TraversalStatistics statistics;
  AnyOverlap(a, b, {.statistics = &statistics}).value();
  return Steps(statistics);
}

Steps OfDistance(const PosedTree& a, const PosedTree& b) {
  TraversalStatistics statistics;
  ClosestPair(a, b, {}, {.statistics = &statistics}).value();
  return Steps(statistics);
}

PosedTree At(const Tree& tree, const Vec3& place) {
  return PosedTree::Create(tree, Pose::Translation(place)).value();
}

// A distance of 0 takes no more steps than a test for overlap. That takes few
// steps, even for surfaces so close to each other that nearly all leaves
// overlap, although few of their triangles do.
TEST(DistanceCliffsTest, OverlappingMeshesStopAtTheFirstPair) {
  for (const Mesh& mesh : {meshes::Icosphere(5), meshes::Torus(160, 64)}) {
    const Tree tree = trees::Make(mesh);
    for (const Vec3& direction :
         {Vec3{1, 0, 0}, Vec3{0, 0, 1}, Vec3{0.3, -0.5, 0.8}}) {
      for (const double shift :
           {0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 1e-2, 0.1, 0.5}) {
        SCOPED_TRACE(shift);
        const PosedTree moved = At(tree, direction * shift);
        const Steps overlap = OfOverlap(moved, tree);
        const Steps distance = OfDistance(moved, tree);
        EXPECT_EQ(ClosestPair(moved, tree)->distance, 0);
        EXPECT_EQ(distance.nodes, overlap.nodes);
        EXPECT_EQ(distance.tests, overlap.tests);
        EXPECT_EQ(distance.exact, overlap.exact);
        // A hundred or so of some 3,000 leaves; all pairs of leaves that meet
        // are 4,000,000 tests.
        EXPECT_LE(overlap.nodes, 2000u);
        EXPECT_LE(overlap.tests, 20'000u);
      }
    }
  }
}

// Meshes whose first corners are about as far apart as their boxes.
TEST(DistanceCliffsTest, CopiesShiftedAlongAnAxisAreMeasuredExactly) {
  const Tree ball = trees::Make(meshes::Icosphere(2));
  for (const Vec3& place :
       {Vec3{2, 0, 0}, Vec3{0, 0, 2.25}, Vec3{0, 1e-9, 0}, Vec3{2.5, 2.5, 0}}) {
    const PosedTree moved = At(ball, place);
    const Witness w = *ClosestPair(moved, ball);
    double least = 1e9;
    for (uint32_t i = 0; i < ball.mesh().triangle_count(); ++i) {
      for (uint32_t j = 0; j < ball.mesh().triangle_count(); ++j) {
        least = std::min(
            least, DistanceBetween(moved.triangle(i), ball.mesh().triangle(j)));
      }
    }
    EXPECT_EQ(w.distance, least);
  }
}

// Flat meshes face each other: any pair will do, once one is as near as the
// boxes of the meshes are.
TEST(DistanceCliffsTest, WhatIsEquallyNearEverywhereIsNotListed) {
  const Tree grid = trees::Make(meshes::Grid(100, 0));
  for (const double gap : {1e-9, 0.25, 0.3, 1.0}) {
    for (const Vec3& place : {Vec3{0, 0, gap}, Vec3{0.31, 0.17, -gap}}) {
      SCOPED_TRACE(gap);
      const PosedTree moved = At(grid, place);
      const Steps steps = OfDistance(moved, grid);
      EXPECT_EQ(ClosestPair(moved, grid)->distance, gap);
      EXPECT_LE(steps.nodes, 50u);
      EXPECT_LE(steps.tests, 200u);
      EXPECT_EQ(steps.exact, 0u);
    }
  }
}

// Boxes against each other, except for a gap that floats do not resolve.
TEST(DistanceCliffsTest, WhatLiesSideBySideIsSettledByItsBoxes) {
  const Mesh box = GenerateMesh({.shape = "box", .triangles = 8000}).value();
  const Tree tree = trees::Make(box);
  const double side = box.bounds().hi.x - box.bounds().lo.x;
  for (const double gap : {1e-15, 1e-12, 1e-9, 1e-6, 1e-3}) {
    SCOPED_TRACE(gap);
    const PosedTree moved = At(tree, {side + gap, 0, 0});
    const Steps steps = OfDistance(moved, tree);
    EXPECT_LE(steps.nodes, 50u);
    EXPECT_LE(steps.tests, 200u);
    EXPECT_EQ(OfOverlap(moved, tree).nodes, 0u);
    TraversalStatistics within;
    EXPECT_FALSE(
        AnyWithin(moved, tree, gap / 2, {.statistics = &within}).value());
    EXPECT_EQ(Steps(within).nodes, 0u);
  }
  const PosedTree touching = At(tree, {side, 0, 0});
  EXPECT_LE(OfDistance(touching, tree).tests, 200u);
  EXPECT_EQ(ClosestPair(touching, tree)->distance, 0);
}

// A part of thousands of triangles in a hall of twelve: it is in the boxes of
// their leaves, and near none of them.
TEST(DistanceCliffsTest, TheWallsOfAHallAreNowhereNear) {
  const Tree hall = trees::Make(meshes::Cube({-50, -50, -50}, 100));
  const Tree part = trees::Make(meshes::Scaled(meshes::Torus(96, 32), 0.1));
  meshes::Random random(4);
  for (int i = 0; i < 10; ++i) {
    const PosedTree placed = At(part, random.Point(-40, 40));
    double least = 50;
    for (uint32_t id = 0; id < part.mesh().triangle_count(); ++id) {
      const Triangle t = placed.triangle(id);
      for (const Vec3& v : {t.a, t.b, t.c}) {
        least = std::min(least, 50 - MaxCoordinate(Abs(v)));
      }
    }
    const Steps overlap = OfOverlap(placed, hall);
    EXPECT_FALSE(AnyOverlap(placed, hall));
    EXPECT_LE(overlap.nodes, 5u);
    EXPECT_EQ(overlap.tests, 0u);
    TraversalStatistics within;
    EXPECT_FALSE(AnyWithin(hall, placed, 1, {.statistics = &within}).value());
    EXPECT_LE(Steps(within).nodes, 5u);
    EXPECT_EQ(Steps(within).tests, 0u);
    const Steps distance = OfDistance(placed, hall);
    EXPECT_EQ(ClosestPair(placed, hall)->distance, least);
    EXPECT_EQ(ClosestPair(hall, placed)->distance, least);
    EXPECT_LE(distance.nodes, 200u);
    EXPECT_LE(distance.tests, 20'000u);
  }
}

// A detail tree is searched once, not for each child of the other tree, and
// before distant nodes: from these, all of the other mesh is equally near in
// floats.
TEST(DistanceCliffsTest, AStrayTriangleAddsAFewSteps) {
  const Mesh torus = meshes::Torus(66, 15);
  const Tree tree = trees::Make(torus);
  Pose pose = Pose::Rotation(Normalized(Vec3{1, 2, 3}), 1.1);
  pose.translation = {2.8, 0.28, 0.14};
  const PosedTree alone = PosedTree::Create(tree, pose).value();
  const auto pair = ClosestPair(alone, tree);
  for (const double away : {1e5, 1e6}) {
    SCOPED_TRACE(away);
    const Mesh stray = meshes::FromTriangles(
        {{{away, away, away}, {away + 1, away, away}, {away, away + 1, away}}});
    const Tree joined = trees::Make(meshes::Joined(torus, stray));
    ASSERT_NE(joined.detail_trees(), nullptr);
    const PosedTree placed = PosedTree::Create(joined, pose).value();
    const auto found = ClosestPair(placed, tree);
    EXPECT_EQ(found->distance, pair->distance);
    EXPECT_EQ(found->triangles, pair->triangles);
    EXPECT_EQ(ClosestPair(tree, placed)->distance, pair->distance);
    EXPECT_FALSE(AnyOverlap(placed, tree));
    EXPECT_LE(OfOverlap(placed, tree).nodes, OfOverlap(alone, tree).nodes + 4);
    EXPECT_LE(OfDistance(placed, tree).nodes,
              OfDistance(alone, tree).nodes + 16);
    EXPECT_LE(OfDistance(placed, tree).tests,
              OfDistance(alone, tree).tests + 64);
    // Overlaps are found as well, in detail trees of both.
    const PosedTree over = At(joined, {1.4, 0.1, 0.05});
    EXPECT_EQ(AllOverlaps(over, tree),
              AllOverlaps(At(tree, {1.4, 0.1, 0.05}), tree));
    const auto both = AllOverlaps(over, joined);
    EXPECT_EQ(both, AllOverlaps(At(tree, {1.4, 0.1, 0.05}), joined));
  }
}

// A shaft in its hole: which pairs are within 0 is as easy as which overlap.
TEST(DistanceCliffsTest, PairsWithinNothingAreThoseThatOverlap) {
  const Tree sphere = trees::Make(meshes::Icosphere(4));
  for (const double larger : {1e-15, 1e-12, 1e-9, 1e-3}) {
    SCOPED_TRACE(larger);
    const Tree around =
        trees::Make(meshes::Scaled(meshes::Icosphere(4), 1 + larger));
    TraversalStatistics all;
    TraversalStatistics within;
    const auto overlaps =
        AllOverlaps(sphere, around, {.statistics = &all}).value();
    const auto pairs =
        AllWithin(sphere, around, 0, {.statistics = &within}).value();
    EXPECT_EQ(AnyWithin(sphere, around, 0), !overlaps.empty());
    ASSERT_EQ(pairs.size(), overlaps.size());
    for (size_t i = 0; i < pairs.size(); ++i) {
      EXPECT_EQ(pairs[i].triangles, overlaps[i]);
      EXPECT_EQ(pairs[i].distance, 0);
    }
    EXPECT_EQ(Steps(within).tests, Steps(all).tests);
    EXPECT_EQ(within.settled_by_expansion, all.settled_by_expansion);
  }
}

// Slivers cross the boxes of many others. Floats know no planes of theirs, but
// most are parted by an axis across both.
TEST(DistanceCliffsTest, SliversAreToldApartByFloats) {
  const Mesh first = meshes::Needles(300, 1);
  const Mesh second = meshes::Needles(300, 2);
  TraversalStatistics statistics;
  EXPECT_EQ(AllOverlaps(trees::Make(first), trees::Make(second),
                        {.statistics = &statistics})
                .value(),
            brute_force::Overlapping(first, second));
  EXPECT_GE(statistics.settled_by_float, 0.95 * statistics.triangle_tests);
}

}  // namespace
}  // namespace orbox
