// SPDX-License-Identifier: Apache-2.0

// Chooses the nodes of a binary tree that become wide nodes, such that the
// expected number of visited nodes is lowest. Uses dynamic programming from the
// leaves up (Ylitie, Karras, Laine, "Efficient incoherent ray traversal on GPUs
// through compressed wide BVHs", 2017, section 3).
//
//   const Collapse collapse(tree, workers);
//   ChildList children = collapse.ChildrenOf(0, 1);    // positions in `tree`
//
// The expectation is proportional to the surfaces of the nodes. No tree becomes
// deeper than kMaxTreeDepth: near this depth, nodes are chosen by levels
// instead of surfaces. Private; O(n).
#ifndef ORBOX_BVH_BUILD_INTERNAL_COLLAPSE_H_
#define ORBOX_BVH_BUILD_INTERNAL_COLLAPSE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/container/inlined_vector.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/build/internal/detail_trees.h"
#include "orbox/bvh/build/internal/primitives.h"
#include "orbox/bvh/mesh/array.h"
#include "orbox/bvh/tree/node.h"

namespace orbox {

using ChildList = absl::InlinedVector<uint32_t, kLanes>;

// The cost of everything below a node if it gets 1 .. 7 slots of the wide node
// above it, and the cost if it becomes a wide node with eight slots. Leaves
// cost the same in any grouping, so they count as 0.
struct alignas(32) CollapseCosts {
  float in_slots[kLanes];
};

// Inputs and results of the cost computation, one per node of the binary tree.
struct CollapseWeights {
  std::span<const BinaryNode> tree;
  std::span<uint8_t> heights;  // edges down to the deepest leaf
  std::span<CollapseCosts> costs;

  // Returns true if the child is detail that must be below a separate wide
  // node, so that all of it can become one detail tree (detail_trees.h).
  bool KeepsWhole(size_t parent, size_t child) const {
    // Upper bound of the half area of a box with a half diagonal below kDetail.
    constexpr float kDetailHalfArea =
        static_cast<float>(4 * kDetail * kDetail * (1 + 0x1p-20));
    // Detail with fewer levels does not become a detail tree.
    constexpr int kDetailHeight = 4;
    return tree[child].half_area < kDetailHalfArea &&
           tree[parent].half_area >= kDetailHalfArea &&
           heights[child] >= kDetailHeight;
  }
};

class Collapse {
 public:
  // `tree` must outlive this object.
  Collapse(std::span<const BinaryNode> tree, const Workers& workers);

  // Returns the children of the wide node at `index`: two to eight nodes of the
  // binary tree. None is an ancestor of another, and together they contain the
  // primitives below `index`. Requires that `index` is not a leaf. `depth` is 1
  // at the root, and grows by one with each wide node on the path.
  ChildList ChildrenOf(uint32_t index, int depth) const;

 private:
  // Division of a node's slots between its two children. A single slot cannot
  // be divided; then both numbers are 0.
  struct SlotSplit {
    uint32_t left;
    uint32_t right;
  };
  // Returns the cheapest division; of several, the first. Requires that `index`
  // is not a leaf.
  SlotSplit SplitOf(uint32_t index, uint32_t slots) const;

  // Computes the costs of tree[begin] and of all nodes below it, which end
  // before `end`.
  void Weigh(size_t begin, size_t end, const Workers& workers);

  void Gather(uint32_t index, uint32_t slots, ChildList* children) const;
  // Appends all nodes that are `levels` below, and all leaves above that level.
  void GatherBelow(uint32_t index, int levels, ChildList* children) const;

  FreshArray<uint8_t> heights_;
  FreshArray<CollapseCosts> costs_;
  const CollapseWeights weights_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_COLLAPSE_H_
