// SPDX-License-Identifier: Apache-2.0

// Where the loops over two trees, and over one against itself, begin. Private.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_SUBTREE_PAIR_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_SUBTREE_PAIR_H_

#include <cstdint>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

// A pair of volumes, one of each tree. The whole trees, unless it says
// otherwise.
struct SubtreePair {
  Slot a = Slot::Of(0, 0);
  Slot b = Slot::Of(0, 0);

  // These only order what is opened, but are negative for leaves, and for them
  // alone.
  float a_size = 1;
  float b_size = 1;

  int depth = 0;  // for statistics
};

// A pair of nodes, one of each tree; none where both are 0. Other than a
// slot's, their volumes are not known.
struct NodePair {
  uint32_t a = 0;
  uint32_t b = 0;

  bool any() const { return a != 0 && b != 0; }
};

// What a traversal leaves to one of its parts (tree/tree.h): two trees, of
// which at least one is a part; or, where `is_self`, a part against itself.
struct PartPair {
  PosedTree a;
  PosedTree b;
  SubtreePair below = {};
  bool is_self = false;
};

// A part of a tree's search against itself: the pairs of children of the nodes
// [begin, end), and what is below them; or, where there are none, one pair of
// subtrees, or a leaf and itself.
struct SelfPart {
  uint32_t begin = 0;
  uint32_t end = 0;
  SubtreePair below;

  static SelfPart Of(const Tree& tree) {
    return {Tree::kRoot, static_cast<uint32_t>(tree.node_count()), {}};
  }
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_SUBTREE_PAIR_H_
