// SPDX-License-Identifier: Apache-2.0

// What is left of a surface where another one does not cover it? Private: an
// open mesh that lies on a solid's faces is not deep in the solid, and this
// says so without a search.
//
//   BoxedTriangles rest = PartsAwayFrom(sheet, solid.boundary(), distance);
//
// A part is dropped only if all of it certainly is within `distance` of the
// cover, which has to be more than what is rounded: 2^-40 of coordinates. What
// is left may be within, too. Triangles are cut along the cover's, so that two
// coplanar ones cover what neither of them does. O(n) for each triangle near
// the cover.
#ifndef ORBOX_BVH_QUERY_INTERNAL_SHEET_COVER_H_
#define ORBOX_BVH_QUERY_INTERNAL_SHEET_COVER_H_

#include "orbox/bvh/query/internal/solid.h"

namespace orbox {

BoxedTriangles PartsAwayFrom(const BoxedTriangles& sheet,
                             const BoxedTriangles& cover, double distance);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_SHEET_COVER_H_
