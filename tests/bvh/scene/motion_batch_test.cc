#include "orbox/bvh/scene/motion_batch.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/scenes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

void ExpectSame(const std::optional<NearBody>& x,
                const std::optional<NearBody>& y) {
  ASSERT_EQ(x.has_value(), y.has_value());
  if (!x) return;
  EXPECT_EQ(x->body, y->body);
  EXPECT_EQ(x->gap.distance, y->gap.distance);
  EXPECT_EQ(x->gap.triangles, y->gap.triangles);
  EXPECT_EQ(x->gap.on_a, y->gap.on_a);
  EXPECT_EQ(x->gap.on_b, y->gap.on_b);
}

// All batches against the queries that they stand for.
void Check(const Scene& scene, const Tree& part, const std::vector<Pose>& poses,
           int threads, BodyId but = kNoBody, double distance = 0.1) {
  const BatchOptions options{.threads = threads};
  const auto meets =
      MeetsAnyBodyAtPoses(scene, part, poses, options, but).value();
  const auto bodies =
      BodiesMeetingAtPoses(scene, part, poses, options, but).value();
  const auto near =
      IsNearAnyBodyAtPoses(scene, part, poses, distance, options, but).value();
  const auto gaps =
      BodiesNearAtPoses(scene, part, poses, distance, options, but).value();
  const auto closest =
      ClosestBodyAtPoses(scene, part, poses, options, kInfinity, but).value();
  const auto within =
      ClosestBodyAtPoses(scene, part, poses, options, distance, but).value();
  ASSERT_EQ(meets.size(), poses.size());
  ASSERT_EQ(bodies.size(), poses.size());
  ASSERT_EQ(gaps.size(), poses.size());
  for (size_t i = 0; i < poses.size(); ++i) {
    SCOPED_TRACE(i);
    const PosedTree posed = PosedTree::Create(part, poses[i]).value();
    EXPECT_EQ(meets[i], MeetsAnyBody(scene, posed, but) ? 1 : 0);
    EXPECT_EQ(std::vector(bodies[i].begin(), bodies[i].end()),
              BodiesMeeting(scene, posed, but));
    EXPECT_EQ(near[i], IsNearAnyBody(scene, posed, distance, but) ? 1 : 0);
    const auto expected = BodiesNear(scene, posed, distance, but);
    ASSERT_EQ(gaps[i].size(), expected.size());
    for (size_t j = 0; j < expected.size(); ++j) {
      ExpectSame(gaps[i][j], expected[j]);
    }
    ExpectSame(closest[i], ClosestBody(scene, posed, kInfinity, but));
    ExpectSame(within[i], ClosestBody(scene, posed, distance, but));
  }
}

TEST(MotionBatchTest, EachPoseHasTheAnswerThatItHasAlone) {
  const Scene scene = scenes::Make(scenes::Crowd(25, 4, 1));
  for (const Tree& part : {trees::Make(meshes::Torus(20, 8, 0.4, 0.1)),
                           trees::Make(meshes::Cube({-0.2, 0, 0}, 0.3))}) {
    for (const double step : {0.003, 0.05}) {
      SCOPED_TRACE(step);
      const std::vector<Pose> path = Path(400, step);
      Check(scene, part, path, 1);
      Check(scene, part, Shuffled(path), 3);
    }
  }
}

TEST(MotionBatchTest, SomePosesMeetAndSomeAreFree) {
  // What the test above is worth.
  const Scene scene = scenes::Make(scenes::Crowd(25, 4, 1));
  const Tree part = trees::Make(meshes::Cube({-0.2, 0, 0}, 0.3));
  const auto meets = MeetsAnyBodyAtPoses(scene, part, Path(400, 0.05)).value();
  EXPECT_GT(std::count(meets.begin(), meets.end(), 1), 40);
  EXPECT_GT(std::count(meets.begin(), meets.end(), 0), 40);
}

