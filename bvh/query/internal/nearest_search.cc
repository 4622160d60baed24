#include "orbox/bvh/query/internal/nearest_search.h"

#include <cstdint>

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/internal/nearest_search.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/internal/nearest_cursor-inl.h"
#include "orbox/bvh/traverse/internal/counters.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

template <typename Counters>
void SearchAlone(const Tree& tree, const NearestQuestion& question,
                 uint32_t query, NearestSink& sink, Counters& counters) {
  const Vec3& p = question.points[query];
  if (!IsFinite(p)) return;
  const TreeMemory memory(tree);
  Measuring<Pace::kAlone> measuring(memory, question, sink,
                                    counters.arithmetic());
  NearestCursor<Pace::kAlone, Counters> cursor(
      tree.space(), p, question.max_distance, query, question.wanted);
  SearchPlace at;
  while (true) {
    if (!at.is_leaf()) {
      if (cursor.Open(at, memory, counters)) continue;
    } else {
      if (HWY_UNLIKELY(cursor.is_full(at))) {
        cursor.Hand(at, measuring, counters);
        cursor.ShrinkToDistance(measuring.bound());
      }
      cursor.Look(at, memory, counters);
    }
    if (!cursor.Pop(at, memory, counters)) break;
  }
  cursor.Hand(at, measuring, counters);
}

void SearchLoop(const Tree& tree, const NearestQuestion& question,
                NearestSink& sink, TraversalStatistics* statistics) {
  for (const uint32_t query : question.order) {
    RunCounted(statistics, [&]<typename Counters>(Counters& counters) HWY_ATTR {
      SearchAlone(tree, question, query, sink, counters);
    });
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(SearchLoop);

void SearchNearest(const Tree& tree, const NearestQuestion& question,
                   NearestSink& sink, TraversalStatistics* statistics) {
  if (question.order.size() > 1 && statistics == nullptr) {
    SearchInterleaved(tree, question, sink);
  } else {
    ORBOX_DYNAMIC_DISPATCH(SearchLoop)(tree, question, sink, statistics);
  }
}

}  // namespace orbox
#endif  // HWY_ONCE
