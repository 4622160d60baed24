// SPDX-License-Identifier: Apache-2.0

// How far is a mesh from one that is thousands of times larger: a screw from
// the walls of its hall? Private.
//
//   if (const auto witness = ClosestOfSmallAndLarge(a, b, max_distance, s)) ...
//
// Seen from the large mesh, all of the small one is in one place as far as
// floats know, and a search of two trees comes to each of its triangles. So the
// large mesh is asked which of its triangles may be the closest to anything
// near the middle of the small one; each of these few lies behind a plane, and
// the small mesh is asked what of it is as near that plane as the closest pair
// so far. Near O(log n), and for each pair that is as close.
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

// The closest pair, of equals the lowest. Nothing where neither mesh is far
// smaller, where they are so near that they may meet, where many triangles are
// nearly as close, or where none is closer than `max_distance`: another search
// has to tell. The statistics count what was done all the same.
std::optional<Witness> ClosestOfSmallAndLarge(const PosedTree& a,
                                              const PosedTree& b,
                                              double max_distance,
                                              const Watch& watch);

// All pairs at `distance`, which that of the closest pair rounds to, ascending.
// Nothing where the above finds none.
std::optional<std::vector<TrianglePair>> PairsAtOfSmallAndLarge(
    const PosedTree& a, const PosedTree& b, double distance,
    const Watch& watch);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_SMALL_AND_LARGE_H_
