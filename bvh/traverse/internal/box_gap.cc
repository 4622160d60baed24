// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/box_gap.h"

#include <algorithm>

#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {
namespace {

bool MixesCoordinates(const Pose& pose) {
  for (const Vec3& row : pose.rows) {
    if ((row.x != 0) + (row.y != 0) + (row.z != 0) > 1) return true;
  }
  return false;
}

// Rounding keeps the order of coordinates that are moved one by one.
Aabb PosedBoxOf(const PosedTree& tree) {
  const Aabb& box = tree.tree().mesh().bounds();
  if (!tree.is_moved()) return box;
  const Vec3 lo = tree.pose().Apply(box.lo);
  const Vec3 hi = tree.pose().Apply(box.hi);
  return {Min(lo, hi), Max(lo, hi)};
}

}  // namespace

double BoxGap(const PosedTree& a, const PosedTree& b) {
  if (MixesCoordinates(a.pose()) || MixesCoordinates(b.pose())) return 0;
  const Aabb of_a = PosedBoxOf(a);
  const Aabb of_b = PosedBoxOf(b);
  return std::max(0.0, std::max(MaxCoordinate(of_b.lo - of_a.hi),
                                MaxCoordinate(of_a.lo - of_b.hi)));
}

}  // namespace orbox
