// SPDX-License-Identifier: Apache-2.0

// Tests if the pose of a tree turns the fronts of its triangles around, decided
// exactly. Private.
#ifndef ORBOX_BVH_POSED_INTERNAL_MIRRORS_H_
#define ORBOX_BVH_POSED_INTERNAL_MIRRORS_H_

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/vec3.h"
#include "orbox/overlap/triangles/predicates.h"

namespace orbox {

// Returns true if the determinant of the pose is negative.
inline bool Mirrors(TreeAtPose tree) {
  if (tree.moved() == nullptr) return false;
  const auto& rows = tree.moved()->pose().rows;
  return Orient3d({}, rows[0], rows[1], rows[2]) < 0;
}

}  // namespace orbox

#endif  // ORBOX_BVH_POSED_INTERNAL_MIRRORS_H_
