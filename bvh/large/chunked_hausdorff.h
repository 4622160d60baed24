// SPDX-License-Identifier: Apache-2.0

// Hausdorff distance of meshes in chunks (chunked_tree.h), and the deviations
// of their triangles.
//
//   absl::StatusOr<GlobalHausdorffResult> h =
//       HausdorffDistance(scan, plan, {.tolerance = 0.01}, {.threads = 4});
//   if (!h.ok()) return h.status();
//   if (h->upper < 0.1) ...                    // nowhere more than 0.1 away
//
// Results and options are those of query/deviation/hausdorff.h for these meshes
// in memory, with global ids. There is one exception: if a point of A is more
// than 64 diagonals of B away, other triangles at equal distances may be named,
// and the bounds may differ within the tolerance. Errors are those of
// hausdorff.h and of ChunkedTree::Load. Functions that take a PosedChunkedTree
// accept a ChunkedTree.
//
// Chunks of A are loaded once, and for each of them the chunks of B that may be
// near. If B is moved, its trees are rebuilt when a query needs them. Memory:
// the mapped trees, a batch of one chunk's corners, and 350 bytes for each
// triangle of A that is not decided by edges and the distances of corners; also
// twice the memory that hausdorff.h gives for max_parts.
#ifndef ORBOX_BVH_LARGE_CHUNKED_HAUSDORFF_H_
#define ORBOX_BVH_LARGE_CHUNKED_HAUSDORFF_H_

#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunk_tasks.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// The distance from A to B.
ORBOX_EXPORT absl::StatusOr<GlobalHausdorffResult> HausdorffDistance(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    const HausdorffLimits& limits = {}, const RunOptions& options = {});

// The distances both ways.
ORBOX_EXPORT absl::StatusOr<GlobalSymmetricHausdorffResult>
SymmetricHausdorffDistance(const PosedChunkedTree& a, const PosedChunkedTree& b,
                           const HausdorffLimits& limits = {},
                           const RunOptions& options = {});

// Returns the deviation of each triangle of A, in the order of their ids.
// Memory also: 24 bytes per triangle of A, and 150 bytes per vertex of one of
// its chunks.
ORBOX_EXPORT absl::StatusOr<std::vector<TriangleDeviation>> DeviationField(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    const HausdorffLimits& limits = {}, const RunOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_CHUNKED_HAUSDORFF_H_
