// SPDX-License-Identifier: Apache-2.0

// A ray in the plane of a triangle, at right angles to an axis. Flat meshes and
// the faces of boxes have such triangles, and there no volume of the ray and an
// edge decides. The triangle is clipped in doubles with an error bound. Only
// the reported hit is computed in more digits. Private: the first stage of
// ray_triangle.h for these rays.
// of ray_triangle.h for these.
//
//   const size_t axis = AxisOfPlane(ray, triangle);
//   if (axis < 3) {
//     if (const auto x = IntersectInPlane(ray, triangle, axis, max_t)) return
//     *x;
//   }
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_IN_PLANE_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_IN_PLANE_H_

#include <cstddef>
#include <optional>

#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/ray_triangle.h"

namespace orbox {

// Returns the axis at right angles to a plane that contains both; 3 if there is
// none.
inline size_t AxisOfPlane(const Ray& ray, const Triangle& t) {
  for (size_t k = 0; k < 3; ++k) {
    const double at = ray.origin[k];
    if (ray.direction[k] == 0 && t.a[k] == at && t.b[k] == at && t.c[k] == at) {
      return k;
    }
  }
  return 3;
}

// Returns the result of Intersect (ray_triangle.h), equal in every bit; nullopt
// if undecided: through corners, along edges, without area, near the ends of
// double's range. Requires a finite ray and triangle in a plane at right angles
// to `axis`, and max_t >= 0.
std::optional<std::optional<RayTriangleHit>> IntersectInPlane(
    const Ray& ray, const Triangle& triangle, size_t axis, double max_t);

// Returns true if there is a hit; nullopt if undecided. Takes a fraction of the
// time.
std::optional<bool> OverlapsInPlane(const Ray& ray, const Triangle& triangle,
                                    size_t axis, double max_t);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_IN_PLANE_H_
