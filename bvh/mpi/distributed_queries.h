// SPDX-License-Identifier: Apache-2.0

// Queries of one mesh, by all ranks of a tree that they share.
//
//   absl::StatusOr<DistributedTree> scan =
//       DistributedTree::Open(ranks, "scan.orboxd");
//   auto near = ClosestPoint(*scan, points);   // of this rank's own points
//   if (!near.ok()) return near.status();
//   auto lists = AllOverlaps(*scan, balls, {.memory = size_t{1} << 28});
//
// Each rank passes its own queries, some or none, and gets their results, in
// the order of its queries. They are those of large/chunked_queries.h, to the
// bit, for any number of ranks. Collective; distributed_tree.h explains this
// and lists the errors.
//
// Ranks share the visits of queries to chunks evenly, independent of the owners
// of the chunks; only visitors are called by owners. Closest points and first
// hits visit the nearest chunk first. Then they visit the nearest of the other
// chunks within the bound found so far, three times, and then all that are
// left. Costs a test of a box for each chunk and query; five exchanges per
// round, or one; a message for each pair of ranks in each exchange; and the sum
// of a table of chunks.
#ifndef ORBOX_BVH_MPI_DISTRIBUTED_QUERIES_H_
#define ORBOX_BVH_MPI_DISTRIBUTED_QUERIES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/region.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Closest points (query/points/closest_point.h, k_nearest.h). Requires equal
// `k` on all ranks.
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<GlobalSurfacePoint>>>
ClosestPoint(const DistributedTree& tree, std::span<const Vec3> own_points,
             const DistributedOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<GlobalSurfacePoint>> KNearest(
    const DistributedTree& tree, std::span<const Vec3> own_points, size_t k,
    const DistributedOptions& options = {});

// Regions (query/regions/region_overlap.h).
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyOverlap(
    const DistributedTree& tree, const Regions& own_regions,
    const DistributedOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<uint64_t>> CountOverlaps(
    const DistributedTree& tree, const Regions& own_regions,
    const DistributedOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<uint64_t>> AllOverlaps(
    const DistributedTree& tree, const Regions& own_regions,
    const DistributedOptions& options = {});

// For lists that would be too large: calls `own_visitor` on the rank that owns
// the triangles. Its arguments are the rank of the query, the index of the
// region on that rank, and the triangle's id. In no particular order.
using RegionVisitor =
    absl::FunctionRef<void(int rank, uint64_t region, uint64_t triangle)>;
ORBOX_EXPORT absl::Status VisitOverlaps(const DistributedTree& tree,
                                        const Regions& own_regions,
                                        RegionVisitor own_visitor,
                                        const DistributedOptions& options = {});

// Rays (query/rays/ray_hit.h).
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyHit(
    const DistributedTree& tree, std::span<const Ray> own_rays,
    const DistributedOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<uint64_t>> CountHits(
    const DistributedTree& tree, std::span<const Ray> own_rays,
    const DistributedOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<GlobalRayHit>>>
ClosestHit(const DistributedTree& tree, std::span<const Ray> own_rays,
           const DistributedOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<GlobalRayHit>> AllHits(
    const DistributedTree& tree, std::span<const Ray> own_rays,
    const DistributedOptions& options = {});

// The arguments of the visitor are the rank of the query, the index of the ray
// on that rank, and the hit.
using RayVisitor =
    absl::FunctionRef<void(int rank, uint64_t ray, const GlobalRayHit& hit)>;
ORBOX_EXPORT absl::Status VisitHits(const DistributedTree& tree,
                                    std::span<const Ray> own_rays,
                                    RayVisitor own_visitor,
                                    const DistributedOptions& options = {});

// Inside or outside of a closed mesh (query/inside/inside.h): 1 or 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> IsInside(
    const DistributedTree& tree, std::span<const Vec3> own_points,
    const DistributedOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_DISTRIBUTED_QUERIES_H_
