// SPDX-License-Identifier: Apache-2.0

// Distance of a mesh from one that is thousands of times larger, such as a
// screw from the walls of its hall. Private.
//
//   if (const auto witness = ClosestOfSmallAndLarge(a, b, max_distance, s)) ...
//
// In the large mesh's floats, all of the small mesh is at one place, so a
// search of two trees visits each of its triangles. Instead, the large mesh is
// searched for the triangles that may be the closest to anything near the
// middle of the small mesh. Each of these few is behind a plane. Then the small
// mesh is searched for the triangles that are as near that plane as the closest
// pair so far. Near O(log n), and for each pair that is as close.
#ifndef ORBOX_BVH_QUERY_INTERNAL_SMALL_AND_LARGE_H_
#define ORBOX_BVH_QUERY_INTERNAL_SMALL_AND_LARGE_H_

#include <optional>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/posed/witness.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"

namespace orbox {

// Returns the closest pair, the lowest among equals. Returns nothing if another
// search has to decide: if neither mesh is far smaller, if they are so near
// that they may overlap, if many triangles are nearly as close, or if none is
// closer than `max_distance`. The statistics count the work in any case.
std::optional<Witness> ClosestOfSmallAndLarge(const PosedTree& a,
                                              const PosedTree& b,
                                              double max_distance,
                                              const Watch& watch);

// Returns all pairs at `distance`, ascending. Requires that the distance of the
// closest pair rounds to `distance`. Returns nothing if ClosestOfSmallAndLarge
// does.
std::optional<std::vector<TrianglePair>> PairsAtOfSmallAndLarge(
    const PosedTree& a, const PosedTree& b, double distance,
    const Watch& watch);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_SMALL_AND_LARGE_H_
