// SPDX-License-Identifier: Apache-2.0

// A small mesh and one that is thousands of times larger: the closest pair is
// that of brute force, and few triangles are tested.
#include "orbox/bvh/query/pairs/internal/small_and_large.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/overlap/base/instruction_set.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// All at a distance, once it is rounded.
std::vector<TrianglePair> BruteForceAt(const PosedTree& a, const PosedTree& b,
                                       double distance) {
  std::vector<TrianglePair> pairs;
  for (uint32_t i = 0; i < a.tree().mesh().triangle_count(); ++i) {
    const Triangle s = a.triangle(i);
    for (uint32_t j = 0; j < b.tree().mesh().triangle_count(); ++j) {
      if (DistanceBetween(s, b.triangle(j)) == distance) {
        pairs.push_back({i, j});
      }
    }
  }
  return pairs;
}

Witness BruteForce(const PosedTree& a, const PosedTree& b) {
  Witness best{.distance = kInf};
  for (uint32_t i = 0; i < a.tree().mesh().triangle_count(); ++i) {
    const Triangle s = a.triangle(i);
    for (uint32_t j = 0; j < b.tree().mesh().triangle_count(); ++j) {
      const double d = DistanceBetween(s, b.triangle(j));
      if (d < best.distance) best = {.triangles = {i, j}, .distance = d};
    }
  }
  return best;
}

// Both ways round; returns how often the search for such pairs knew.
int ExpectClosest(const PosedTree& a, const PosedTree& b) {
  int known = 0;
  for (const auto& [first, second] : {std::pair(a, b), std::pair(b, a)}) {
    const Witness expected = BruteForce(first, second);
    const std::optional<Witness> found =
        ClosestOfSmallAndLarge(first, second, kInf, nullptr);
    if (found) {
      ++known;
      EXPECT_EQ(found->triangles, expected.triangles);
      EXPECT_EQ(found->distance, expected.distance);
    }
    const std::optional<Witness> closest = ClosestPair(first, second);
    EXPECT_EQ(closest->distance, expected.distance);
    EXPECT_FALSE(
        ClosestOfSmallAndLarge(first, second, expected.distance, nullptr));
    if (expected.distance == 0) continue;
    const std::vector<TrianglePair> all =
        BruteForceAt(first, second, expected.distance);
    EXPECT_EQ(AllClosestPairs(first, second), all);
    const auto pairs =
        PairsAtOfSmallAndLarge(first, second, expected.distance, nullptr);
    EXPECT_EQ(pairs.has_value(), found.has_value());
    if (pairs) {
      EXPECT_EQ(*pairs, all);
    }
  }
  return known;
}

PosedTree Posed(const Tree& tree, const Pose& pose) {
  return PosedTree::Create(tree, pose).value();
}

TEST(SmallAndLargeTest, AScrewInItsHall) {
  const Tree hall = trees::Make(meshes::Cube({-5e4, -5e4, -5e4}, 1e5));
  meshes::Random random(1);
  for (const Tree& screw : {trees::Make(meshes::Torus(8, 5, 0.01, 0.003)),
                            trees::Make(meshes::Cube({0, 0, 0}, 0.01))}) {
    int known = 0;
    int queried = 0;
    for (const Vec3& at :
         {Vec3{0, 0, 0}, Vec3{1.5, 0, 0}, Vec3{49999.5, 2, 3},
          Vec3{49999.98, -12345.678, 3}, Vec3{49999.98, 49999.97, 3},
          Vec3{49999.98, 49999.97, -49999.98}, Vec3{6e4, 7e4, 1},
          Vec3{50000.02, 0.1, 0.2}, Vec3{50000.001, 3, 4}}) {
      for (int i = 0; i < 2; ++i) {
        const Pose pose = i == 0 ? Pose::Translation(at)
                                 : Pose::Rotation(random.Direction(),
                                                  random.Uniform(-3, 3), at);
        known += ExpectClosest(Posed(screw, pose), hall);
        queried += 2;
      }
    }
    EXPECT_GT(known, queried / 2);
  }
}

TEST(SmallAndLargeTest, AnyTwoWhereverTheyStand) {
  const Tree ring = trees::Make(meshes::Torus(16, 6));
  meshes::Random random(2);
  int known = 0;
  for (const double ratio : {1e4, 1e9, 1e12}) {
    const Tree small =
        trees::Make(meshes::Scaled(meshes::Torus(6, 3), 1 / ratio));
    for (int i = 0; i < 4; ++i) {
      const Pose turn = Pose::Rotation(
          random.Direction(), random.Uniform(-3, 3), random.Point(-100, 100));
      const double off = i % 2 == 0 ? 3 / ratio : random.Uniform(0.1, 1);
      const Pose beside =
          turn * Pose::Rotation(random.Direction(), random.Uniform(-3, 3),
                                {1.25 + off, 0, 0});
      known += ExpectClosest(Posed(small, beside), Posed(ring, turn));
    }
  }
  EXPECT_GT(known, 10);
}

