// SPDX-License-Identifier: Apache-2.0

// Tests whether the interiors of two solids have a common point: whether they
// overlap, or only touch or are apart.
//
//   if (AnyInteriorOverlap(wall, slab)) ...          // they share volume
//   else if (AnyOverlap(wall, slab)) ...             // they touch
//
// Exact, without tolerance: exact arithmetic on the moved vertices decides,
// however the solids touch: along coplanar faces, by edges or by vertices; one
// inside the other, or both alike. The inside of a mesh is that of inside.h;
// meshes may intersect themselves, have several parts and cavities, and face
// either way. An open mesh has no interior: false. (A mesh that is closed once
// all but one of the triangles with equal corners are left out is not open.)
//
// On coordinates that went through files and rotations, solids that are meant
// to touch overlap by some roundings, or are apart; clash.h has a tolerance.
//
// Cost: O(n) to find out what bounds the solids, and a tree for one that is
// moved. Where they overlap by more than some roundings, some tens of
// microseconds beyond that; else some tens of microseconds, and more where
// coordinates have many digits, for each triangle that touches the other
// solid. Options are those of query_options.h; one thread; `max_distance` has
// no effect as long as it is valid. Thread-safe.
#ifndef ORBOX_BVH_SOLIDS_INTERIOR_OVERLAP_H_
#define ORBOX_BVH_SOLIDS_INTERIOR_OVERLAP_H_

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

ORBOX_EXPORT bool AnyInteriorOverlap(const PosedTree& a, const PosedTree& b,
                                     const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERIOR_OVERLAP_H_
