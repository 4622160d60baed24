// SPDX-License-Identifier: Apache-2.0

// The space of a tree over a box (tree/tree.h). Private.
#ifndef ORBOX_BVH_TREE_INTERNAL_TREE_SPACE_H_
#define ORBOX_BVH_TREE_INTERNAL_TREE_SPACE_H_

#include <algorithm>
#include <cmath>

#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

inline TreeSpace SpaceAround(const Aabb& bounds) {
  TreeSpace space;
  space.origin = bounds.Center();
  const double largest =
      MaxCoordinate(Max(bounds.hi - space.origin, space.origin - bounds.lo));
  if (largest > 0) {
    // Limits the exponent so that the scale is finite. Several poses in turn
    // may make a mesh smaller than the range of models. Floats still resolve it
    // in its tree space.
    const int exponent = std::min(-std::ilogb(largest) - 1, 1022);
    space.scale = std::ldexp(1.0, exponent);
    space.unscale = std::ldexp(1.0, -exponent);
  }
  return space;
}

}  // namespace orbox

#endif  // ORBOX_BVH_TREE_INTERNAL_TREE_SPACE_H_
