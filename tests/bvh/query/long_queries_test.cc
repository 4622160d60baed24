// SPDX-License-Identifier: Apache-2.0

// Every batch of this room, by the rules of tests/support/long_queries.h.
#include "tests/support/long_queries.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/base/query_cancelled.h"
#include "orbox/bvh/mesh/internal/mesh_access.h"
#include "orbox/bvh/mesh/mesh_components.h"
#include "orbox/bvh/posed/internal/world_tree.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/bvh/query/inside/inside.h"
#include "orbox/bvh/query/inside/internal/winding_moments.h"
#include "orbox/bvh/query/inside/signed_distance.h"
#include "orbox/bvh/query/inside/winding_number.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_clusters.h"
#include "orbox/bvh/query/pairs/pair_contacts.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/query/pairs/self_overlap.h"
#include "orbox/bvh/query/pairs/self_within.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/rays/sweep_hit.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using long_queries::Batch;
using long_queries::kAlongLine;
using long_queries::kAroundLine;

template <typename Options>
Options As(const QueryOptions& from) {
  Options options;
  options.max_distance = from.max_distance;
  options.statistics = from.statistics;
  options.threads = from.threads;
  options.progress = from.progress;
  options.cancelled = from.cancelled;
  return options;
}

// The options of a batch, of either type.
struct EitherOptions {
  operator const QueryOptions&() const { return options; }  // NOLINT
  operator RunOptions() const {                             // NOLINT
    return {.statistics = options.statistics,
            .threads = options.threads,
            .progress = options.progress,
            .cancelled = options.cancelled};
  }

  const QueryOptions& options;
};

// call(questions, options), with `count` times one query.
template <typename Question, typename Call>
Batch Of(const char* name, const Question& question, const Call& call) {
  return {name, [question, call](size_t count, const QueryOptions& options) {
            return call(std::vector<Question>(count, question),
                        EitherOptions{options})
                .status();
          }};
}

