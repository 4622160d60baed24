// SPDX-License-Identifier: Apache-2.0

// Runs a query over a scope (pair_search.h): two trees, or one tree against
// itself. Private; compiled once per instruction set.
//
//   Step step = SearchPairs(scope, query, counters);
//
// The query has the functions that two_trees-inl.h requires, and for its last
// pairs
//   Step Finish(const LeafPairs& leaves, Counters& counters);
//
// SelfTree is the loop over one tree against itself. It visits each pair of
// leaves once, and each leaf with itself.
//
//   SelfTree<Query, Counters> self(tree, query, counters, &deferred);
//   self.Traverse(PairTask::Of(tree));
//
// For any two triangles, either there is exactly one node that has them below
// two different children, or they are in one leaf. So the children of every
// node are tested against each other, and the loop over two trees visits the
// triangles below children that overlap. Between two leaves, a pair occurs in
// one of its two orders. Within a leaf, it occurs in both orders, and each
// triangle also occurs with itself. Depths in statistics count from the node at
// which the paths separate.
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_LOOP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_LOOP_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_LOOP_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_LOOP_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "hwy/highway.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/traverse/internal/relative_space.h"
#include "orbox/bvh/traverse/internal/step.h"
#include "orbox/bvh/traverse/internal/subtree_pair.h"
#include "orbox/bvh/traverse/internal/two_trees-inl.h"
#include "orbox/bvh/traverse/internal/volume-inl.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Requires a query with a constant bound.
template <typename Query, typename Counters>
class SelfTree {
 public:
  // `deferred` is as in two_trees-inl.h.
  SelfTree(const PosedTree& tree, Query& query, Counters& counters,
           std::vector<DetailPair>* deferred = nullptr)
      : tree_(tree),
        deferred_(deferred),
        pairs_(tree, tree, query, counters, deferred),
        memory_(tree.tree()),
        counters_(counters),
        same_(RelativeSpace::Of(tree, tree)),
        limit_(LimitOf(query.bound() * tree.tree().space().scale)) {}

  using Task = typename TwoTrees<Query, Counters>::Task;

  Step Traverse(const PairTask& task) {
    if (task.begin == task.end) return pairs_.TraverseBelow(task.below);
    for (uint32_t i = task.begin; i < task.end; ++i) {
      if (DeferDetailPairs(i)) continue;
      const Step step = ForEachPair(i, [&](const Task& children) HWY_ATTR {
        counters_.Enter(children.ticket);
        const Step below = pairs_.TraverseBelow(children.pair);
        counters_.Enter({});
        return below;
      });
      if (step == Step::kStop) return Step::kStop;
    }
    return Step::kContinue;
  }

  const LeafPairs& leaves() const { return pairs_.leaves(); }

  // Returns about `count` tasks that remain to be traversed below the nodes:
  // pairs of children, pairs below these, and leaves with themselves.
  std::vector<Task> Split(std::span<const uint32_t> nodes, size_t count) {
    std::vector<Task> alone;
    std::vector<Task> pairs;
    for (const uint32_t i : nodes) {
      ForEachPair(i, [&](const Task& task) HWY_ATTR {
        (IsAlone(task.pair) ? alone : pairs).push_back(task);
        return Step::kContinue;
      });
    }
    pairs = pairs_.Split(pairs, count);
    pairs.insert(pairs.end(), alone.begin(), alone.end());
    return pairs;
  }

 private:
  // Returns true if the pairs of a node's children belong to a detail tree. At
  // the root of a detail tree, defers all its pairs.
  bool DeferDetailPairs(uint32_t index) {
    const DetailTrees* const details = tree_.tree().detail_trees();
    if (details == nullptr || deferred_ == nullptr) return false;
    if (const Tree* const detail = details->At(index)) {
      const PosedTree posed = tree_.OfDetail(*detail);
      deferred_->push_back({.a = posed, .b = posed, .is_self = true});
      return true;
    }
    return details->IsBelowRoot(index);
  }

  static constexpr float kLeaf = -1;  // equal to TwoTrees::kLeafSize

  // Returns the limit above which the keys of a node's children are pruned, for
  // a distance in tree units. Computed as in PairLimits.
  float LimitOf(double distance) const {
    if (!(distance < 0x1p60)) return std::numeric_limits<float>::infinity();
    const double near = distance == 0 ? 0 : RoundUp(distance * (1 + 0x1p-20));
    return RoundUp(near + same_.slack);
  }

