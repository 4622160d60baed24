// How far are two meshes apart, and where are they closest?
//
//   MeshDistanceResult d = MeshDistance(a, b);
//   Segment gap{d.on_a, d.on_b};
//
// The distance is the exact one, correctly rounded, and 0 if and only if the
// surfaces meet (mesh_overlap.h); the witness points lie on triangles a and b.
// Of pairs at the same distance the lowest (a, b) is reported. Thread-safe;
// allocates a list of what is left to visit.
#ifndef ORBOX_BVH_QUERY_MESH_DISTANCE_H_
#define ORBOX_BVH_QUERY_MESH_DISTANCE_H_

#include <limits>
#include <optional>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/witness.h"
#include "orbox/bvh/query/mesh_overlap.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

using MeshDistanceResult = Witness;

ORBOX_EXPORT MeshDistanceResult
MeshDistance(const PosedTree& a, const PosedTree& b,
             TraversalStatistics* statistics = nullptr);

// Nothing where the meshes are further apart than `max_distance`: exactly, so
// that a distance which only rounds to it is too far. Nor where that is
// negative or NaN.
ORBOX_EXPORT std::optional<MeshDistanceResult> MeshDistanceWithin(
    const PosedTree& a, const PosedTree& b, double max_distance,
    TraversalStatistics* statistics = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_MESH_DISTANCE_H_
