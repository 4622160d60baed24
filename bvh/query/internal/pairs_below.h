// All pairs of triangles below given subtrees, in no particular order: the part
// of a query that one thread does. Private.
//
//   PairParts parts(a, b, distance, statistics);
//   for (const SubtreePair& below : ...) {        // in any order, on any
//   thread
//     PairsWithinBelow(a, b, distance, below, &pairs, statistics);
//   }
#ifndef ORBOX_BVH_QUERY_INTERNAL_PAIRS_BELOW_H_
#define ORBOX_BVH_QUERY_INTERNAL_PAIRS_BELOW_H_

#include <optional>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/mesh_overlap.h"
#include "orbox/bvh/query/mesh_within.h"
#include "orbox/bvh/query/self_intersection.h"
#include "orbox/bvh/traverse/internal/subtree_pair.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

// The pair that answers MeshesOverlap; which one depends on the trees.
std::optional<TrianglePair> FirstOverlappingPair(
    const PosedTree& a, const PosedTree& b, TraversalStatistics* statistics);

void OverlappingPairsBelow(const PosedTree& a, const PosedTree& b,
                           const SubtreePair& below,
                           std::vector<TrianglePair>* pairs,
                           TraversalStatistics* statistics);

void PairsWithinBelow(const PosedTree& a, const PosedTree& b, double distance,
                      const SubtreePair& below,
                      std::vector<PairDistance>* pairs,
                      TraversalStatistics* statistics);

void SelfIntersectionsOf(const Tree& tree, SharedCorners shared,
                         const SelfPart& part, std::vector<TrianglePair>* pairs,
                         TraversalStatistics* statistics);

void SelfPairsWithinOf(const Tree& tree, double distance, SharedCorners shared,
                       const SelfPart& part, std::vector<PairDistance>* pairs,
                       TraversalStatistics* statistics);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_PAIRS_BELOW_H_
