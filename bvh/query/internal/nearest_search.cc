// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/nearest_search.h"

#include <algorithm>
#include <bit>
#include <cstddef>
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

// Searches a tree, or a part of one, for what is within `bound` at most, and
// returns the bound that is left.
double SearchOne(const Tree& tree, const NearestQuestion& question,
                 uint32_t query, double bound, NearestSink& sink,
                 const Watch& watch);

template <typename Counters>
double SearchAlone(const Tree& tree, const NearestQuestion& question,
                   uint32_t query, double bound, NearestSink& sink,
                   Counters& counters) {
  const Vec3& p = question.points[query];
  const TreeMemory memory(tree);
  Measuring<Pace::kAlone> measuring(memory, question, sink,
                                    counters.arithmetic());
  NearestCursor<Pace::kAlone, Counters> cursor(
      tree.space(), p, question.max_distance, query, question.wanted);
  if (bound < question.max_distance) cursor.ShrinkToDistance(bound);
  SearchPlace at;
  while (true) {
    if (!at.is_leaf()) {
      if (const Tree* const part = memory.PartAt(at.child);
          HWY_UNLIKELY(part != nullptr)) {
        // Results found so far lower the bound of the search in the detail
        // tree.
        cursor.Hand(at, measuring, counters);
        bound = std::min(bound, measuring.bound());
        const double left =
            SearchOne(*part, question, query, bound, sink, counters.watch());
        if (left < bound) counters.Contribute();
        bound = left;
        cursor.ShrinkToDistance(bound);
      } else if (cursor.Open(at, memory, counters)) {
        continue;
      }
    } else {
      if (HWY_UNLIKELY(cursor.is_full(at))) {
        cursor.Hand(at, measuring, counters);
        cursor.ShrinkToDistance(measuring.bound());
      }
      if (HWY_LIKELY(!measuring.expects_alike()) ||
          !measuring.TellLeaf(query, at.leaf())) {
        cursor.Look(at, memory, counters);
      } else {
        counters.VisitLeaf();
        counters.TestTriangles(std::popcount(UsedLanes(memory.Ids(at.leaf()))),
                               0);
      }
    }
    if (!cursor.Pop(at, memory, counters)) break;
  }
  cursor.Hand(at, measuring, counters);
  return std::min(bound, measuring.bound());
}

double SearchOne(const Tree& tree, const NearestQuestion& question,
                 uint32_t query, double bound, NearestSink& sink,
                 const Watch& watch) {
  if (HWY_LIKELY(watch.statistics == nullptr)) {
    NoCounters none(watch);
    return SearchAlone(tree, question, query, bound, sink, none);
  }
  Counters counters(watch);
  bound = SearchAlone(tree, question, query, bound, sink, counters);
  counters.Finish();
  return bound;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(SearchOne);

void SearchNearest(const Tree& tree, const NearestQuestion& question,
                   NearestSink& sink, const Watch& watch) {
  // Searches that go on in parts take one turn after the other.
  if (question.order.size() > 1 && watch.statistics == nullptr &&
      tree.parts() == nullptr && question.wanted <= kMostWantedTogether) {
    SearchInterleaved(tree, question, sink, watch);
    return;
  }
  const auto search = ORBOX_DYNAMIC_DISPATCH(SearchOne);
  for (size_t n = 0; n < question.order.size(); ++n) {
    const uint32_t query = question.order[n];
    if (!IsFinite(question.points[query])) continue;
    search(tree, question, query, question.BoundOf(n), sink, watch);
    sink.Finish(query);
  }
}

}  // namespace orbox
#endif  // HWY_ONCE
