// SPDX-License-Identifier: Apache-2.0

// Does the line of a ray pass exactly through a corner of a triangle? Rays
// along edges and from vertex to vertex do, and doubles tell, or a few terms of
// exact sums where differences of coordinates lose digits: the stage of
// ray_triangle.h between its guess and the ladder. Private.
//
//   CornerCrossing c = CornerCrossingOf(ray, triangle);
//   if (c.is_known && c.t < best) ...        // hit first at triangle[c.corner]
//
// A plane that the line certainly crosses is met in the corner alone; an edge
// along the line, between its corners.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_THROUGH_CORNER_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_THROUGH_CORNER_H_

#include <cstddef>

#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Where the line first meets the triangle, at a corner, in front of the origin
// or behind it.
struct CornerCrossing {
  bool is_known = false;  // the rest means nothing otherwise
  size_t corner = 0;
  // The exact t is their quotient; the second is not 0.
  DoubleDouble way;
  double direction = 1;
  // Correctly rounded.
  double t = 0;

  // t may round to 0.
  bool is_behind() const {
    return way.hi != 0 && (way.hi < 0) != (direction < 0);
  }
};

// The sign of p - q, of ways along one ray.
inline int CompareWays(const DoubleDouble& p, const DoubleDouble& q) {
  if (p.hi != q.hi) return p.hi < q.hi ? -1 : 1;
  if (p.lo != q.lo) return p.lo < q.lo ? -1 : 1;
  return 0;
}

// Requires a ray of finite numbers whose direction is not 0. Not known where an
// edge along the line begins behind the origin and ends before it.
CornerCrossing CornerCrossingOf(const Ray& ray, const Triangle& triangle);

// The same of a point through which the line is known to pass, as a corner 0.
CornerCrossing CrossingOfPoint(const Ray& ray, const Vec3& p);

// Whether the line is certainly not parallel to the triangle's plane.
bool CertainlyCrosses(const Ray& ray, const Triangle& triangle);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_THROUGH_CORNER_H_
