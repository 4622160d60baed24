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

#include <compare>
#include <cstdint>
#include <vector>

#include "orbox/bvh/query/posed_tree.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/export.h"

namespace orbox {

// A triangle of the first mesh and one of the second.
struct TrianglePair {
  uint32_t a = 0;
  uint32_t b = 0;

  friend auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

// Stops at the first pair found.
ORBOX_EXPORT bool MeshesOverlap(const PosedTree& a, const PosedTree& b,
                                TraversalStatistics* statistics = nullptr);

// All pairs of triangles that meet, ascending by (a, b).
ORBOX_EXPORT std::vector<TrianglePair> OverlappingPairs(
    const PosedTree& a, const PosedTree& b,
    TraversalStatistics* statistics = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_MESH_OVERLAP_H_
