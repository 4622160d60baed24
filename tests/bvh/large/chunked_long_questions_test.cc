// SPDX-License-Identifier: Apache-2.0

// Batches of chunked trees, by the rules of tests/support/long_questions.h.
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/large/chunked_pairs.h"
#include "orbox/bvh/large/chunked_queries.h"
#include "orbox/bvh/large/chunked_sweep_hit.h"
#include "orbox/bvh/large/chunked_winding_number.h"
#include "tests/support/chunks.h"
#include "tests/support/long_questions.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

using long_questions::kAlongLine;
using long_questions::kAroundLine;
using long_questions::kLength;

// ask(questions, options), with `count` times the question.
template <typename Question, typename Ask>
long_questions::Batch OfChunks(const char* name, const Question& question,
                               const Ask& ask) {
  return {
      name, [question, ask](size_t count, const QueryOptions& options) {
        return ask(std::vector<Question>(count, question), options).status();
      }};
}

TEST(ChunkedLongQuestionsTest, PointsRaysAndRegions) {
  const chunks::Files ball_files(meshes::Icosphere(4));
  const ChunkedTree ball = ball_files.Chunked(30'000);
  const chunks::Files fence_files(long_questions::Fence());
  const ChunkedTree fence = fence_files.Chunked(kLength);
  const SweptSphere moving{{0, 0.1, 0.9}, {kLength, 0.1, 0.9}, 0.0625};
  using Points = std::vector<Vec3>;
  using Rays = std::vector<Ray>;
  using Balls = std::vector<SweptSphere>;
  using Boxes = std::vector<Aabb>;
  using Options = QueryOptions;
  const std::vector<long_questions::Batch> batches = {
      OfChunks("closest point", Vec3{0, 0, 0},
               [&](const Points& points, const Options& options) {
                 return ClosestPoint(ball, points, options);
               }),
      OfChunks("k nearest", Vec3{0, 0, 0},
               [&](const Points& points, const Options& options) {
                 return KNearest(ball, points, 3, options);
               }),
      OfChunks("inside", kAlongLine.origin,
               [&](const Points& points, const Options& options) {
                 return IsInside(fence, points, options);
               }),
      OfChunks("any hit", kAlongLine,
               [&](const Rays& rays, const Options& options) {
                 return AnyHit(fence, rays, options);
               }),
      OfChunks("all hits", kAlongLine,
               [&](const Rays& rays, const Options& options) {
                 return AllHits(fence, rays, options);
               }),
      OfChunks("closest hit", kAlongLine,
               [&](const Rays& rays, const Options& options) {
                 return ClosestHit(fence, rays, options);
               }),
      OfChunks("any hit of a ball", moving,
               [&](const Balls& balls, const Options& options) {
                 return AnyHit(fence, balls, options);
               }),
      OfChunks("any in a region", kAroundLine,
               [&](const Boxes& boxes, const Options& options) {
                 return AnyOverlap(fence, boxes, options);
               })};
  long_questions::ExpectEach(batches);
}

TEST(ChunkedLongQuestionsTest, Pairs) {
  const chunks::Files fence_files(long_questions::Fence());
  const ChunkedTree fence = fence_files.Chunked(kLength);
  const chunks::Files line_files(long_questions::Line());
  const ChunkedTree line = line_files.Chunked(kLength);
  const std::vector<long_questions::Batch> pairs = {
      {"any overlap",
       [&](size_t, const QueryOptions& options) {
         return AnyOverlap(fence, line, options).status();
       }},
      {"all overlaps",
       [&](size_t, const QueryOptions& options) {
         return AllOverlaps(fence, line, options).status();
       }},
      {"all within", [&](size_t, const QueryOptions& options) {
         return AllWithin(fence, line, 0.0625, options).status();
       }}};
  for (const long_questions::Batch& batch : pairs) {
    SCOPED_TRACE(batch.name);
    ExpectReportsFromInside(batch);
    ExpectEndsFromInside(batch);
  }
}

}  // namespace
}  // namespace orbox
