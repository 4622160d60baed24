// SPDX-License-Identifier: Apache-2.0

// Conservative tests of the boxes of chunks against queries: no chunk that
// contains a result is excluded. Private.
//
//   if (MayOverlap(region, box)) ...
//   Aabb moved = BoxAround(box, pose);
#ifndef ORBOX_BVH_LARGE_INTERNAL_BOX_REACH_H_
#define ORBOX_BVH_LARGE_INTERNAL_BOX_REACH_H_

#include "orbox/bvh/query/region.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Returns false only if no point of the box is in the region.
ORBOX_EXPORT bool MayOverlap(const Region& region, const Aabb& box);

// Returns a finite box that contains pose.Apply(p) for each p in the box.
Aabb BoxAround(const Aabb& box, const Pose& pose);

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_BOX_REACH_H_
