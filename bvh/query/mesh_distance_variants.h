// The smallest distance of two meshes, asked in other ways than
// mesh_distance.h does: from a guess, with all ties, or to within an error.
//
//   MeshDistanceResult d = MeshDistance(a, b);
//   d = MeshDistanceFrom(a_moved, b, d.triangles);       // a warm start
//   std::vector<TrianglePair> ties = ClosestPairs(a, b);
//   BoundedDistance rough = MeshDistanceWithError(a, b, {.relative = 0.1});
//
// Thread-safe; allocates nothing but lists of results.
#ifndef ORBOX_BVH_QUERY_MESH_DISTANCE_VARIANTS_H_
#define ORBOX_BVH_QUERY_MESH_DISTANCE_VARIANTS_H_

#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/mesh_distance.h"
#include "orbox/bvh/query/mesh_overlap.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// The same answer as MeshDistance, to the last bit, sooner the closer the two
// triangles of `guess` are: the last answer where meshes move a little.
// Requires ids of the meshes.
ORBOX_EXPORT MeshDistanceResult
MeshDistanceFrom(const PosedTree& a, const PosedTree& b, TrianglePair guess,
                 TraversalStatistics* statistics = nullptr);

// All pairs whose distance, correctly rounded, is that of the meshes, ascending
// by (a, b): those that meet, where any do.
ORBOX_EXPORT std::vector<TrianglePair> ClosestPairs(
    const PosedTree& a, const PosedTree& b,
    TraversalStatistics* statistics = nullptr);

// How much more than the smallest distance will do: the larger of the two.
struct DistanceError {
  double relative = 0;  // of the smallest distance
  double absolute = 0;
};

struct BoundedDistance {
  // A pair of triangles and its distance, which is no less than that of the
  // meshes. Which one depends on the trees.
  MeshDistanceResult nearest;
  // The meshes are at least so far apart, and nearest.distance exceeds this by
  // no more than the error that was allowed.
  double lower = 0;
};

// Errors that are negative or NaN count as 0.
ORBOX_EXPORT BoundedDistance MeshDistanceWithError(
    const PosedTree& a, const PosedTree& b, const DistanceError& error,
    TraversalStatistics* statistics = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_MESH_DISTANCE_VARIANTS_H_
