// SPDX-License-Identifier: Apache-2.0

// Hit of a ray and a triangle in one plane at right angles to an axis. Flat
// meshes and the faces of boxes have such triangles. The volumes of the ray and
// the edges are then all zero and decide nothing. The ray is clipped to the
// triangle in doubles with an error bound, and only a hit that is reported is
// computed in more digits. Private: the first stage of ray_triangle.h for such
// rays.
//
//   const size_t axis = AxisOfPlane(ray, triangle);
//   if (axis < 3) {
//     const auto x = IntersectInPlane(ray, triangle, axis, max_t);
//     if (x) return *x;
//   }
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_IN_PLANE_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_IN_PLANE_H_

#include <cstddef>
#include <optional>

#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/ray_triangle.h"

namespace orbox {

// Returns the axis at right angles to a plane that contains both ray and
// triangle; 3 if there is none.
inline size_t AxisOfPlane(const Ray& ray, const Triangle& t) {
  for (size_t k = 0; k < 3; ++k) {
    const double at = ray.origin[k];
    if (ray.direction[k] == 0 && t.a[k] == at && t.b[k] == at && t.c[k] == at) {
      return k;
    }
  }
  return 3;
}

// Returns the result of Intersect (ray_triangle.h), equal bit for bit. Returns
// nullopt if it is undecided: if the ray passes through a corner or along an
// edge, if the triangle has no area, or if numbers are near the limits of
// double. Requires a finite ray and triangle in a plane at right angles to
// `axis`, and max_t >= 0.
std::optional<std::optional<RayTriangleHit>> IntersectInPlane(
    const Ray& ray, const Triangle& triangle, size_t axis, double max_t);

// Returns true if there is a hit, and nullopt if this is undecided. Takes a
// fraction of the time of IntersectInPlane.
std::optional<bool> OverlapsInPlane(const Ray& ray, const Triangle& triangle,
                                    size_t axis, double max_t);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_IN_PLANE_H_
