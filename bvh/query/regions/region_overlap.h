// SPDX-License-Identifier: Apache-2.0

// Triangles that overlap a region: a ball, a box, an oriented box, or a convex
// set of half-spaces, such as a view frustum.
//
//   std::vector<uint32_t> ids = AllOverlaps(tree, Sphere{{0, 0, 1}, 0.1});
//   bool any = AnyOverlap(tree, Aabb{{0, 0, 0}, {1, 1, 1}});
//   any = AnyOverlap(PosedTree::Create(tree, pose).value(), ball);
//   VisitOverlaps(tree, Sphere{{0, 0, 1}, 0.1}, [&](uint32_t id) {
//     return id == 7 ? Visit::kStop : Visit::kContinue;
//   });
//   auto lists = AllOverlaps(tree, balls, {.threads = 4});  // a batch
//   if (!lists.ok()) return lists.status();
//
// The triangles are exact for the given coordinates. For a posed tree, they are
// exact for its vertices, moved and rounded once. A triangle that touches the
// region overlaps it. region.h defines valid regions.
//
// Each query has a form with run options (query_options.h). A batch has the
// results of its single queries, in order. Its errors are those of
// query_options.h, and kInvalidArgument for more than 2^32 - 1 regions.
//
// Cost: near O(log n + results), with and without a pose. For a ball and a pose
// that is not a similarity, a tree is built in place once (posed/posed_tree.h).
// A batch sorts its regions along a curve, so that neighbours share cached
// memory. Memory: the results, and a list of the half-spaces. A batch takes 16
// more bytes per region, and twice the memory of lists. Thread-safe.
#ifndef ORBOX_BVH_QUERY_REGIONS_REGION_OVERLAP_H_
#define ORBOX_BVH_QUERY_REGIONS_REGION_OVERLAP_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/region.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Returns true if any triangle overlaps the region. Stops at the first one
// found.
ORBOX_EXPORT bool AnyOverlap(TreeAtPose tree, const Region& region);
ORBOX_EXPORT absl::StatusOr<bool> AnyOverlap(TreeAtPose tree,
                                             const Region& region,
                                             const RunOptions& options);

// Returns the number of triangles that overlap the region.
ORBOX_EXPORT size_t CountOverlaps(TreeAtPose tree, const Region& region);
ORBOX_EXPORT absl::StatusOr<size_t> CountOverlaps(TreeAtPose tree,
                                                  const Region& region,
                                                  const RunOptions& options);

// Returns the ids of the triangles, ascending.
ORBOX_EXPORT std::vector<uint32_t> AllOverlaps(TreeAtPose tree,
                                               const Region& region);
ORBOX_EXPORT absl::StatusOr<std::vector<uint32_t>> AllOverlaps(
    TreeAtPose tree, const Region& region, const RunOptions& options);

// Calls `visitor` with each id, in no particular order, until it returns kStop.
using TriangleVisitor = absl::FunctionRef<Visit(uint32_t triangle)>;
ORBOX_EXPORT void VisitOverlaps(TreeAtPose tree, const Region& region,
                                TriangleVisitor visitor);
ORBOX_EXPORT absl::Status VisitOverlaps(TreeAtPose tree, const Region& region,
                                        TriangleVisitor visitor,
                                        const RunOptions& options);

// Order of ids. The order of the tree needs no sorting. It depends on the
// builder and on the kind of volumes, but not on the machine.
enum class IdOrder { kAscending, kOfTree };

// Appends the ids to `ids`, for callers that reuse the memory. If the query
// returns an error, `ids` is unchanged.
ORBOX_EXPORT void AppendOverlaps(TreeAtPose tree, const Region& region,
                                 std::vector<uint32_t>* ids,
                                 IdOrder order = IdOrder::kAscending);
ORBOX_EXPORT absl::Status AppendOverlaps(TreeAtPose tree, const Region& region,
                                         std::vector<uint32_t>* ids,
                                         IdOrder order,
                                         const RunOptions& options);

// Batches. AnyOverlap returns 1 for regions that any triangle overlaps, and 0
// for the others.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyOverlap(
    TreeAtPose tree, const Regions& regions, const RunOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<size_t>> CountOverlaps(
    TreeAtPose tree, const Regions& regions, const RunOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<uint32_t>> AllOverlaps(
    TreeAtPose tree, const Regions& regions, const RunOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_REGIONS_REGION_OVERLAP_H_
