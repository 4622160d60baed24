// SPDX-License-Identifier: Apache-2.0

// Every batch of scenes, by the rules of tests/support/long_queries.h.
#include <algorithm>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/scene/scene_closest.h"
#include "orbox/bvh/scene/scene_hit.h"
#include "orbox/bvh/scene/scene_overlap.h"
#include "orbox/bvh/scene/scene_region_overlap.h"
#include "orbox/bvh/scene/scene_within.h"
#include "tests/support/long_queries.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using long_queries::kAlongLine;
using long_queries::kAroundLine;

RunOptions RunOf(const QueryOptions& from) {
  return {.statistics = from.statistics,
          .threads = from.threads,
          .progress = from.progress,
          .cancelled = from.cancelled};
}

// call(questions, options), with `count` times one query.
template <typename Question, typename Call>
long_queries::Batch OfScene(const char* name, const Question& question,
                            const Call& call) {
  return {name, [question, call](size_t count, const QueryOptions& options) {
            return call(std::vector<Question>(count, question), RunOf(options))
                .status();
          }};
}

TEST(SceneLongQueriesTest, AMeshAtPoses) {
  const Tree line = trees::Make(long_queries::Line());
  Scene scene;
  ASSERT_TRUE(scene.Add(trees::Make(long_queries::Fence())).ok());
  scene.Update();
  using Poses = std::vector<Pose>;
  const double near = 0.0625;
  const std::vector<long_queries::Batch> batches = {
      OfScene("any overlap", Pose(),
              [&](const Poses& poses, const RunOptions& options) {
                return AnyOverlap(scene, line, poses, {}, options);
              }),
      OfScene("all overlaps", Pose(),
              [&](const Poses& poses, const RunOptions& options) {
                return AllOverlaps(scene, line, poses, {}, options);
              }),
      OfScene("any within", Pose(),
              [&](const Poses& poses, const RunOptions& options) {
                return AnyWithin(scene, line, poses, near, {}, options);
              }),
      OfScene("all within", Pose(),
              [&](const Poses& poses, const RunOptions& options) {
                return AllWithin(scene, line, poses, near, {}, options);
              }),
      OfScene("closest pair", Pose(),
              [&](const Poses& poses, const RunOptions& options) {
                return ClosestPair(scene, line, poses, {}, options);
              })};
  long_queries::ExpectEach(batches, 32);
}

TEST(SceneLongQueriesTest, PointsRaysAndRegions) {
  Scene fence;
  ASSERT_TRUE(fence.Add(trees::Make(long_queries::Fence())).ok());
  fence.Update();
  Scene ball;
  ASSERT_TRUE(ball.Add(trees::Make(meshes::Icosphere(4))).ok());
  ball.Update();
  using Points = std::vector<Vec3>;
  using Rays = std::vector<Ray>;
  using Boxes = std::vector<Aabb>;
  const std::vector<long_queries::Batch> batches = {
      OfScene("closest point", Vec3{0, 0, 0},
              [&](const Points& points, const RunOptions& options) {
                return ClosestPoint(ball, points, {}, options);
              }),
      OfScene("any hit", kAlongLine,
              [&](const Rays& rays, const RunOptions& options) {
                return AnyHit(fence, rays, {}, options);
              }),
      OfScene("closest hit", kAlongLine,
              [&](const Rays& rays, const RunOptions& options) {
                return ClosestHit(fence, rays, {}, options);
              }),
      OfScene("all hits", kAlongLine,
              [&](const Rays& rays, const RunOptions& options) {
                return AllHits(fence, rays, {}, options);
              }),
      OfScene("any in a region", kAroundLine,
              [&](const Boxes& boxes, const RunOptions& options) {
                return AnyOverlap(fence, boxes, {}, options);
              }),
      OfScene("all bodies in a region", kAroundLine,
              [&](const Boxes& boxes, const RunOptions& options) {
                return AllOverlaps(fence, boxes, {}, options);
              }),
      OfScene("all triangles in a region", kAroundLine,
              [&](const Boxes& boxes, const RunOptions& options) {
                return AllOverlappingTriangles(fence, boxes, {}, options);
              })};
  long_queries::ExpectEach(batches);
}

