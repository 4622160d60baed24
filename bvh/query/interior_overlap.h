// SPDX-License-Identifier: Apache-2.0

// Do two solids overlap, or do they only touch: have their interiors a common
// point?
//
//   if (AnyInteriorOverlap(wall, slab)) ...          // they share volume
//   else if (AnyOverlap(wall, slab)) ...             // they touch
//
// Exact, without tolerance: decided by exact arithmetic on the moved vertices,
// however the solids touch: along coplanar faces, by edges or by vertices; one
// inside the other, or both the same. The solid of a mesh is that of
// shared_region.h; meshes may intersect themselves, have several parts and
// cavities, and face either way. A mesh that is open has no interior: false.
//
// On coordinates that went through files and rotations, solids that are meant
// to touch overlap by some roundings, or are apart; clash.h asks with a
// tolerance.
//
// Cost: O(n) to find out what bounds the solids, and a tree for one that is
// moved. Where they overlap by more than some roundings, some tens of
// microseconds beyond that; else some tens of microseconds, and more where
// coordinates have many digits, for each triangle that touches the other
// solid. Options are those of query_options.h; one thread; `max_distance` has
// no effect as long as it is valid. Thread-safe.
#ifndef ORBOX_BVH_QUERY_INTERIOR_OVERLAP_H_
#define ORBOX_BVH_QUERY_INTERIOR_OVERLAP_H_

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

ORBOX_EXPORT bool AnyInteriorOverlap(const PosedTree& a, const PosedTree& b,
                                     const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERIOR_OVERLAP_H_
