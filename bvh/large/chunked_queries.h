// SPDX-License-Identifier: Apache-2.0

// Queries of one mesh, for a chunked tree (chunked_tree.h): closest points, the
// k nearest triangles, regions, rays, inside or outside.
//
//   absl::StatusOr<std::optional<GlobalSurfacePoint>> near =
//       ClosestPoint(scan, p);
//   if (!near.ok()) return near.status();
//   absl::StatusOr<Lists<uint64_t>> ids = AllOverlaps(scan, balls);
//   absl::StatusOr<bool> inside = IsInside(scan, p);
//
// Results and options are those of query/points/closest_point.h, k_nearest.h,
// region_overlap.h, ray_hit.h and inside.h for this mesh in memory, with global
// ids; ties go to the lowest id. There is one exception: from a point more than
// 64 diagonals away, ClosestPoint reports any triangle of those at equal
// distances. KNearest does so for the last ones, as k_nearest.h says; a chunk
// counts as a detail tree. Errors are those of query_options.h and of
// ChunkedTree::Load.
//
// A batch loads a chunk at most twice, for any queries, so large batches are
// cheaper. Memory: the mapped trees, and for each query a copy of it, some 40
// bytes and a result. Thread-safe.
#ifndef ORBOX_BVH_LARGE_CHUNKED_QUERIES_H_
#define ORBOX_BVH_LARGE_CHUNKED_QUERIES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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

namespace orbox {

// Closest points (query/points/closest_point.h, k_nearest.h).
ORBOX_EXPORT absl::StatusOr<std::optional<GlobalSurfacePoint>> ClosestPoint(
    const ChunkedTree& tree, const Vec3& p, const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<GlobalSurfacePoint>>>
ClosestPoint(const ChunkedTree& tree, std::span<const Vec3> points,
             const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalSurfacePoint>> KNearest(
    const ChunkedTree& tree, const Vec3& p, size_t k,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<GlobalSurfacePoint>> KNearest(
    const ChunkedTree& tree, std::span<const Vec3> points, size_t k,
    const QueryOptions& options = {});

// Regions (query/regions/region_overlap.h).
ORBOX_EXPORT absl::StatusOr<bool> AnyOverlap(const ChunkedTree& tree,
                                             const Region& region,
                                             const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<uint64_t> CountOverlaps(
    const ChunkedTree& tree, const Region& region,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<uint64_t>> AllOverlaps(
    const ChunkedTree& tree, const Region& region,
    const QueryOptions& options = {});
using GlobalTriangleVisitor = absl::FunctionRef<Visit(uint64_t triangle)>;
ORBOX_EXPORT absl::Status VisitOverlaps(const ChunkedTree& tree,
                                        const Region& region,
                                        GlobalTriangleVisitor visitor,
                                        const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyOverlap(
    const ChunkedTree& tree, const Regions& regions,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<uint64_t>> CountOverlaps(
    const ChunkedTree& tree, const Regions& regions,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<uint64_t>> AllOverlaps(
    const ChunkedTree& tree, const Regions& regions,
    const QueryOptions& options = {});

// For lists that would be too large: calls `visitor` with the index of the
// region and the triangle's id, chunk by chunk, until it returns kStop. In one
// thread.
using GlobalRegionVisitor =
    absl::FunctionRef<Visit(size_t region, uint64_t triangle)>;
ORBOX_EXPORT absl::Status VisitOverlaps(const ChunkedTree& tree,
                                        const Regions& regions,
                                        GlobalRegionVisitor visitor,
                                        const QueryOptions& options = {});

// Rays (query/rays/ray_hit.h).
ORBOX_EXPORT absl::StatusOr<bool> AnyHit(const ChunkedTree& tree,
                                         const Ray& ray,
                                         const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<uint64_t> CountHits(
    const ChunkedTree& tree, const Ray& ray, const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::optional<GlobalRayHit>> ClosestHit(
    const ChunkedTree& tree, const Ray& ray, const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalRayHit>> AllHits(
    const ChunkedTree& tree, const Ray& ray, const QueryOptions& options = {});
using GlobalRayHitVisitor = absl::FunctionRef<Visit(const GlobalRayHit& hit)>;
ORBOX_EXPORT absl::Status VisitHits(const ChunkedTree& tree, const Ray& ray,
                                    GlobalRayHitVisitor visitor,
                                    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyHit(
    const ChunkedTree& tree, std::span<const Ray> rays,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<uint64_t>> CountHits(
    const ChunkedTree& tree, std::span<const Ray> rays,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<GlobalRayHit>>>
ClosestHit(const ChunkedTree& tree, std::span<const Ray> rays,
           const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<GlobalRayHit>> AllHits(
    const ChunkedTree& tree, std::span<const Ray> rays,
    const QueryOptions& options = {});

// Calls `visitor` with the index of the ray and the hit, chunk by chunk, until
// it returns kStop. In one thread.
using GlobalRaysVisitor =
    absl::FunctionRef<Visit(size_t ray, const GlobalRayHit& hit)>;
ORBOX_EXPORT absl::Status VisitHits(const ChunkedTree& tree,
                                    std::span<const Ray> rays,
                                    GlobalRaysVisitor visitor,
                                    const QueryOptions& options = {});

// Returns the result of IsClosed for a mesh (mesh/mesh.h). Loads each chunk
// once, and twice if the mesh is open. Takes 56 bytes for each edge between
// chunks.
ORBOX_EXPORT absl::StatusOr<bool> IsClosed(const ChunkedTree& tree);

// Returns the result of DoFacesAgree for a mesh (mesh/inside_rule.h). Costs as
// much as IsClosed, once: copies of the tree share the result.
ORBOX_EXPORT absl::StatusOr<bool> DoFacesAgree(const ChunkedTree& tree);

// Tests whether points are inside a closed mesh (query/inside/inside.h). If a
// winding number is even and not 0, costs as much as DoFacesAgree, once.
ORBOX_EXPORT absl::StatusOr<bool> IsInside(const ChunkedTree& tree,
                                           const Vec3& p,
                                           const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> IsInside(
    const ChunkedTree& tree, std::span<const Vec3> points,
    const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_CHUNKED_QUERIES_H_
