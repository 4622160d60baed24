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
//     // With Order::kAny, these functions replace limit():
//     size_t leaf_batch() const;       // leaves per batch
//     // The leaves below a lane of `inside`.
//     Step ReportSubtree(const TreeMemory& memory, LeafRange leaves);
//   };
//   TraverseTree(tree, query, counters);
//
// Private; compiled once per instruction set
// (overlap/internal/lanes/lanes-inl.h).
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
#include <utility>

#include "hwy/highway.h"
#include "orbox/bvh/traverse/internal/child_stack-inl.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/step.h"
#include "orbox/bvh/traverse/internal/tree_memory-inl.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// The result of testing a node's children, as masks of lanes. Bits of unused
// lanes are arbitrary.
struct LaneTest {
  uint32_t accepted;  // to be expanded
  // The accepted lanes that the exact test of the volumes also accepts.
  uint32_t exact;
  // Not negative. Lower keys are visited sooner, keys above the limit are not
  // visited. With kNearestFirst, infinite in lanes that are not accepted.
  F8 key;
  // Accepted lanes whose subtrees belong to the result completely.
  uint32_t inside = 0;
};

// Upper bound of the leaves that may wait in a batch.
inline constexpr size_t kMostPendingLeaves = 256;

// Requires that `query` never raises `limit`.
template <typename Query, typename Counters>
void TraverseTree(const Tree& tree, Query& query, Counters& counters);

// Implementation.

HWY_INLINE uint32_t LanesBelow(uint32_t count) { return (1u << count) - 1; }

// Returns the mask of the lanes with a triangle.
HWY_INLINE uint32_t UsedLanes(const uint32_t* ids) {
  return ~Bits(Load8(ids) == Set8(kNoTriangle)) & 0xff;
}
HWY_INLINE uint32_t UsedLanes(const Leaf& leaf) { return UsedLanes(leaf.ids); }

// Returns all leaves below a lane, without visiting the nodes between.
HWY_INLINE LeafRange LeavesBelow(const TreeMemory& memory, const Node& node,
                                 uint32_t lane) {
  if (lane >= node.inner_count) {
    return {node.first_leaf + lane - node.inner_count, 1};
  }
  const uint32_t child = node.first_node + lane;
  return {memory.FirstLeaf(child), memory.LeavesBelow(child)};
}

// Returns the accepted lane to visit next: the nearest, or with kLeavesFirst
// the last, because leaves come last in a node. Requires at least one.
template <typename Query>
HWY_INLINE uint32_t NextLane(const F8& key, uint32_t accepted) {
  if constexpr (Query::kOrder == Order::kLeavesFirst) {
    return static_cast<uint32_t>(std::bit_width(accepted)) - 1;
  } else {
    return LowestLaneRoughly(key);
  }
}

// The next step of a search. The kind of the next child (node or leaf) is known
// before its index, so the caller branches on the kind first.
enum class NextStep { kPop, kNode, kLeaf };

// Moves to a lane's child. By a branch, so that the next step, which depends on
// the kind, does not wait.
HWY_INLINE NextStep MoveTo(TreePosition& at, const Node& node, uint32_t lane) {
  if (lane < node.inner_count) {
    at.child = node.first_node + lane;
    return NextStep::kNode;
  }
  at.child =
      (node.first_leaf - node.inner_count + lane) | TreePosition::kLeafBit;
  return NextStep::kLeaf;
}

// Continues to a child of a node, or back if no child is accepted.
template <typename Query, typename Counters>
HWY_INLINE NextStep ExpandOne(TreePosition& at, const TreeMemory& memory,
                              Query& query, ChildStack<Counters>& stack,
                              Counters& counters) {
  if (const Tree* const detail = memory.DetailAt(at.child);
      HWY_UNLIKELY(detail != nullptr)) {
    if (query.VisitDetail(*detail) == Step::kStop) at.top = 0;
    return NextStep::kPop;
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
    // This is the case for about half of all nodes. If the processor predicts
    // it, the next step does not wait for the comparison of keys.
    return MoveTo(at, node, static_cast<uint32_t>(std::countr_zero(accepted)));
  }
  if (accepted == 0) return NextStep::kPop;
  const uint32_t next = NextLane<Query>(test.key, accepted);
  const uint32_t rest =
      stack.template Push<Query::kOrder != Order::kLeavesFirst>(
          node, test.key, accepted, next, at, counters);
  const NextStep step = MoveTo(at, node, next);
  // Prefetches the child that is needed first.
  if (step == NextStep::kNode) {
    memory.PrefetchNode(at.child);
  } else {
    memory.PrefetchLeaf(at.leaf());
  }
  if (rest != 0) memory.PrefetchChild(stack.last(at), TreePosition::kLeafBit);
  return step;
}

