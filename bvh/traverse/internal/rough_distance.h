// SPDX-License-Identifier: Apache-2.0

// A lower bound of the distance of two meshes, by the volumes of their trees
// alone. Private.
//
//   const double apart = RoughDistance(a, b, within, reach, watch);
//   if (apart > within) ...            // for now, nothing is within
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_ROUGH_DISTANCE_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_ROUGH_DISTANCE_H_

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"

namespace orbox {

// Lower bound of the distance of the meshes if it is less than `reach`,
// otherwise `reach`. Returns `within` if leaves are within `within`, or may be.
// Lower than the distance by the leaves' size and by a quarter at most.
// Requires 0 <= within <= reach.
double RoughDistance(const PosedTree& a, const PosedTree& b, double within,
                     double reach, const Watch& watch);

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_ROUGH_DISTANCE_H_
