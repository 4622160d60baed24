// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/scene.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/broad_phases/broad_phases.h"
#include "orbox/bvh/scene/contact_tracker.h"
#include "orbox/bvh/scene/scene_closest.h"
#include "orbox/bvh/scene/scene_hit.h"
#include "orbox/bvh/scene/scene_overlap.h"
#include "orbox/bvh/scene/scene_region_overlap.h"
#include "orbox/bvh/scene/scene_within.h"
#include "tests/support/meshes.h"
#include "tests/support/scenes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<BodyId> Bodies(const Scene& scene) {
  return {scene.bodies().begin(), scene.bodies().end()};
}

TEST(SceneTest, NumbersAreGivenInOrderAndTheLowestAgain) {
  const Tree cube = trees::Make(meshes::Cube());
  Scene scene;
  EXPECT_EQ(scene.body_count(), 0);
  EXPECT_EQ(scene.id_end(), 0);
  EXPECT_FALSE(scene.Contains(0));
  for (BodyId i = 0; i < 5; ++i) EXPECT_EQ(scene.Add(cube).value(), i);
  EXPECT_TRUE(scene.Remove(3).ok());
  EXPECT_TRUE(scene.Remove(1).ok());
  EXPECT_EQ(scene.body_count(), 3);
  EXPECT_EQ(scene.id_end(), 5);
  EXPECT_FALSE(scene.Contains(1));
  scene.Update();
  EXPECT_THAT(Bodies(scene), ElementsAre(0, 2, 4));
  EXPECT_EQ(scene.Add(cube).value(), 1);
  EXPECT_EQ(scene.Add(cube).value(), 3);
  EXPECT_EQ(scene.Add(cube).value(), 5);
  EXPECT_TRUE(scene.Remove(5).ok());
  EXPECT_TRUE(scene.Remove(4).ok());
  EXPECT_EQ(scene.id_end(), 4);
  scene.Update();
  EXPECT_THAT(Bodies(scene), ElementsAre(0, 1, 2, 3));
}

