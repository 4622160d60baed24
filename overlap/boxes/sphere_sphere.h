// SPDX-License-Identifier: Apache-2.0

// Overlap tests for two spheres.
//
//   if (Overlaps(ball, other)) ...        // distance of centres <= r + r
//
// Shapes are closed sets: touching is overlapping. Overlaps is exact for any
// two valid spheres. It costs a few nanoseconds if double with its error bound
// decides, and microseconds if exact arithmetic is needed. MayOverlap is a test
// for quick rejection: it takes a nanosecond and never misses an overlap. It
// accepts spheres that are apart only if their gap is below 2^-48 of the
// centres' distance, or if squares leave the range of doubles. Pure and
// thread-safe.
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
  // This is the comparison of Overlaps in sphere_sphere.cc. After an overflow,
  // the spheres are not rejected.
  return !(squared * (1 - 0x1p-49) - 0x1p-1000 > sum * sum) ||
         !std::isfinite(squared);
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BOXES_SPHERE_SPHERE_H_
