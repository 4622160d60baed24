// SPDX-License-Identifier: Apache-2.0

// The intermediate tree of all builders: two children a node, over ranges of
// primitives. collapse.h makes wide nodes of it. Private.
#ifndef ORBOX_BVH_BUILD_INTERNAL_BINARY_TREE_H_
#define ORBOX_BVH_BUILD_INTERNAL_BINARY_TREE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orbox/bvh/build/internal/primitive.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

// An array in depth-first order: the left child of node i is node i + 1, its
// right child node i + right. A subtree is a contiguous piece of the array, and
// does not depend on its place.
struct BinaryNode {
  float half_area;       // of the box around all below
  uint32_t right;        // 0 for a leaf
  PrimitiveRange range;  // of a leaf; nobody asks others

  bool is_leaf() const { return right == 0; }
};
using BinaryTree = std::vector<BinaryNode>;

// The most edges on a path of a builder's tree: a wide node can absorb three
// levels, with all of their eight nodes as children (collapse.h).
inline constexpr int kMaxBinaryDepth = 3 * (kMaxTreeDepth - 1);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_BINARY_TREE_H_
