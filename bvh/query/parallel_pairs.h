// All pairs of one question, on all cores.
//
//   auto pairs = ParallelOverlappingPairs(a, b, {.threads = 4});
//   if (!pairs.ok()) return pairs.status();   // cancelled, or bad options
//
// For two meshes of which there is much to tell; for many poses of small ones,
// pose_batch.h. The traversal is cut into some hundreds of parts, which depend
// on the trees alone: the answers are those of one thread, in the same order,
// and so are the statistics. Costs the results twice. Thread-safe.
#ifndef ORBOX_BVH_QUERY_PARALLEL_PAIRS_H_
#define ORBOX_BVH_QUERY_PARALLEL_PAIRS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/batch_options.h"
#include "orbox/bvh/query/mesh_overlap.h"
#include "orbox/bvh/query/mesh_within.h"
#include "orbox/bvh/query/self_intersection.h"
#include "orbox/bvh/query/self_within.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Errors of all: those of batches (batch.h).

// As OverlappingPairs.
ORBOX_EXPORT absl::StatusOr<std::vector<TrianglePair>> ParallelOverlappingPairs(
    const PosedTree& a, const PosedTree& b, const BatchOptions& options = {},
    TraversalStatistics* statistics = nullptr);

// As PairsWithin.
ORBOX_EXPORT absl::StatusOr<std::vector<PairDistance>> ParallelPairsWithin(
    const PosedTree& a, const PosedTree& b, double distance,
    const BatchOptions& options = {},
    TraversalStatistics* statistics = nullptr);

// As SelfIntersections.
ORBOX_EXPORT absl::StatusOr<std::vector<TrianglePair>>
ParallelSelfIntersections(const Tree& tree,
                          SharedCorners shared = SharedCorners::kByPosition,
                          const BatchOptions& options = {},
                          TraversalStatistics* statistics = nullptr);

// As SelfPairsWithin.
ORBOX_EXPORT absl::StatusOr<std::vector<PairDistance>> ParallelSelfPairsWithin(
    const Tree& tree, double distance,
    SharedCorners shared = SharedCorners::kByPosition,
    const BatchOptions& options = {},
    TraversalStatistics* statistics = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_PARALLEL_PAIRS_H_
