// The loop over two trees, each where its pose puts it: every query of mesh
// against mesh is a client of it.
//
//   struct Query {
//     static constexpr Order kOrder = Order::kNearestFirst;
//     double bound() const;       // pairs further apart do not interest
//     Step Offer(TrianglePair ids, const Triangle& a, const Triangle& b,
//                Counters& counters);
//   };
//   TwoTrees<Query, Counters>(a, b, query, counters).Traverse();
//
// A pair of volumes, one from each tree, is opened on the side of the larger:
// the other volume is taken into that tree's space and tested against eight
// children at once. A sphere needs no turning; a box is turned once per node.
// All bounds are certified: a lower bound minus its slack (relative_space.h).
// Private; compiled once per instruction set (overlap/lanes-inl.h). The stack
// is an array sized by the deepest trees there can be.
#if defined(ORBOX_BVH_TRAVERSE_TWO_TREES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_TWO_TREES_INL_H_
#undef ORBOX_BVH_TRAVERSE_TWO_TREES_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_TWO_TREES_INL_H_
#endif

#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "hwy/highway.h"
#include "orbox/bvh/query/mesh_overlap.h"
#include "orbox/bvh/query/posed_tree.h"
#include "orbox/bvh/traverse/leaf_pair-inl.h"
#include "orbox/bvh/traverse/relative_space.h"
#include "orbox/bvh/traverse/step.h"
#include "orbox/bvh/traverse/volume-inl.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

template <typename Query, typename Counters>
class TwoTrees {
 public:
  TwoTrees(const PosedTree& a, const PosedTree& b, Query& query,
           Counters& counters)
      : a_(a.tree(), RelativeSpace::Of(SpaceOf(b), SpaceOf(a))),
        b_(b.tree(), RelativeSpace::Of(SpaceOf(a), SpaceOf(b))),
        leaves_(a, b, b_.other),
        query_(query),
        counters_(counters),
        to_units_(1 / SpaceOf(b).WorldUnit()) {
    a_.unit = b_.other.scale;
  }

  void Traverse();

 private:
  // One of the two trees, and how the other one looks from its space.
  struct Side {
    Side(const Tree& tree, const RelativeSpace& relative)
        : nodes(tree.nodes().data()), other(relative) {}

    // A slot's child: a node's index, or a leaf's.
    bool IsLeaf(Slot s) const {
      return s.lane() >= nodes[s.node()].inner_count;
    }
    uint32_t Child(Slot s) const {
      const Node& node = nodes[s.node()];
      return IsLeaf(s) ? node.first_leaf + s.lane() - node.inner_count
                       : node.first_node + s.lane();
    }

    const Node* nodes;
    RelativeSpace other;  // takes the other tree's space to this one's
    float unit = 1;       // of b's space, a unit of this one
  };

  struct Entry {
    float key;  // a certified lower bound of the distance, in b's units
    Slot a;
    Slot b;
    typename Counters::Tag tag{0, VolumeKind::kAabb};
  };

  static PosedSpace SpaceOf(const PosedTree& t) {
    return {t.tree().space(), t.pose(), t.scale(), t.skew()};
  }

  // The bound of the query in b's units; bounds above it prune.
  float Limit() const {
    const double limit = query_.bound() * to_units_;
    return limit < 0x1p60 ? RoundUp(limit * (1 + 0x1p-20))
                          : std::numeric_limits<float>::infinity();
  }

  // Tests `volume` of the other side against the children of the slot `opened`
  // and pushes those that are near enough.
  template <bool kOpensA>
  void Open(Slot opened, Slot kept, int depth);

  Step VisitLeaves(const Entry& entry);

  Side a_;
  Side b_;
  LeafPairs leaves_;
  Query& query_;
  Counters& counters_;
  double to_units_;
  float limit_ = 0;

  // Each opening leaves at most seven siblings behind, and a path opens at most
  // every level of both trees and the two anchors.
  static constexpr int kCapacity =
      2 * (kMaxTreeDepth + 1) * (kLanes - 1) + kLanes;
  Entry stack_[kCapacity];
  Entry* top_ = stack_;
};

// Implementation.

