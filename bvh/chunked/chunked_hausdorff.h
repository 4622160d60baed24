// SPDX-License-Identifier: Apache-2.0

// The Hausdorff distance of meshes that are kept in chunks (chunked_tree.h),
// and the deviations of their triangles.
//
//   absl::StatusOr<GlobalHausdorffResult> h =
//       HausdorffDistance(scan, plan, {.tolerance = 0.01, .threads = 4});
//   if (!h.ok()) return h.status();
//   if (h->upper < 0.1) ...                    // nowhere more than 0.1 away
//
// Answers and options are those of query/hausdorff.h for the same meshes in
// memory, with global ids. (Where a point of A is more than 64 diagonals of B
// away, the triangles that are named may be others at the same distance, and
// with them the bounds within the tolerance.) Errors are those of hausdorff.h,
// and of ChunkedTree::Load. A ChunkedTree serves where a
// PosedChunkedTree is asked for.
//
// Chunks of A are loaded once, and for each of them those of B that concern it;
// where B is moved, its trees are built anew where a query comes to them.
// Memory: what the trees map, a batch of one chunk's corners, 350 bytes for a
// triangle of A that edges and distances of corners do not settle, and what
// hausdorff.h says of max_parts, twice.
#ifndef ORBOX_BVH_CHUNKED_CHUNKED_HAUSDORFF_H_
#define ORBOX_BVH_CHUNKED_CHUNKED_HAUSDORFF_H_

#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/chunked/chunk_tasks.h"
#include "orbox/bvh/chunked/global_ids.h"
#include "orbox/bvh/query/hausdorff.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// From A to B.
ORBOX_EXPORT absl::StatusOr<GlobalHausdorffResult> HausdorffDistance(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    const HausdorffOptions& options = {});

// Both ways.
ORBOX_EXPORT absl::StatusOr<GlobalSymmetricHausdorffResult>
SymmetricHausdorffDistance(const PosedChunkedTree& a, const PosedChunkedTree& b,
                           const HausdorffOptions& options = {});

// The deviation of each triangle of A, in the order of their ids. Memory also:
// 24 bytes a triangle of A, and 150 bytes a vertex of one of its chunks.
ORBOX_EXPORT absl::StatusOr<std::vector<TriangleDeviation>> DeviationField(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    const HausdorffOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_CHUNKED_CHUNKED_HAUSDORFF_H_
