// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/closest_pair.h"

#include <cmath>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"
#include "tests/support/witnesses.h"

namespace orbox {
namespace {

std::vector<TrianglePair> BruteTies(const Mesh& a, const Mesh& b) {
  const double least = brute_force::Closest(a, b).distance;
  std::vector<TrianglePair> ties;
  for (uint32_t i = 0; i < a.triangle_count(); ++i) {
    for (uint32_t j = 0; j < b.triangle_count(); ++j) {
      if (Distance(a.triangle(i), b.triangle(j)).distance == least) {
        ties.push_back({i, j});
      }
    }
  }
  return ties;
}

// Every form of the query, on every kind of tree.
void Check(const Mesh& a, const Pose& pose, const Mesh& b,
           meshes::Random& random) {
  const Mesh moved = meshes::Moved(a, pose);
  const Witness closest = brute_force::Closest(moved, b);
  const auto ties = BruteTies(moved, b);
  const auto trees_a = trees::Variants(a);
  const auto trees_b = trees::Variants(b);
  for (size_t i = 0; i < trees_a.size(); ++i) {
    const Tree& y = trees_b[(i + 1) % trees_b.size()].tree;
    SCOPED_TRACE(trees_a[i].name);
    const PosedTree x = PosedTree::Create(trees_a[i].tree, pose).value();
    const TrianglePair guess{
        static_cast<uint32_t>(random.Below(a.triangle_count())),
        static_cast<uint32_t>(random.Below(b.triangle_count()))};
    // The reported pair does not depend on the guess.
    const Witness found = *ClosestPair(x, y);
    ExpectIsClosest(found, moved, b, closest.distance);
    ExpectSame(*ClosestPair(x, y, {.guess = guess}), found);
    ExpectSame(*ClosestPair(x, y, {.guess = closest.triangles}), found);
    EXPECT_EQ(AllClosestPairs(x, y), ties);
    for (const DistanceError& error :
         {DistanceError{}, DistanceError{.relative = 0.1},
          DistanceError{.relative = 2}, DistanceError{.absolute = 0.1},
          DistanceError{.relative = 0.01, .absolute = 1e-3},
          DistanceError{.relative = -1, .absolute = std::nan("")},
          DistanceError{.absolute = kInf}}) {
      const BoundedDistance d = *ClosestPairWithError(x, y, error);
      const auto [ids, on_a, on_b] =
          std::tuple(d.nearest.triangles, d.nearest.on_a, d.nearest.on_b);
      const TrianglePairDistance pair =
          Distance(moved.triangle(ids.a), b.triangle(ids.b));
      EXPECT_EQ(pair.distance, d.nearest.distance);
      EXPECT_EQ(pair.on_first, on_a);
      EXPECT_EQ(pair.on_second, on_b);
      EXPECT_LE(d.lower, closest.distance);
      EXPECT_GE(d.nearest.distance, closest.distance);
      const double allowed = std::fmax(std::fmax(error.absolute, 0),
                                       std::fmax(error.relative, 0) * d.lower);
      EXPECT_LE(d.nearest.distance - d.lower, allowed * (1 + 0x1p-50));
    }
  }
}

TEST(ClosestPairTest, AgreeWithBruteForce) {
  meshes::Random random(1);
  const auto all = meshes::Assortment();
  for (size_t i = 0; i < all.size(); ++i) {
    const Mesh& a = all[i].mesh;
    const Mesh& b = all[(i + 1) % all.size()].mesh;
    if (a.triangle_count() * b.triangle_count() > 20'000) continue;
    SCOPED_TRACE(all[i].name);
    Check(a, meshes::RandomRigidPose(random, 2), b, random);
    Check(a, Pose::Identity(), b, random);
  }
}

// Two cubes side by side: all that the facing sides touch with is as close.
TEST(ClosestPairTest, TiesAreAllFound) {
  meshes::Random random(2);
  const Mesh cube = meshes::Cube();
  for (const Vec3& t : {Vec3{2, 0, 0}, Vec3{1, 0, 0}, Vec3{2, 2, 0},
                        Vec3{1.5, 0.25, 0.125}, Vec3{0, 0, 0}}) {
    Check(cube, Pose::Translation(t), cube, random);
  }
  const Tree tree = trees::Make(cube);
  const PosedTree beside =
      PosedTree::Create(tree, Pose::Translation({2, 0, 0})).value();
  EXPECT_GT(AllClosestPairs(beside, tree).size(), 4U);
}

// If triangles overlap, the reported pair depends on the trees alone.
TEST(ClosestPairTest, WhatOverlapsHasOneWitnessHoweverItIsQueried) {
  meshes::Random random(4);
  const Mesh torus = meshes::Torus(40, 16);
  const Mesh ball = meshes::Icosphere(3);
  const auto trees_a = trees::Variants(torus);
  const auto trees_b = trees::Variants(ball);
  std::vector<Pose> poses = {Pose::Identity(), Pose::Translation({1, 0, 0})};
  for (int i = 0; i < 4; ++i)
    poses.push_back(meshes::RandomRigidPose(random, 0.6));
  for (size_t i = 0; i < trees_a.size(); ++i) {
    SCOPED_TRACE(trees_a[i].name);
    const Tree& a = trees_a[i].tree;
    const Tree& b = trees_b[i].tree;
    std::vector<Witness> first;
    for (const Pose& pose : poses) {
      const PosedTree x = PosedTree::Create(a, pose).value();
      first.push_back(*ClosestPair(x, b));
      ExpectIsClosest(first.back(), meshes::Moved(torus, pose), ball, 0);
    }
    trees::OnEachInstructionSet([&] {
      for (const int threads : {1, 3}) {
        const auto batch =
            ClosestPair(a, poses, b, {}, {.threads = threads}).value();
        for (size_t k = 0; k < poses.size(); ++k) {
          ExpectSame(*batch[k], first[k]);
        }
      }
      for (size_t k = 0; k < poses.size(); ++k) {
        const PosedTree x = PosedTree::Create(a, poses[k]).value();
        TraversalStatistics statistics;
        for (const Witness& witness :
             {*ClosestPair(x, b), *ClosestPair(x, b, {.max_distance = 0}),
              *ClosestPair(x, b, {.guess = first[0].triangles}),
              *ClosestPair(x, b, {.guess = TrianglePair{7, 5}}),
              *ClosestPair(x, b, {}, {.statistics = &statistics}).value(),
              ClosestPairWithError(x, b, {.relative = 0.5})->nearest}) {
          ExpectSame(witness, first[k]);
        }
      }
    });
  }
}

TEST(ClosestPairTest, ErrorsAndGuessesSaveWork) {
  const Tree a = trees::Make(meshes::Torus(80, 40));
  const PosedTree far =
      PosedTree::Create(a, Pose::Rotation({0, 0, 1}, 1, {4, 0.3, 0.2})).value();
  TraversalStatistics exact, rough, warm;
  const Witness d = *ClosestPair(far, a, {}, {.statistics = &exact}).value();
  ClosestPairWithError(far, a, {.relative = 0.2}, {}, {.statistics = &rough})
      .value();
  ClosestPair(far, a, {.guess = d.triangles}, {.statistics = &warm}).value();
  EXPECT_LT(rough.Total().nodes_visited, exact.Total().nodes_visited);
  EXPECT_LE(warm.Total().nodes_visited, exact.Total().nodes_visited);
  EXPECT_LE(warm.triangle_tests, exact.triangle_tests);
}

TEST(ClosestPairTest, EveryInstructionSetAgreesToTheLastCount) {
  meshes::Random random(3);
  for (const trees::Kind& kind : trees::Kinds()) {
    const Tree a = trees::Make(meshes::Torus(40, 16), kind.volumes);
    const Tree b = trees::Make(meshes::Grid(30, 0.3), kind.volumes);
    const PosedTree posed =
        PosedTree::Create(a, meshes::RandomRigidPose(random, 2)).value();
    TraversalStatistics first;
    SetInstructionSet(SupportedInstructionSets().front());
    const auto rough = *ClosestPairWithError(posed, b, {.relative = 0.1}, {},
                                             {.statistics = &first})
                            .value();
    const auto ties =
        AllClosestPairs(posed, b, {}, {.statistics = &first}).value();
    trees::OnEachInstructionSet([&] {
      TraversalStatistics statistics;
      const auto d = *ClosestPairWithError(posed, b, {.relative = 0.1}, {},
                                           {.statistics = &statistics})
                          .value();
      ExpectSame(d.nearest, rough.nearest);
      EXPECT_EQ(d.lower, rough.lower);
      EXPECT_EQ(
          AllClosestPairs(posed, b, {}, {.statistics = &statistics}).value(),
          ties);
      EXPECT_EQ(statistics, first);
    });
  }
}

}  // namespace
}  // namespace orbox