  static bool IsAlone(const SubtreePair& pair) {
    return pair.a.value == pair.b.value;
  }

  // Calls visit(task) for the pairs of a node's children that may overlap, and
  // for each of its leaves with itself.
  template <typename Visit>
  HWY_INLINE Step ForEachPair(uint32_t index, Visit visit) {
    Node room;
    const Node& node = memory_.ReadNode(index, room);
    counters_.Enter({});
    counters_.VisitNode(node.kind);
    alignas(32) float sizes[kLanes];
    Store8(VolumeSizes(node), sizes);
    std::fill(sizes + node.inner_count, sizes + kLanes, kLeaf);
    for (uint32_t i = 0; i < node.count; ++i) {
      const Slot slot = Slot::Of(index, i);
      if (i >= node.inner_count &&
          visit({{slot, slot, kLeaf, kLeaf, 0}, {}}) == Step::kStop) {
        return Step::kStop;
      }
      const uint32_t later = LanesBelow(node.count) & ~LanesBelow(i + 1);
      if (later == 0) continue;
      for (uint32_t near = Near(node, slot, later); near != 0;
           near &= near - 1) {
        const auto j = static_cast<uint32_t>(std::countr_zero(near));
        const auto ticket = counters_.Accept(node.kind);
        const SubtreePair pair{slot, Slot::Of(index, j), sizes[i], sizes[j],
                               counters_.DepthOf(ticket)};
        if (visit({pair, ticket}) == Step::kStop) return Step::kStop;
      }
    }
    return Step::kContinue;
  }

  // Returns those of the lanes `later` whose volumes may overlap the volume of
  // a slot of the same node.
  HWY_NOINLINE uint32_t Near(const Node& node, Slot slot, uint32_t later) {
    const VolumeBound bound = BoundToChildren<Counters::kCounting>(
        VolumeAt(node, slot.lane()), same_, node, limit_);
    const uint32_t near = Bits(bound.key <= Set8(limit_)) & later;
    counters_.TestVolumes(node.kind, later, near, bound.exact,
                          later & ~LanesBelow(node.inner_count));
    counters_.TestPairs(node.kind, node.kind, later, near, bound.exact);
    return near;
  }

  const PosedTree& tree_;
  std::vector<DetailPair>* const deferred_;
  TwoTrees<Query, Counters> pairs_;
  const TreeMemory memory_;
  Counters& counters_;
  RelativeSpace same_;
  float limit_;
};

template <typename Query, typename Counters>
HWY_NOINLINE Step SearchSelf(const PosedTree& tree, const PairTask& task,
                             Query& query, Counters& counters,
                             std::vector<DetailPair>* deferred) {
  SelfTree<Query, Counters> self(tree, query, counters, deferred);
  if (self.Traverse(task) == Step::kStop) return Step::kStop;
  return query.Finish(self.leaves(), counters);
}

// Traverses the pairs below the nodes `first` before the others, if there are
// any.
template <typename Query, typename Counters>
HWY_NOINLINE Step SearchTwo(const PosedTree& a, const PosedTree& b,
                            const SubtreePair& below, orbox::NodePair first,
                            Query& query, Counters& counters,
                            std::vector<DetailPair>* deferred) {
  TwoTrees<Query, Counters> trees(a, b, query, counters, deferred);
  if (first.any()) {
    if (trees.TraverseBelowNodes(first) == Step::kStop) return Step::kStop;
    counters.Restart();
  }
  if (trees.TraverseBelow(below) == Step::kStop) return Step::kStop;
  return query.Finish(trees.leaves(), counters);
}

template <typename Query, typename Counters>
Step SearchPairs(const PairScope& scope, Query& query, Counters& counters) {
  std::vector<DetailPair> deferred;
  Step step = scope.self != nullptr
                  ? SearchSelf(scope.a, scope.task, query, counters, &deferred)
                  : SearchTwo(scope.a, scope.b, scope.task.below, scope.first,
                              query, counters, &deferred);
  // Pairs with detail trees that these traversals leave are appended to the
  // list, so there is no recursion.
  while (step == Step::kContinue && !deferred.empty()) {
    const DetailPair pair = deferred.back();
    deferred.pop_back();
    counters.Restart();
    step = pair.is_self ? SearchSelf(pair.a, PairTask::Of(pair.a.tree()), query,
                                     counters, &deferred)
                        : SearchTwo(pair.a, pair.b, pair.below, {}, query,
                                    counters, &deferred);
  }
  return step;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_LOOP_INL_H_
