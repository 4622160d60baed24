// Are two meshes within d of each other, and which of their triangles are? The
// clearance check.
//
//   bool tight = MeshesWithin(a, b, 0.5);
//   for (const PairDistance& p : PairsWithin(a, b, 0.5)) report(p);
//
// Exact: a pair belongs to the answer if and only if the exact distance of its
// posed triangles is at most d, as a double. The distances reported are
// correctly rounded, and never above d. A negative or NaN d has no pairs;
// infinity has all. Thread-safe; allocates the result, and as much again to
// sort it.
#ifndef ORBOX_BVH_QUERY_MESH_WITHIN_H_
#define ORBOX_BVH_QUERY_MESH_WITHIN_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/mesh_overlap.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Stops at the first pair found.
ORBOX_EXPORT bool MeshesWithin(const PosedTree& a, const PosedTree& b,
                               double distance,
                               TraversalStatistics* statistics = nullptr);

// All pairs within `distance`, ascending by (a, b).
ORBOX_EXPORT std::vector<PairDistance> PairsWithin(
    const PosedTree& a, const PosedTree& b, double distance,
    TraversalStatistics* statistics = nullptr);

// The same pair by pair, in no particular order, until the visitor stops it:
// needs no memory, however many pairs there are.
using PairVisitor = absl::FunctionRef<Visit(const PairDistance& pair)>;
ORBOX_EXPORT void VisitPairsWithin(const PosedTree& a, const PosedTree& b,
                                   double distance, PairVisitor visitor,
                                   TraversalStatistics* statistics = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_MESH_WITHIN_H_
