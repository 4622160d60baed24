// SPDX-License-Identifier: Apache-2.0

// How far are the boxes of two posed meshes apart?
//
//   if (BoxGap(a, b) > distance) ...  // and so is everything in them
//
// Exact, as distances are, and free beside any search: it settles what lies
// side by side however small the gap. Private.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_BOX_GAP_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_BOX_GAP_H_

#include "orbox/bvh/posed/posed_tree.h"

namespace orbox {

// The gap along an axis, rounded to nearest: no distance between the meshes
// rounds to less. 0 where boxes meet, and where a pose mixes coordinates.
double BoxGap(const PosedTree& a, const PosedTree& b);

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_BOX_GAP_H_
