// SPDX-License-Identifier: Apache-2.0

// Distance of the boxes of two posed meshes along an axis.
//
//   if (BoxGap(a, b) > distance) ...  // all points in them are further apart
//
// Exact like distances, and much cheaper than any search. Decides for
// meshes whose boxes are next to each other, with any gap. Private.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_BOX_GAP_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_BOX_GAP_H_

#include "orbox/bvh/posed/posed_tree.h"

namespace orbox {

// Returns the largest gap along an axis, rounded to nearest. No distance
// between the meshes rounds to less. 0 if the boxes overlap, and if a pose
// mixes coordinates.
double BoxGap(const PosedTree& a, const PosedTree& b);

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_BOX_GAP_H_
