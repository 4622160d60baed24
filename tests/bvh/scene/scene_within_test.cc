// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/scene_within.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/scene/scene_closest.h"
#include "orbox/bvh/scene/scene_overlap.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/scenes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"
#include "tests/support/witnesses.h"

namespace orbox {
namespace {

void ExpectSame(const BodyPairGap& x, const BodyPairGap& y) {
  EXPECT_EQ(x.bodies, y.bodies);
  EXPECT_EQ(x.gap.distance, y.gap.distance);
  EXPECT_EQ(x.gap.triangles, y.gap.triangles);
  EXPECT_EQ(x.gap.on_a, y.gap.on_a);
  EXPECT_EQ(x.gap.on_b, y.gap.on_b);
}

void ExpectSame(const std::vector<BodyPairGap>& x,
                const std::vector<BodyPairGap>& y) {
  ASSERT_EQ(x.size(), y.size());
  for (size_t i = 0; i < x.size(); ++i) ExpectSame(x[i], y[i]);
}

// The results by testing each two bodies.
std::vector<BodyPairGap> Expected(const scenes::Cast& cast, double distance) {
  std::vector<BodyPairGap> gaps;
  scenes::ForEachPair(cast, [&](BodyPair p, const auto& a, const auto& b) {
    const auto gap = ClosestPair(a, b, {.max_distance = distance});
    if (gap) gaps.push_back({p, *gap});
  });
  return gaps;
}

TEST(SceneWithinTest, TheAnswersAreThoseOfEachTwoBodies) {
  for (const double side : {2.0, 8.0}) {
    SCOPED_TRACE(side);
    const scenes::Cast cast = scenes::Crowd(40, side, 1);
    const Scene scene = scenes::Make(cast);
    for (const double d : {0.0, 0.2, 1.0, kInf}) {
      SCOPED_TRACE(d);
      const auto expected = Expected(cast, d);
      ExpectSame(AllWithin(scene, d), expected);
      EXPECT_EQ(AnyWithin(scene, d), !expected.empty());
    }
    for (const double d : {0.0, 0.2}) {
      scenes::ExpectSameLists(AllTrianglesWithin(scene, d),
                              scenes::ListEachPair<PairDistance>(
                                  cast, [&](const auto& a, const auto& b) {
                                    return AllWithin(a, b, d);
                                  }));
    }
  }
}

void ExpectSameClusters(std::span<const NearCluster> x,
                        const std::vector<NearCluster>& y) {
  ASSERT_EQ(x.size(), y.size());
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x[i].pair_count, y[i].pair_count);
    EXPECT_EQ(x[i].closest.triangles, y[i].closest.triangles);
    EXPECT_EQ(x[i].closest.distance, y[i].closest.distance);
    EXPECT_EQ(x[i].box.lo, y[i].box.lo);
    EXPECT_EQ(x[i].area_b, y[i].area_b);
  }
}

TEST(SceneWithinTest, PlacesAreThoseOfEachTwoBodies) {
  const scenes::Cast cast = scenes::Crowd(20, 2.0, 3);
  const Scene scene = scenes::Make(cast);
  const auto found = AllClustersWithin(scene, 0.2, {.threads = 2}).value();
  size_t count = 0;
  scenes::ForEachPair(cast, [&](BodyPair p, const auto& a, const auto& b) {
    const auto expected = AllClustersWithin(a, b, 0.2);
    if (expected.empty()) return;
    ASSERT_LT(count, found.bodies.size());
    EXPECT_EQ(found.bodies[count], p);
    ExpectSameClusters(found.pairs[count++], expected);
  });
  EXPECT_EQ(count, found.bodies.size());
  EXPECT_GT(count, 0u);
  // A mesh that is no body.
  const Tree tool = trees::Make(meshes::Cube({-0.5, -0.5, -0.5}, 1));
  const auto of_tool = AllClustersWithin(scene, tool, 0.2);
  EXPECT_GT(of_tool.bodies.size(), 0u);
  for (size_t i = 0; i < of_tool.bodies.size(); ++i) {
    ExpectSameClusters(
        of_tool.pairs[i],
        AllClustersWithin(scene.body(of_tool.bodies[i]), tool, 0.2));
  }
}

TEST(SceneWithinTest, TheClosestTwoBodiesAreThoseOfAll) {
  for (const double side : {2.0, 8.0, 20.0}) {
    const scenes::Cast cast = scenes::Crowd(25, side, 3);
    const Scene scene = scenes::Make(cast);
    const auto all = Expected(cast, kInf);
    const auto closest = std::min_element(
        all.begin(), all.end(), [](const BodyPairGap& x, const BodyPairGap& y) {
          return x.gap.distance < y.gap.distance;
        });
    const auto found = ClosestPair(scene);
    ASSERT_TRUE(found);
    ExpectSame(*found, *closest);
    const double distance = closest->gap.distance;
    EXPECT_TRUE(ClosestPair(scene, std::nextafter(distance, kInf)));
    if (distance == 0) continue;
    EXPECT_FALSE(ClosestPair(scene, std::nextafter(distance, 0.0)));
  }
  EXPECT_FALSE(ClosestPair(scenes::Make(scenes::Crowd(1, 1, 1))));
}

