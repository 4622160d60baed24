// SPDX-License-Identifier: Apache-2.0

// Between which two doubles does the exact distance of a mesh lie?
//
//   std::optional<SurfacePoint> hit = ClosestPoint(tree, p);
//   DistanceInterval d = BoundsOfDistance(tree, p, *hit);
//
//   Witness gap = *ClosestPair(a, b);
//   DistanceInterval e = BoundsOfDistance(a, b, gap);
//
// The largest double that does not exceed the distance and the smallest that is
// not below it, as overlap/triangles/distance_bounds.h has them for triangles:
// the same double twice where the distance is one, else two neighbours. It is
// that of the mesh, all of it, and not of the triangle reported: of triangles
// whose distances round alike, another one may be closer by less than rounding
// shows. So the bounds hold whichever triangle is closest, and depend on the
// shapes alone. Costs another query, with the distance as its limit, and exact
// arithmetic where the distance is a double. Thread-safe.
#ifndef ORBOX_BVH_QUERY_MESH_DISTANCE_BOUNDS_H_
#define ORBOX_BVH_QUERY_MESH_DISTANCE_BOUNDS_H_

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/closest_pair.h"
#include "orbox/bvh/query/closest_point.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/triangles/distance_bounds.h"

namespace orbox {

// `closest` is what ClosestPoint says of this point. A negative distance, of a
// SignedDistanceField, has negative bounds.
ORBOX_EXPORT DistanceInterval BoundsOfDistance(const Tree& tree, const Vec3& p,
                                               const SurfacePoint& closest);

// `closest` is what ClosestPair says of these meshes.
ORBOX_EXPORT DistanceInterval BoundsOfDistance(const PosedTree& a,
                                               const PosedTree& b,
                                               const Witness& closest);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_MESH_DISTANCE_BOUNDS_H_
