// SPDX-License-Identifier: Apache-2.0

// The loop over one tree, for regions, rays and crossings.
//
//   struct Query {
//     static constexpr Order kOrder = Order::kNearestFirst;
//     LaneTest Test(const Node& node);       // the children's volumes
//     float limit() const;                   // larger keys are not expanded
//     Step Visit(const Leaf& leaf, uint32_t index);
//     // Visits all of a detail tree (tree.h).
//     Step VisitDetail(const Tree& detail);
//     // With Order::kAny, this function replaces limit():
//     size_t leaf_batch() const;       // visit leaves when this many wait
//     // The leaves of lanes that are `inside`, if there can be any.
//     Step Take(const TreeMemory& memory, LeafRange leaves);
//   };
//   TraverseTree(tree, query, counters);
//
// Private; compiled once per instruction set
// (overlap/internal/lanes/lanes-inl.h). The stack is an array sized by the
// deepest possible tree, so it cannot overflow.
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_ONE_TREE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_ONE_TREE_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_ONE_TREE_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_ONE_TREE_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "hwy/highway.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/step.h"
#include "orbox/bvh/traverse/internal/tree_memory-inl.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// The result of testing a node's children, lane i as bit i. Bits of unused
// lanes are arbitrary.
struct LaneTest {
  uint32_t accepted;  // to be expanded
  // The accepted lanes that the volumes' exact test also accepts.
  uint32_t exact;
  // Not negative: lower keys are visited sooner, keys above the limit not at
  // all. With kNearestFirst, infinite in lanes that are not accepted.
  F8 key;
  // Accepted lanes that belong to the result as a whole.
  uint32_t inside = 0;
};

// Upper bound of leaves that a query may let wait.
inline constexpr size_t kMostPendingLeaves = 256;

// Requires that `query` returns kStop, or keeps or lowers `limit`.
template <typename Query, typename Counters>
void TraverseTree(const Tree& tree, Query& query, Counters& counters);

// Implementation.

HWY_INLINE uint32_t LanesBelow(uint32_t count) { return (1u << count) - 1; }

// Returns the lanes with a triangle, as bits.
HWY_INLINE uint32_t UsedLanes(const uint32_t* ids) {
  return ~Bits(Load8(ids) == Set8(kNoTriangle)) & 0xff;
}
HWY_INLINE uint32_t UsedLanes(const Leaf& leaf) { return UsedLanes(leaf.ids); }

