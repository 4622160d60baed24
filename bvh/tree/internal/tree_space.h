// SPDX-License-Identifier: Apache-2.0

// The space of a tree over the contents of a box (tree/tree.h). Private.
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
    // Beyond these exponents the power of two or its inverse leaves double.
    // Floats resolve what is tiny in its own space just as well. Coordinates
    // beyond [-1, 1], up to 4, are IsTooLarge.
    const int exponent = std::clamp(-std::ilogb(largest) - 1, -1022, 1022);
    space.scale = std::ldexp(1.0, exponent);
    space.unscale = std::ldexp(1.0, -exponent);
  }
  return space;
}

// Whether the tree may reach beyond [-1, 1]^3, outside of which the error
// bounds do not hold: queries then prune nothing, and decide in double.
inline bool IsTooLarge(const TreeSpace& space) {
  return space.scale <= 0x1p-1022;
}

}  // namespace orbox

#endif  // ORBOX_BVH_TREE_INTERNAL_TREE_SPACE_H_