// A query of all bodies.
template <typename Call>
long_queries::Batch OfBodies(const char* name, const Call& call) {
  return {name, [call](size_t, const QueryOptions& options) {
            return call(RunOf(options)).status();
          }};
}

TEST(SceneLongQueriesTest, AllBodies) {
  const Tree line = trees::Make(long_queries::Line());
  Scene scene;
  ASSERT_TRUE(scene.Add(trees::Make(long_queries::Fence())).ok());
  ASSERT_TRUE(scene.Add(line).ok());
  ASSERT_TRUE(scene.Add(line, Pose::Translation({0, 0.125, 0})).ok());
  scene.Update();
  const double near = 0.0625;
  using Options = RunOptions;
  const std::vector<long_queries::Batch> batches = {
      OfBodies("all overlaps",
               [&](const Options& o) { return AllOverlaps(scene, o); }),
      OfBodies(
          "all overlapping triangles",
          [&](const Options& o) { return AllOverlappingTriangles(scene, o); }),
      OfBodies("all within",
               [&](const Options& o) { return AllWithin(scene, near, o); }),
      OfBodies(
          "all triangles within",
          [&](const Options& o) { return AllTrianglesWithin(scene, near, o); }),
      OfBodies("all places", [&](const Options& o) {
        return AllClustersWithin(scene, near, o);
      })};
  for (const long_queries::Batch& batch : batches) {
    SCOPED_TRACE(batch.name);
    ExpectEndsInLastPiece(batch);
    ExpectUsesThreads(batch);
  }
}

TEST(SceneNotValidDeathTest, PlainQuestionsEndTheProgram) {
  GTEST_FLAG_SET(death_test_style, "fast");
  const Tree cube = trees::Make(meshes::Cube());
  Scene scene;
  ASSERT_TRUE(scene.Add(cube).ok());
  ASSERT_TRUE(scene.Add(cube).ok());
  scene.Update();
  const Vec3 p{0, 0, 0};
  for (const double bad : {-1.0, kNan}) {
    const BodyLimits limits{.max_distance = bad};
    constexpr char kLimit[] = "max_distance is ";
    EXPECT_DEATH(ClosestPair(scene, bad), kLimit);
    EXPECT_DEATH(ClosestPair(scene, cube, limits), kLimit);
    EXPECT_DEATH(ClosestPoint(scene, p, limits), kLimit);
    EXPECT_DEATH(AnyHit(scene, Ray{p, {1, 0, 0}, 0, bad}), "max_t ");
    EXPECT_DEATH(ClosestHit(scene, Ray{p, {1, 0, 0}, 0, bad}), "max_t ");
    constexpr char kDistance[] = "distance is ";
    EXPECT_DEATH(AnyWithin(scene, bad), kDistance);
    EXPECT_DEATH(AllWithin(scene, bad), kDistance);
    EXPECT_DEATH(AllBoundsWithin(scene, bad), kDistance);
    EXPECT_DEATH(AllTrianglesWithin(scene, bad), kDistance);
    EXPECT_DEATH(AnyWithin(scene, cube, bad), kDistance);
    EXPECT_DEATH(AllWithin(scene, cube, bad), kDistance);
    EXPECT_DEATH(AnyOverlap(scene, Sphere{p, bad}), "the region is not valid");
    EXPECT_DEATH(ClosestPoint(scene, Vec3{0, kNan, 0}), "the point is ");
    EXPECT_DEATH(AnyHit(scene, Ray{{kNan, 0, 0}, {1, 0, 0}}), "of the ray is ");
    const Pose poses[] = {{}};
    const RunOptions run;
    for (const absl::Status& status :
         {AnyWithin(scene, cube, poses, bad).status(),
          AllWithin(scene, bad, run).status(),
          AnyWithin(scene, cube, bad, {}, run).status(),
          ClosestPair(scene, bad, run).status(),
          ClosestPair(scene, cube, limits, run).status(),
          ClosestPoint(scene, p, limits, run).status(),
          AnyHit(scene, Ray{p, {1, 0, 0}, 0, bad}, {}, run).status(),
          AnyOverlap(scene, Sphere{p, bad}, {}, run).status()}) {
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    }
  }
}

}  // namespace
}  // namespace orbox
