// Do the interiors of two solids have a common point? Exactly: touching is told
// from overlapping.
//
//   bool overlap = AnyInteriorOverlap(a, b);   // false for cubes side by side
//
// The solid of a mesh is that of shared_region.h; its interior is what is
// inside, without the surface. So flush faces, and edges and corners that lie
// on the other surface, are no overlap by themselves, while a mesh and itself
// overlap. The answer is the one of exact arithmetic on the posed vertices,
// without any tolerance: solids that overlap by 1e-300 do. A mesh that is open
// has no interior.
//
// Options are those of query_options.h; one thread; `max_distance` has no
// effect as long as it is valid; false where it is cancelled. Cost: some tens
// of microseconds for most pairs; where surfaces lie on each other and no plane
// is between the solids, milliseconds for a hundred triangles that touch, since
// rational arithmetic decides. Thread-safe.
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
