// SPDX-License-Identifier: Apache-2.0

// Axes at right angles along the normals of the largest triangles. Private.
//
//   const auto [z, x, y] = SquareAxes(areas);
#ifndef ORBOX_BVH_SOLIDS_INTERNAL_SQUARE_AXES_H_
#define ORBOX_BVH_SOLIDS_INTERNAL_SQUARE_AXES_H_

#include <array>
#include <cmath>
#include <span>

#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Returns unit vectors at right angles, up to rounding. The first one is along
// the longest vector. The second one is along the longest vector that is within
// some degrees of a right angle to it, if there is one. If the vectors are the
// normals of triangles, with lengths of twice their areas, the largest faces of
// a surface are at right angles to the axes. Returns the coordinate axes if all
// vectors are 0.
inline std::array<Vec3, 3> SquareAxes(std::span<const Vec3> vectors) {
  Vec3 first;
  for (const Vec3& v : vectors) {
    if (SquaredNorm(v) > SquaredNorm(first)) first = v;
  }
  const Vec3 z = DirectionOf(first);
  Vec3 second;
  for (const Vec3& v : vectors) {
    constexpr double kMostCosine = 0.1;
    if (std::abs(Dot(v, z)) <= kMostCosine * Norm(v) &&
        SquaredNorm(v) > SquaredNorm(second)) {
      second = v;
    }
  }
  if (z == Vec3{}) return {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
  Vec3 x = DirectionOf(second);
  if (x == Vec3{}) x[std::abs(z.x) < 0.6 ? 0 : 1] = 1;
  x = DirectionOf(x - z * Dot(x, z));
  return {z, x, Cross(z, x)};
}

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERNAL_SQUARE_AXES_H_