template <typename Query, typename Counters>
HWY_INLINE void TwoTrees<Query, Counters>::Traverse() {
  limit_ = Limit();
  // The anchors' boxes, each against the other's, need no test of their own.
  Entry entry{0, Slot::Of(0, 0), Slot::Of(0, 0)};
  int depth = 0;
  while (true) {
    const bool a_is_leaf = a_.IsLeaf(entry.a);
    const bool b_is_leaf = b_.IsLeaf(entry.b);
    if (a_is_leaf && b_is_leaf) {
      if (VisitLeaves(entry) == Step::kStop) return;
    } else if (b_is_leaf ||
               (!a_is_leaf && VolumeSize(a_.nodes, entry.a) * a_.unit >=
                                  VolumeSize(b_.nodes, entry.b))) {
      Open<true>(entry.a, entry.b, depth);
    } else {
      Open<false>(entry.b, entry.a, depth);
    }
    do {
      if (top_ == stack_) return;
      entry = *--top_;
      counters_.Open(entry.tag);
    } while (Query::kOrder == Order::kNearestFirst && entry.key > limit_);
    if constexpr (Counters::kCounting) depth = entry.tag.depth + 1;
  }
}

template <typename Query, typename Counters>
template <bool kOpensA>
HWY_INLINE void TwoTrees<Query, Counters>::Open(Slot opened, Slot kept,
                                                int depth) {
  const Side& side = kOpensA ? a_ : b_;
  const Side& from = kOpensA ? b_ : a_;
  const uint32_t index = side.Child(opened);
  const Node& node = side.nodes[index];
  counters_.VisitNode(depth, node.kind);

  const uint32_t used = LanesBelow(node.count);
  // Where floats cannot tell, everything is near.
  VolumeBound bound{Zero8(), 0xff};
  if (!side.other.is_far()) {
    bound = BoundToChildren<Counters::kCounting>(
        VolumeAt(from.nodes, kept), side.other, node,
        limit_ / side.unit + side.other.slack);
    // Units change after the slack is off, so that one limit serves both sides.
    bound.lower = (bound.lower - Set8(side.other.slack)) * Set8(side.unit);
  }
  alignas(32) float keys[kLanes];
  Store8(bound.lower, keys);
  uint32_t rest = Bits(bound.lower <= Set8(limit_)) & used;
  counters_.TestVolumes(depth, node.kind, used, rest, bound.exact,
                        used & ~LanesBelow(node.inner_count));
  Entry* const first = top_;
  for (; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const Slot child = Slot::Of(index, lane);
    *top_++ = {keys[lane], kOpensA ? child : kept, kOpensA ? kept : child,
               typename Counters::Tag(depth, node.kind)};
  }
  if constexpr (Query::kOrder == Order::kNearestFirst) {
    // Nearest on top: at most eight, nearly always two or three.
    for (Entry* e = first; e < top_; ++e) {
      for (Entry* f = e; f > first && f[-1].key < f->key; --f) {
        std::swap(f[-1], *f);
      }
    }
  }
}

template <typename Query, typename Counters>
HWY_INLINE Step TwoTrees<Query, Counters>::VisitLeaves(const Entry& entry) {
  counters_.VisitLeaf();
  leaves_.Load(a_.Child(entry.a), b_.Child(entry.b));
  uint32_t a_lanes = leaves_.a_lanes();
  const int b_count = std::popcount(leaves_.b_lanes());
  for (; a_lanes != 0; a_lanes &= a_lanes - 1) {
    const int i = std::countr_zero(a_lanes);
    uint32_t near = leaves_.Near(i, limit_);
    counters_.TestTriangles(b_count, b_count - std::popcount(near));
    for (; near != 0; near &= near - 1) {
      const int j = std::countr_zero(near);
      const Step step =
          query_.Offer({leaves_.a_id(i), leaves_.b_id(j)},
                       leaves_.a_triangle(i), leaves_.b_triangle(j), counters_);
      if (step == Step::kStop) return step;
    }
    if constexpr (Query::kOrder == Order::kNearestFirst) limit_ = Limit();
  }
  return Step::kContinue;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_TWO_TREES_INL_H_
