// What all builders make first: a tree of two children a node, over ranges of
// primitives. collapse.h makes wide nodes of it. Private.
#ifndef ORBOX_BVH_BUILD_INTERNAL_BINARY_TREE_H_
#define ORBOX_BVH_BUILD_INTERNAL_BINARY_TREE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orbox/bvh/build/internal/primitive.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

// In an array in depth-first order: the left child of node i is node i + 1, its
// right child node i + right. A subtree is a piece of the array that says
// nothing of where it stands.
struct BinaryNode {
  float half_area;       // of the box around all below
  uint32_t right;        // 0 for a leaf
  PrimitiveRange range;  // of a leaf; nobody asks others

  bool is_leaf() const { return right == 0; }
};
using BinaryTree = std::vector<BinaryNode>;

// Edges on the longest path that a builder may make: a wide node can take up
// three levels, with all of their eight nodes for children (collapse.h).
inline constexpr int kMaxBinaryDepth = 3 * (kMaxTreeDepth - 1);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_BINARY_TREE_H_
