// The space of a tree over what is in a box (tree/tree.h). Private.
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
    // Past these exponents the power of two or its inverse leaves double. What
    // is tiny in its own space is served by floats just as well; what reaches
    // beyond [-1, 1], up to 4, IsTooLarge.
    const int exponent = std::clamp(-std::ilogb(largest) - 1, -1022, 1000);
    space.scale = std::ldexp(1.0, exponent);
    space.unscale = std::ldexp(1.0, -exponent);
  }
  return space;
}

// Whether the tree may reach beyond [-1, 1]^3, for which error bounds are
// derived: queries then prune nothing, and decide in double.
inline bool IsTooLarge(const TreeSpace& space) {
  return space.scale <= 0x1p-1022;
}

}  // namespace orbox

#endif  // ORBOX_BVH_TREE_INTERNAL_TREE_SPACE_H_
