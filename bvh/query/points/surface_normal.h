// SPDX-License-Identifier: Apache-2.0

// Barycentric weights and normals at points of a surface: at closest points, at
// hits of rays and at contacts of moving balls.
//
//   std::optional<SurfacePoint> near = ClosestPoint(tree, p);
//   const Vec3 weights = BarycentricAt(tree, near->triangle, near->point);
//   const Vec3 flat = TriangleNormal(tree, near->triangle);
//   const Vec3 smooth = FeatureNormal(tree, near->triangle, weights);
//
// The functions take results of queries of the tree at its pose, and refer to
// its moved vertices. Normals have unit length and point to the front of the
// surface, the side from which the corners of the mesh's triangles are
// counterclockwise. That is the outside of a closed mesh that faces outward, at
// any pose: a pose that mirrors keeps the front.
//
// All require triangle < tree.tree().mesh().triangle_count(); otherwise they
// end the program with a message. Thread-safe.
#ifndef ORBOX_BVH_QUERY_POINTS_SURFACE_NORMAL_H_
#define ORBOX_BVH_QUERY_POINTS_SURFACE_NORMAL_H_

#include <cstdint>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Returns the weights of the corners at `point` of the triangle. They are not
// negative, and their sum is 1 up to rounding. Points of results are rounded.
// So a point counts as on an edge or a corner if its distance from it is at
// most 2^-46 of the largest coordinate of the corners. The other weights are
// then 0. RayHit has weights of its own, which are more precise.
ORBOX_EXPORT Vec3 BarycentricAt(TreeAtPose tree, uint32_t triangle,
                                const Vec3& point);

// Returns the unit normal of a triangle, and 0 if its area is exactly 0. The
// error of each coordinate is at most 2^-48, for needles too. About a
// microsecond.
ORBOX_EXPORT Vec3 TriangleNormal(TreeAtPose tree, uint32_t triangle);

// Returns the unit normal at the point with these weights: that of the vertex,
// edge or face spanned by the corners whose weights are not 0. If this point is
// the closest one to a point p, then p is in front of the surface if the vector
// from this point to p has a positive product with the normal (Baerentzen and
// Aanaes, "Signed distance computation using the angle weighted pseudonormal",
// 2005).
//
// The normal of an edge is the mean of the normals of its triangles. That of a
// vertex is weighted by the angles of the triangles there; its last bits depend
// on the platform's atan2. Vertices with equal coordinates count as one. A mean
// shorter than 2^-40, because normals cancel or all triangles are degenerate,
// has no direction: the result is 0. The shorter another mean is, the larger is
// the error. Finds the triangles at the point with a query. Costs O(log n + the
// number of these triangles).
ORBOX_EXPORT Vec3 FeatureNormal(TreeAtPose tree, uint32_t triangle,
                                const Vec3& weights);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_POINTS_SURFACE_NORMAL_H_
