// SPDX-License-Identifier: Apache-2.0

// Spheres around a triangle: cheap volumes for structures of single triangles.
//
//   Sphere ball = CentroidSphere(triangle);
//   if (MayOverlap(ball, other_ball)) ...       // sphere_sphere.h
//
// Both spheres contain the triangle despite rounding. The radius is infinite if
// it is above the range of double. The centroid sphere, about the mean of the
// corners, takes a few operations and one square root per corner. It is up to 2
// / sqrt(3) times as large as necessary (4 / 3 for a needle). The smallest
// sphere is about the midpoint of the longest edge, or about the circumcentre
// if no angle is obtuse. Boxes are better volumes for leaves (leaf_volumes).
// Pure and thread-safe. (Larsson et al. do not describe these spheres. The
// centroid sphere is the one of "Collision detection", Wikipedia, Triangle
// centroid segments.)
#ifndef ORBOX_OVERLAP_TRIANGLES_TRIANGLE_SPHERES_H_
#define ORBOX_OVERLAP_TRIANGLES_TRIANGLE_SPHERES_H_

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Return a sphere that contains the triangle. Require finite corners.
ORBOX_EXPORT Sphere CentroidSphere(const Triangle& t);
ORBOX_EXPORT Sphere SmallestSphere(const Triangle& t);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_TRIANGLE_SPHERES_H_
