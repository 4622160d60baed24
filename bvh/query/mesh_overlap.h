// Do two meshes meet, and which of their triangles do?
//
//   bool clash = MeshesOverlap(a, b);
//   std::vector<TrianglePair> pairs = OverlappingPairs(a, b);
//
// Surfaces, not solids: a mesh wholly inside another does not meet it. Exact:
// the pairs are those that exact arithmetic on the posed vertices finds,
// touching included. Thread-safe; allocates the result, and as much again
// to sort it.
#ifndef ORBOX_BVH_QUERY_MESH_OVERLAP_H_
#define ORBOX_BVH_QUERY_MESH_OVERLAP_H_

#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Stops at the first pair found.
ORBOX_EXPORT bool MeshesOverlap(const PosedTree& a, const PosedTree& b,
                                TraversalStatistics* statistics = nullptr);

// All pairs of triangles that meet, ascending by (a, b).
ORBOX_EXPORT std::vector<TrianglePair> OverlappingPairs(
    const PosedTree& a, const PosedTree& b,
    TraversalStatistics* statistics = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_MESH_OVERLAP_H_
