// SPDX-License-Identifier: Apache-2.0

// A magnitude for error bounds of a cross product: the errors are small
// multiples of it. Private.
//
//   double error = 9 * kRoundoff * Dot(CrossMagnitude(e, f), Abs(w));
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_CROSS_MAGNITUDE_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_CROSS_MAGNITUDE_H_

#include <cmath>

#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Returns Cross(e, f), computed with the sums of the absolute values of all
// products.
inline Vec3 CrossMagnitude(const Vec3& e, const Vec3& f) {
  return {std::abs(e.y * f.z) + std::abs(e.z * f.y),
          std::abs(e.z * f.x) + std::abs(e.x * f.z),
          std::abs(e.x * f.y) + std::abs(e.y * f.x)};
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_CROSS_MAGNITUDE_H_
