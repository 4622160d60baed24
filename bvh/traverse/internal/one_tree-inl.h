// SPDX-License-Identifier: Apache-2.0

// The loop over one tree: every query of a single mesh is a client of it.
//
//   struct Query {
//     static constexpr Order kOrder = Order::kNearestFirst;
//     LaneTest Test(const Node& node);       // the children's volumes
//     float limit() const;                   // keys above it are not opened
//     Step Visit(const Leaf& leaf, uint32_t index);
//     Step VisitPart(const Tree& part);      // the whole of it (tree/tree.h)
//     // In any order there is no limit, but these:
//     size_t leaf_batch() const;       // visit leaves when so many wait
//     Step Take(const TreeMemory& memory, LeafRange leaves);  // those `inside`
//   };
//   TraverseTree(tree, query, counters);
//
// Private; compiled once per instruction set
// (overlap/internal/lanes/lanes-inl.h). The stack is an array sized by the
// deepest tree there can be: it cannot overflow.
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

// What a query says of a node's children, lane i as bit i; bits of unused lanes
// do not matter.
struct LaneTest {
  uint32_t accepted;  // to be opened
  uint32_t exact;     // of those, what the volumes' exact test accepts too
  F8 key;             // not negative: the lower the sooner, above the limit
                      // not at all; nearest first, infinite in lanes that
                      // are not accepted
  uint32_t inside =
      0;  // of the accepted, what belongs to the answer as a whole
};

// The most that a query may let wait.
inline constexpr size_t kMostPendingLeaves = 256;

// Requires that `query` answers kStop or leaves `limit` where it is or lower.
template <typename Query, typename Counters>
void TraverseTree(const Tree& tree, Query& query, Counters& counters);

// Implementation.

HWY_INLINE uint32_t LanesBelow(uint32_t count) { return (1u << count) - 1; }

// The triangles that a leaf holds, as bits.
HWY_INLINE uint32_t UsedLanes(const uint32_t* ids) {
  return ~Bits(Load8(ids) == Set8(kNoTriangle)) & 0xff;
}
HWY_INLINE uint32_t UsedLanes(const Leaf& leaf) { return UsedLanes(leaf.ids); }