// Search that goes to one child at a time. With kLeavesFirst, the limit does
// not shrink, so keys are not needed.
template <typename Query, typename Counters>
HWY_INLINE void TraverseDepthFirst(const Tree& tree, Query& query,
                                   Counters& counters) {
  const TreeMemory memory(tree);
  ChildStack<Counters> stack;
  TreePosition at;
  const auto pop = [&]() HWY_ATTR {
    if constexpr (Query::kOrder == Order::kLeavesFirst) {
      return stack.Pop(at, counters);
    } else {
      return stack.PopWithin(query.limit(), at, counters);
    }
  };
  do {
    NextStep step = at.is_leaf() ? NextStep::kLeaf : NextStep::kNode;
    while (step == NextStep::kNode) {
      step = ExpandOne(at, memory, query, stack, counters);
    }
    if (step == NextStep::kLeaf) {
      Leaf room;
      const Leaf& leaf = memory.ReadLeaf(at.leaf(), room);
      counters.VisitLeaf();
      if (query.Visit(leaf, at.leaf()) == Step::kStop) at.top = 0;
    }
  } while (pop());
}

// Search in no particular order. Expands up to eight nodes at a time, and
// visits leaves in batches. Loops that repeat one kind of step are predicted
// well, and leaves can arrive from memory in time. Several nodes are popped
// from the stack at once. The next node then does not depend on the contents of
// the previous one, so the processor works on several at the same time.
template <typename Query, typename Counters>
class BatchedSearch {
 public:
  BatchedSearch(const Tree& tree, Query& query, Counters& counters)
      : memory_(tree), query_(query), counters_(counters) {}

  HWY_INLINE void Traverse() {
    const int batch = static_cast<int>(query_.leaf_batch());
    // If a leaf may end the search, nodes are expanded one at a time.
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

  static constexpr bool kReportsSubtrees =
      requires(Query & query, const TreeMemory& memory, LeafRange leaves) {
    query.ReportSubtree(memory, leaves);
  };
  static constexpr int kAtOnce = 8;
  static_assert(kAtOnce <= kLanes);
  // Bound of the stack. A round pushes at most kAtOnce * kLanes nodes. Each
  // round with nodes still on the stack is at least one level deeper, in its
  // least depth, than the one below it. So there are at most kMaxTreeDepth such
  // rounds. The last row is stored whole.
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
    uint32_t expanded = accepted;
    if constexpr (kReportsSubtrees) {
      const uint32_t whole = accepted & test.inside;
      if (whole != 0 && ReportSubtrees(node, whole) == Step::kStop)
        return Step::kStop;
      expanded &= ~whole;
    }
    const U8 lane = Iota8();
    CompressStore8(lane + Set8(node.first_node), expanded & inner,
                   stack_ + top_);
    CompressStore8(lane + Set8(node.first_leaf - node.inner_count),
                   expanded & ~inner, pending_ + pending_count_);
    if constexpr (Counters::kCounting) {
      for (int i = 0; i < std::popcount(expanded & inner); ++i) {
        tickets_[top_ + i] = counters_.Accept(node.kind);
      }
      for (int i = 0; i < std::popcount(expanded & ~inner); ++i) {
        pending_tickets_[pending_count_ + i] = counters_.Accept(node.kind);
      }
    }
    top_ += std::popcount(expanded & inner);
    pending_count_ += std::popcount(expanded & ~inner);
    return Step::kContinue;
  }

  Step ReportSubtrees(const Node& node, uint32_t lanes) {
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
      const Step step =
          query_.ReportSubtree(memory_, LeavesBelow(memory_, node, lane));
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

  // Testing a leaf takes 20 ns, and fetching it from memory may take a hundred.
  static constexpr int kAhead = 6;

  const TreeMemory memory_;
  Node node_room_;
  Leaf leaf_room_;
  Query& query_;
  Counters& counters_;
  uint32_t stack_[kCapacity];
  Ticket tickets_[Counters::kCounting ? kCapacity : 1];
  int top_ = 0;
  // The leaves of one round may be added to a batch that is nearly full.
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
    TraverseDepthFirst(tree, query, counters);
  } else {
    BatchedSearch<Query, Counters>(tree, query, counters).Traverse();
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_ONE_TREE_INL_H_
