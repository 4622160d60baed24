// SPDX-License-Identifier: Apache-2.0

// Chooses the nodes of a binary tree that become wide nodes: those with the
// least expected number of visited nodes, by dynamic programming from the
// leaves up (Ylitie, Karras, Laine, "Efficient incoherent ray traversal on GPUs
// through compressed wide BVHs", 2017, section 3).
//
//   const Collapse collapse(tree, workers);
//   ChildList children = collapse.ChildrenOf(0, 1);    // positions in `tree`
//
// The expectation is proportional to the surfaces of the nodes. No tree is
// deeper than kMaxTreeDepth: near that depth, levels count instead of surfaces.
// Private; O(n).
#ifndef ORBOX_BVH_BUILD_INTERNAL_COLLAPSE_H_
#define ORBOX_BVH_BUILD_INTERNAL_COLLAPSE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/container/inlined_vector.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/build/internal/binary_tree.h"
#include "orbox/bvh/build/internal/parts.h"
#include "orbox/bvh/mesh/array.h"
#include "orbox/bvh/tree/node.h"

namespace orbox {

using ChildList = absl::InlinedVector<uint32_t, kLanes>;

// The cost of a node in 1 .. 7 slots of the wide node above it, and of all that
// is below a wide node in its eight. Leaves cost the same in any grouping, so
// they count nothing.
struct alignas(32) CollapseCosts {
  float in_slots[kLanes];
};

// What is known of each node of the binary tree.
struct CollapseWeights {
  std::span<const BinaryNode> tree;
  std::span<uint8_t> heights;  // edges down to the deepest leaf
  std::span<CollapseCosts> costs;

  // Whether the child is detail that has to be below a wide node of its own, so
  // that all of it can become one part (parts.h).
  bool KeepsWhole(size_t parent, size_t child) const {
    // No box with a half diagonal below kDetail has a larger half area.
    constexpr float kDetailHalfArea =
        static_cast<float>(4 * kDetail * kDetail * (1 + 0x1p-20));
    constexpr int kDetailHeight = 4;  // what has fewer levels has no part
    return tree[child].half_area < kDetailHalfArea &&
           tree[parent].half_area >= kDetailHalfArea &&
           heights[child] >= kDetailHeight;
  }
};

class Collapse {
 public:
  // `tree` has to outlive the object.
  Collapse(std::span<const BinaryNode> tree, const Workers& workers);

  // The lanes of the wide node at `index`: two to eight nodes of the binary
  // tree, none an ancestor of another, that together contain what `index`
  // contains. Requires a node that is no leaf; `depth` is 1 at the root and
  // grows by one with each wide node on the path.
  ChildList ChildrenOf(uint32_t index, int depth) const;

 private:
  // How a node's slots are split between its children: left, right. One slot is
  // not split: 0, 0.
  struct Parting {
    uint32_t left;
    uint32_t right;
  };
  // The cheapest one, the first of several. Requires a node that is no leaf.
  Parting PartingOf(uint32_t index, uint32_t slots) const;

  // Weighs tree[begin] and all nodes below it, which end at `end`.
  void Weigh(size_t begin, size_t end, const Workers& workers);

  void Gather(uint32_t index, uint32_t slots, ChildList* children) const;
  // All nodes `levels` below, and the leaves on the way there.
  void GatherBelow(uint32_t index, int levels, ChildList* children) const;

  FreshArray<uint8_t> heights_;
  FreshArray<CollapseCosts> costs_;
  const CollapseWeights weights_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_COLLAPSE_H_
