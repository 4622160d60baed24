// Do two spheres meet?
//
//   if (Overlaps(ball, other)) ...        // distance of centres <= r + r
//
// Closed sets: touching is overlapping. Overlaps is exact for every two valid
// spheres: a few nanoseconds where double with its error bound decides,
// microseconds where exact arithmetic has to. MayOverlap is the quick-rejection
// test: one square root, never a false no, and a false yes only where the gap
// is below 2^-49 of the centres' distance. Pure and thread-safe.
#ifndef ORBOX_OVERLAP_SPHERE_SPHERE_H_
#define ORBOX_OVERLAP_SPHERE_SPHERE_H_

#include <cmath>
#include <limits>

#include "orbox/overlap/arithmetic_counts.h"
#include "orbox/overlap/export.h"
#include "orbox/overlap/shapes.h"

namespace orbox {

ORBOX_EXPORT bool Overlaps(const Sphere& s, const Sphere& t,
                           ArithmeticCounts* counts = nullptr);

inline bool MayOverlap(const Sphere& s, const Sphere& t) {
  const Vec3 d = t.center - s.center;
  const double distance = std::hypot(d.x, d.y, d.z);
  // Differences, hypot and the sum of radii are off by a few 2^-53 of what they
  // are, and hypot by the least number there is. What overflows decides
  // nothing.
  if (!std::isfinite(distance)) return true;
  constexpr double kLeast = 4 * std::numeric_limits<double>::denorm_min();
  return distance * (1 - 0x1p-50) - kLeast <= s.radius + t.radius;
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_SPHERE_SPHERE_H_
