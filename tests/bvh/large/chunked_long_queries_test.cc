// SPDX-License-Identifier: Apache-2.0

// Batches of chunked trees, by the rules of tests/support/long_queries.h.
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/large/pairs.h"
#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/large/signed_distance.h"
#include "orbox/bvh/large/winding_number.h"
#include "tests/support/chunks.h"
#include "tests/support/long_queries.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

using long_queries::kAlongLine;
using long_queries::kAroundLine;
using long_queries::kLength;

// call(questions, options), with `count` times one query.
template <typename Traits, typename Call>
long_queries::Batch OfChunks(const char* name, const Traits& question,
                             const Call& call) {
  return {name, [question, call](size_t count, const QueryOptions& options) {
            return call(std::vector<Traits>(count, question), options).status();
          }};
}

TEST(ChunkedLongQueriesTest, PointsRaysAndRegions) {
  const chunks::Files ball_files(meshes::Icosphere(4));
  const ChunkedTree ball = ball_files.Chunked(30'000);
  const ChunkedSignedDistanceField field =
      ChunkedSignedDistanceField::Create(ball).value();
  const chunks::Files fence_files(long_queries::Fence());
  const ChunkedTree fence = fence_files.Chunked(kLength);
  const SweptSphere moving{{0, 0.1, 0.9}, {kLength, 0.1, 0.9}, 0.0625};
  using Points = std::vector<Vec3>;
  using Rays = std::vector<Ray>;
  using Balls = std::vector<SweptSphere>;
  using Boxes = std::vector<Aabb>;
  using Options = QueryOptions;
  const std::vector<long_queries::Batch> batches = {
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
      OfChunks("count hits", kAlongLine,
               [&](const Rays& rays, const Options& options) {
                 return CountHits(fence, rays, options);
               }),
      OfChunks("any hit of a ball", moving,
               [&](const Balls& balls, const Options& options) {
                 return AnyHit(fence, balls, options);
               }),
      OfChunks("count hits of a ball", moving,
               [&](const Balls& balls, const Options& options) {
                 return CountHits(fence, balls, options);
               }),
      OfChunks("closest hit of a ball", moving,
               [&](const Balls& balls, const Options& options) {
                 return ClosestHit(fence, balls, options);
               }),
      OfChunks("all hits of a ball", moving,
               [&](const Balls& balls, const Options& options) {
                 return AllHits(fence, balls, options);
               }),
      OfChunks("any in a region", kAroundLine,
               [&](const Boxes& boxes, const Options& options) {
                 return AnyOverlap(fence, boxes, options);
               }),
      OfChunks("count in a region", kAroundLine,
               [&](const Boxes& boxes, const Options& options) {
                 return CountOverlaps(fence, boxes, options);
               }),
      OfChunks("all in a region", kAroundLine,
               [&](const Boxes& boxes, const Options& options) {
                 return AllOverlaps(fence, boxes, options);
               }),
      OfChunks("signed closest point", Vec3{0, 0, 0},
               [&](const Points& points, const Options& options) {
                 return field.ClosestPoint(points, options);
               }),
      OfChunks("signed distance", Vec3{0, 0, 0},
               [&](const Points& points, const Options& options) {
                 return field.Distance(points, options);
               })};
  long_queries::ExpectEach(batches);
}

// Their first report comes before the sums.
TEST(ChunkedLongQueriesTest, WindingNumbers) {
  const chunks::Files sheet_files(meshes::Grid(60));
  const ChunkedTree sheet = sheet_files.Chunked(30'000);
  const ChunkedWindingNumberField field =
      ChunkedWindingNumberField::Of(sheet).value();
  const chunks::Files half_files(long_queries::HalfBall());
  const ChunkedTree half = half_files.Chunked(30'000);
  const ChunkedWindingNumberField of_half =
      ChunkedWindingNumberField::Of(half).value();
  using Points = std::vector<Vec3>;
  using Options = QueryOptions;
  const std::vector<long_queries::Batch> batches = {
      OfChunks("winding number", Vec3{0.503, 0.507, 0},
               [&](const Points& points, const Options& options) {
                 return field.At(points, 0, options);
               }),
      OfChunks("inside by the winding number", Vec3{0, 0, 0},
               [&](const Points& points, const Options& options) {
                 return of_half.IsInside(points, options);
               })};
  for (const long_queries::Batch& batch : batches) {
    SCOPED_TRACE(batch.name);
    ExpectReportsFromInside(batch);
    ExpectEndsInLastPiece(batch);
    ExpectUsesThreads(batch);
  }
}

TEST(ChunkedLongQueriesTest, Pairs) {
  const chunks::Files fence_files(long_queries::Fence());
  const ChunkedTree fence = fence_files.Chunked(kLength);
  const chunks::Files line_files(long_queries::Line());
  const ChunkedTree line = line_files.Chunked(kLength);
  const std::vector<long_queries::Batch> pairs = {
      {"any overlap",
       [&](size_t, const QueryOptions& options) {
         return AnyOverlap(fence, line, options).status();
       }},
      {"all overlaps",
       [&](size_t, const QueryOptions& options) {
         return AllOverlaps(fence, line, options).status();
       }},
      {"count overlaps",
       [&](size_t, const QueryOptions& options) {
         return CountOverlaps(fence, line, options).status();
       }},
      {"any within",
       [&](size_t, const QueryOptions& options) {
         return AnyWithin(fence, line, 0.0625, options).status();
       }},
      {"count within",
       [&](size_t, const QueryOptions& options) {
         return CountWithin(fence, line, 0.0625, options).status();
       }},
      {"all witnesses within",
       [&](size_t, const QueryOptions& options) {
         return AllWitnessesWithin(fence, line, 0.0625, options).status();
       }},
      {"closest pair",
       [&](size_t, const QueryOptions& options) {
         return ClosestPair(fence, line, options).status();
       }},
      {"all self overlaps",
       [&](size_t, const QueryOptions& options) {
         return AllSelfOverlaps(fence, options).status();
       }},
      {"all self within",
       [&](size_t, const QueryOptions& options) {
         return AllSelfWithin(fence, 0.0625, options).status();
       }},
      {"all within", [&](size_t, const QueryOptions& options) {
         return AllWithin(fence, line, 0.0625, options).status();
       }}};
  for (const long_queries::Batch& batch : pairs) {
    SCOPED_TRACE(batch.name);
    ExpectReportsFromInside(batch);
    ExpectEndsFromInside(batch);
  }
}

}  // namespace
}  // namespace orbox
