// SPDX-License-Identifier: Apache-2.0

// Boxes and balls around posed meshes, and the distance of boxes along an axis.
//
//   if (BoxGap(a, b) > distance) ...  // all points are farther apart
//   if (const auto box = PosedBox(mesh.bounds(), pose)) ...  // exact
//
// Boxes are exact like distances, and much cheaper than any search. They decide
// if the gap between them is along an axis. Private.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_POSED_BOX_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_POSED_BOX_H_

#include <optional>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"
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

// Returns the AxisGap (box_arithmetic.h) of the boxes. No distance between the
// meshes rounds to a smaller number. Returns 0 if a pose mixes coordinates.
inline double BoxGap(const PosedTree& a, const PosedTree& b) {
  const auto box_of = [](const PosedTree& t) {
    const Aabb& box = t.tree().mesh().bounds();
    return t.is_moved() ? PosedBox(box, t.pose()) : box;
  };
  const auto of_a = box_of(a);
  if (!of_a) return 0;
  const auto of_b = box_of(b);
  return of_b ? AxisGap(*of_a, *of_b) : 0;
}

// Returns a ball around the posed mesh, except for the rounding of its center.
inline Sphere BallAround(const PosedTree& t) {
  const Aabb& box = t.tree().mesh().bounds();
  return {t.pose().Apply(box.Center()), t.scale() * t.stretch() *
                                            (1 + t.skew()) * (1 + 0x1p-40) *
                                            Norm(box.HalfExtents())};
}

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_POSED_BOX_H_
