// SPDX-License-Identifier: Apache-2.0

// The intermediate tree of all builders, over ranges of primitives. An inner
// node has two children. collapse.h turns it into wide nodes. Private.
#ifndef ORBOX_BVH_BUILD_INTERNAL_BINARY_TREE_H_
#define ORBOX_BVH_BUILD_INTERNAL_BINARY_TREE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orbox/bvh/build/internal/primitives.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

// A node in an array in depth-first order. The left child of node i is node i +
// 1, its right child is node i + right. A subtree is a contiguous piece of the
// array, and its contents do not depend on its position.
struct BinaryNode {
  float half_area;       // of the box around everything below
  uint32_t right;        // 0 for a leaf
  PrimitiveRange range;  // of a leaf; unset for other nodes

  bool is_leaf() const { return right == 0; }
};
using BinaryTree = std::vector<BinaryNode>;

// Upper bound of the edges on a path of a builder's tree. A wide node may
// replace three binary levels, if all eight nodes at the third level become its
// children (collapse.h).
inline constexpr int kMaxBinaryDepth = 3 * (kMaxTreeDepth - 1);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_BINARY_TREE_H_
