// SPDX-License-Identifier: Apache-2.0

// Queries of one large mesh: closest points, the k nearest triangles, regions,
// rays, moving balls, inside or outside.
//
//   absl::StatusOr<std::optional<GlobalSurfacePoint>> near =
//       ClosestPoint(scan, p);
//   if (!near.ok()) return near.status();
//   absl::StatusOr<Lists<uint64_t>> ids = AllOverlaps(scan, balls);
//   absl::StatusOr<bool> inside = IsInside(scan, p);
//
// The target is a ChunkedTree (chunked_tree.h) or a DistributedTree
// (mpi/distributed_tree.h), whose header has to be included:
//
//   query                               ChunkedTree   DistributedTree
//   batch                               all results   those of own queries
//   one query                           its result    each rank has its own
//   visit of a batch                    one thread    on owners of triangles
//   visit of one query                  one thread    -
//   IsClosed, DoFacesAgree              yes           -
//
// Results and options are those of query/points/closest_point.h, k_nearest.h,
// query/regions/region_overlap.h, query/rays/ray_hit.h, sweep_hit.h and
// query/inside/inside.h for this mesh in memory, with global ids; ties go to
// the lowest id. Exceptions:
// - From a point more than 64 diagonals away, ClosestPoint reports any triangle
//   of those at equal distances. KNearest does so for the last ones, as
//   k_nearest.h says; a chunk counts as a detail tree.
// - If a ball touches several triangles first, at times that the enclosures do
//   not separate, ClosestHit may report another one of them. It may differ so
//   between trees of one mesh, too.
// Errors are those of query_options.h and of ChunkedTree::Load.
//
// Chunks. A batch loads a chunk at most twice, for any queries, so large
// batches are cheaper. Memory: the mapped trees, and for each query a copy of
// it, some 40 bytes and a result. Thread-safe.
//
// Ranks. Each rank passes its own queries, some or none, and gets their
// results, in the order of its queries. They are those of the ChunkedTree, to
// the bit, for any number of ranks. Collective, with the errors that
// mpi/distributed_tree.h lists. Ranks share the visits of queries to chunks
// evenly, independent of the owners of the chunks; only visitors are called by
// owners. Closest points and first hits visit the nearest chunk first. Then
// they visit the nearest of the other chunks within the bound found so far,
// three times, and then all that are left. Costs a test of a box for each chunk
// and query; five exchanges per round, or one; a message for each pair of ranks
// in each exchange; and the sum of a table of chunks.
#ifndef ORBOX_BVH_LARGE_QUERIES_H_
#define ORBOX_BVH_LARGE_QUERIES_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/region.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"
#include "orbox/overlap/triangles/swept_sphere.h"

