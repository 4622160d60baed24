// SPDX-License-Identifier: Apache-2.0

// Spheres around a triangle: cheap volumes for structures of single triangles.
//
//   Sphere ball = CentroidSphere(triangle);
//   if (MayOverlap(ball, other_ball)) ...       // sphere_sphere.h
//
// Both hold the triangle whatever rounding does. The centroid sphere, about the
// mean of the corners, takes a few operations and one square root a corner, and
// is up to 2 / sqrt(3) times as large as it need be (a needle's: 4 / 3). The
// smallest one is about the midpoint of the longest edge, or the circumcentre
// where no angle is obtuse. Boxes are the better volumes of leaves
// (leaf_volumes). Pure and thread-safe. (Larsson et al. do not have them; the
// centroid sphere is the one of "Collision detection", Wikipedia, Triangle
// centroid segments.)
#ifndef ORBOX_OVERLAP_TRIANGLES_TRIANGLE_SPHERES_H_
#define ORBOX_OVERLAP_TRIANGLES_TRIANGLE_SPHERES_H_

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Require corners in the range of models (shapes/range.h).
ORBOX_EXPORT Sphere CentroidSphere(const Triangle& t);
ORBOX_EXPORT Sphere SmallestSphere(const Triangle& t);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_TRIANGLE_SPHERES_H_
