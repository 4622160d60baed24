// SPDX-License-Identifier: Apache-2.0

// Distance of a mesh from one that is thousands of times larger, such as a
// screw from the walls of its hall. Private.
//
//   if (const auto witness = ClosestOfSmallAndLarge(a, b, max_distance, s)) ...
//
// In the large tree's space, floats are too coarse for the small mesh, so the
// loop over two trees would visit each of its triangles. Two searches replace
// this loop. The first finds the few triangles of the large mesh that may be
// closest to any point of the small one, by their distance from its middle. For
// each triangle found, the second finds the triangles of the small mesh that
// are near enough to a plane in front of it. Near O(log n), plus a step for
// each pair that is about as close as the closest.
#ifndef ORBOX_BVH_QUERY_PAIRS_INTERNAL_SMALL_AND_LARGE_H_
#define ORBOX_BVH_QUERY_PAIRS_INTERNAL_SMALL_AND_LARGE_H_

#include <optional>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/posed/witness.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"

namespace orbox {

// Returns the closest pair, and the lowest one among ties. Returns nothing if
// another search has to decide. This is the case if neither mesh is far
// smaller, if the meshes may overlap, if many triangles are nearly as close, or
// if none is closer than `max_distance`. The statistics count the work in any
// case.
std::optional<Witness> ClosestOfSmallAndLarge(const PosedTree& a,
                                              const PosedTree& b,
                                              double max_distance,
                                              const Watch& watch);

// Returns all pairs at `distance`, ascending. Requires that the distance of the
// closest pair rounds to `distance`. Returns nothing in the cases of
// ClosestOfSmallAndLarge.
std::optional<std::vector<TrianglePair>> PairsAtOfSmallAndLarge(
    const PosedTree& a, const PosedTree& b, double distance,
    const Watch& watch);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_PAIRS_INTERNAL_SMALL_AND_LARGE_H_
