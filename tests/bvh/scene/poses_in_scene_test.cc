// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/internal/poses_in_scene.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/scene/scene_closest.h"
#include "orbox/bvh/scene/scene_overlap.h"
#include "orbox/bvh/scene/scene_within.h"
#include "tests/support/meshes.h"
#include "tests/support/scenes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// Past and through a crowd, in small steps; a jump now and then.
std::vector<Pose> Path(size_t count, double step) {
  meshes::Random random(1);
  std::vector<Pose> poses;
  Vec3 at{-1, 2, 2};
  Vec3 axis = random.Direction();
  for (size_t i = 0; i < count; ++i) {
    at.x += step;
    poses.push_back(Pose::Rotation(axis, static_cast<double>(i) * step, at));
    if (i % 97 == 96) {
      at = random.Point(-1, 5);
      axis = random.Direction();
    }
    if (i % 50 == 20) poses.back() = poses[i / 2];
    if (i % 61 == 7) poses.back().rows[1] = poses.back().rows[1] * 2;
  }
  return poses;
}

std::vector<Pose> Shuffled(std::vector<Pose> poses) {
  meshes::Random random(2);
  for (size_t i = poses.size(); i > 1; --i) {
    std::swap(poses[i - 1], poses[random.Below(i)]);
  }
  return poses;
}

void ExpectSame(const std::optional<BodyGap>& x,
                const std::optional<BodyGap>& y) {
  ASSERT_EQ(x.has_value(), y.has_value());
  if (!x) return;
  EXPECT_EQ(x->body, y->body);
  EXPECT_EQ(x->gap.distance, y->gap.distance);
  EXPECT_EQ(x->gap.triangles, y->gap.triangles);
  EXPECT_EQ(x->gap.on_a, y->gap.on_a);
  EXPECT_EQ(x->gap.on_b, y->gap.on_b);
}

// Compares all batches with the single queries.
void Check(const Scene& scene, const Tree& mover,
           const std::vector<Pose>& poses, int threads, BodyId except = kNoBody,
           double distance = 0.1) {
  const BodyFilter filter{except};
  const BodyLimits all{.except = except};
  const BodyLimits limited{.except = except, .max_distance = distance};
  const RunOptions run{.threads = threads};
  const auto meets = AnyOverlap(scene, mover, poses, filter, run).value();
  const auto bodies = AllOverlaps(scene, mover, poses, filter, run).value();
  const auto near =
      AnyWithin(scene, mover, poses, distance, filter, run).value();
  const auto gaps =
      AllWithin(scene, mover, poses, distance, filter, run).value();
  const auto closest = ClosestPair(scene, mover, poses, all, run).value();
  const auto within = ClosestPair(scene, mover, poses, limited, run).value();
  ASSERT_EQ(meets.size(), poses.size());
  ASSERT_EQ(bodies.size(), poses.size());
  ASSERT_EQ(gaps.size(), poses.size());
  for (size_t i = 0; i < poses.size(); ++i) {
    SCOPED_TRACE(i);
    const PosedTree posed = PosedTree::Create(mover, poses[i]).value();
    EXPECT_EQ(meets[i], AnyOverlap(scene, posed, filter) ? 1 : 0);
    EXPECT_EQ(std::vector(bodies[i].begin(), bodies[i].end()),
              AllOverlaps(scene, posed, filter));
    EXPECT_EQ(near[i], AnyWithin(scene, posed, distance, filter) ? 1 : 0);
    const auto expected = AllWithin(scene, posed, distance, filter);
    ASSERT_EQ(gaps[i].size(), expected.size());
    for (size_t j = 0; j < expected.size(); ++j) {
      ExpectSame(gaps[i][j], expected[j]);
    }
    ExpectSame(closest[i], ClosestPair(scene, posed, all));
    ExpectSame(within[i], ClosestPair(scene, posed, limited));
  }
}

TEST(PosesInSceneTest, EachPoseHasTheAnswerThatItHasAlone) {
  const Scene scene = scenes::Make(scenes::Crowd(25, 4, 1));
  for (const Tree& mover : {trees::Make(meshes::Torus(20, 8, 0.4, 0.1)),
                            trees::Make(meshes::Cube({-0.2, 0, 0}, 0.3))}) {
    for (const double step : {0.003, 0.05}) {
      SCOPED_TRACE(step);
      const std::vector<Pose> path = Path(400, step);
      Check(scene, mover, path, 1);
      Check(scene, mover, Shuffled(path), 3);
    }
  }
}

