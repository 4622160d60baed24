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
    // Outside these exponents, the power of two or its inverse is not a double.
    // Tiny contents then fill only part of [-1, 1], and floats resolve them
    // equally well. Huge contents reach beyond [-1, 1], up to 4: IsTooLarge.
    const int exponent = std::clamp(-std::ilogb(largest) - 1, -1022, 1022);
    space.scale = std::ldexp(1.0, exponent);
    space.unscale = std::ldexp(1.0, -exponent);
  }
  return space;
}

// Returns true if the tree may reach beyond [-1, 1]^3, where the error bounds
// do not hold. Queries then prune nothing and decide in double.
inline bool IsTooLarge(const TreeSpace& space) {
  return space.scale <= 0x1p-1022;
}

}  // namespace orbox

#endif  // ORBOX_BVH_TREE_INTERNAL_TREE_SPACE_H_