TEST(MotionBatchTest, ABodyMovesWithoutMeetingItself) {
  const scenes::Cast cast = scenes::Crowd(20, 3, 4);
  const Scene scene = scenes::Make(cast);
  Check(scene, cast[7].tree, Path(100, 0.02), 1, 7);
}

TEST(MotionBatchTest, ThereMayBeNoBodiesAndNoPoses) {
  Scene empty;
  empty.Update();
  const Tree cube = trees::Make(meshes::Cube());
  Check(empty, cube, Path(50, 0.1), 2);
  const Scene scene = scenes::Make(scenes::Crowd(5, 2, 1));
  Check(scene, cube, {}, 2);
}

TEST(MotionBatchTest, TheFirstBadPoseIsNamed) {
  auto poses = Path(600, 0.01);
  poses[550].translation.x = std::numeric_limits<double>::quiet_NaN();
  poses[177].rows[0].y = kInfinity;
  const Scene scene = scenes::Make(scenes::Crowd(5, 2, 1));
  const Tree cube = trees::Make(meshes::Cube());
  for (const int threads : {1, 3}) {
    const BatchOptions options{.threads = threads};
    for (const absl::Status& status :
         {MeetsAnyBodyAtPoses(scene, cube, poses, options).status(),
          BodiesMeetingAtPoses(scene, cube, poses, options).status(),
          IsNearAnyBodyAtPoses(scene, cube, poses, 1, options).status(),
          BodiesNearAtPoses(scene, cube, poses, 1, options).status(),
          ClosestBodyAtPoses(scene, cube, poses, options).status()}) {
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
      EXPECT_THAT(std::string(status.message()),
                  testing::StartsWith("pose 177: "));
    }
  }
}

TEST(MotionBatchTest, OptionsAreThoseOfBatches) {
  const auto poses = Path(300, 0.01);
  const Scene scene = scenes::Make(scenes::Crowd(5, 2, 1));
  const Tree cube = trees::Make(meshes::Cube());
  EXPECT_EQ(
      MeetsAnyBodyAtPoses(scene, cube, poses, {.threads = -1}).status().code(),
      absl::StatusCode::kInvalidArgument);
  const std::atomic<bool> cancelled = true;
  BatchOptions options;
  options.cancelled = &cancelled;
  EXPECT_EQ(ClosestBodyAtPoses(scene, cube, poses, options).status().code(),
            absl::StatusCode::kCancelled);
}

TEST(MotionBatchTest, StatisticsDoNotDependOnThreads) {
  const Scene scene = scenes::Make(scenes::Crowd(25, 4, 1));
  const Tree part = trees::Make(meshes::Torus(20, 8, 0.4, 0.1));
  const auto poses = Path(600, 0.01);
  TraversalStatistics one, three;
  ASSERT_TRUE(
      ClosestBodyAtPoses(scene, part, poses, {.threads = 1}, 0.3, kNoBody, &one)
          .ok());
  ASSERT_TRUE(ClosestBodyAtPoses(scene, part, poses, {.threads = 3}, 0.3,
                                 kNoBody, &three)
                  .ok());
  EXPECT_EQ(one, three);
}

TEST(MotionBatchTest, EveryScale) {
  for (const double scale : {0x1p-1000, 0x1p-600, 0x1p400}) {
    SCOPED_TRACE(scale);
    scenes::Cast cast = scenes::Crowd(12, 2, 1);
    for (scenes::Actor& actor : cast) {
      actor.tree = trees::Make(meshes::Scaled(actor.tree.mesh(), scale));
      actor.pose.translation = actor.pose.translation * scale;
    }
    std::vector<Pose> path = Path(100, 0.05);
    for (Pose& pose : path) pose.translation = pose.translation * scale;
    const Tree part =
        trees::Make(meshes::Scaled(meshes::Torus(12, 6, 0.4, 0.1), scale));
    Check(scenes::Make(cast), part, path, 1, kNoBody, 0.1 * scale);
  }
}

}  // namespace
}  // namespace orbox