TEST(PosesInSceneTest, SomePosesMeetAndSomeAreFree) {
  // Checks that the test above has both kinds of poses.
  const Scene scene = scenes::Make(scenes::Crowd(25, 4, 1));
  const Tree mover = trees::Make(meshes::Cube({-0.2, 0, 0}, 0.3));
  const auto meets = AnyOverlap(scene, mover, Path(400, 0.05)).value();
  EXPECT_GT(std::count(meets.begin(), meets.end(), 1), 40);
  EXPECT_GT(std::count(meets.begin(), meets.end(), 0), 40);
}

TEST(PosesInSceneTest, ABodyMovesWithoutMeetingItself) {
  const scenes::Cast cast = scenes::Crowd(20, 3, 4);
  const Scene scene = scenes::Make(cast);
  Check(scene, cast[7].tree, Path(100, 0.02), 1, 7);
}

TEST(PosesInSceneTest, ThereMayBeNoBodiesAndNoPoses) {
  Scene empty;
  empty.Update();
  const Tree cube = trees::Make(meshes::Cube());
  Check(empty, cube, Path(50, 0.1), 2);
  const Scene scene = scenes::Make(scenes::Crowd(5, 2, 1));
  Check(scene, cube, {}, 2);
}

TEST(PosesInSceneTest, TheFirstBadPoseIsNamed) {
  auto poses = Path(600, 0.01);
  poses[550].translation.x = std::numeric_limits<double>::quiet_NaN();
  poses[177].rows[0].y = kInf;
  const Scene scene = scenes::Make(scenes::Crowd(5, 2, 1));
  const Tree cube = trees::Make(meshes::Cube());
  for (const int threads : {1, 3}) {
    const RunOptions options{.threads = threads};
    for (const absl::Status& status :
         {AnyOverlap(scene, cube, poses, {}, options).status(),
          AllOverlaps(scene, cube, poses, {}, options).status(),
          AnyWithin(scene, cube, poses, 1, {}, options).status(),
          AllWithin(scene, cube, poses, 1, {}, options).status(),
          ClosestPair(scene, cube, poses, {}, options).status()}) {
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
      EXPECT_THAT(std::string(status.message()),
                  testing::StartsWith("pose 177: "));
    }
  }
}

TEST(PosesInSceneTest, OptionsAreThoseOfBatches) {
  const auto poses = Path(300, 0.01);
  const Scene scene = scenes::Make(scenes::Crowd(5, 2, 1));
  const Tree cube = trees::Make(meshes::Cube());
  const RunOptions bad{.threads = -1};
  for (const absl::Status& status :
       {AnyOverlap(scene, cube, poses, {}, bad).status(),
        AllWithin(scene, cube, poses, 1, {}, bad).status(),
        AllWithin(scene, cube, poses, -1).status(),
        ClosestPair(scene, cube, poses, {.max_distance = -1}).status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  }
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(ClosestPair(scene, cube, poses, {}, {.cancelled = &cancelled})
                .status()
                .code(),
            absl::StatusCode::kCancelled);
}

TEST(PosesInSceneTest, StatisticsDoNotDependOnThreads) {
  const Scene scene = scenes::Make(scenes::Crowd(25, 4, 1));
  const Tree mover = trees::Make(meshes::Torus(20, 8, 0.4, 0.1));
  const auto poses = Path(600, 0.01);
  TraversalStatistics one, three;
  ASSERT_TRUE(ClosestPair(scene, mover, poses, {.max_distance = 0.3},
                          {.statistics = &one})
                  .ok());
  ASSERT_TRUE(ClosestPair(scene, mover, poses, {.max_distance = 0.3},
                          {.statistics = &three, .threads = 3})
                  .ok());
  EXPECT_EQ(one, three);
}

TEST(PosesInSceneTest, EveryScale) {
  for (const double scale : {0x1p-140, 0x1p190}) {
    SCOPED_TRACE(scale);
    scenes::Cast cast = scenes::Crowd(12, 2, 1);
    for (scenes::Actor& actor : cast) {
      actor.tree = trees::Make(meshes::Scaled(actor.tree.mesh(), scale));
      actor.pose.translation = actor.pose.translation * scale;
    }
    std::vector<Pose> path = Path(100, 0.05);
    for (Pose& pose : path) pose.translation = pose.translation * scale;
    const Tree mover =
        trees::Make(meshes::Scaled(meshes::Torus(12, 6, 0.4, 0.1), scale));
    Check(scenes::Make(cast), mover, path, 1, kNoBody, 0.1 * scale);
  }
}

}  // namespace
}  // namespace orbox
