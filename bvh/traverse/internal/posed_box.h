// SPDX-License-Identifier: Apache-2.0

// The box of a mesh at a pose that maps each coordinate separately. Private.
//
//   if (const auto box = PosedBox(mesh.bounds(), pose)) ...  // exact
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_POSED_BOX_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_POSED_BOX_H_

#include <algorithm>
#include <optional>

#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Returns the smallest box around the moved vertices, exact in every bit:
// rounding is monotone, and each coordinate is moved separately. Returns
// nothing if the pose mixes coordinates.
inline std::optional<Aabb> PosedBox(const Aabb& box, const Pose& pose) {
  if (pose.IsIdentity()) return box;
  for (const Vec3& row : pose.rows) {
    if ((row.x != 0) + (row.y != 0) + (row.z != 0) > 1) return std::nullopt;
  }
  const Vec3 lo = pose.Apply(box.lo);
  const Vec3 hi = pose.Apply(box.hi);
  return Aabb{Min(lo, hi), Max(lo, hi)};
}

// Returns the largest gap of two boxes along an axis; 0 if they overlap.
inline double AxisGap(const Aabb& a, const Aabb& b) {
  return std::max(
      0.0, std::max(MaxCoordinate(b.lo - a.hi), MaxCoordinate(a.lo - b.hi)));
}

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_POSED_BOX_H_
