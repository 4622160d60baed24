// SPDX-License-Identifier: Apache-2.0

// Runs a query where a scope says (pair_search.h): over two trees, or over one
// against itself. Private; compiled once per instruction set.
//
//   Step step = SearchPairs(scope, query, counters);
//
// The query is one of two_trees-inl.h that has, for its last pairs,
//   Step Finish(const LeafPairs& leaves, Counters& counters);
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_LOOP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_LOOP_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_LOOP_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_LOOP_INL_H_
#endif

#include <vector>

#include "hwy/highway.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/traverse/internal/self_tree-inl.h"
#include "orbox/bvh/traverse/internal/two_trees-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

template <typename Query, typename Counters>
HWY_NOINLINE Step SearchSelf(const PosedTree& tree, const SelfPart& part,
                             const SelfPairs* pairs, Query& query,
                             Counters& counters, std::vector<PartPair>* left) {
  SelfTree<Query, Counters> self(tree, query, counters, left, pairs);
  if (self.Traverse(part) == Step::kStop) return Step::kStop;
  return query.Finish(self.leaves(), counters);
}

// Below the nodes `first`, if there are any, before the rest.
template <typename Query, typename Counters>
HWY_NOINLINE Step SearchTwo(const PosedTree& a, const PosedTree& b,
                            const SubtreePair& below, orbox::NodePair first,
                            Query& query, Counters& counters,
                            std::vector<PartPair>* left) {
  TwoTrees<Query, Counters> trees(a, b, query, counters, left);
  if (first.any()) {
    if (trees.TraverseBelowNodes(first) == Step::kStop) return Step::kStop;
    counters.Restart();
  }
  if (trees.TraverseBelow(below) == Step::kStop) return Step::kStop;
  return query.Finish(trees.leaves(), counters);
}

template <typename Query, typename Counters>
Step SearchPairs(const PairScope& scope, Query& query, Counters& counters) {
  std::vector<PartPair> left;
  Step step =
      scope.self != nullptr
          ? SearchSelf(scope.a, scope.part, scope.self, query, counters, &left)
          : SearchTwo(scope.a, scope.b, scope.part.below, scope.first, query,
                      counters, &left);
  // What parts leave to their parts joins the list: nothing is recursive.
  while (step == Step::kContinue && !left.empty()) {
    const PartPair pair = left.back();
    left.pop_back();
    counters.Restart();
    step = pair.is_self ? SearchSelf(pair.a, SelfPart::Of(pair.a.tree()),
                                     nullptr, query, counters, &left)
                        : SearchTwo(pair.a, pair.b, pair.below, {}, query,
                                    counters, &left);
  }
  return step;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_LOOP_INL_H_