namespace orbox {

// Closest points (query/points/closest_point.h, k_nearest.h). Requires equal
// `k` on all ranks.
template <LargeTree T>
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<GlobalSurfacePoint>>>
ClosestPoint(const T& tree, std::span<const Vec3> points,
             const OptionsOf<T>& options = {});
template <LargeTree T>
ORBOX_EXPORT absl::StatusOr<Lists<GlobalSurfacePoint>> KNearest(
    const T& tree, std::span<const Vec3> points, size_t k,
    const OptionsOf<T>& options = {});

// Regions (query/regions/region_overlap.h).
template <LargeTree T>
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyOverlap(
    const T& tree, const Regions& regions, const OptionsOf<T>& options = {});
template <LargeTree T>
ORBOX_EXPORT absl::StatusOr<std::vector<uint64_t>> CountOverlaps(
    const T& tree, const Regions& regions, const OptionsOf<T>& options = {});
template <LargeTree T>
ORBOX_EXPORT absl::StatusOr<Lists<GlobalId>> AllOverlaps(
    const T& tree, const Regions& regions, const OptionsOf<T>& options = {});

// For lists that would be too large. The arguments of the visitor are the query
// and what it has found. Chunks: visitor(index, found), chunk by chunk, until
// it returns kStop. Ranks: visitor(rank, index, found), on the rank that owns
// the triangle, in no particular order; the query is that of `rank`, and the
// index is that on that rank.
template <LargeTree T>
ORBOX_EXPORT absl::Status VisitOverlaps(const T& tree, const Regions& regions,
                                        VisitorOf<T, GlobalId> visitor,
                                        const OptionsOf<T>& options = {});

// Rays (query/rays/ray_hit.h).
template <LargeTree T>
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyHit(
    const T& tree, std::span<const Ray> rays, const OptionsOf<T>& options = {});
template <LargeTree T>
ORBOX_EXPORT absl::StatusOr<std::vector<uint64_t>> CountHits(
    const T& tree, std::span<const Ray> rays, const OptionsOf<T>& options = {});
template <LargeTree T>
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<GlobalRayHit>>>
ClosestHit(const T& tree, std::span<const Ray> rays,
           const OptionsOf<T>& options = {});
template <LargeTree T>
ORBOX_EXPORT absl::StatusOr<Lists<GlobalRayHit>> AllHits(
    const T& tree, std::span<const Ray> rays, const OptionsOf<T>& options = {});
template <LargeTree T>
ORBOX_EXPORT absl::Status VisitHits(const T& tree, std::span<const Ray> rays,
                                    VisitorOf<T, GlobalRayHit> visitor,
                                    const OptionsOf<T>& options = {});

// Balls on their way along segments (query/rays/sweep_hit.h).
template <LargeTree T>
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyHit(
    const T& tree, std::span<const SweptSphere> balls,
    const OptionsOf<T>& options = {});
template <LargeTree T>
ORBOX_EXPORT absl::StatusOr<std::vector<uint64_t>> CountHits(
    const T& tree, std::span<const SweptSphere> balls,
    const OptionsOf<T>& options = {});
template <LargeTree T>
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<GlobalSweepHit>>>
ClosestHit(const T& tree, std::span<const SweptSphere> balls,
           const OptionsOf<T>& options = {});
template <LargeTree T>
ORBOX_EXPORT absl::StatusOr<Lists<GlobalSweepHit>> AllHits(
    const T& tree, std::span<const SweptSphere> balls,
    const OptionsOf<T>& options = {});
template <LargeTree T>
ORBOX_EXPORT absl::Status VisitHits(const T& tree,
                                    std::span<const SweptSphere> balls,
                                    VisitorOf<T, GlobalSweepHit> visitor,
                                    const OptionsOf<T>& options = {});

// Tests whether points are inside a closed mesh (query/inside/inside.h): 1 or
// 0. If a winding number is even and not 0, costs as much as DoFacesAgree,
// once.
template <LargeTree T>
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> IsInside(
    const T& tree, std::span<const Vec3> points,
    const OptionsOf<T>& options = {});

// Returns the result of IsClosed for a mesh (mesh/mesh.h). Loads each chunk
// once, and twice if the mesh is open or its faces do not agree. Takes 56 bytes
// for each edge between chunks. Copies of the tree share the result, so later
// calls cost nothing.
ORBOX_EXPORT absl::StatusOr<bool> IsClosed(const ChunkedTree& tree);

// Returns the result of DoFacesAgree for a mesh (mesh/inside_rule.h), at the
// cost of IsClosed.
ORBOX_EXPORT absl::StatusOr<bool> DoFacesAgree(const ChunkedTree& tree);

// One query: the only result of its batch.

template <typename Result>
absl::StatusOr<Result> OnlyOne(absl::StatusOr<std::vector<Result>> batch) {
  if (!batch.ok()) return batch.status();
  return std::move(batch->front());
}
inline absl::StatusOr<bool> OnlyOne(
    const absl::StatusOr<std::vector<uint8_t>>& batch) {
  if (!batch.ok()) return batch.status();
  return batch->front() != 0;
}
template <typename Value>
absl::StatusOr<std::vector<Value>> OnlyOne(absl::StatusOr<Lists<Value>> batch) {
  if (!batch.ok()) return batch.status();
  return std::move(batch->values);
}

template <LargeTree T>
absl::StatusOr<std::optional<GlobalSurfacePoint>> ClosestPoint(
    const T& tree, const Vec3& p, const OptionsOf<T>& options = {}) {
  return OnlyOne(ClosestPoint(tree, std::span(&p, 1), options));
}
template <LargeTree T>
absl::StatusOr<std::vector<GlobalSurfacePoint>> KNearest(
    const T& tree, const Vec3& p, size_t k, const OptionsOf<T>& options = {}) {
  return OnlyOne(KNearest(tree, std::span(&p, 1), k, options));
}
template <LargeTree T>
absl::StatusOr<bool> IsInside(const T& tree, const Vec3& p,
                              const OptionsOf<T>& options = {}) {
  return OnlyOne(IsInside(tree, std::span(&p, 1), options));
}

template <LargeTree T>
absl::StatusOr<bool> AnyOverlap(const T& tree, const Region& region,
                                const OptionsOf<T>& options = {}) {
  return OnlyOne(AnyOverlap(tree, Regions(std::span(&region, 1)), options));
}
template <LargeTree T>
absl::StatusOr<uint64_t> CountOverlaps(const T& tree, const Region& region,
                                       const OptionsOf<T>& options = {}) {
  return OnlyOne(CountOverlaps(tree, Regions(std::span(&region, 1)), options));
}
template <LargeTree T>
absl::StatusOr<std::vector<GlobalId>> AllOverlaps(
    const T& tree, const Region& region, const OptionsOf<T>& options = {}) {
  return OnlyOne(AllOverlaps(tree, Regions(std::span(&region, 1)), options));
}
template <std::same_as<ChunkedTree> T>
absl::Status VisitOverlaps(const T& tree, const Region& region,
                           absl::FunctionRef<Visit(GlobalId)> visitor,
                           const OptionsOf<T>& options = {}) {
  return VisitOverlaps(
      tree, Regions(std::span(&region, 1)),
      [&](size_t, GlobalId id) { return visitor(id); }, options);
}

// A query for hits: a ray or a moving ball.
template <typename Query>
concept HitQuery = std::same_as<Query, Ray> || std::same_as<Query, SweptSphere>;

template <LargeTree T, HitQuery Query>
absl::StatusOr<bool> AnyHit(const T& tree, const Query& query,
                            const OptionsOf<T>& options = {}) {
  return OnlyOne(AnyHit(tree, std::span(&query, 1), options));
}
template <LargeTree T, HitQuery Query>
absl::StatusOr<uint64_t> CountHits(const T& tree, const Query& query,
                                   const OptionsOf<T>& options = {}) {
  return OnlyOne(CountHits(tree, std::span(&query, 1), options));
}
template <LargeTree T, HitQuery Query>
auto ClosestHit(const T& tree, const Query& query,
                const OptionsOf<T>& options = {}) {
  return OnlyOne(ClosestHit(tree, std::span(&query, 1), options));
}
template <LargeTree T, HitQuery Query>
auto AllHits(const T& tree, const Query& query,
             const OptionsOf<T>& options = {}) {
  return OnlyOne(AllHits(tree, std::span(&query, 1), options));
}
template <std::same_as<ChunkedTree> T>
absl::Status VisitHits(const T& tree, const Ray& ray,
                       absl::FunctionRef<Visit(const GlobalRayHit&)> visitor,
                       const OptionsOf<T>& options = {}) {
  return VisitHits(
      tree, std::span(&ray, 1),
      [&](size_t, const GlobalRayHit& hit) { return visitor(hit); }, options);
}
template <std::same_as<ChunkedTree> T>
absl::Status VisitHits(const T& tree, const SweptSphere& ball,
                       absl::FunctionRef<Visit(const GlobalSweepHit&)> visitor,
                       const OptionsOf<T>& options = {}) {
  return VisitHits(
      tree, std::span(&ball, 1),
      [&](size_t, const GlobalSweepHit& hit) { return visitor(hit); }, options);
}

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_QUERIES_H_
