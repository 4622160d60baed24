// SPDX-License-Identifier: Apache-2.0

// Which triangles around a corner are as far from a point as the corner is?
// Private.
//
//   if (IsClosestCorner(p, v, t)) ...   // then Distance(p, t).closest is v
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_CORNER_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_CORNER_H_

#include <cmath>

#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Whether `from` and `to` certainly are at an obtuse angle as seen from `at`.
inline bool LeadsAwayFrom(const Vec3& at, const Vec3& from, const Vec3& to) {
  const Vec3 v = from - at;
  const Vec3 w = to - at;
  // Differences are off by u = 2^-53 of themselves, products by 3 u, and sums
  // by 2 u of what they are of: less than 8 u together, unless they underflow.
  const double most =
      std::abs(v.x * w.x) + std::abs(v.y * w.y) + std::abs(v.z * w.z);
  return most >= 0x1p-960 && Dot(v, w) < -0x1p-50 * most;
}

// Whether the point v is a corner of the triangle, and certainly its one point
// that is closest to p. Doubles decide: false where they do not.
inline bool IsClosestCorner(const Vec3& p, const Vec3& v, const Triangle& t) {
  const auto leads_away = [&](const Vec3& x, const Vec3& y) {
    return p == v || (LeadsAwayFrom(v, p, x) && LeadsAwayFrom(v, p, y));
  };
  if (t.a == v) return leads_away(t.b, t.c);
  if (t.b == v) return leads_away(t.c, t.a);
  return t.c == v && leads_away(t.a, t.b);
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_CORNER_H_
