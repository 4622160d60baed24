// SPDX-License-Identifier: Apache-2.0

// Which triangles of two moving bodies may touch at all, where one turns about
// an axis? Private: what keeps a shaft in its bearing from being followed in
// steps as short as its gap.
//
//   if (const auto near = RingNeighborsOf(a, b)) {
//     if (near->of_a.empty()) ...                  // they never touch
//   }
//
// A triangle that turns stays in a ring: of all its points, the distance from
// the axis and the height along it do not change. Seen as points of a plane,
// these lie in a rectangle. A triangle whose rectangle meets none of the other
// body's touches none of its triangles, at no time; which do is asked of a tree
// of rectangles.
#ifndef ORBOX_BVH_MOTION_INTERNAL_RING_FILTER_H_
#define ORBOX_BVH_MOTION_INTERNAL_RING_FILTER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "orbox/bvh/motion/rigid_motion.h"

namespace orbox {

// Ids, ascending, of the triangles that may come to touch one of the other
// body's.
struct RingNeighbors {
  std::vector<uint32_t> of_a;
  std::vector<uint32_t> of_b;
};

// Nothing unless just one of the two turns, and where memory runs out. Takes
// O((n + m) log (n + m)).
std::optional<RingNeighbors> RingNeighborsOf(const MovingTree& a,
                                             const MovingTree& b);

// Some triangles of a body, as a body of their own.
struct PartOfBody {
  MovingTree body;
  std::vector<uint32_t> ids;  // what its triangles are in the whole

  // Nothing where memory runs out. Takes O(n log n).
  static std::optional<PartOfBody> Of(const MovingTree& whole,
                                      std::vector<uint32_t> ids);
};

}  // namespace orbox

#endif  // ORBOX_BVH_MOTION_INTERNAL_RING_FILTER_H_
