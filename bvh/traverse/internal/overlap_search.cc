// SPDX-License-Identifier: Apache-2.0

#include <atomic>

#include "orbox/bvh/traverse/internal/box_gap.h"
#include "orbox/bvh/traverse/internal/found_pairs.h"
#include "orbox/bvh/traverse/internal/pair_search.h"

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
                const std::atomic<bool>* cancelled, FirstFound* first,
                Counters& counters) {
  OverlapQuery query(scope, found, cancelled);
  const Step step = SearchPairs(scope, query, counters);
  *first = query.found();
  if (scope.a.tree().parts() != nullptr || scope.b.tree().parts() != nullptr) {
    first->nodes = {};
  }
  return step;
}

Step OverlapLoop(const PairScope& scope, FoundPairs<TrianglePair>* found,
                 const std::atomic<bool>* cancelled, FirstFound* first) {
  NoCounters none;
  return RunOverlap(scope, found, cancelled, first, none);
}

#if HWY_ONCE
Step CountedOverlapLoop(const PairScope& scope, FoundPairs<TrianglePair>* found,
                        const std::atomic<bool>* cancelled, FirstFound* first,
                        Counters& counters) {
  return RunOverlap(scope, found, cancelled, first, counters);
}
#endif

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(OverlapLoop);

namespace {

Step Search(const PairScope& scope, FoundPairs<TrianglePair>* found,
            const std::atomic<bool>* cancelled, FirstFound* first,
            TraversalStatistics* statistics) {
  if (scope.self == nullptr && BoxGap(scope.a, scope.b) > 0) {
    return Step::kContinue;
  }
  if (statistics == nullptr) {
    return ORBOX_DYNAMIC_DISPATCH(OverlapLoop)(scope, found, cancelled, first);
  }
  Counters counters(statistics, scope.part.below.depth);
  const Step step = HWY_NAMESPACE::CountedOverlapLoop(scope, found, cancelled,
                                                      first, counters);
  counters.Finish();
  return step;
}

}  // namespace

FirstFound FindFirstOverlap(const PairScope& scope,
                            TraversalStatistics* statistics,
                            const std::atomic<bool>* cancelled) {
  FirstFound first;
  Search(scope, nullptr, cancelled, &first, statistics);
  return first;
}

Step FindOverlaps(const PairScope& scope, PairSink<TrianglePair>& sink,
                  TraversalStatistics* statistics) {
  FoundPairs<TrianglePair> found(sink);
  FirstFound unused;
  const Step step = Search(scope, &found, nullptr, &unused, statistics);
  return step == Step::kStop ? step : found.Flush();
}

}  // namespace orbox
#endif  // HWY_ONCE
