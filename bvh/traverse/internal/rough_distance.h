// SPDX-License-Identifier: Apache-2.0

// A lower bound of the distance of two meshes, computed only from the volumes
// of their trees. Private.
//
//   const double apart = RoughDistance(a, b, within, reach, watch);
//   if (apart > within) ...            // certainly not within
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_ROUGH_DISTANCE_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_ROUGH_DISTANCE_H_

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"

namespace orbox {

// Returns a lower bound of the distance of the meshes, but at most `reach`.
// Returns `within` if leaves are within `within` of each other, or may be.
// Otherwise, the bound is at least 0.6 of the distance minus the size of
// leaves. If a tree has detail trees, returns `within` for any distance up to
// `reach`. Requires 0 <= within <= reach.
double RoughDistance(const PosedTree& a, const PosedTree& b, double within,
                     double reach, const Watch& watch);

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_ROUGH_DISTANCE_H_
