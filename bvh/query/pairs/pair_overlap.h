// SPDX-License-Identifier: Apache-2.0

// Overlap of two meshes, and the pairs of their triangles that overlap.
//
//   bool clash = AnyOverlap(a, b);
//   std::vector<TrianglePair> pairs = AllOverlaps(a, b);
//   absl::StatusOr<size_t> count = CountOverlaps(a, b, {.threads = 4});
//   if (!count.ok()) return count.status();
//   auto clashes = AnyOverlap(arm, poses, wall, {.threads = 0});  // a batch
//
// Two triangles overlap if they have a point in common; touching counts. Meshes
// are surfaces, not solids: one inside another does not overlap it
// (mesh_relation.h). The pairs are exact for the posed vertices.
//
// Each query has a form with run options (query_options.h). AllOverlaps and
// CountOverlaps may use many threads. Their search is divided into a few
// hundred tasks, which depend only on the trees. So results and statistics do
// not depend on the number of threads. Thread-safe. AllOverlaps allocates twice
// the size of the result, because it sorts the result.
#ifndef ORBOX_BVH_QUERY_PAIRS_PAIR_OVERLAP_H_
#define ORBOX_BVH_QUERY_PAIRS_PAIR_OVERLAP_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// Returns true if any two triangles overlap. Stops at the first pair found. One
// thread.
ORBOX_EXPORT bool AnyOverlap(const PosedTree& a, const PosedTree& b);
ORBOX_EXPORT absl::StatusOr<bool> AnyOverlap(const PosedTree& a,
                                             const PosedTree& b,
                                             const RunOptions& options);

ORBOX_EXPORT size_t CountOverlaps(const PosedTree& a, const PosedTree& b);
ORBOX_EXPORT absl::StatusOr<size_t> CountOverlaps(const PosedTree& a,
                                                  const PosedTree& b,
                                                  const RunOptions& options);

// Returns all pairs of triangles that overlap, ascending by (a, b).
ORBOX_EXPORT std::vector<TrianglePair> AllOverlaps(const PosedTree& a,
                                                   const PosedTree& b);
ORBOX_EXPORT absl::StatusOr<std::vector<TrianglePair>> AllOverlaps(
    const PosedTree& a, const PosedTree& b, const RunOptions& options);

// Calls `visitor` with each overlapping pair, in no particular order, until it
// returns kStop. Needs no memory, for any number of pairs. One thread.
using PairVisitor = absl::FunctionRef<Visit(const TrianglePair& pair)>;
ORBOX_EXPORT void VisitOverlaps(const PosedTree& a, const PosedTree& b,
                                PairVisitor visitor);
ORBOX_EXPORT absl::Status VisitOverlaps(const PosedTree& a, const PosedTree& b,
                                        PairVisitor visitor,
                                        const RunOptions& options);

// Batches: the query at each of many poses of `a`, for example along a robot's
// motion or in a random search. The result of each pose is that of its single
// query, in order. The poses are processed in an order in which consecutive
// positions of the mesh are near each other, so that queries share cached
// memory. Allocates the results, and 16 bytes per pose to sort them. Errors are
// those of query_options.h, and kInvalidArgument for a pose that
// PosedTree::Create refuses. The message contains the index of the first such
// pose. AnyOverlap returns 1 for poses at which the meshes overlap, else 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyOverlap(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    const RunOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<size_t>> CountOverlaps(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    const RunOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<TrianglePair>> AllOverlaps(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    const RunOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_PAIRS_PAIR_OVERLAP_H_
