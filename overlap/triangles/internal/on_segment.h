// SPDX-License-Identifier: Apache-2.0

// A test in doubles whether a point is on a segment. It decides for corners and
// midpoints of edges if the mesh was given in floats. Private.
//
//   if (IsOnSegment(p, a, b)) ...       // then the distance is exactly zero
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_ON_SEGMENT_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_ON_SEGMENT_H_

#include <algorithm>
#include <cstddef>

#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Returns true if p is certainly on the segment from a to b, including its
// ends. Returns false if a difference of their coordinates is not exact in
// double.
inline bool IsOnSegment(const Vec3& p, const Vec3& a, const Vec3& b) {
  Vec3 w, e;
  for (size_t i = 0; i < 3; ++i) {
    const auto [lo, hi] = std::minmax({a[i], b[i]});
    if (!(lo <= p[i] && p[i] <= hi)) return false;
    const DoubleDouble to_p = TwoDifference(p[i], a[i]);
    const DoubleDouble to_b = TwoDifference(b[i], a[i]);
    if (to_p.lo != 0 || to_b.lo != 0) return false;
    w[i] = to_p.hi;
    e[i] = to_b.hi;
  }
  return AreEqualProducts(w.y, e.z, w.z, e.y) &&
         AreEqualProducts(w.z, e.x, w.x, e.z) &&
         AreEqualProducts(w.x, e.y, w.y, e.x);
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_ON_SEGMENT_H_
