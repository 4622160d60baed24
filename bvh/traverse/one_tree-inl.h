// The loop over one tree: every query of a single mesh is a client of it.
//
//   struct Query {
//     static constexpr Order kOrder = Order::kNearestFirst;
//     LaneTest Test(const Node& node);       // the children's volumes
//     float limit() const;                   // keys above it are not opened
//     Step Visit(const Leaf& leaf, uint32_t lanes);
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
#include <cstdint>

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
  F8 key;             // the lower the sooner, and above the limit not at all
};

// Requires that `query` answers kStop or leaves `limit` where it is or lower.
template <typename Query, typename Counters>
void TraverseTree(const Tree& tree, Query& query, Counters& counters);

// Implementation.

HWY_INLINE uint32_t LanesBelow(uint32_t count) { return (1u << count) - 1; }

// The triangles that a leaf holds, as bits.
HWY_INLINE uint32_t UsedLanes(const Leaf& leaf) {
  uint32_t used = 0;
  for (int i = 0; i < kLanes; ++i) {
    used |= static_cast<uint32_t>(leaf.ids[i] != kNoTriangle) << i;
  }
  return used;
}

template <typename Query, typename Counters>
HWY_INLINE void TraverseTree(const Tree& tree, Query& query,
                             Counters& counters) {
  // A child is a node's index, or a leaf's with this bit.
  constexpr uint32_t kLeafBit = uint32_t{1} << 31;
  struct Entry {
    float key;
    uint32_t child;
    typename Counters::Tag tag{0, VolumeKind::kAabb};
  };
  // A node leaves at most seven siblings behind when its path goes on.
  Entry stack[kMaxTreeDepth * (kLanes - 1) + kLanes];
  Entry* top = stack;

  const Node* const nodes = tree.nodes().data();
  const Leaf* const leaves = tree.leaves().data();
  uint32_t child = Tree::kRoot;
  int depth = 0;
  while (true) {
    if ((child & kLeafBit) == 0) {
      const Node& node = nodes[child];
      counters.VisitNode(depth, node.kind);
      const LaneTest test = query.Test(node);
      const uint32_t used = LanesBelow(node.count);
      uint32_t rest = test.accepted & used;
      counters.TestVolumes(depth, node.kind, used, rest, test.exact,
                           used & ~LanesBelow(node.inner_count));
      alignas(32) float keys[kLanes];
      Store8(test.key, keys);
      Entry* const first = top;
      for (; rest != 0; rest &= rest - 1) {
        const uint32_t lane = static_cast<uint32_t>(std::countr_zero(rest));
        const uint32_t inner = node.inner_count;
        *top++ = {keys[lane],
                  lane < inner ? node.first_node + lane
                               : (node.first_leaf + lane - inner) | kLeafBit,
                  typename Counters::Tag(depth, node.kind)};
      }
      if constexpr (Query::kOrder == Order::kNearestFirst) {
        // The nearest goes on top; the order of the rest pays too little.
        for (Entry* e = first; e + 1 < top; ++e) {
          if (e->key < top[-1].key) std::swap(*e, top[-1]);
        }
      }
    } else {
      const Leaf& leaf = leaves[child & ~kLeafBit];
      counters.VisitLeaf();
      if (query.Visit(leaf, UsedLanes(leaf)) == Step::kStop) return;
    }
    // What was near enough when it was pushed may not be any more.
    do {
      if (top == stack) return;
      --top;
      counters.Open(top->tag);
    } while (Query::kOrder == Order::kNearestFirst && top->key > query.limit());
    child = top->child;
    if constexpr (Counters::kCounting) depth = top->tag.depth + 1;
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_ONE_TREE_INL_H_
