// SPDX-License-Identifier: Apache-2.0

// The boxes of posed meshes, and their distance along an axis.
//
//   if (BoxGap(a, b) > distance) ...  // all points in them are further apart
//   if (const auto box = PosedBox(mesh.bounds(), pose)) ...  // exact
//
// Exact like distances, and much cheaper than any search. Decides for
// meshes whose boxes are next to each other, with any gap. Private.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_POSED_BOX_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_POSED_BOX_H_

#include <optional>

#include "orbox/bvh/posed/posed_tree.h"
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

// Returns the AxisGap (box_arithmetic.h) of the boxes. No distance between the
// meshes rounds to less. 0 if a pose mixes coordinates.
double BoxGap(const PosedTree& a, const PosedTree& b);

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_POSED_BOX_H_
