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

#include "hwy/highway.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/traverse/internal/self_tree-inl.h"
#include "orbox/bvh/traverse/internal/two_trees-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

template <typename Query, typename Counters>
Step SearchPairs(const PairScope& scope, Query& query, Counters& counters) {
  if (scope.self != nullptr) {
    SelfTree<Query, Counters> tree(scope.a, query, counters);
    if (tree.Traverse(scope.part) == Step::kStop) return Step::kStop;
    return query.Finish(tree.leaves(), counters);
  }
  TwoTrees<Query, Counters> trees(scope.a, scope.b, query, counters);
  if (trees.TraverseBelow(scope.part.below) == Step::kStop) return Step::kStop;
  return query.Finish(trees.leaves(), counters);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_LOOP_INL_H_
