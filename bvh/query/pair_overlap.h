// SPDX-License-Identifier: Apache-2.0

// Do two meshes overlap, and which of their triangles do?
//
//   bool clash = AnyOverlap(a, b);
//   std::vector<TrianglePair> pairs = AllOverlaps(a, b);
//   size_t count = CountOverlaps(a, b, {.threads = 4});
//   auto clashes = AnyOverlap(arm, poses, wall, {.threads = 0});  // a batch
//
// Two triangles overlap if they have a point in common; touching counts. Meshes
// are surfaces, not solids: one inside another does not overlap it
// (mesh_relation.h). Exact: the pairs are those that exact arithmetic on the
// posed vertices finds.
//
// Options are those of query_options.h. AllOverlaps and CountOverlaps may use
// many threads: the search is cut into some hundreds of parts, which depend on
// the trees alone, and answers and statistics are those of one thread.
// Thread-safe. AllOverlaps allocates the result, and as much again to sort it.
#ifndef ORBOX_BVH_QUERY_PAIR_OVERLAP_H_
#define ORBOX_BVH_QUERY_PAIR_OVERLAP_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// Stops at the first pair found. One thread.
ORBOX_EXPORT bool AnyOverlap(const PosedTree& a, const PosedTree& b,
                             const QueryOptions& options = {});

ORBOX_EXPORT size_t CountOverlaps(const PosedTree& a, const PosedTree& b,
                                  const QueryOptions& options = {});

// All pairs of triangles that overlap, ascending by (a, b).
ORBOX_EXPORT std::vector<TrianglePair> AllOverlaps(
    const PosedTree& a, const PosedTree& b, const QueryOptions& options = {});

// The same pair by pair, in no particular order, until the visitor stops it:
// needs no memory, however many pairs there are. One thread.
using PairVisitor = absl::FunctionRef<Visit(const TrianglePair& pair)>;
ORBOX_EXPORT void VisitOverlaps(const PosedTree& a, const PosedTree& b,
                                PairVisitor visitor,
                                const QueryOptions& options = {});

// The same at each of many poses of `a`: a robot's motion, a search, a Monte
// Carlo. Each pose has the answer that it has alone, at its own place. Poses
// are taken in an order in which the mesh is near where it was before, so that
// memory is shared. Costs the results, and 16 bytes a pose to sort them. Errors
// are those of query_options.h, and kInvalidArgument for a pose that
// PosedTree::Create refuses, the first of them by its number.
// 1 where the meshes overlap, and 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyOverlap(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<size_t>> CountOverlaps(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<TrianglePair>> AllOverlaps(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_PAIR_OVERLAP_H_