TEST(SceneTest, WhatIsWrongIsSaidAndChangesNothing) {
  const Tree cube = trees::Make(meshes::Cube());
  Scene scene;
  Pose bad;
  bad.translation.y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(scene.Add(cube, bad).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(scene.body_count(), 0);
  ASSERT_EQ(scene.Add(cube, Pose::Translation({5, 0, 0})).value(), 0);
  EXPECT_EQ(scene.Move(0, bad).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(scene.body(0).pose().translation, (Vec3{5, 0, 0}));
  for (const absl::Status& status : {scene.Move(1, {}), scene.Remove(7)}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
    EXPECT_THAT(std::string(status.message()), HasSubstr("no body"));
  }
  EXPECT_TRUE(scene.Remove(0).ok());
  EXPECT_EQ(scene.Remove(0).code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(scene.Move(0, {}).code(), absl::StatusCode::kNotFound);
}

TEST(SceneTest, MovesCountFromTheNextUpdate) {
  const Tree cube = trees::Make(meshes::Cube());
  Scene scene;
  ASSERT_TRUE(scene.Add(cube).ok());
  ASSERT_TRUE(scene.Add(cube, Pose::Translation({3, 0, 0})).ok());
  scene.Update();
  EXPECT_TRUE(AllOverlaps(scene).empty());
  ASSERT_TRUE(scene.Move(1, Pose::Translation({1, 0, 0})).ok());
  scene.Update();
  EXPECT_THAT(AllOverlaps(scene), ElementsAre(BodyPair{0, 1}));
  ASSERT_TRUE(scene.Remove(0).ok());
  scene.Update();
  EXPECT_TRUE(AllOverlaps(scene).empty());
  // The number again, for another mesh elsewhere, in one step.
  ASSERT_TRUE(scene.Remove(1).ok());
  ASSERT_TRUE(scene.Add(trees::Make(meshes::Icosphere(1, {9, 0, 0}, 1))).ok());
  ASSERT_TRUE(scene.Add(cube, Pose::Translation({9, 0, 0})).ok());
  scene.Update();
  EXPECT_THAT(AllOverlaps(scene), ElementsAre(BodyPair{0, 1}));
}

TEST(SceneTest, AScenesHistoryDoesNotShow) {
  const scenes::Cast cast = scenes::Crowd(60, 4, 2);
  const Scene fresh = scenes::Make(cast);
  // A scene that ends with those bodies after other changes.
  meshes::Random random(3);
  Scene scene;
  for (const scenes::Actor& actor : cast) {
    ASSERT_TRUE(scene.Add(actor.tree, scenes::RandomPose(random, 4)).ok());
    if (random.Below(3) == 0) scene.Update();
  }
  for (BodyId id = 0; id < 20; ++id) {
    ASSERT_TRUE(scene.Remove(id).ok());
    if (random.Below(3) == 0) scene.Update();
  }
  for (BodyId id = 0; id < 20; ++id) {
    ASSERT_EQ(scene.Add(cast[id].tree).value(), id);
  }
  for (BodyId id = 0; id < cast.size(); ++id) {
    if (random.Below(3) == 0) scene.Update();
    ASSERT_TRUE(scene.Move(id, cast[id].pose).ok());
  }
  scene.Update();
  const auto expected = fresh.pairs_of_bounds();
  const auto actual = scene.pairs_of_bounds();
  EXPECT_EQ(std::vector(actual.begin(), actual.end()),
            std::vector(expected.begin(), expected.end()));
  EXPECT_EQ(AllOverlaps(scene), AllOverlaps(fresh));
  EXPECT_FALSE(AllOverlaps(fresh).empty());
}

TEST(SceneTest, PairsOfBoundsAreAllPairsOfBoxesThatMeet) {
  const Scene scene = scenes::Make(scenes::Crowd(300, 9, 4));
  std::vector<BodyPair> expected;
  for (BodyId a = 0; a < 300; ++a) {
    for (BodyId b = a + 1; b < 300; ++b) {
      const Aabb& x = scene.bounds(a);
      const Aabb& y = scene.bounds(b);
      bool meet = true;
      for (int k = 0; k < 3; ++k) {
        meet = meet && x.lo[k] <= y.hi[k] && y.lo[k] <= x.hi[k];
      }
      if (meet) expected.push_back({a, b});
    }
  }
  const auto actual = scene.pairs_of_bounds();
  EXPECT_EQ(std::vector(actual.begin(), actual.end()), expected);
  EXPECT_GT(expected.size(), 50);
}

TEST(SceneTest, AnswersDoNotDependOnTheBroadPhase) {
  const scenes::Cast cast = scenes::Crowd(60, 4, 8);
  const Scene expected = scenes::Make(cast);
  for (const BroadPhaseRow& row : kBroadPhases) {
    SCOPED_TRACE(std::string(row.name));
    Scene scene(MakeBroadPhase(row.kind));
    for (const scenes::Actor& actor : cast) {
      ASSERT_TRUE(scene.Add(actor.tree, actor.pose).ok());
    }
    scene.Update();
    EXPECT_EQ(AllOverlaps(scene), AllOverlaps(expected));
    EXPECT_EQ(AllBoundsWithin(scene, 0.7), AllBoundsWithin(expected, 0.7));
  }
}

TEST(SceneTest, ABodyMayChangeItsShape) {
  scenes::Cast cast = scenes::Crowd(30, 3, 9);
  Scene scene = scenes::Make(cast);
  for (BodyId id = 0; id < 30; id += 2) {
    cast[id].tree = cast[(id + 1) % 30].tree;
    ASSERT_TRUE(scene.Reshape(id, cast[id].tree, cast[id].pose).ok());
  }
  scene.Update();
  EXPECT_EQ(AllOverlaps(scene), AllOverlaps(scenes::Make(cast)));
  EXPECT_EQ(scene.Reshape(30, cast[0].tree).code(),
            absl::StatusCode::kNotFound);
}

TEST(SceneTest, AMovedFromSceneIsAnotherOnes) {
  Scene scene = scenes::Make(scenes::Crowd(10, 2, 5));
  const auto clashes = AllOverlaps(scene);
  Scene other = std::move(scene);
  EXPECT_EQ(AllOverlaps(other), clashes);
  scene = std::move(other);
  EXPECT_EQ(AllOverlaps(scene), clashes);
}

TEST(SceneTest, KnowsWhetherItIsUpToDate) {
  const Tree cube = trees::Make(meshes::Cube());
  Scene scene;
  EXPECT_TRUE(scene.is_up_to_date());
  const auto expect_stale = [&scene] {
    EXPECT_FALSE(scene.is_up_to_date());
    scene.Update();
    EXPECT_TRUE(scene.is_up_to_date());
  };
  ASSERT_TRUE(scene.Add(cube).ok());
  expect_stale();
  ASSERT_TRUE(scene.Move(0, Pose::Translation({1, 0, 0})).ok());
  expect_stale();
  ASSERT_TRUE(scene.Reshape(0, trees::Make(meshes::Tetrahedron())).ok());
  expect_stale();
  ASSERT_TRUE(scene.Remove(0).ok());
  expect_stale();
  // A refused call changes nothing.
  EXPECT_FALSE(scene.Remove(0).ok());
  EXPECT_TRUE(scene.is_up_to_date());
}

TEST(SceneDeathTest, EachQueryRequiresAnUpdate) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Scene scene = scenes::Make(scenes::Crowd(5, 2, 1));
  const Tree cube = trees::Make(meshes::Cube());
  ASSERT_TRUE(scene.Remove(0).ok());
  const PosedTree mesh = cube;
  const Pose poses[] = {{}};
  const Vec3 points[] = {{1, 2, 3}};
  const Ray rays[] = {{{0, 0, 0}, {1, 1, 1}}};
  const Sphere balls[] = {{{0, 0, 0}, 1}};
  ContactTracker tracker;
  constexpr char kMessage[] = "call Scene::Update";
  EXPECT_DEATH(AnyOverlap(scene), kMessage);
  EXPECT_DEATH(AllOverlappingTriangles(scene), kMessage);
  EXPECT_DEATH(AllWithin(scene, 1), kMessage);
  EXPECT_DEATH(AllBoundsWithin(scene, 1), kMessage);
  EXPECT_DEATH(ClosestPair(scene), kMessage);
  EXPECT_DEATH(AllOverlaps(scene, mesh), kMessage);
  EXPECT_DEATH(AnyWithin(scene, mesh, 1), kMessage);
  EXPECT_DEATH(ClosestPair(scene, mesh), kMessage);
  EXPECT_DEATH(AnyOverlap(scene, balls[0]), kMessage);
  EXPECT_DEATH(ClosestPoint(scene, points[0]), kMessage);
  EXPECT_DEATH(AnyHit(scene, rays[0]), kMessage);
  EXPECT_DEATH(ClosestHit(scene, rays[0]), kMessage);
  EXPECT_DEATH(tracker.Update(scene), kMessage);
  // With run options, it is an error.
  const RunOptions run;
  for (const absl::Status& status :
       {AnyOverlap(scene, run).status(), AllWithin(scene, 1, run).status(),
        ClosestPair(scene, 1, run).status(),
        AllOverlaps(scene, mesh, {}, run).status(),
        AnyOverlap(scene, cube, poses).status(),
        AllOverlaps(scene, balls).status(),
        ClosestPoint(scene, points).status(), AllHits(scene, rays).status(),
        tracker.Update(scene, run)}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr(kMessage));
  }
}

// Discards a result.
template <typename T>
void Discard(const T&) {}

TEST(SceneDeathTest, BodiesThatAreNotThereEndLoudly) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Scene scene = scenes::Make(scenes::Crowd(5, 2, 1));
  ASSERT_TRUE(scene.Remove(2).ok());
  for (const BodyId absent : {BodyId{2}, BodyId{99}}) {
    EXPECT_DEATH(Discard(scene.bounds(absent)),
                 "Scene::bounds: the scene has no");
    EXPECT_DEATH(Discard(scene.body(absent)), "Scene::body: the scene has no");
  }
  EXPECT_DEATH(Discard(scene.body(0).triangle(1000000000)), "Mesh::triangle: ");
}

TEST(SceneDeathTest, AMovedFromSceneEndsLoudlyUntilAnotherIsAssigned) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Scene scene = scenes::Make(scenes::Crowd(5, 2, 1));
  Scene other = std::move(scene);
  constexpr char kMessage[] = "Scene: the scene has been moved from; use";
  const Tree cube = trees::Make(meshes::Cube());
  EXPECT_DEATH(scene.body_count(), kMessage);           // NOLINT: the point
  EXPECT_DEATH(scene.Contains(0), kMessage);            // NOLINT
  EXPECT_DEATH(scene.Update(), kMessage);               // NOLINT
  EXPECT_DEATH(Discard(scene.Add(cube)), kMessage);     // NOLINT
  EXPECT_DEATH(Discard(scene.bodies()), kMessage);      // NOLINT
  EXPECT_DEATH(Discard(AllOverlaps(scene)), kMessage);  // NOLINT
  scene = Scene();
  EXPECT_EQ(scene.body_count(), 0);
}

}  // namespace
}  // namespace orbox