TEST(SceneWithinTest, TheAnswersAreThoseOfBruteForce) {
  const scenes::Cast cast = scenes::Crowd(12, 2, 7);
  std::vector<BodyPairGap> gaps;
  for (uint32_t a = 0; a < cast.size(); ++a) {
    for (uint32_t b = a + 1; b < cast.size(); ++b) {
      const Mesh x = meshes::Moved(cast[a].tree.mesh(), cast[a].pose);
      const Mesh y = meshes::Moved(cast[b].tree.mesh(), cast[b].pose);
      const Witness gap = brute_force::Closest(x, y);
      if (gap.distance <= 0.3) gaps.push_back({{a, b}, gap});
    }
  }
  const std::vector<BodyPairGap> found = AllWithin(scenes::Make(cast), 0.3);
  ASSERT_EQ(found.size(), gaps.size());
  for (size_t i = 0; i < gaps.size(); ++i) {
    const auto [a, b] = gaps[i].bodies;
    EXPECT_EQ(found[i].bodies, gaps[i].bodies);
    ExpectIsClosest(
        found[i].gap, meshes::Moved(cast[a].tree.mesh(), cast[a].pose),
        meshes::Moved(cast[b].tree.mesh(), cast[b].pose), gaps[i].gap.distance);
  }
  EXPECT_GT(gaps.size(), 0);
}

TEST(SceneWithinTest, ABodyInsideAnotherIsAtItsDistance) {
  Scene scene;
  ASSERT_TRUE(scene.Add(trees::Make(meshes::Cube({-2, -2, -2}, 4))).ok());
  ASSERT_TRUE(scene.Add(trees::Make(meshes::Cube({-1, -1, -1}, 2))).ok());
  scene.Update();
  EXPECT_TRUE(AllWithin(scene, 0.999).empty());
  const auto gaps = AllWithin(scene, 1);
  ASSERT_EQ(gaps.size(), 1);
  EXPECT_EQ(gaps[0].gap.distance, 1);
}

TEST(SceneWithinTest, DistancesCountToTheLastBit) {
  const Tree cube = trees::Make(meshes::Cube());
  const double beyond = std::nextafter(1.0, 2.0);
  Scene scene;
  ASSERT_TRUE(scene.Add(cube).ok());
  ASSERT_TRUE(scene.Add(cube, Pose::Translation({1, 0, 0})).ok());
  ASSERT_TRUE(scene.Add(cube, Pose::Translation({0, beyond, 0})).ok());
  scene.Update();
  EXPECT_EQ(AllWithin(scene, beyond - 1).size(), 3);
  EXPECT_EQ(AllWithin(scene, std::nextafter(beyond - 1, 0.0)).size(), 1);
}

TEST(SceneWithinTest, ThreadsDoNotShow) {
  const Scene scene = scenes::Make(scenes::Crowd(80, 5, 3));
  TraversalStatistics one;
  const auto gaps = AllWithin(scene, 0.4, {.statistics = &one}).value();
  const auto within =
      AllTrianglesWithin(scene, 0.1, {.statistics = &one}).value();
  for (const int threads : {0, 2, 3, 4}) {
    TraversalStatistics many;
    const RunOptions options{.statistics = &many, .threads = threads};
    ExpectSame(AllWithin(scene, 0.4, options).value(), gaps);
    scenes::ExpectSameLists(AllTrianglesWithin(scene, 0.1, options).value(),
                            within);
    EXPECT_EQ(many, one);
  }
}

TEST(SceneWithinTest, WhatOnlyRoundsToTheDistanceIsNotWithin) {
  const Tree above = trees::Make(meshes::WallsAt({1}));
  const Tree below = trees::Make(meshes::WallsAt({-1}));
  const Tree middle = trees::Make(meshes::WallsAt({meshes::kBarelyBelow0}));
  EXPECT_EQ(ClosestPair(above, middle)->distance, 1);
  EXPECT_FALSE(ClosestPair(above, middle, {.max_distance = 1}));
  const Scene scene = scenes::Make({{above, {}}, {middle, {}}, {below, {}}});
  const auto within = AllWithin(scene, 1);
  ASSERT_EQ(within.size(), 1u);
  EXPECT_EQ(within[0].bodies, (BodyPair{1, 2}));
  EXPECT_EQ(within[0].gap.distance, 1);
  EXPECT_EQ(AllTrianglesWithin(scene, 1).bodies.size(), 1u);
}

TEST(SceneWithinTest, ScalingByAPowerOfTwoChangesTheUnitAlone) {
  const scenes::Cast cast = scenes::Crowd(30, 3, 6);
  for (const double factor : {0x1p-40, 0x1p30}) {
    scenes::Cast scaled = cast;
    for (scenes::Actor& actor : scaled) {
      for (Vec3& row : actor.pose.rows) row = row * factor;
      actor.pose.translation = actor.pose.translation * factor;
    }
    std::vector<BodyPairGap> expected = AllWithin(scenes::Make(cast), 0.5);
    for (BodyPairGap& g : expected) {
      g.gap.distance *= factor;
      g.gap.on_a = g.gap.on_a * factor;
      g.gap.on_b = g.gap.on_b * factor;
    }
    ExpectSame(AllWithin(scenes::Make(scaled), 0.5 * factor), expected);
    EXPECT_FALSE(expected.empty());
  }
}

TEST(SceneWithinTest, HugeScenesLoseNothing) {
  const Tree cube = trees::Make(meshes::Cube());
  Pose large;
  for (Vec3& row : large.rows) row = row * 0x1p197;
  Scene scene;
  ASSERT_TRUE(scene.Add(cube, large).ok());
  large.translation = {0x1p198, 0, 0};
  ASSERT_TRUE(scene.Add(cube, large).ok());
  scene.Update();
  EXPECT_TRUE(AllOverlaps(scene).empty());
  const auto gaps = AllWithin(scene, 0x1p197);
  ASSERT_EQ(gaps.size(), 1);
  EXPECT_EQ(gaps[0].gap.distance, 0x1p197);
  EXPECT_TRUE(AllWithin(scene, std::nextafter(0x1p197, 0.0)).empty());
}

}  // namespace
}  // namespace orbox
