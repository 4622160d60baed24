// SPDX-License-Identifier: Apache-2.0

// Conservative tests of the boxes of chunks against queries: no chunk that
// contains a result is excluded. Private.
//
//   if (MayOverlap(region, box)) ...
#ifndef ORBOX_BVH_LARGE_INTERNAL_BOX_REACH_H_
#define ORBOX_BVH_LARGE_INTERNAL_BOX_REACH_H_

#include "orbox/bvh/query/region.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Returns false only if no point of the box is in the region.
ORBOX_EXPORT bool MayOverlap(const Region& region, const Aabb& box);

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_BOX_REACH_H_
