// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/points/internal/nearest_search.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/points/internal/nearest_search.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/points/internal/nearest_cursor-inl.h"
#include "orbox/bvh/traverse/internal/counters.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Searches a tree or a detail tree for triangles within `bound`. Returns the
// new bound.
double SearchOne(const Tree& tree, const NearestBatch& batch, uint32_t query,
                 double bound, NearestSink& sink, const Watch& watch);

template <typename Counters>
double SearchAlone(const Tree& tree, const NearestBatch& batch, uint32_t query,
                   double bound, NearestSink& sink, Counters& counters) {
  const Vec3& p = batch.points[query];
  const TreeMemory memory(tree);
  Measuring<Pace::kAlone> measuring(memory, batch, sink, counters.arithmetic());
  const PointInModel* const moved = batch.moved;
  const auto in_model = [&](double distance) HWY_ATTR {
    return moved == nullptr ? distance : moved->RadiusOf(distance);
  };
  NearestCursor<Pace::kAlone, Counters> cursor(
      tree.space(), moved == nullptr ? p : moved->at,
      in_model(batch.max_distance), query, batch.wanted,
      moved == nullptr ? 0 : moved->error);
  if (bound < batch.max_distance) cursor.ShrinkToDistance(in_model(bound));
  SearchPosition at;
  while (true) {
    if (!at.is_leaf()) {
      if (const Tree* const detail = memory.DetailAt(at.child);
          HWY_UNLIKELY(detail != nullptr)) {
        // Measures the candidates first: their distances lower the bound of the
        // search in the detail tree.
        cursor.Hand(at, measuring, counters);
        bound = std::min(bound, measuring.bound());
        const double left =
            SearchOne(*detail, batch, query, bound, sink, counters.watch());
        if (left < bound) counters.Contribute();
        bound = left;
        cursor.ShrinkToDistance(in_model(bound));
      } else if (cursor.Expand(at, memory, counters)) {
        continue;
      }
    } else {
      if (HWY_UNLIKELY(cursor.is_full(at))) {
        cursor.Hand(at, measuring, counters);
        cursor.ShrinkToDistance(in_model(measuring.bound()));
      }
      cursor.VisitLeaf(at, memory, counters);
    }
    if (!cursor.Pop(at, memory, counters)) break;
  }
  cursor.Hand(at, measuring, counters);
  return std::min(bound, measuring.bound());
}

double SearchOne(const Tree& tree, const NearestBatch& batch, uint32_t query,
                 double bound, NearestSink& sink, const Watch& watch) {
  if (HWY_LIKELY(watch.statistics == nullptr)) {
    NoCounters none(watch);
    return SearchAlone(tree, batch, query, bound, sink, none);
  }
  StatisticsCounters counters(watch);
  bound = SearchAlone(tree, batch, query, bound, sink, counters);
  counters.Finish();
  return bound;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(SearchOne);

void SearchNearest(const Tree& tree, const NearestBatch& batch,
                   NearestSink& sink, const Watch& watch) {
  // Searches in trees with detail trees are not interleaved.
  if (batch.order.size() > 1 && watch.statistics == nullptr &&
      tree.detail_trees() == nullptr && batch.wanted <= kMostWantedTogether) {
    SearchInterleaved(tree, batch, sink, watch);
    return;
  }
  const auto search = ORBOX_DYNAMIC_DISPATCH(SearchOne);
  for (size_t n = 0; n < batch.order.size(); ++n) {
    const uint32_t query = batch.order[n];
    if (!IsFinite(batch.points[query])) continue;
    search(tree, batch, query, batch.BoundOf(n), sink, watch);
    sink.Finish(query);
  }
}

}  // namespace orbox
#endif  // HWY_ONCE
