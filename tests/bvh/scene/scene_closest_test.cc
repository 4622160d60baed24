// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/scene_closest.h"

#include <cmath>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/meshes.h"
#include "tests/support/scenes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

TEST(SceneClosestTest, TheClosestPointIsThatOfBruteForce) {
  meshes::Random random(1);
  const scenes::Cast cast = scenes::MixedCrowd(20, 3);
  const Scene scene = scenes::Make(cast);
  for (int i = 0; i < 60; ++i) {
    const Vec3 p = random.Point(-2, 5);
    std::optional<BodyPoint> best;
    scenes::ForEachTriangle(
        cast, [&](BodyId body, uint32_t id, const Triangle& t) {
          const PointTriangleDistance d = Distance(p, t);
          if (!best || d.distance < best->surface.distance) {
            best = {body, {id, d.distance, d.closest}};
          }
        });
    const double barely = std::nextafter(best->surface.distance, kInf);
    for (const double most : {kInf, barely}) {
      const auto found = ClosestPoint(scene, p, {.max_distance = most});
      ASSERT_TRUE(found);
      EXPECT_EQ(found->body, best->body);
      EXPECT_EQ(found->surface.triangle, best->surface.triangle);
      EXPECT_EQ(found->surface.distance, best->surface.distance);
      EXPECT_EQ(found->surface.point, best->surface.point);
    }
    EXPECT_FALSE(ClosestPoint(
        scene, p,
        {.max_distance = std::nextafter(best->surface.distance, -1.0)}));
  }
}

TEST(SceneClosestTest, WhatOnlyRoundsToTheDistanceIsTooFar) {
  const Vec3 p{meshes::kBarelyBelow0, 0, 0};
  for (const bool is_moved : {false, true}) {
    const Pose pose =
        is_moved ? Pose::Translation({0, 0.25, 0}) : Pose::Identity();
    Scene scene;
    ASSERT_TRUE(scene.Add(trees::Make(meshes::WallsAt({1})), pose).ok());
    scene.Update();
    EXPECT_FALSE(ClosestPoint(scene, p, {.max_distance = 1}));
    ASSERT_TRUE(scene.Add(trees::Make(meshes::WallsAt({-1})), pose).ok());
    scene.Update();
    EXPECT_EQ(ClosestPoint(scene, p)->body, 0);
    const auto within = ClosestPoint(scene, p, {.max_distance = 1});
    ASSERT_TRUE(within);
    EXPECT_EQ(within->body, 1);
  }
}

TEST(SceneClosestTest, TheSameBodyTwiceIsTheLowerOne) {
  const Tree cube = trees::Make(meshes::Cube());
  const Pose turned = Pose::Rotation({0, 0, 1}, 0.3, {1, 2, 3});
  Scene scene;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(scene.Add(cube, turned).ok());
  scene.Update();
  EXPECT_EQ(ClosestPoint(scene, {9, 9, 9})->body, 0);
  EXPECT_EQ(ClosestPoint(scene, {9, 9, 9}, {.except = 0})->body, 1);
}

// No pair is closer than two bodies that touch. Many bodies in one spot take
// only the steps of the first body's pairs.
TEST(SceneClosestTest, TheFirstPairThatTouchesEndsTheSearch) {
  const Tree cube = trees::Make(meshes::Cube());
  const auto steps_of = [&](size_t count) {
    Scene scene;
    scene.Add(cube, Pose::Translation({5, 0, 0})).value();
    for (size_t i = 0; i < count; ++i) {
      scene.Add(cube, Pose::Identity()).value();
    }
    scene.Update();
    TraversalStatistics steps;
    const auto closest =
        ClosestPair(scene, kInf, {.statistics = &steps}).value();
    EXPECT_EQ(closest->bodies, (BodyPair{1, 2}));
    EXPECT_EQ(closest->gap.distance, 0);
    return steps.triangle_tests;
  };
  // At most one query for each body, instead of one for each pair of them.
  EXPECT_LE(steps_of(256), 32 * steps_of(16));
}

TEST(SceneClosestTest, AnEmptySceneHasNoAnswer) {
  EXPECT_FALSE(ClosestPoint(Scene(), Vec3{0, 0, 0}));
}

TEST(SceneClosestTest, ABatchHasTheAnswersOfItsPoints) {
  const Scene scene = scenes::Make(scenes::MixedCrowd(20, 3));
  meshes::Random random(7);
  std::vector<Vec3> points = {{0, 0, 0}};
  for (int i = 0; i < 600; ++i) points.push_back(random.Point(-2, 5));
  for (const int threads : {1, 3}) {
    TraversalStatistics statistics;
    const auto all =
        ClosestPoint(scene, points, {.except = 2, .max_distance = 1},
                     {.statistics = &statistics, .threads = threads})
            .value();
    ASSERT_EQ(all.size(), points.size());
    TraversalStatistics alone;
    for (size_t i = 0; i < points.size(); ++i) {
      const auto expected =
          ClosestPoint(scene, points[i], {.except = 2, .max_distance = 1},
                       {.statistics = &alone})
              .value();
      ASSERT_EQ(all[i].has_value(), expected.has_value());
      if (!expected) continue;
      EXPECT_NE(expected->body, 2);
      EXPECT_EQ(all[i]->body, expected->body);
      EXPECT_EQ(all[i]->surface.triangle, expected->surface.triangle);
      EXPECT_EQ(all[i]->surface.distance, expected->surface.distance);
      EXPECT_EQ(all[i]->surface.point, expected->surface.point);
    }
    EXPECT_GT(alone.triangle_tests, 0);
    EXPECT_EQ(statistics, alone);
  }
  EXPECT_EQ(ClosestPoint(scene, points, {}, {.threads = -1}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(SceneClosestTest, SmallAndLargeScenesAnswerAsTheOriginal) {
  const scenes::Cast cast = scenes::Crowd(12, 2, 5);
  const Scene scene = scenes::Make(cast);
  meshes::Random random(6);
  for (const double factor : {0x1p-140, 0x1p-60, 0x1p60, 0x1p190}) {
    SCOPED_TRACE(factor);
    const Scene other = scenes::Make(scenes::Scaled(cast, factor));
    for (int i = 0; i < 20; ++i) {
      const Vec3 p = random.Point(-1, 3);
      const auto x = ClosestPoint(scene, p);
      const auto y = ClosestPoint(other, p * factor);
      EXPECT_EQ(y->body, x->body);
      EXPECT_EQ(y->surface.triangle, x->surface.triangle);
      EXPECT_EQ(y->surface.distance, x->surface.distance * factor);
    }
  }
}

}  // namespace
}  // namespace orbox
