// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/traverse/internal/posed_box.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/traverse/internal/overlap_search.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/overlap_query-inl.h"
#include "orbox/bvh/traverse/internal/pair_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

template <typename Counters>
Step RunOverlap(const PairScope& scope, FoundPairs<TrianglePair>* found,
                FirstFound* first, Counters& counters) {
  OverlapQuery query(scope, found);
  const Step step = SearchPairs(scope, query, counters);
  *first = query.found();
  if (scope.a.tree().detail_trees() != nullptr ||
      scope.b.tree().detail_trees() != nullptr) {
    first->nodes = {};
  }
  return step;
}

Step OverlapLoop(const PairScope& scope, FoundPairs<TrianglePair>* found,
                 const Watch& watch, FirstFound* first) {
  NoCounters none(watch);
  return RunOverlap(scope, found, first, none);
}

#if HWY_ONCE
Step CountedOverlapLoop(const PairScope& scope, FoundPairs<TrianglePair>* found,
                        FirstFound* first, StatisticsCounters& counters) {
  return RunOverlap(scope, found, first, counters);
}
#endif

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(OverlapLoop);

namespace {

Step Search(const PairScope& scope, FoundPairs<TrianglePair>* found,
            FirstFound* first, const Watch& watch) {
  if (scope.self == nullptr && BoxGap(scope.a, scope.b) > 0) {
    return Step::kContinue;
  }
  if (watch.statistics == nullptr) {
    return ORBOX_DYNAMIC_DISPATCH(OverlapLoop)(scope, found, watch, first);
  }
  StatisticsCounters counters(watch, scope.task.below.depth);
  const Step step =
      HWY_NAMESPACE::CountedOverlapLoop(scope, found, first, counters);
  counters.Finish();
  return step;
}

}  // namespace

FirstFound FindFirstOverlap(const PairScope& scope, const Watch& watch) {
  FirstFound first;
  Search(scope, nullptr, &first, watch);
  return first;
}

Step FindOverlaps(const PairScope& scope, Sink<TrianglePair>& sink,
                  const Watch& watch) {
  FoundPairs<TrianglePair> found(sink);
  FirstFound unused;
  const Step step = Search(scope, &found, &unused, watch);
  return step == Step::kStop ? step : found.Flush();
}

}  // namespace orbox
#endif  // HWY_ONCE
