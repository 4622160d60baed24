// SPDX-License-Identifier: Apache-2.0

// Assigns positions to nodes and leaves, and triangles to leaves. fill.h sets
// everything else.
//
//   Layout layout = LayOut(tree, primitives, workers);
//
// Private. O(n).
#ifndef ORBOX_BVH_BUILD_INTERNAL_LAYOUT_H_
#define ORBOX_BVH_BUILD_INTERNAL_LAYOUT_H_

#include <span>

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/build/internal/primitives.h"
#include "orbox/bvh/mesh/array.h"
#include "orbox/bvh/tree/node.h"

namespace orbox {

// Nodes and leaves that satisfy the laws of tree/node.h and tree/tree.h, except
// for volumes, frames, kinds and corners.
struct Layout {
  FreshArray<Node> nodes{0};
  FreshArray<Leaf> leaves{0};  // ids ascend in each; rows are not written
  int depth = 0;
};

// Requires leaves of at most eight primitives.
Layout LayOut(std::span<const BinaryNode> tree,
              std::span<const Primitive> primitives, const Workers& workers);

// Writes the ids of the primitives in ranges[i], one to eight of them, to leaf
// i, in ascending order.
void WriteLeafIds(std::span<const PrimitiveRange> ranges,
                  std::span<const Primitive> primitives,
                  std::span<Leaf> leaves);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_LAYOUT_H_
