// How far are two boxes apart, at least? Private.
//
//   if (GapOf(a, b) > d) ...      // what is in a is not within d of what is in
//   b
#ifndef ORBOX_BVH_SCENE_INTERNAL_BOX_GAP_H_
#define ORBOX_BVH_SCENE_INTERNAL_BOX_GAP_H_

#include <algorithm>
#include <cmath>
#include <limits>

#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// The distance of two boxes, and never more: 0 where they meet, and only there;
// within a factor of sqrt(3), and within rounding in the middle of double's
// range. Swapping the boxes changes nothing.
inline double GapOf(const Aabb& a, const Aabb& b) {
  const Vec3 gap = Max(Max(a.lo - b.hi, b.lo - a.hi), Vec3{});
  // Differences, products, sums and the root round six times in all.
  constexpr double kDown = 1 - 0x1p-49;
  const double largest = MaxCoordinate(gap);
  // Where squares would leave double's range, one axis will do; and what is
  // next to 0 is exact, and does not become 0.
  if (largest > 0x1p-400 && largest < 0x1p400) return kDown * Norm(gap);
  return largest > 0x1p-1020 ? kDown * largest : largest;
}

// The box and all whose distance along each axis rounds to `distance` or less,
// which is not negative; finite, so that it may end where double's range does.
inline Aabb Grown(const Aabb& box, double distance) {
  constexpr double kMost = std::numeric_limits<double>::max();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  // What is further away than this does not round to `distance`.
  const double by = std::nextafter(distance, kInfinity);
  Aabb grown;
  for (int i = 0; i < 3; ++i) {
    // Rounded outward.
    grown.lo[i] = std::max(std::nextafter(box.lo[i] - by, -kInfinity), -kMost);
    grown.hi[i] = std::min(std::nextafter(box.hi[i] + by, kInfinity), kMost);
  }
  return grown;
}

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_BOX_GAP_H_
