// SPDX-License-Identifier: Apache-2.0

// Spheres around a triangle: cheap volumes for structures of single triangles.
//
//   Sphere ball = CentroidSphere(triangle);
//   if (MayOverlap(ball, other_ball)) ...       // sphere_sphere.h
//
// Both spheres contain the triangle, also after rounding. The centroid sphere
// has its centre at the mean of the corners. It takes a few operations and one
// square root per corner. Its radius is at most 4 / 3 of the smallest one; that
// of a needle is close to this bound. The centre of the smallest sphere is the
// midpoint of the longest edge, or the circumcentre if no angle is obtuse. For
// leaves of a tree, boxes are better volumes (leaf_volumes). Pure and
// thread-safe. The paper by Larsson et al. does not use these spheres. The
// centroid sphere is described in "Collision detection", Wikipedia, section
// "Triangle centroid segments".
#ifndef ORBOX_OVERLAP_TRIANGLES_TRIANGLE_SPHERES_H_
#define ORBOX_OVERLAP_TRIANGLES_TRIANGLE_SPHERES_H_

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Both require corners in the range of models (shapes/range.h).
ORBOX_EXPORT Sphere CentroidSphere(const Triangle& t);
ORBOX_EXPORT Sphere SmallestSphere(const Triangle& t);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_TRIANGLE_SPHERES_H_
