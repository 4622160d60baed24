// Which nodes of a binary tree become the wide ones? Those that make the
// expected number of nodes visited least, by dynamic programming from the
// leaves up (Ylitie, Karras, Laine, "Efficient incoherent ray traversal on GPUs
// through compressed wide BVHs", 2017, section 3).
//
//   const Collapse collapse(tree, workers);
//   ChildList children = collapse.ChildrenOf(0, 1);    // positions in `tree`
//
// The expectation is in proportion to the nodes' surfaces. No tree gets deeper
// than kMaxTreeDepth: where it might, levels count, not surfaces. Private;
// O(n).
#ifndef ORBOX_BVH_BUILD_INTERNAL_COLLAPSE_H_
#define ORBOX_BVH_BUILD_INTERNAL_COLLAPSE_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/build/internal/binary_tree.h"
#include "orbox/bvh/tree/node.h"

namespace orbox {

using ChildList = absl::InlinedVector<uint32_t, kLanes>;

class Collapse {
 public:
  // `tree` has to outlive the object.
  Collapse(std::span<const BinaryNode> tree, const Workers& workers);

  // What the lanes of the wide node at `index` are: two to eight nodes of the
  // binary tree, none of them an ancestor of another, that together hold what
  // `index` holds. Requires a node that is no leaf; `depth` is 1 at the root
  // and one more for each wide node on the way down.
  ChildList ChildrenOf(uint32_t index, int depth) const;

 private:
  // How a node's share of slots is parted between its children: left, right.
  // One slot is not parted.
  struct Parting {
    uint8_t left;
    uint8_t right;
  };

  // The cost of a node in 1 .. 7 slots of the wide node above it. Leaves cost
  // the same however they are gathered, so they cost nothing.
  using Costs = std::array<float, kLanes - 1>;

  // Finds the partings of tree_[begin] and all below it, which end at `end`.
  void Weigh(size_t begin, size_t end, const Workers& workers,
             std::span<Costs> costs);
  // The same for one node, when those below it are done.
  void WeighNode(size_t i, std::span<Costs> costs);

  void Gather(uint32_t index, uint32_t slots, ChildList* children) const;
  // All nodes `levels` below, and the leaves on the way there.
  void GatherBelow(uint32_t index, int levels, ChildList* children) const;

  std::span<const BinaryNode> tree_;
  // Of each node, by the number of slots less one.
  std::vector<std::array<Parting, kLanes>> partings_;
  std::vector<uint8_t> heights_;  // edges down to the deepest leaf
};

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_COLLAPSE_H_
