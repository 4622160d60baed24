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

SceneOptions ForScene(const QueryOptions& from) {
  return {.max_distance = from.max_distance,
          .statistics = from.statistics,
          .threads = from.threads,
          .progress = from.progress,
          .cancelled = from.cancelled};
}

// call(questions, options), with `count` times one query.
template <typename Question, typename Call>
long_queries::Batch OfScene(const char* name, const Question& question,
                            const Call& call) {
  return {name, [question, call](size_t count, const QueryOptions& options) {
            return call(std::vector<Question>(count, question),
                        ForScene(options))
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
              [&](const Poses& poses, const SceneOptions& options) {
                return AnyOverlap(scene, line, poses, options);
              }),
      OfScene("count overlaps", Pose(),
              [&](const Poses& poses, const SceneOptions& options) {
                return CountOverlaps(scene, line, poses, options);
              }),
      OfScene("all overlaps", Pose(),
              [&](const Poses& poses, const SceneOptions& options) {
                return AllOverlaps(scene, line, poses, options);
              }),
      OfScene("any within", Pose(),
              [&](const Poses& poses, const SceneOptions& options) {
                return AnyWithin(scene, line, poses, near, options);
              }),
      OfScene("count within", Pose(),
              [&](const Poses& poses, const SceneOptions& options) {
                return CountWithin(scene, line, poses, near, options);
              }),
      OfScene("all within", Pose(),
              [&](const Poses& poses, const SceneOptions& options) {
                return AllWithin(scene, line, poses, near, options);
              }),
      OfScene("closest pair", Pose(),
              [&](const Poses& poses, const SceneOptions& options) {
                return ClosestPair(scene, line, poses, options);
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
              [&](const Points& points, const SceneOptions& options) {
                return ClosestPoint(ball, points, options);
              }),
      OfScene("any hit", kAlongLine,
              [&](const Rays& rays, const SceneOptions& options) {
                return AnyHit(fence, rays, options);
              }),
      OfScene("count hits", kAlongLine,
              [&](const Rays& rays, const SceneOptions& options) {
                return CountHits(fence, rays, options);
              }),
      OfScene("closest hit", kAlongLine,
              [&](const Rays& rays, const SceneOptions& options) {
                return ClosestHit(fence, rays, options);
              }),
      OfScene("all hits", kAlongLine,
              [&](const Rays& rays, const SceneOptions& options) {
                return AllHits(fence, rays, options);
              }),
      OfScene("any in a region", kAroundLine,
              [&](const Boxes& boxes, const SceneOptions& options) {
                return AnyOverlap(fence, boxes, options);
              }),
      OfScene("count in a region", kAroundLine,
              [&](const Boxes& boxes, const SceneOptions& options) {
                return CountOverlaps(fence, boxes, options);
              }),
      OfScene("all bodies in a region", kAroundLine,
              [&](const Boxes& boxes, const SceneOptions& options) {
                return AllOverlaps(fence, boxes, options);
              }),
      OfScene("all triangles in a region", kAroundLine,
              [&](const Boxes& boxes, const SceneOptions& options) {
                return AllOverlappingTriangles(fence, boxes, options);
              })};
  long_queries::ExpectEach(batches);
}

// A query of all bodies.
template <typename Call>
long_queries::Batch OfBodies(const char* name, const Call& call) {
  return {name, [call](size_t, const QueryOptions& options) {
            return long_queries::StatusOfPlain([&] { call(options); });
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
  using Options = QueryOptions;
  const std::vector<long_queries::Batch> batches = {
      OfBodies("count overlaps",
               [&](const Options& o) { CountOverlaps(scene, o); }),
      OfBodies("all overlaps",
               [&](const Options& o) { AllOverlaps(scene, o); }),
      OfBodies("all overlapping triangles",
               [&](const Options& o) { AllOverlappingTriangles(scene, o); }),
      OfBodies("count within",
               [&](const Options& o) { CountWithin(scene, near, o); }),
      OfBodies("all within",
               [&](const Options& o) { AllWithin(scene, near, o); }),
      OfBodies("all triangles within",
               [&](const Options& o) { AllTrianglesWithin(scene, near, o); }),
      OfBodies("all places",
               [&](const Options& o) { AllClustersWithin(scene, near, o); })};
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
  const Ray ray{{5, 0.5, 0.5}, {-1, 0, 0}};
  for (const double bad : {-1.0, kNan}) {
    const QueryOptions far{.max_distance = bad};
    const SceneOptions body{.max_distance = bad};
    constexpr char kLimit[] = "max_distance is ";
    EXPECT_DEATH(AnyOverlap(scene, far), kLimit);
    EXPECT_DEATH(CountOverlaps(scene, far), kLimit);
    EXPECT_DEATH(AllOverlaps(scene, far), kLimit);
    EXPECT_DEATH(AllOverlappingTriangles(scene, far), kLimit);
    EXPECT_DEATH(AnyOverlap(scene, cube, body), kLimit);
    EXPECT_DEATH(AllOverlaps(scene, cube, body), kLimit);
    EXPECT_DEATH(AllOverlappingTriangles(scene, cube, body), kLimit);
    EXPECT_DEATH(AnyWithin(scene, 1, far), kLimit);
    EXPECT_DEATH(AllWithin(scene, 1, far), kLimit);
    EXPECT_DEATH(AllBoundsWithin(scene, 1, far), kLimit);
    EXPECT_DEATH(AnyWithin(scene, cube, 1, body), kLimit);
    EXPECT_DEATH(AllWithin(scene, cube, 1, body), kLimit);
    EXPECT_DEATH(ClosestPair(scene, far), kLimit);
    EXPECT_DEATH(ClosestPair(scene, cube, body), kLimit);
    EXPECT_DEATH(ClosestPoint(scene, p, body), kLimit);
    EXPECT_DEATH(AnyHit(scene, ray, body), kLimit);
    EXPECT_DEATH(ClosestHit(scene, ray, body), kLimit);
    EXPECT_DEATH(AnyOverlap(scene, Sphere{p, 1}, body), kLimit);
    constexpr char kDistance[] = "distance is ";
    EXPECT_DEATH(AnyWithin(scene, bad), kDistance);
    EXPECT_DEATH(CountWithin(scene, bad), kDistance);
    EXPECT_DEATH(AllWithin(scene, bad), kDistance);
    EXPECT_DEATH(AllBoundsWithin(scene, bad), kDistance);
    EXPECT_DEATH(AllTrianglesWithin(scene, bad), kDistance);
    EXPECT_DEATH(AnyWithin(scene, cube, bad), kDistance);
    EXPECT_DEATH(AllWithin(scene, cube, bad), kDistance);
    EXPECT_DEATH(AnyOverlap(scene, Sphere{p, bad}), "the region is not valid");
    EXPECT_DEATH(ClosestPoint(scene, Vec3{0, kNan, 0}), "the point is ");
    EXPECT_DEATH(AnyHit(scene, Ray{{kNan, 0, 0}, {1, 0, 0}}), "of the ray is ");
    const Pose poses[] = {{}};
    EXPECT_EQ(AnyWithin(scene, cube, poses, bad).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace orbox
