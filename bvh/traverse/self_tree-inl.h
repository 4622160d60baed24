// The loop over one tree against itself: each pair of leaves once, and each
// leaf with itself.
//
//   struct Query {                      // of two trees, two_trees-inl.h, and
//     void SetWithinLeaf(bool within);  // where the pairs offered next are
//   };
//   TraverseWithItself(tree, query, counters);
//
// Two triangles are below two children of just one node, or in one leaf. So
// every node's children are tested against each other, and what is below those
// that meet is left to the loop over two trees. Between leaves, a pair comes in
// one of its two orders; within a leaf in both, and each triangle with itself.
// Depths of statistics are counted from the node where the paths part. Private;
// compiled once per instruction set.
#if defined(ORBOX_BVH_TRAVERSE_SELF_TREE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_SELF_TREE_INL_H_
#undef ORBOX_BVH_TRAVERSE_SELF_TREE_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_SELF_TREE_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstdint>

#include "hwy/highway.h"
#include "orbox/bvh/query/posed_tree.h"
#include "orbox/bvh/traverse/relative_space.h"
#include "orbox/bvh/traverse/rounding.h"
#include "orbox/bvh/traverse/step.h"
#include "orbox/bvh/traverse/two_trees-inl.h"
#include "orbox/bvh/traverse/volume-inl.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Requires a query whose bound is 0: of pairs that meet.
template <typename Query, typename Counters>
void TraverseWithItself(const Tree& tree, Query& query, Counters& counters);

// Implementation.

template <typename Query, typename Counters>
class SelfTree {
 public:
  SelfTree(const PosedTree& tree, Query& query, Counters& counters)
      : pairs_(tree, tree, query, counters),
        nodes_(tree.tree().nodes().data()),
        query_(query),
        counters_(counters),
        same_(SpaceToItself(tree)),
        // The limit of a distance of 0.
        limit_(RoundUp(same_.slack)) {}

  Step VisitChildren(uint32_t index) {
    const Node& node = nodes_[index];
    counters_.Enter({});
    counters_.VisitNode(node.kind);
    alignas(32) float sizes[kLanes];
    Store8(VolumeSizes(node), sizes);
    std::fill(sizes + node.inner_count, sizes + kLanes, kLeaf);
    for (uint32_t i = 0; i < node.count; ++i) {
      const Slot slot = Slot::Of(index, i);
      if (i >= node.inner_count && VisitLeaf(slot) == Step::kStop) {
        return Step::kStop;
      }
      const uint32_t later = LanesBelow(node.count) & ~LanesBelow(i + 1);
      if (later == 0) continue;
      for (uint32_t near = Near(node, slot, later); near != 0;
           near &= near - 1) {
        const auto j = static_cast<uint32_t>(std::countr_zero(near));
        counters_.Enter(counters_.Accept(node.kind));
        const Step step =
            pairs_.TraverseBelow(slot, sizes[i], Slot::Of(index, j), sizes[j]);
        counters_.Enter({});
        if (step == Step::kStop) return step;
      }
    }
    return Step::kContinue;
  }

 private:
  static constexpr float kLeaf = -1;  // as two_trees-inl.h has it

  Step VisitLeaf(Slot leaf) {
    query_.SetWithinLeaf(true);
    const Step step = pairs_.TraverseBelow(leaf, kLeaf, leaf, kLeaf);
    query_.SetWithinLeaf(false);
    return step;
  }

  // Which of the lanes `later` the volume of a slot of the same node may meet.
  uint32_t Near(const Node& node, Slot slot, uint32_t later) {
    const VolumeBound bound = BoundToChildren<Counters::kCounting>(
        VolumeAt(nodes_, slot), same_, node, limit_);
    const uint32_t near = Bits(bound.key <= Set8(limit_)) & later;
    counters_.TestVolumes(node.kind, later, near, bound.exact,
                          later & ~LanesBelow(node.inner_count));
    counters_.TestPairs(node.kind, node.kind, later, near, bound.exact);
    return near;
  }

  static RelativeSpace SpaceToItself(const PosedTree& tree) {
    const PosedSpace space{tree.tree().space(), tree.pose(), tree.scale(),
                           tree.skew()};
    return RelativeSpace::Of(space, space);
  }

  TwoTrees<Query, Counters> pairs_;
  const Node* nodes_;
  Query& query_;
  Counters& counters_;
  RelativeSpace same_;
  float limit_;
};

template <typename Query, typename Counters>
HWY_INLINE void TraverseWithItself(const Tree& tree, Query& query,
                                   Counters& counters) {
  const PosedTree posed(tree);
  SelfTree<Query, Counters> self(posed, query, counters);
  for (uint32_t i = Tree::kRoot; i < tree.nodes().size(); ++i) {
    if (self.VisitChildren(i) == Step::kStop) return;
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_SELF_TREE_INL_H_
