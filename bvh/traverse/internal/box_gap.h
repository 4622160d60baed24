// SPDX-License-Identifier: Apache-2.0

// The boxes of posed meshes, and their distance along an axis.
//
//   if (BoxGap(a, b) > distance) ...  // all points are farther apart
//   if (const auto box = PosedBox(mesh.bounds(), pose)) ...  // exact
//
// Exact like distances, and much cheaper than any search. Sufficient for meshes
// whose boxes are next to each other along an axis, with any gap. Private.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_BOX_GAP_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_BOX_GAP_H_

#include <algorithm>
#include <optional>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Returns the smallest box around the moved vertices, exact in every bit:
// rounding is monotonic, and each coordinate is moved separately. Returns
// nullopt if the pose mixes coordinates.
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

// Returns the largest gap along an axis, rounded to nearest. No distance
// between the meshes rounds to a smaller number. Returns 0 if the boxes
// overlap, or if a pose mixes coordinates.
double BoxGap(const PosedTree& a, const PosedTree& b);

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_BOX_GAP_H_