// Closed boxes in a row along x, and a point between the first two: a ray
// through the others decides that it is outside.
constexpr Vec3 kBetweenBeads{1.5, 0.3, 0.4};
Mesh Beads() {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (uint32_t i = 0; i < 1024; ++i) {
    const Mesh box = meshes::Cube({2.0 * i, 0, 0}, 1);
    const auto first = static_cast<uint32_t>(vertices.size());
    vertices.insert(vertices.end(), box.vertices().begin(),
                    box.vertices().end());
    for (const TriangleIndices& t : box.triangles()) {
      triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
  }
  return Mesh::Create(std::move(vertices), std::move(triangles)).value();
}

TEST(LongQueriesTest, Poses) {
  const Tree fence = trees::Make(long_queries::Fence());
  const Tree line = trees::Make(long_queries::Line());
  using Poses = std::vector<Pose>;
  using Options = RunOptions;
  const double near = 0.0625;
  const std::vector<Batch> batches = {
      Of("any overlap", Pose(),
         [&](const Poses& poses, const Options& options) {
           return AnyOverlap(fence, poses, line, options);
         }),
      Of("count overlaps", Pose(),
         [&](const Poses& poses, const Options& options) {
           return CountOverlaps(fence, poses, line, options);
         }),
      Of("all overlaps", Pose(),
         [&](const Poses& poses, const Options& options) {
           return AllOverlaps(fence, poses, line, options);
         }),
      Of("any within", Pose(),
         [&](const Poses& poses, const Options& options) {
           return AnyWithin(fence, poses, line, near, options);
         }),
      Of("count within", Pose(),
         [&](const Poses& poses, const Options& options) {
           return CountWithin(fence, poses, line, near, options);
         }),
      Of("all within", Pose(),
         [&](const Poses& poses, const Options& options) {
           return AllWithin(fence, poses, line, near, options);
         }),
      Of("all places", Pose(),
         [&](const Poses& poses, const Options& options) {
           return AllClustersWithin(fence, poses, line, near, options);
         }),
      Of("closest pair", Pose(),
         [&](const Poses& poses, const Options& options) {
           return ClosestPair(fence, poses, line, {}, options);
         })};
  long_queries::ExpectEach(batches, 32);
}

TEST(LongQueriesTest, RaysAndRegions) {
  const Tree fence = trees::Make(long_queries::Fence());
  using Rays = std::vector<Ray>;
  using Balls = std::vector<SweptSphere>;
  using Boxes = std::vector<Aabb>;
  using Options = RunOptions;
  const SweptSphere ball{{0, 0.1, 0.9}, {5120, 0.1, 0.9}, 0.0625};
  const std::vector<Batch> batches = {
      Of("any hit", kAlongLine,
         [&](const Rays& rays, const Options& options) {
           return AnyHit(fence, rays, options);
         }),
      Of("count hits", kAlongLine,
         [&](const Rays& rays, const Options& options) {
           return CountHits(fence, rays, options);
         }),
      Of("closest hit", kAlongLine,
         [&](const Rays& rays, const Options& options) {
           return ClosestHit(fence, rays, options);
         }),
      Of("all hits", kAlongLine,
         [&](const Rays& rays, const Options& options) {
           return AllHits(fence, rays, options);
         }),
      Of("any hit of a ball", ball,
         [&](const Balls& balls, const Options& options) {
           return AnyHit(fence, balls, options);
         }),
      Of("count hits of a ball", ball,
         [&](const Balls& balls, const Options& options) {
           return CountHits(fence, balls, options);
         }),
      Of("closest hit of a ball", ball,
         [&](const Balls& balls, const Options& options) {
           return ClosestHit(fence, balls, options);
         }),
      Of("all hits of a ball", ball,
         [&](const Balls& balls, const Options& options) {
           return AllHits(fence, balls, options);
         }),
      Of("any in a region", kAroundLine,
         [&](const Boxes& boxes, const Options& options) {
           return AnyOverlap(fence, boxes, options);
         }),
      Of("count in a region", kAroundLine,
         [&](const Boxes& boxes, const Options& options) {
           return CountOverlaps(fence, boxes, options);
         }),
      Of("all in a region", kAroundLine,
         [&](const Boxes& boxes, const Options& options) {
           return AllOverlaps(fence, boxes, options);
         })};
  long_queries::ExpectEach(batches);
}

TEST(LongQueriesTest, Points) {
  // All of it is about as far from its middle.
  const Tree ball = trees::Make(meshes::Icosphere(4));
  const Tree fence = trees::Make(long_queries::Fence());
  // An exact sum takes all patches.
  const Tree sheet = trees::Make(meshes::Grid(60));
  const SignedDistanceField field = SignedDistanceField::Create(ball).value();
  // Its inner ball is a wall.
  const Tree walled = trees::Make(meshes::Joined(
      meshes::Icosphere(4), meshes::Icosphere(1, {0, 0, 0}, 0.25)));
  const SignedDistanceField with_walls =
      SignedDistanceField::Create(walled).value();
  const Tree beads = trees::Make(Beads());
  const SignedDistanceField of_beads =
      SignedDistanceField::Create(beads).value();
  const WindingNumberField winding = WindingNumberField::Of(sheet);
  using Points = std::vector<Vec3>;
  using Options = RunOptions;
  const Vec3 center{0, 0, 0};
  const Vec3 on_sheet{0.503, 0.507, 0};
  const WindingNumberField of_half =
      WindingNumberField::Of(trees::Make(long_queries::HalfBall()));
  const std::vector<Batch> batches = {
      Of("closest point", center,
         [&](const Points& points, const Options& options) {
           return ClosestPoint(ball, points, options);
         }),
      Of("k nearest", center,
         [&](const Points& points, const Options& options) {
           return KNearest(ball, points, 3, options);
         }),
      Of("many nearest", center,
         [&](const Points& points, const Options& options) {
           return KNearest(ball, points, 40, options);
         }),
      Of("signed closest point", center,
         [&](const Points& points, const Options& options) {
           return field.ClosestPoint(points, options);
         }),
      Of("signed distance", center,
         [&](const Points& points, const Options& options) {
           return field.Distance(points, options);
         }),
      Of("distance to the boundary", center,
         [&](const Points& points, const Options& options) {
           return with_walls.DistanceToBoundary(points, options);
         }),
      Of("inside by the sign", kBetweenBeads,
         [&](const Points& points, const Options& options) {
           return of_beads.IsInside(points, options);
         }),
      Of("inside", kAlongLine.origin,
         [&](const Points& points, const Options& options) {
           return IsInside(fence, points, options);
         }),
      Of("exact winding number", kBetweenBeads,
         [&](const Points& points, const Options& options) {
           return WindingNumber(beads, points, options);
         }),
      Of("winding number", on_sheet,
         [&](const Points& points, const Options& options) {
           return winding.At(points, 0, options);
         }),
      Of("inside by the winding number", center,
         [&](const Points& points, const Options& options) {
           return of_half.IsInside(points, options);
         })};
  long_queries::ExpectEach(batches);
}

// A query of two meshes.
template <typename Call>
Batch OfPair(const char* name, const Call& call) {
  return {name, [call](size_t, const QueryOptions& options) {
            return call(EitherOptions{options}).status();
          }};
}

TEST(LongQueriesTest, Pairs) {
  const Tree fence = trees::Make(long_queries::Fence());
  const Tree line = trees::Make(long_queries::Line());
  const double near = 0.0625;
  using Options = RunOptions;
  const std::vector<Batch> batches = {
      OfPair("count overlaps",
             [&](const Options& o) { return CountOverlaps(fence, line, o); }),
      OfPair("all overlaps",
             [&](const Options& o) { return AllOverlaps(fence, line, o); }),
      OfPair("all contacts",
             [&](const Options& o) { return AllContacts(fence, line, o); }),
      OfPair(
          "count within",
          [&](const Options& o) { return CountWithin(fence, line, near, o); }),
      OfPair("all within",
             [&](const Options& o) { return AllWithin(fence, line, near, o); }),
      OfPair("all places",
             [&](const Options& o) {
               return AllClustersWithin(fence, line, near, o);
             }),
      OfPair("count self overlaps",
             [&](const Options& o) { return CountSelfOverlaps(fence, {}, o); }),
      OfPair("all self overlaps",
             [&](const Options& o) { return AllSelfOverlaps(fence, {}, o); }),
      OfPair("count self within",
             [&](const Options& o) {
               return CountSelfWithin(fence, near, {}, o);
             }),
      OfPair("all self within", [&](const Options& o) {
        return AllSelfWithin(fence, near, {}, o);
      })};
  for (const Batch& batch : batches) {
    SCOPED_TRACE(batch.name);
    ExpectEndsFromInside(batch, long_queries::Shares::kOwn);
    ExpectUsesThreads(batch);
  }
}

TEST(LongQueriesTest, Deviations) {
  const Tree ball = trees::Make(meshes::Icosphere(4));
  const PosedTree other =
      PosedTree::Create(ball, Pose::Translation({0.25, 0, 0})).value();
  const HausdorffLimits rough{.relative_tolerance = 0.25};
  const std::vector<Batch> batches = {
      {"Hausdorff distance",
       [&](size_t, const QueryOptions& options) {
         return HausdorffDistance(other, ball, rough, EitherOptions{options})
             .status();
       }},
      {"symmetric Hausdorff distance",
       [&](size_t, const QueryOptions& options) {
         return SymmetricHausdorffDistance(other, ball, rough,
                                           EitherOptions{options})
             .status();
       }},
      {"deviations", [&](size_t, const QueryOptions& options) {
         return DeviationField(other, ball, rough, EitherOptions{options})
             .status();
       }}};
  for (const Batch& batch : batches) {
    SCOPED_TRACE(batch.name);
    ExpectEndsFromInside(batch, long_queries::Shares::kOwn);
    ExpectUsesThreads(batch);
  }
}

// A tree that a query builds ends with it.
TEST(LongQueriesTest, TreesInPlace) {
  const Tree ball = trees::Make(meshes::Icosphere(4));
  const PosedTree moved =
      PosedTree::Create(ball, Pose::Translation({0.25, 0, 0})).value();
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(
      WorldTree(moved, {.threads = 1, .cancelled = &cancelled}).status().code(),
      absl::StatusCode::kCancelled);
  TraversalStatistics statistics;
  EXPECT_EQ(
      HausdorffDistance(ball, moved, {},
                        {.statistics = &statistics, .cancelled = &cancelled})
          .status()
          .code(),
      absl::StatusCode::kCancelled);
  EXPECT_EQ(long_queries::StepsOf(statistics), 0u);
}

// The components of a mesh are found before its relation to another. The search
// polls; a search that ends early leaves nothing in the mesh.
TEST(LongQueriesTest, ComponentsPoll) {
  const Mesh sheet = meshes::Grid(300);
  const Workers ending(1, [] { throw QueryCancelled(); });
  EXPECT_THROW(mesh_internal::MeshAccess::ComponentsOf(sheet, ending),
               QueryCancelled);
  size_t polls = 0;
  const MeshComponents parts = mesh_internal::MeshAccess::ComponentsOf(
      sheet, Workers(1, [&] { ++polls; }));
  EXPECT_EQ(parts.first_triangles().size(), 1u);
  EXPECT_FALSE(parts.is_closed());
  EXPECT_GE(polls, 30u);
  EXPECT_NO_THROW(mesh_internal::MeshAccess::ComponentsOf(sheet, ending));
}

// The work before winding numbers polls, so that it can end early.
TEST(LongQueriesTest, WindingMomentsPoll) {
  const Tree sheet = trees::Make(meshes::Grid(60));
  for (const int threads : {1, 2}) {
    std::atomic<size_t> polls = 0;
    WindingMomentsOf(sheet, Workers(threads, [&] { ++polls; }));
    EXPECT_GE(polls, sheet.node_count() / 8);
    const Workers ending(threads, [] { throw QueryCancelled(); });
    EXPECT_THROW(WindingMomentsOf(sheet, ending), QueryCancelled);
  }
}

// A single query of two meshes, or of one with itself, is no different.
TEST(LongQueriesTest, SinglePairsAreCancelled) {
  const Tree fence = trees::Make(long_queries::Fence());
  const Tree line = trees::Make(long_queries::Line());
  // These two have a search of their own.
  const Tree large = trees::Make(meshes::Icosphere(5, {0, 0, 0}, 1e4));
  const Tree small = trees::Make(meshes::Icosphere(3));
  const std::atomic<bool> cancelled = true;
  const RunOptions options{.cancelled = &cancelled};
  for (const absl::Status& status :
       {ClosestPair(fence, line, {}, options).status(),
        AllClosestPairs(fence, line, {}, options).status(),
        ClosestPairWithError(fence, line, {}, {}, options).status(),
        ClosestPair(small, large, {}, options).status(),
        AnySelfOverlap(fence, {}, options).status(),
        AllSelfContacts(fence, {}, options).status(),
        AnySelfWithin(fence, 1, {}, options).status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  }
}

}  // namespace
}  // namespace orbox
