// SPDX-License-Identifier: Apache-2.0

// Bounds of the volume that two solids share. Private.
//
//   MeasureBounds volume = SearchVolume(pair, {.relative = 0.01}, run);
//
// Branch and bound over boxes; the box with the widest bounds comes first.
// Within a box, a solid is between two half-spaces: two planes, along the
// normal of a face, enclose the surface, and beyond them is inside or outside.
// So a box is exact if each surface in it is a single plane. The bounds of a
// curved surface shrink with the square of the box.
#ifndef ORBOX_BVH_SOLIDS_INTERNAL_VOLUME_SEARCH_H_
#define ORBOX_BVH_SOLIDS_INTERNAL_VOLUME_SEARCH_H_

#include "orbox/bvh/solids/internal/region_pair.h"
#include "orbox/bvh/solids/shared_region.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {

MeasureBounds SearchVolume(const RegionPair& pair, const MeasureError& error,
                           const Execution& run);

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERNAL_VOLUME_SEARCH_H_
