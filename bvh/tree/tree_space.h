// The space of a tree over what is in a box (tree/tree.h). Private.
#ifndef ORBOX_BVH_TREE_TREE_SPACE_H_
#define ORBOX_BVH_TREE_TREE_SPACE_H_

#include <algorithm>
#include <cmath>

#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes.h"

namespace orbox {

inline TreeSpace SpaceAround(const Aabb& bounds) {
  TreeSpace space;
  space.origin = bounds.Center();
  const double largest =
      MaxCoordinate(Max(bounds.hi - space.origin, space.origin - bounds.lo));
  if (largest > 0) {
    // Past these exponents the power of two or its inverse leaves double; the
    // tree is then tiny in its own space, where floats serve just as well.
    const int exponent = std::clamp(-std::ilogb(largest) - 1, -1000, 1000);
    space.scale = std::ldexp(1.0, exponent);
    space.unscale = std::ldexp(1.0, -exponent);
  }
  return space;
}

}  // namespace orbox

#endif  // ORBOX_BVH_TREE_TREE_SPACE_H_
