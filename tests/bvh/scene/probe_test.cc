// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/internal/probe.h"

#include <limits>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/scene/scene_closest.h"
#include "orbox/bvh/scene/scene_overlap.h"
#include "orbox/bvh/scene/scene_within.h"
#include "tests/support/meshes.h"
#include "tests/support/scenes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

void ExpectSame(const BodyGap& x, const BodyGap& y) {
  EXPECT_EQ(x.body, y.body);
  EXPECT_EQ(x.gap.distance, y.gap.distance);
  EXPECT_EQ(x.gap.triangles, y.gap.triangles);
  EXPECT_EQ(x.gap.on_a, y.gap.on_a);
  EXPECT_EQ(x.gap.on_b, y.gap.on_b);
}

// The mesh against each body.
void Check(const scenes::Cast& cast, const Scene& scene, const PosedTree& mesh,
           double distance, BodyId except) {
  std::vector<BodyId> meeting;
  std::vector<BodyGap> near;
  std::optional<BodyGap> closest;
  std::optional<BodyGap> closest_near;
  for (BodyId body = 0; body < cast.size(); ++body) {
    if (body == except) continue;
    const PosedTree other = scenes::Posed(cast[body]);
    if (AnyOverlap(mesh, other)) meeting.push_back(body);
    const Witness gap = *ClosestPair(other, mesh);
    if (!closest || gap.distance < closest->gap.distance) {
      closest = {body, gap};
    }
    const auto gap_within =
        ClosestPair(other, mesh, {.max_distance = distance});
    if (!gap_within) continue;
    near.push_back({body, *gap_within});
    if (!closest_near || gap_within->distance < closest_near->gap.distance) {
      closest_near = near.back();
    }
  }
  EXPECT_EQ(AllOverlaps(scene, mesh, {.except = except}), meeting);
  EXPECT_EQ(AnyOverlap(scene, mesh, {.except = except}), !meeting.empty());
  const auto triangles =
      AllOverlappingTriangles(scene, mesh, {.except = except});
  EXPECT_EQ(triangles.bodies, meeting);
  for (size_t i = 0; i < meeting.size(); ++i) {
    EXPECT_THAT(triangles.pairs[i],
                testing::ElementsAreArray(
                    AllOverlaps(scenes::Posed(cast[meeting[i]]), mesh)));
  }
  const auto tight =
      AllTrianglesWithin(scene, mesh, distance / 8, {.except = except});
  for (size_t i = 0; i < tight.bodies.size(); ++i) {
    EXPECT_THAT(tight.pairs[i],
                testing::ElementsAreArray(AllWithin(
                    scenes::Posed(cast[tight.bodies[i]]), mesh, distance / 8)));
  }
  const std::vector<BodyGap> actual =
      AllWithin(scene, mesh, distance, {.except = except});
  ASSERT_EQ(actual.size(), near.size());
  for (size_t i = 0; i < near.size(); ++i) ExpectSame(actual[i], near[i]);
  EXPECT_EQ(AnyWithin(scene, mesh, distance, {.except = except}),
            !near.empty());
  const auto at_all = ClosestPair(scene, mesh, {.except = except});
  ASSERT_EQ(at_all.has_value(), closest.has_value());
  if (!closest) return;
  ExpectSame(*at_all, *closest);
  const auto within =
      ClosestPair(scene, mesh, {.except = except, .max_distance = distance});
  ASSERT_EQ(within.has_value(), closest_near.has_value());
  if (within) ExpectSame(*within, *closest_near);
}

TEST(ProbeTest, TheAnswersAreThoseOfEachBody) {
  meshes::Random random(1);
  const std::vector<Tree> parts = scenes::Parts();
  for (const double side : {1.0, 4.0}) {
    const scenes::Cast cast = scenes::Crowd(25, side, 1);
    const Scene scene = scenes::Make(cast);
    for (int i = 0; i < 60; ++i) {
      SCOPED_TRACE(i);
      const PosedTree mesh = PosedTree::Create(parts[i % parts.size()],
                                               scenes::RandomPose(random, side))
                                 .value();
      Check(cast, scene, mesh, random.Uniform(0, 1), kNoBody);
    }
  }
}

TEST(ProbeTest, ABodyOfTheSceneIsQueriedWithoutItself) {
  const scenes::Cast cast = scenes::Crowd(25, 3, 2);
  const Scene scene = scenes::Make(cast);
  for (BodyId body = 0; body < 25; ++body) {
    Check(cast, scene, scene.body(body), 0.3, body);
  }
}

TEST(ProbeTest, OfBodiesAtTheSameDistanceTheLowestIsClosest) {
  const Tree cube = trees::Make(meshes::Cube());
  Scene scene;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(scene.Add(cube, Pose::Translation({3, 0, 0})).ok());
  }
  ASSERT_TRUE(scene.Remove(0).ok());
  ASSERT_TRUE(scene.Remove(1).ok());
  scene.Update();
  for (const double x : {0.0, 3.5}) {  // apart, and meeting
    const auto closest = ClosestPair(
        scene, PosedTree::Create(cube, Pose::Translation({x, 0, 0})).value());
    ASSERT_TRUE(closest);
    EXPECT_EQ(closest->body, 2);
  }
}

TEST(ProbeTest, WhatOnlyRoundsToTheDistanceIsNotNear) {
  Scene scene;
  for (const double x : {1, -1, -1}) {
    ASSERT_TRUE(scene.Add(trees::Make(meshes::WallsAt({x}))).ok());
  }
  scene.Update();
  const Tree mesh = trees::Make(meshes::WallsAt({meshes::kBarelyBelow0}));
  EXPECT_EQ(ClosestPair(scene, mesh)->body, 0);
  const auto within = ClosestPair(scene, mesh, {.max_distance = 1});
  ASSERT_TRUE(within);
  EXPECT_EQ(within->body, 1);
  const std::vector<BodyGap> near = AllWithin(scene, mesh, 1);
  ASSERT_EQ(near.size(), 2);
  EXPECT_EQ(near[0].body, 1);
  EXPECT_EQ(near[1].body, 2);
  EXPECT_EQ(near[1].gap.distance, 1);
  const auto at_poses =
      ClosestPair(scene, mesh, std::vector<Pose>(3), {.max_distance = 1});
  ASSERT_TRUE(at_poses.ok());
  for (const auto& closest : *at_poses) {
    ASSERT_TRUE(closest);
    EXPECT_EQ(closest->body, 1);
  }
}

TEST(ProbeTest, NothingIsNearInAnEmptyScene) {
  Scene scene;
  scene.Update();
  Check({}, scene, trees::Make(meshes::Cube()), kInf, kNoBody);
}

}  // namespace
}  // namespace orbox
