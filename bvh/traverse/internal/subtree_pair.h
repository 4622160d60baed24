// SPDX-License-Identifier: Apache-2.0

// Starting points of the loops over two trees, and over one against itself.
// Private.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_SUBTREE_PAIR_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_SUBTREE_PAIR_H_

#include <cstdint>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

// A pair of volumes, one of each tree. By default, the volumes of the whole
// trees.
struct SubtreePair {
  Slot a = Slot::Of(0, 0);
  Slot b = Slot::Of(0, 0);

  // Sizes only affect the order of expansion. They are negative for leaves, and
  // only for leaves.
  float a_size = 1;
  float b_size = 1;

  int depth = 0;  // for statistics
};

// A pair of nodes, one of each tree. There is none if both are 0. Unlike for
// slots, the volumes of the nodes are not known.
struct NodePair {
  uint32_t a = 0;
  uint32_t b = 0;

  bool any() const { return a != 0 && b != 0; }
};

// A pair that a traversal leaves to detail trees (tree/tree.h): two trees, at
// least one of them a detail tree; or, if `is_self`, a detail tree against
// itself.
struct DetailPair {
  PosedTree a;
  PosedTree b;
  SubtreePair below = {};
  bool is_self = false;
};

// A task of a search for pairs: those below a pair of subtrees, or of a leaf
// with itself. For a tree against itself, if there are nodes [begin, end): the
// pairs of children of these nodes, and all pairs below.
struct PairTask {
  uint32_t begin = 0;
  uint32_t end = 0;
  SubtreePair below;

  static PairTask Of(const Tree& tree) {
    return {Tree::kRoot, static_cast<uint32_t>(tree.node_count()), {}};
  }
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_SUBTREE_PAIR_H_