// Where a lane's child is: inner ones as indices of nodes, others as indices of
// leaves with `leaf_bit`. Unused lanes say nothing.
HWY_INLINE uint32_t ChildOf(const Node& node, uint32_t lane,
                            uint32_t leaf_bit) {
  // In arithmetic: a branch would be mispredicted as often as not.
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

// All leaves below a lane, without going there.
HWY_INLINE LeafRange LeavesBelow(const TreeMemory& memory, const Node& node,
                                 uint32_t lane) {
  if (lane >= node.inner_count) {
    return {node.first_leaf + lane - node.inner_count, 1};
  }
  const uint32_t child = node.first_node + lane;
  return {memory.FirstLeaf(child), memory.LeavesBelow(child)};
}

// A node leaves at most seven siblings behind when its path goes on, and a row
// is stored whole.
inline constexpr int kStackCapacity = kMaxTreeDepth * (kLanes - 1) + 2 * kLanes;

// Whether what waits may come to lie above the limit.
template <typename Query>
inline constexpr bool kLimitShrinks = Query::kOrder != Order::kLeavesFirst;

// Which of the accepted lanes, of which there is one, to open next. Leaves come
// last in a node; unused lanes are like the first.
template <typename Query>
HWY_INLINE uint32_t NextLane(const F8& key, uint32_t accepted) {
  if constexpr (kLimitShrinks<Query>) {
    return LowestLaneRoughly(key);
  } else {
    return static_cast<uint32_t>(std::bit_width(accepted)) - 1;
  }
}

// Where a search is: a child is a node's index, or a leaf's with a bit.
struct TreePlace {
  static constexpr uint32_t kLeafBit = uint32_t{1} << 31;

  bool is_leaf() const { return (child & kLeafBit) != 0; }
  uint32_t leaf() const { return child & ~kLeafBit; }

  uint32_t child = Tree::kRoot;
  int top = 0;  // of the stack
};

// Where a search goes on after a node: at what is next is known of which kind
// it is, before it is known which it is.
enum class Way { kBack, kToNode, kToLeaf };

// A search that takes the nearest child first, or a leaf, by its order, and
// what it has put aside.
template <typename Counters>
class NearestFirst {
 public:
  // Before the first key there are eight that no limit lets through.
  NearestFirst() {
    Store8(Set8(std::numeric_limits<float>::quiet_NaN()), key_row_);
  }

  // Goes on to the nearest child of a node, or back where none is near enough.
  template <typename Query>
  HWY_INLINE Way Open(TreePlace& at, const TreeMemory& memory, Query& query,
                      Counters& counters);

  template <typename Query>
  HWY_INLINE void Look(TreePlace& at, const TreeMemory& memory, Query& query,
                       Counters& counters);

  // Goes back to what is still near enough; false where nothing is.
  template <typename Query>
  HWY_INLINE bool Pop(TreePlace& at, const Query& query, Counters& counters);

 private:
  static constexpr uint32_t kLeafBit = TreePlace::kLeafBit;

  // By a branch: the next step is another one as well, and need not wait.
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
HWY_INLINE Way NearestFirst<Counters>::Open(TreePlace& at,
                                            const TreeMemory& memory,
                                            Query& query, Counters& counters) {
  if (const Tree* const part = memory.PartAt(at.child);
      HWY_UNLIKELY(part != nullptr)) {
    if (query.VisitPart(*part) == Step::kStop) at.top = 0;
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
    // As often as not; and where the processor guesses it, the way does not
    // wait for keys to be compared.
    return GoTo(at, node, static_cast<uint32_t>(std::countr_zero(accepted)));
  }
  if (accepted == 0) return Way::kBack;
  const U8 refs = ChildrenOf(node, kLeafBit);
  // The one that comes next goes on top, the others below as they are:
  // mispredicted branches would cost more than their order brings.
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
  // What is needed at once comes from memory first.
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
    // What was near enough when it was pushed may not be any more.
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
    while (way == Way::kToNode) way = search.Open(at, memory, query, counters);
    if (way == Way::kToLeaf) search.Look(at, memory, query, counters);
  } while (search.Pop(at, query, counters));
}

// Nodes first, leaves in batches: loops that always do the same are predicted
// well, and a leaf has time to come from memory. Some nodes are taken from the
// stack at once: which is next does not wait for what the one before holds, so
// that the processor works on several.
template <typename Query, typename Counters>
class AllOfTree {
 public:
  AllOfTree(const Tree& tree, Query& query, Counters& counters)
      : memory_(tree), query_(query), counters_(counters) {}

  HWY_INLINE void Traverse() {
    const int batch = static_cast<int>(query_.leaf_batch());
    // Where a leaf may end it, no more nodes are opened than are needed.
    const int at_once = batch == 1 ? 1 : kAtOnce;
    uint32_t nodes[kLanes] = {Tree::kRoot};
    Ticket tickets[kLanes] = {};
    int count = 1;
    while (true) {
      for (int i = 0; i < count; ++i) {
        if constexpr (Counters::kCounting) counters_.Enter(tickets[i]);
        if (Open(nodes[i]) == Step::kStop) return;
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

  static constexpr int kAtOnce = 8;
  static_assert(kAtOnce <= kLanes);
  // What a turn pushes is deeper than the shallowest that it took. So what is
  // left of the pushes of one turn has a least depth greater than that of what
  // lies below: there are as many of them as levels, and a row is stored whole.
  static constexpr int kCapacity = kMaxTreeDepth * kAtOnce * kLanes + kLanes;

  HWY_INLINE Step Open(uint32_t index) {
    if (const Tree* const part = memory_.PartAt(index);
        HWY_UNLIKELY(part != nullptr)) {
      return query_.VisitPart(*part);
    }
    const Node& node = memory_.ReadNode(index, node_room_);
    counters_.VisitNode(node.kind);
    const LaneTest test = query_.Test(node);
    const uint32_t used = LanesBelow(node.count);
    const uint32_t inner = LanesBelow(node.inner_count);
    const uint32_t accepted = test.accepted & used;
    counters_.TestVolumes(node.kind, used, accepted, test.exact, used & ~inner);
    const uint32_t whole = accepted & test.inside;
    if (whole != 0 && Take(node, whole) == Step::kStop) return Step::kStop;
    const uint32_t open = accepted & ~whole;
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

  // A leaf takes 20 ns to test, and a hundred to come from far away.
  static constexpr int kAhead = 6;

  const TreeMemory memory_;
  Node node_room_;
  Leaf leaf_room_;
  Query& query_;
  Counters& counters_;
  uint32_t stack_[kCapacity];
  Ticket tickets_[Counters::kCounting ? kCapacity : 1];
  int top_ = 0;
  // Those of one turn may come on top of nearly a batch.
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
