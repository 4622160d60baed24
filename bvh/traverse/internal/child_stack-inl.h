// SPDX-License-Identifier: Apache-2.0

// The children that a depth-first search of one tree has yet to visit. The size
// of the stack is that of the deepest possible tree, so it cannot overflow.
//
//   ChildStack<Counters> stack;
//   TreePosition at;
//   stack.Push(node, key, accepted, next, at, counters);  // all but `next`
//   while (stack.PopWithin(limit, at, counters)) ...
//
// Private; compiled once per instruction set.
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_CHILD_STACK_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_CHILD_STACK_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_CHILD_STACK_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_CHILD_STACK_INL_H_
#endif

#include <bit>
#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Returns a lane's child: the index of a node, or the index of a leaf with
// `leaf_bit`. Results for unused lanes are meaningless.
HWY_INLINE uint32_t ChildOf(const Node& node, uint32_t lane,
                            uint32_t leaf_bit) {
  // By arithmetic instead of a branch, which would be mispredicted about half
  // of the time.
  const uint32_t leaf = 0 - uint32_t{lane >= node.inner_count};
  const uint32_t first_leaf = node.first_leaf - node.inner_count + leaf_bit;
  return lane + ((node.first_node & ~leaf) | (first_leaf & leaf));
}
HWY_INLINE U8 ChildrenOf(const Node& node, uint32_t leaf_bit) {
  const U8 lane = Iota8();
  return Select(lane < Set8(uint32_t{node.inner_count}),
                lane + Set8(node.first_node),
                lane + Set8(node.first_leaf - node.inner_count + leaf_bit));
}

// The position of a search. A child is the index of a node, or the index of a
// leaf with kLeafBit.
struct TreePosition {
  static constexpr uint32_t kLeafBit = uint32_t{1} << 31;

  bool is_leaf() const { return (child & kLeafBit) != 0; }
  uint32_t leaf() const { return child & ~kLeafBit; }

  uint32_t child = Tree::kRoot;
  int top = 0;  // of the stack
};

// At each level of a path, at most seven siblings remain on the stack. A row is
// stored whole, which needs extra room.
inline constexpr int kStackCapacity = kMaxTreeDepth * (kLanes - 1) + 2 * kLanes;

template <typename Counters>
class ChildStack {
 public:
  // Eight NaNs are in front of the first key. No limit accepts them.
  ChildStack() {
    Store8(Set8(std::numeric_limits<float>::quiet_NaN()), key_row_);
  }

  // Pushes the accepted children of a node except for lane `next`, in their
  // order: sorting them would cost more mispredicted branches than the better
  // order saves. Returns the mask of the pushed lanes. With statistics, enters
  // the subtree of `next`, which must be accepted. Without kHasKeys, children
  // may only be popped by Pop.
  template <bool kHasKeys = true>
  HWY_INLINE uint32_t Push(const Node& node, const F8& key, uint32_t accepted,
                           uint32_t next, TreePosition& at,
                           Counters& counters) {
    const int top = at.top;
    const uint32_t rest = accepted & ~(1u << next);
    if constexpr (kHasKeys) {
      CompressStore8(key, rest, key_row_ + kLanes + top);
    }
    CompressStore8(ChildrenOf(node, TreePosition::kLeafBit), rest,
                   children_ + top);
    at.top = top + std::popcount(rest);
    if constexpr (Counters::kCounting) {
      for (int i = 0; i < std::popcount(accepted); ++i) {
        tickets_[top + i] = counters.Accept(node.kind);
      }
      counters.Enter(tickets_[at.top]);
    }
    return rest;
  }

  // Returns the child that was pushed last. Requires that there is one.
  uint32_t last(const TreePosition& at) const { return children_[at.top - 1]; }

  // Moves to the child that was pushed last. Returns false if there is none.
  HWY_INLINE bool Pop(TreePosition& at, Counters& counters) {
    if (at.top == 0) return false;
    --at.top;
    if constexpr (Counters::kCounting) counters.Enter(tickets_[at.top]);
    at.child = children_[at.top];
    return true;
  }

  // Moves to the last child whose key is at most `limit`, and drops those that
  // were pushed later. Returns false if there is none. A child that was near
  // enough when it was pushed may no longer be.
  HWY_INLINE bool PopWithin(float limit, TreePosition& at, Counters& counters) {
    if constexpr (Counters::kCounting) {
      return PopOneByOne(limit, at, counters);
    }
    const F8 limits = Set8(limit);
    uint32_t near = 0;
    while (near == 0) {
      if (at.top <= 0) return false;
      near = Bits(LoadU8(key_row_ + at.top) <= limits);
      at.top -= kLanes;
    }
    at.top += std::bit_width(near) - 1;
    at.child = children_[at.top];
    return true;
  }

  // PopWithin by branches, so that the processor continues speculatively if the
  // limit takes long to compute.
  HWY_INLINE bool PopOneByOne(float limit, TreePosition& at,
                              Counters& counters) {
    do {
      if (at.top == 0) return false;
      --at.top;
      if constexpr (Counters::kCounting) counters.Enter(tickets_[at.top]);
    } while (key_row_[kLanes + at.top] > limit);
    at.child = children_[at.top];
    return true;
  }

 private:
  alignas(32) float key_row_[kLanes + kStackCapacity];
  uint32_t children_[kStackCapacity];
  typename Counters::Ticket tickets_[Counters::kCounting ? kStackCapacity : 1];
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_CHILD_STACK_INL_H_
