// The loop over one tree: every query of a single mesh is a client of it.
//
//   struct Query {
//     static constexpr Order kOrder = Order::kNearestFirst;
//     LaneTest Test(const Node& node);       // the children's volumes
//     float limit() const;                   // keys above it are not opened
//     Step Visit(const Leaf& leaf);
//     Step Take(std::span<const Leaf> leaves);   // where `inside` is ever set
//   };
//   TraverseTree(tree, query, counters);
//
// Private; compiled once per instruction set (overlap/lanes-inl.h). The stack
// is an array sized by the deepest tree there can be: it cannot overflow.
#if defined(ORBOX_BVH_TRAVERSE_ONE_TREE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_ONE_TREE_INL_H_
#undef ORBOX_BVH_TRAVERSE_ONE_TREE_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_ONE_TREE_INL_H_
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "orbox/bvh/traverse/counters.h"
#include "orbox/bvh/traverse/step.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// What a query says of a node's children, lane i as bit i; bits of unused lanes
// do not matter.
struct LaneTest {
  uint32_t accepted;  // to be opened
  uint32_t exact;     // of those, what the volumes' exact test accepts too
  F8 key;             // not negative: the lower the sooner, above the limit
                      // not at all
  uint32_t inside =
      0;  // of the accepted, what belongs to the answer as a whole
};

// Requires that `query` answers kStop or leaves `limit` where it is or lower.
template <typename Query, typename Counters>
void TraverseTree(const Tree& tree, Query& query, Counters& counters);

// Implementation.

HWY_INLINE uint32_t LanesBelow(uint32_t count) { return (1u << count) - 1; }

// The triangles that a leaf holds, as bits.
HWY_INLINE uint32_t UsedLanes(const Leaf& leaf) {
  return ~Bits(Load8(leaf.ids) == Set8(kNoTriangle)) & 0xff;
}

// Where a lane's child is: inner ones as indices of nodes, others as indices of
// leaves with `leaf_bit`. Unused lanes say nothing.
HWY_INLINE uint32_t ChildOf(const Node& node, uint32_t lane,
                            uint32_t leaf_bit) {
  return lane < node.inner_count
             ? node.first_node + lane
             : (node.first_leaf + lane - node.inner_count) | leaf_bit;
}
HWY_INLINE U8 ChildrenOf(const Node& node, uint32_t leaf_bit) {
  const U8 lane = Iota8();
  return Select(lane < Set8(uint32_t{node.inner_count}),
                lane + Set8(node.first_node),
                lane + Set8(node.first_leaf - node.inner_count + leaf_bit));
}

// Asks for the memory of a child that is likely to be visited soon.
HWY_INLINE void PrefetchChild(const Node* nodes, const Leaf* leaves,
                              uint32_t child, uint32_t leaf_bit) {
  // As many lines as the longer of the two has: which one it is would be a
  // mispredicted branch as often as not.
  const uint32_t index = child & ~leaf_bit;
  const auto* const bytes =
      (child & leaf_bit) != 0 ? reinterpret_cast<const uint8_t*>(leaves + index)
                              : reinterpret_cast<const uint8_t*>(nodes + index);
  constexpr size_t kCacheLine = 64;
  for (size_t i = 0; i < sizeof(Leaf); i += kCacheLine) {
    hwy::Prefetch(bytes + i);
  }
}

// All leaves below a lane, without going there.
HWY_INLINE std::span<const Leaf> LeavesBelow(const Node* nodes,
                                             const Leaf* leaves,
                                             const Node& node, uint32_t lane) {
  if (lane >= node.inner_count) {
    return {leaves + node.first_leaf + lane - node.inner_count, 1};
  }
  const Node& child = nodes[node.first_node + lane];
  return {leaves + child.first_leaf, child.leaves_below};
}

template <typename Query, typename Counters>
HWY_INLINE void TraverseTree(const Tree& tree, Query& query,
                             Counters& counters) {
  // A child is a node's index, or a leaf's with this bit.
  constexpr uint32_t kLeafBit = uint32_t{1} << 31;
  // A node leaves at most seven siblings behind when its path goes on, and a
  // row is stored whole.
  constexpr int kCapacity = kMaxTreeDepth * (kLanes - 1) + 2 * kLanes;
  // Before the first key there are eight that no limit lets through.
  alignas(32) float key_row[kLanes + kCapacity];
  Store8(Set8(std::numeric_limits<float>::quiet_NaN()), key_row);
  float* const keys = key_row + kLanes;
  uint32_t children[kCapacity];
  typename Counters::Ticket tickets[Counters::kCounting ? kCapacity : 1];
  int top = 0;

  const Node* const nodes = tree.nodes().data();
  const Leaf* const leaves = tree.leaves().data();
  uint32_t child = Tree::kRoot;
  while (true) {
    if ((child & kLeafBit) == 0) {
      const Node& node = nodes[child];
      counters.VisitNode(node.kind);
      const LaneTest test = query.Test(node);
      const uint32_t used = LanesBelow(node.count);
      uint32_t accepted = test.accepted & used;
      counters.TestVolumes(node.kind, used, accepted, test.exact,
                           used & ~LanesBelow(node.inner_count));
      if constexpr (Query::kOrder == Order::kAny) {
        const uint32_t whole = accepted & test.inside;
        for (uint32_t rest = whole; rest != 0; rest &= rest - 1) {
          const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
          if (query.Take(LeavesBelow(nodes, leaves, node, lane)) ==
              Step::kStop) {
            return;
          }
        }
        accepted &= ~whole;
      }
      if (accepted != 0) {
        const U8 refs = ChildrenOf(node, kLeafBit);
        uint32_t next = static_cast<uint32_t>(std::countr_zero(accepted));
        if constexpr (Query::kOrder == Order::kNearestFirst) {
          next = LowestLaneRoughly(test.key, accepted);
        }
        // The one that comes next goes on top, the others below as they are:
        // mispredicted branches would cost more than their order brings.
        const uint32_t rest = accepted & ~(1u << next);
        CompressStore8(test.key, rest, keys + top);
        CompressStore8(refs, rest, children + top);
        if constexpr (Counters::kCounting) {
          for (int i = 0; i < std::popcount(accepted); ++i) {
            tickets[top + i] = counters.Accept(node.kind);
          }
        }
        top += std::popcount(rest);
        if (rest != 0) {
          PrefetchChild(nodes, leaves, children[top - 1], kLeafBit);
        }
        child = ChildOf(node, next, kLeafBit);
        if constexpr (Counters::kCounting) counters.Enter(tickets[top]);
        continue;
      }
    } else {
      const Leaf& leaf = leaves[child & ~kLeafBit];
      counters.VisitLeaf();
      if (query.Visit(leaf) == Step::kStop) return;
    }
    // What was near enough when it was pushed may not be any more.
    if constexpr (Query::kOrder == Order::kAny || Counters::kCounting) {
      do {
        if (top == 0) return;
        --top;
        if constexpr (Counters::kCounting) counters.Enter(tickets[top]);
      } while (Query::kOrder == Order::kNearestFirst &&
               keys[top] > query.limit());
    } else {
      const F8 limit = Set8(query.limit());
      uint32_t near = 0;
      while (near == 0) {
        if (top <= 0) return;
        near = Bits(LoadU8(keys + top - kLanes) <= limit);
        top -= kLanes;
      }
      top += std::bit_width(near) - 1;
    }
    child = children[top];
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_ONE_TREE_INL_H_
