// SPDX-License-Identifier: Apache-2.0

// The questions of one mesh, asked of a chunked tree (chunked_tree.h): closest
// points, the k nearest triangles, ranges, rays, inside or outside.
//
//   absl::StatusOr<std::optional<GlobalSurfacePoint>> near =
//       ClosestPoint(scan, p);
//   if (!near.ok()) return near.status();
//   absl::StatusOr<Lists<uint64_t>> ids = AllOverlaps(scan, balls);
//   absl::StatusOr<bool> inside = IsInside(scan, p);
//
// Answers and options are those of query/closest_point.h, k_nearest.h,
// region_overlap.h, ray_hit.h and inside.h for the same mesh in memory, with
// global ids; ties go to the lowest id. (From a point more than 64 diagonals
// away, ClosestPoint reports any triangle of those at the same distance, and
// KNearest does so of the last ones as k_nearest.h says.)
// Errors are those of query_options.h and of ChunkedTree::Load.
//
// A batch loads a chunk at most twice, whatever its queries: ask many at once.
// Memory: what the trees map, and for each query a copy of it, some 40 bytes
// and an answer. Thread-safe.
#ifndef ORBOX_BVH_CHUNKED_CHUNKED_QUERIES_H_
#define ORBOX_BVH_CHUNKED_CHUNKED_QUERIES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/chunked/chunked_tree.h"
#include "orbox/bvh/chunked/global_ids.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/region.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Closest points (query/closest_point.h, k_nearest.h).
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

// Ranges (query/region_overlap.h).
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

// Where lists would be too large: calls `visitor` with the number of the region
// and the triangle's id, chunk by chunk, until it returns kStop. In one thread.
using GlobalRegionVisitor =
    absl::FunctionRef<Visit(size_t region, uint64_t triangle)>;
ORBOX_EXPORT absl::Status VisitOverlaps(const ChunkedTree& tree,
                                        const Regions& regions,
                                        GlobalRegionVisitor visitor,
                                        const QueryOptions& options = {});

// Rays (query/ray_hit.h).
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

// The same as for regions, with the number of the ray.
using GlobalRaysVisitor =
    absl::FunctionRef<Visit(size_t ray, const GlobalRayHit& hit)>;
ORBOX_EXPORT absl::Status VisitHits(const ChunkedTree& tree,
                                    std::span<const Ray> rays,
                                    GlobalRaysVisitor visitor,
                                    const QueryOptions& options = {});

// As IsClosed of a mesh (mesh/mesh.h). Loads each chunk once, twice where it is
// open; takes 56 bytes for each edge between chunks.
ORBOX_EXPORT absl::StatusOr<bool> IsClosed(const ChunkedTree& tree);

// As DoFacesAgree of a mesh (mesh/inside_rule.h). Costs as much as IsClosed,
// once: copies of the tree remember.
ORBOX_EXPORT absl::StatusOr<bool> DoFacesAgree(const ChunkedTree& tree);

// Tests whether points are inside a closed mesh (query/inside.h). Where a
// winding number is even and not 0, takes what DoFacesAgree does, once.
ORBOX_EXPORT absl::StatusOr<bool> IsInside(const ChunkedTree& tree,
                                           const Vec3& p,
                                           const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> IsInside(
    const ChunkedTree& tree, std::span<const Vec3> points,
    const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_CHUNKED_CHUNKED_QUERIES_H_