TEST(SmallAndLargeTest, WhatIsNotForItIsLeft) {
  const Tree ring = trees::Make(meshes::Torus(16, 6));
  const Tree small = trees::Make(meshes::Scaled(meshes::Torus(10, 5), 1e-6));
  EXPECT_FALSE(ClosestOfSmallAndLarge(ring, ring, kInf, nullptr));
  // In the surface, and stretched.
  EXPECT_FALSE(ClosestOfSmallAndLarge(
      Posed(small, Pose::Translation({1.25, 0, 0})), ring, kInf, nullptr));
  Pose stretch;
  stretch.rows[0] = stretch.rows[0] * 2;
  EXPECT_FALSE(
      ClosestOfSmallAndLarge(Posed(small, stretch), ring, kInf, nullptr));
  for (const double size : {1e-45, 1e59}) {
    const Tree a = trees::Make(meshes::Scaled(meshes::Torus(16, 6), size));
    const Tree b = trees::Make(meshes::Scaled(small.mesh(), size));
    EXPECT_EQ(ClosestPair(a, b)->distance, BruteForce(a, b).distance);
  }
}

TEST(SmallAndLargeTest, StepsAreFewAndTheSameWithEveryInstructionSet) {
  const Tree hall = trees::Make(meshes::Cube({-5e4, -5e4, -5e4}, 1e5));
  const Tree screw = trees::Make(meshes::Scaled(meshes::Torus(60, 30), 0.01));
  const PosedTree a = Posed(screw, Pose::Translation({1.5, 0, 0}));
  SetInstructionSet(SupportedInstructionSets().front());
  TraversalStatistics expected;
  const double distance =
      ClosestPair(a, hall, {}, {.statistics = &expected}).value()->distance;
  // There are 43,200 pairs.
  EXPECT_LT(expected.triangle_tests, 500);
  EXPECT_LT(expected.Total().volume_tests, 2000);
  EXPECT_EQ(expected.triangle_tests,
            expected.settled_by_float + expected.settled_by_double +
                expected.settled_by_expansion + expected.settled_by_exact);
  trees::OnEachInstructionSet([&] {
    TraversalStatistics steps;
    EXPECT_EQ(
        ClosestPair(a, hall, {}, {.statistics = &steps}).value()->distance,
        distance);
    EXPECT_EQ(steps, expected);
  });
}

// The ring is flat over a wall: hundreds of its triangles are equally near.
// Most of the tests are of these, once each for both triangles of the wall.
TEST(SmallAndLargeTest, ARingFlatOverItsWall) {
  const Tree hall = trees::Make(meshes::Cube({-5e4, -5e4, -5e4}, 1e5));
  const Tree ring = trees::Make(meshes::Scaled(meshes::Torus(66, 15), 0.01));
  const PosedTree a = Posed(ring, Pose::Translation({0, 0, 1.5}));
  const Witness expected = BruteForce(a, hall);
  TraversalStatistics steps;
  const Witness found =
      *ClosestPair(a, hall, {}, {.statistics = &steps}).value();
  EXPECT_EQ(found.distance, expected.distance);
  EXPECT_EQ(found.triangles, expected.triangles);
  EXPECT_LT(steps.triangle_tests, 2500);
  TraversalStatistics more;
  const std::vector<TrianglePair> all =
      AllClosestPairs(a, hall, {}, {.statistics = &more}).value();
  EXPECT_EQ(all, BruteForceAt(a, hall, found.distance));
  EXPECT_GT(all.size(), 100);
  EXPECT_LT(more.triangle_tests, 2 * steps.triangle_tests);
}

// A search of two trees comes to all triangles of the small one, hundreds of
// times.
TEST(SmallAndLargeTest, PairsAsCloseAreFoundInFewSteps) {
  const Tree ring = trees::Make(meshes::Torus(60, 20));
  const Tree small = trees::Make(meshes::Scaled(ring.mesh(), 1e-12));
  const PosedTree a = Posed(small, Pose::Translation({1.25 + 3e-12, 0, 0}));
  const double distance = ClosestPair(a, ring)->distance;
  TraversalStatistics steps;
  const std::vector<TrianglePair> all =
      AllClosestPairs(a, ring, {}, {.statistics = &steps}).value();
  EXPECT_EQ(all, BruteForceAt(a, ring, distance));
  EXPECT_LT(steps.triangle_tests, 1000);
}

}  // namespace
}  // namespace orbox
