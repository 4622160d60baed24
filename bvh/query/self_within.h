// Which triangles of a mesh are within d of each other, though they are no
// neighbours? Cloth against itself, wall thickness, folds about to touch.
//
//   bool tight = SelfWithin(tree, 0.5);
//   for (const PairDistance& p : SelfPairsWithin(tree, 0.5)) ...   // a < b
//
// A pair belongs to the answer if and only if its triangles share no corner
// (self_intersection.h says when a corner is shared) and their exact distance
// is at most d, as a double. So at a distance of 0 the pairs are the
// intersections of triangles without a common corner. Triangles two edges away
// from each other on one surface count, where d is longer than an edge.
// Distances are correctly rounded, and never above d. A negative or NaN d has
// no pairs. Near O(n + pairs). Thread-safe; allocates the result only.
#ifndef ORBOX_BVH_QUERY_SELF_WITHIN_H_
#define ORBOX_BVH_QUERY_SELF_WITHIN_H_

#include <vector>

#include "orbox/bvh/query/mesh_within.h"
#include "orbox/bvh/query/self_intersection.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Stops at the first pair found.
ORBOX_EXPORT bool SelfWithin(const Tree& tree, double distance,
                             SharedCorners shared = SharedCorners::kByPosition,
                             TraversalStatistics* statistics = nullptr);

// All pairs with a < b, ascending by (a, b).
ORBOX_EXPORT std::vector<PairDistance> SelfPairsWithin(
    const Tree& tree, double distance,
    SharedCorners shared = SharedCorners::kByPosition,
    TraversalStatistics* statistics = nullptr);

// The same pair by pair, each once with a < b, in no particular order, until
// the visitor stops it.
ORBOX_EXPORT void VisitSelfPairsWithin(
    const Tree& tree, double distance, PairVisitor visitor,
    SharedCorners shared = SharedCorners::kByPosition,
    TraversalStatistics* statistics = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_SELF_WITHIN_H_