// Returns a lane's child: the index of a node, or the index of a leaf with
// `leaf_bit`. Results for unused lanes are meaningless.
HWY_INLINE uint32_t ChildOf(const Node& node, uint32_t lane,
                            uint32_t leaf_bit) {
  // By arithmetic, because a branch would be mispredicted about half of the
  // time.
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

// Returns all leaves below a lane, without visiting nodes on the way.
HWY_INLINE LeafRange LeavesBelow(const TreeMemory& memory, const Node& node,
                                 uint32_t lane) {
  if (lane >= node.inner_count) {
    return {node.first_leaf + lane - node.inner_count, 1};
  }
  const uint32_t child = node.first_node + lane;
  return {memory.FirstLeaf(child), memory.LeavesBelow(child)};
}

// A node leaves at most seven siblings on the stack when its path continues. A
// row is stored whole.
inline constexpr int kStackCapacity = kMaxTreeDepth * (kLanes - 1) + 2 * kLanes;

// True if the limit may fall below the keys of waiting entries.
template <typename Query>
inline constexpr bool kLimitShrinks = Query::kOrder != Order::kLeavesFirst;

// Returns the accepted lane to visit next. Requires at least one. Leaves come
// last in a node, and unused lanes repeat the first.
template <typename Query>
HWY_INLINE uint32_t NextLane(const F8& key, uint32_t accepted) {
  if constexpr (kLimitShrinks<Query>) {
    return LowestLaneRoughly(key);
  } else {
    return static_cast<uint32_t>(std::bit_width(accepted)) - 1;
  }
}

// The position of a search: a child is a node's index, or a leaf's index with a
// bit.
struct TreePlace {
  static constexpr uint32_t kLeafBit = uint32_t{1} << 31;

  bool is_leaf() const { return (child & kLeafBit) != 0; }
  uint32_t leaf() const { return child & ~kLeafBit; }

  uint32_t child = Tree::kRoot;
  int top = 0;  // of the stack
};

// The next step of a search. The kind of the next child (node or leaf) is known
// before its index, so the caller branches on the kind first.
enum class Way { kBack, kToNode, kToLeaf };

// A search that visits the nearest child first, or a leaf first, by its order;
// and its stack.
template <typename Counters>
class NearestFirst {
 public:
  // Before the first key there are eight NaNs, which are not within any limit.
  NearestFirst() {
    Store8(Set8(std::numeric_limits<float>::quiet_NaN()), key_row_);
  }

  // Continues to the nearest child of a node, or back if no child is near
  // enough.
  template <typename Query>
  HWY_INLINE Way Expand(TreePlace& at, const TreeMemory& memory, Query& query,
                        Counters& counters);

  template <typename Query>
  HWY_INLINE void Look(TreePlace& at, const TreeMemory& memory, Query& query,
                       Counters& counters);

  // Continues with the last waiting child that is near enough. Returns false if
  // there is none.
  template <typename Query>
  HWY_INLINE bool Pop(TreePlace& at, const Query& query, Counters& counters);

 private:
  static constexpr uint32_t kLeafBit = TreePlace::kLeafBit;

  // By a branch, so that the next step, which differs by kind, need not wait.
  HWY_INLINE static Way GoTo(TreePlace& at, const Node& node, uint32_t lane) {
    if (lane < node.inner_count) {
      at.child = node.first_node + lane;
      return Way::kToNode;
    }
    at.child = (node.first_leaf - node.inner_count + lane) | kLeafBit;
    return Way::kToLeaf;
  }

  alignas(32) float key_row_[kLanes + kStackCapacity];
  uint32_t children_[kStackCapacity];
  typename Counters::Ticket tickets_[Counters::kCounting ? kStackCapacity : 1];
};

template <typename Counters>
template <typename Query>
HWY_INLINE Way NearestFirst<Counters>::Expand(TreePlace& at,
                                              const TreeMemory& memory,
                                              Query& query,
                                              Counters& counters) {
  if (const Tree* const detail = memory.DetailAt(at.child);
      HWY_UNLIKELY(detail != nullptr)) {
    if (query.VisitDetail(*detail) == Step::kStop) at.top = 0;
    return Way::kBack;
  }
  Node room;
  const Node& node = memory.ReadNode(at.child, room);
  counters.VisitNode(node.kind);
  const LaneTest test = query.Test(node);
  const uint32_t used = LanesBelow(node.count);
  const uint32_t accepted = test.accepted & used;
  counters.TestVolumes(node.kind, used, accepted, test.exact,
                       used & ~LanesBelow(node.inner_count));
  if (!Counters::kCounting && std::has_single_bit(accepted)) {
    // The case of about half of all nodes. If the processor predicts it, the
    // next step does not wait for the comparison of keys.
    return GoTo(at, node, static_cast<uint32_t>(std::countr_zero(accepted)));
  }
  if (accepted == 0) return Way::kBack;
  const U8 refs = ChildrenOf(node, kLeafBit);
  // The next child is visited at once, the others are pushed in their order.
  // Sorting them would cost more mispredicted branches than the order saves.
  const uint32_t next = NextLane<Query>(test.key, accepted);
  const uint32_t rest = accepted & ~(1u << next);
  if constexpr (kLimitShrinks<Query>) {
    CompressStore8(test.key, rest, key_row_ + kLanes + at.top);
  }
  CompressStore8(refs, rest, children_ + at.top);
  if constexpr (Counters::kCounting) {
    for (int i = 0; i < std::popcount(accepted); ++i) {
      tickets_[at.top + i] = counters.Accept(node.kind);
    }
  }
  at.top += std::popcount(rest);
  const Way way = GoTo(at, node, next);
  // Prefetches the child that is needed first.
  if (way == Way::kToNode) {
    memory.PrefetchNode(at.child);
  } else {
    memory.PrefetchLeaf(at.leaf());
  }
  if (rest != 0) memory.PrefetchChild(children_[at.top - 1], kLeafBit);
  if constexpr (Counters::kCounting) counters.Enter(tickets_[at.top]);
  return way;
}

template <typename Counters>
template <typename Query>
HWY_INLINE void NearestFirst<Counters>::Look(TreePlace& at,
                                             const TreeMemory& memory,
                                             Query& query, Counters& counters) {
  Leaf room;
  const Leaf& leaf = memory.ReadLeaf(at.leaf(), room);
  counters.VisitLeaf();
  if (query.Visit(leaf, at.leaf()) == Step::kStop) at.top = 0;
}

template <typename Counters>
template <typename Query>
HWY_INLINE bool NearestFirst<Counters>::Pop(TreePlace& at, const Query& query,
                                            Counters& counters) {
  if constexpr (!kLimitShrinks<Query>) {
    if (at.top == 0) return false;
    --at.top;
    if constexpr (Counters::kCounting) counters.Enter(tickets_[at.top]);
    // A child that was near enough when it was pushed may not be near enough
    // any more.
  } else if constexpr (Counters::kCounting) {
    do {
      if (at.top == 0) return false;
      --at.top;
      counters.Enter(tickets_[at.top]);
    } while (key_row_[kLanes + at.top] > query.limit());
  } else {
    const F8 limit = Set8(query.limit());
    uint32_t near = 0;
    while (near == 0) {
      if (at.top <= 0) return false;
      near = Bits(LoadU8(key_row_ + at.top) <= limit);
      at.top -= kLanes;
    }
    at.top += std::bit_width(near) - 1;
  }
  at.child = children_[at.top];
  return true;
}

template <typename Query, typename Counters>
HWY_INLINE void TraverseNearestFirst(const Tree& tree, Query& query,
                                     Counters& counters) {
  const TreeMemory memory(tree);
  NearestFirst<Counters> search;
  TreePlace at;
  do {
    Way way = at.is_leaf() ? Way::kToLeaf : Way::kToNode;
    while (way == Way::kToNode)
      way = search.Expand(at, memory, query, counters);
    if (way == Way::kToLeaf) search.Look(at, memory, query, counters);
  } while (search.Pop(at, query, counters));
}

// Visits nodes first, and leaves in batches. Loops that repeat one kind of step
// are predicted well, and leaves have time to come from memory. Several nodes
// are taken from the stack at once. The next node then does not depend on the
// contents of the one before, so the processor works on several.
template <typename Query, typename Counters>
class AllOfTree {
 public:
  AllOfTree(const Tree& tree, Query& query, Counters& counters)
      : memory_(tree), query_(query), counters_(counters) {}

  HWY_INLINE void Traverse() {
    const int batch = static_cast<int>(query_.leaf_batch());
    // If a leaf may end the search, no more nodes are expanded than needed.
    const int at_once = batch == 1 ? 1 : kAtOnce;
    uint32_t nodes[kLanes] = {Tree::kRoot};
    Ticket tickets[kLanes] = {};
    int count = 1;
    while (true) {
      for (int i = 0; i < count; ++i) {
        if constexpr (Counters::kCounting) counters_.Enter(tickets[i]);
        if (Expand(nodes[i]) == Step::kStop) return;
      }
      if ((pending_count_ >= batch || top_ == 0) &&
          VisitPending() == Step::kStop) {
        return;
      }
      if (top_ == 0) return;
      count = std::min(top_, at_once);
      top_ -= count;
      LoadU8(stack_ + top_).StoreU(nodes);
      for (int i = 0; i < count; ++i) {
        memory_.PrefetchNode(nodes[i]);
        if constexpr (Counters::kCounting) tickets[i] = tickets_[top_ + i];
      }
    }
  }

 private:
  using Ticket = typename Counters::Ticket;

  static constexpr bool kContainsVolumes =
      requires(Query & query, const TreeMemory& memory, LeafRange leaves) {
    query.Take(memory, leaves);
  };
  static constexpr int kAtOnce = 8;
  static_assert(kAtOnce <= kLanes);
  // Bound of the stack. All pushes of a round are deeper than the shallowest
  // node that it took. So the remaining pushes of a round have a greater least
  // depth than those of earlier rounds below them. There are at most as many
  // such rounds as levels. A row is stored whole.
  static constexpr int kCapacity = kMaxTreeDepth * kAtOnce * kLanes + kLanes;

  HWY_INLINE Step Expand(uint32_t index) {
    if (const Tree* const detail = memory_.DetailAt(index);
        HWY_UNLIKELY(detail != nullptr)) {
      return query_.VisitDetail(*detail);
    }
    const Node& node = memory_.ReadNode(index, node_room_);
    counters_.VisitNode(node.kind);
    const LaneTest test = query_.Test(node);
    const uint32_t used = LanesBelow(node.count);
    const uint32_t inner = LanesBelow(node.inner_count);
    const uint32_t accepted = test.accepted & used;
    counters_.TestVolumes(node.kind, used, accepted, test.exact, used & ~inner);
    uint32_t open = accepted;
    if constexpr (kContainsVolumes) {
      const uint32_t whole = accepted & test.inside;
      if (whole != 0 && Take(node, whole) == Step::kStop) return Step::kStop;
      open &= ~whole;
    }
    const U8 lane = Iota8();
    CompressStore8(lane + Set8(node.first_node), open & inner, stack_ + top_);
    CompressStore8(lane + Set8(node.first_leaf - node.inner_count),
                   open & ~inner, pending_ + pending_count_);
    if constexpr (Counters::kCounting) {
      for (int i = 0; i < std::popcount(open & inner); ++i) {
        tickets_[top_ + i] = counters_.Accept(node.kind);
      }
      for (int i = 0; i < std::popcount(open & ~inner); ++i) {
        pending_tickets_[pending_count_ + i] = counters_.Accept(node.kind);
      }
    }
    top_ += std::popcount(open & inner);
    pending_count_ += std::popcount(open & ~inner);
    return Step::kContinue;
  }

  Step Take(const Node& node, uint32_t lanes) {
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
      const Step step = query_.Take(memory_, LeavesBelow(memory_, node, lane));
      if (step == Step::kStop) return step;
    }
    return Step::kContinue;
  }

  HWY_INLINE Step VisitPending() {
    const int count = std::exchange(pending_count_, 0);
    for (int i = 0; i < std::min(count, kAhead); ++i) {
      memory_.PrefetchLeaf(pending_[i]);
    }
    for (int i = 0; i < count; ++i) {
      if (i + kAhead < count) memory_.PrefetchLeaf(pending_[i + kAhead]);
      if constexpr (Counters::kCounting) counters_.Enter(pending_tickets_[i]);
      counters_.VisitLeaf();
      const Leaf& leaf = memory_.ReadLeaf(pending_[i], leaf_room_);
      if (query_.Visit(leaf, pending_[i]) == Step::kStop) {
        return Step::kStop;
      }
    }
    return Step::kContinue;
  }

  // A leaf takes 20 ns to test, and a hundred to come from distant memory.
  static constexpr int kAhead = 6;

  const TreeMemory memory_;
  Node node_room_;
  Leaf leaf_room_;
  Query& query_;
  Counters& counters_;
  uint32_t stack_[kCapacity];
  Ticket tickets_[Counters::kCounting ? kCapacity : 1];
  int top_ = 0;
  // The leaves of one round may be added to nearly a full batch.
  static constexpr size_t kPendingCapacity =
      kMostPendingLeaves + (kAtOnce + 1) * kLanes;
  uint32_t pending_[kPendingCapacity];
  Ticket pending_tickets_[Counters::kCounting ? kPendingCapacity : 1];
  int pending_count_ = 0;
};

template <typename Query, typename Counters>
HWY_INLINE void TraverseTree(const Tree& tree, Query& query,
                             Counters& counters) {
  if constexpr (Query::kOrder != Order::kAny) {
    TraverseNearestFirst(tree, query, counters);
  } else {
    AllOfTree<Query, Counters>(tree, query, counters).Traverse();
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_ONE_TREE_INL_H_
