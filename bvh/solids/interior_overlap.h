// SPDX-License-Identifier: Apache-2.0

// Tests whether the interiors of two solids have a common point. Solids without
// one only touch or are apart.
//
//   if (AnyInteriorOverlap(wall, slab)) ...          // they share volume
//   else if (AnyOverlap(wall, slab)) ...             // they touch
//
// Exact, without tolerance: exact arithmetic on the moved vertices decides, for
// all kinds of contact: coplanar faces, edges, vertices, one solid inside the
// other, equal solids. The inside of a mesh is that of inside.h. Meshes may
// intersect themselves, have several components and cavities, and face either
// way. An open mesh has no interior: the result is false. (A mesh that is
// closed after all but one of the triangles with equal corners are left out is
// not open.)
//
// After rounding in files and rotations, solids that are meant to touch overlap
// by some roundings or are apart. clash.h has a tolerance for them.
//
// Cost: O(n) to find the boundaries of the solids, and a tree for a solid that
// is moved. Beyond that, some tens of microseconds if the solids overlap by
// more than some roundings. Otherwise some tens of microseconds for each
// triangle that touches the other solid, more if coordinates have many digits.
// Has a form with run options (query_options.h). One thread. Thread-safe.
#ifndef ORBOX_BVH_SOLIDS_INTERIOR_OVERLAP_H_
#define ORBOX_BVH_SOLIDS_INTERIOR_OVERLAP_H_

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

ORBOX_EXPORT bool AnyInteriorOverlap(const PosedTree& a, const PosedTree& b,
                                     InsideRule inside = InsideRule::kWinding);
ORBOX_EXPORT absl::StatusOr<bool> AnyInteriorOverlap(const PosedTree& a,
                                                     const PosedTree& b,
                                                     InsideRule inside,
                                                     const RunOptions& options);

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERIOR_OVERLAP_H_
