// SPDX-License-Identifier: Apache-2.0

// Tests if the line of a ray passes exactly through a corner of a triangle, for
// example a ray along edges or from vertex to vertex. Decides in doubles, or by
// a few terms of exact sums if differences of coordinates are not exact. This
// is the stage of ray_triangle.h between its guess and the ladder. Private.
//
//   CornerCrossing c = CornerCrossingOf(ray, triangle);
//   if (c.is_known && c.t < best) ...        // hit first at triangle[c.corner]
//
// If the line certainly crosses the plane of the triangle, the corner is its
// only hit. If an edge is along the line, the line hits all points of this
// edge.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_THROUGH_CORNER_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_THROUGH_CORNER_H_

#include <cstddef>

#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// The corner at which the line first hits the triangle, in front of the origin
// or behind it.
struct CornerCrossing {
  bool is_known = false;  // if false, the other members have no meaning
  size_t corner = 0;
  // The exact t is way / direction. `direction` is not 0.
  DoubleDouble way;
  double direction = 1;
  // The exact t, correctly rounded.
  double t = 0;

  // Returns true if the corner is behind the origin. Then t may still round to
  // 0.
  bool is_behind() const {
    return way.hi != 0 && (way.hi < 0) != (direction < 0);
  }
};

// Returns the sign of p - q, for distances along the same ray.
inline int CompareWays(const DoubleDouble& p, const DoubleDouble& q) {
  if (p.hi != q.hi) return p.hi < q.hi ? -1 : 1;
  if (p.lo != q.lo) return p.lo < q.lo ? -1 : 1;
  return 0;
}

// Requires a finite ray whose direction is not 0. Not known if an edge along
// the line begins behind the origin and ends in front of it.
CornerCrossing CornerCrossingOf(const Ray& ray, const Triangle& triangle);

// Returns the crossing of the line and a point, as if the point were corner 0.
// Requires that the line passes through the point.
CornerCrossing CrossingOfPoint(const Ray& ray, const Vec3& p);

// Returns true if the line is certainly not parallel to the triangle's plane.
bool CertainlyCrosses(const Ray& ray, const Triangle& triangle);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_THROUGH_CORNER_H_
