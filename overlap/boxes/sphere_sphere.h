// SPDX-License-Identifier: Apache-2.0

// Do two spheres overlap?
//
//   if (Overlaps(ball, other)) ...        // distance of centres <= r + r
//
// Closed sets: touching is overlapping. Overlaps is exact for any two valid
// spheres: a few nanoseconds if double with its error bound decides,
// microseconds if exact arithmetic has to. MayOverlap is the quick-rejection
// test: a nanosecond and never a false no. Its yes is false only if the gap is
// below 2^-48 of the centres' distance or beyond the range of doubles' squares.
// Pure and thread-safe.
#ifndef ORBOX_OVERLAP_BOXES_SPHERE_SPHERE_H_
#define ORBOX_OVERLAP_BOXES_SPHERE_SPHERE_H_

#include <cmath>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

ORBOX_EXPORT bool Overlaps(const Sphere& s, const Sphere& t,
                           ArithmeticCounts* counts = nullptr);

inline bool MayOverlap(const Sphere& s, const Sphere& t) {
  const Vec3 d = t.center - s.center;
  const double squared = Dot(d, d);
  const double sum = s.radius + t.radius;
  // As Overlaps does, in sphere_sphere.cc. An overflow decides nothing.
  return !(squared * (1 - 0x1p-49) - 0x1p-1000 > sum * sum) ||
         !std::isfinite(squared);
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BOXES_SPHERE_SPHERE_H_
