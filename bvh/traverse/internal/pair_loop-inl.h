// SPDX-License-Identifier: Apache-2.0

// Runs a query over a scope (pair_search.h): two trees, or one tree against
// itself. Private; compiled once per instruction set.
//
//   Step step = SearchPairs(scope, query, counters);
//
// The query has the functions that two_trees-inl.h requires, and for its last
// pairs
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
HWY_NOINLINE Step SearchSelf(const PosedTree& tree, const SelfTask& task,
                             const SelfPairs* pairs, Query& query,
                             Counters& counters,
                             std::vector<DetailPair>* deferred) {
  SelfTree<Query, Counters> self(tree, query, counters, deferred, pairs);
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
                  ? SearchSelf(scope.a, scope.task, scope.self, query, counters,
                               &deferred)
                  : SearchTwo(scope.a, scope.b, scope.task.below, scope.first,
                              query, counters, &deferred);
  // Pairs with detail trees that these traversals leave are appended to the
  // list, so there is no recursion.
  while (step == Step::kContinue && !deferred.empty()) {
    const DetailPair pair = deferred.back();
    deferred.pop_back();
    counters.Restart();
    step = pair.is_self ? SearchSelf(pair.a, SelfTask::Of(pair.a.tree()),
                                     nullptr, query, counters, &deferred)
                        : SearchTwo(pair.a, pair.b, pair.below, {}, query,
                                    counters, &deferred);
  }
  return step;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_LOOP_INL_H_
