// SPDX-License-Identifier: Apache-2.0

// Lower bound of the distance of two boxes. Private.
//
//   if (GapOf(a, b) > d) ...   // nothing in a is within d of anything in b
#ifndef ORBOX_BVH_QUERY_PAIRS_INTERNAL_BOX_GAP_H_
#define ORBOX_BVH_QUERY_PAIRS_INTERNAL_BOX_GAP_H_

#include <algorithm>
#include <cmath>
#include <limits>

#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Returns a lower bound of the distance of two boxes. It is 0 if and only if
// the boxes overlap. It is at least the distance divided by sqrt(3). In the
// middle of double's range, it differs from the distance only by rounding.
// Symmetric.
inline double GapOf(const Aabb& a, const Aabb& b) {
  const Vec3 gap = Max(Max(a.lo - b.hi, b.lo - a.hi), Vec3{});
  // Covers the six roundings of differences, products, sums and the root.
  constexpr double kDown = 1 - 0x1p-49;
  const double largest = MaxCoordinate(gap);
  // If squares could leave the range of double, uses the largest axis. Values
  // near 0 are exact and do not become 0.
  if (largest > 0x1p-400 && largest < 0x1p400) return kDown * Norm(gap);
  return largest > 0x1p-1020 ? kDown * largest : largest;
}

// Returns a box that contains all points whose distance from `box` along each
// axis rounds to at most `distance`. Requires that `distance` is not negative.
// The box is finite: its coordinates are limited to the range of double.
inline Aabb Grown(const Aabb& box, double distance) {
  constexpr double kMost = std::numeric_limits<double>::max();
  // Anything farther away does not round to `distance`.
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

#endif  // ORBOX_BVH_QUERY_PAIRS_INTERNAL_BOX_GAP_H_
