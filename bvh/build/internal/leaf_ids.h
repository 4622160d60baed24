// SPDX-License-Identifier: Apache-2.0

// Writes the ids of leaves.
//
//   WriteLeafIds(ranges, primitives, leaves);
//
// Private. O(n).
#ifndef ORBOX_BVH_BUILD_INTERNAL_LEAF_IDS_H_
#define ORBOX_BVH_BUILD_INTERNAL_LEAF_IDS_H_

#include <span>

#include "orbox/bvh/build/internal/primitives.h"
#include "orbox/bvh/tree/node.h"

namespace orbox {

// Writes the ids of the primitives in ranges[i], one to eight of them, to leaf
// i, in ascending order.
void WriteLeafIds(std::span<const PrimitiveRange> ranges,
                  std::span<const Primitive> primitives,
                  std::span<Leaf> leaves);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_LEAF_IDS_H_
