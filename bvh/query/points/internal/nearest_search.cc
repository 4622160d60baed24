// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/points/internal/nearest_search.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "orbox/bvh/query/points/internal/far_nearest.h"
#include "orbox/bvh/traverse/internal/far_search.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/points/internal/nearest_search.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/points/internal/nearest_cursor-inl.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/interleaved-inl.h"

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
        cursor.PassCandidates(at, measuring, counters);
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
        cursor.PassCandidates(at, measuring, counters);
        cursor.ShrinkToDistance(in_model(measuring.bound()));
      }
      cursor.VisitLeaf(at, memory, counters);
    }
    if (!cursor.Pop(at, memory, counters)) break;
  }
  cursor.PassCandidates(at, measuring, counters);
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

// The interleaved searches of interleaved-inl.h, for up to `kMost` nearest
// triangles of each point.
template <size_t kMost>
class Interleaved {
 public:
  Interleaved(const Tree& tree, const NearestBatch& batch, NearestSink& sink,
              const Watch& watch)
      : tree_(tree),
        memory_(tree),
        batch_(batch),
        sink_(sink),
        counters_(watch),
        measuring_(memory_, batch, sink, nullptr) {
    for (std::optional<Slot>& slot : slots_) {
      slot.emplace(tree.space(), batch.wanted);
    }
  }

  HWY_INLINE void Run() {
    RunInterleaved<kSlots>(*this);
    measuring_.MeasureAll();
  }

  HWY_INLINE bool StartNext(size_t slot) {
    while (next_ < batch_.order.size()) {
      const size_t n = next_++;
      const uint32_t query = batch_.order[n];
      const Vec3& p = batch_.points[query];
      if (!IsFinite(p)) continue;
      PointInTree point(tree_.space(), p);
      const double bound = batch_.BoundOf(n);
      point.SetRadius(bound);
      slots_[slot]->cursor.Start(point, query);
      slots_[slot]->at = {};
      slots_[slot]->bound = bound;
      return true;
    }
    return false;
  }
  HWY_INLINE bool IsAtLeaf(size_t slot) const {
    return slots_[slot]->at.is_leaf();
  }
  HWY_INLINE void Test(size_t slot) {
    slots_[slot]->cursor.Test(slots_[slot]->at, memory_);
  }
  HWY_INLINE bool Expand(size_t slot) {
    return slots_[slot]->cursor.Expand(slots_[slot]->at, memory_, counters_);
  }
  HWY_INLINE void VisitLeaf(size_t slot) {
    MakeRoom(slot);
    slots_[slot]->cursor.VisitLeaf(slots_[slot]->at, memory_, counters_);
  }
  HWY_INLINE void VisitTwoLeaves(size_t slot, size_t other) {
    MakeRoom(slot);
    MakeRoom(other);
    Cursor::VisitTwoLeaves(slots_[slot]->cursor, slots_[slot]->at,
                           slots_[other]->cursor, slots_[other]->at, memory_,
                           counters_);
  }
  HWY_INLINE bool Pop(size_t slot) {
    return slots_[slot]->cursor.Pop(slots_[slot]->at, memory_, counters_);
  }
  HWY_INLINE void Finish(size_t slot) {
    if (HWY_UNLIKELY(slots_[slot]->bound == kIsFinished)) return;
    Cursor& cursor = slots_[slot]->cursor;
    cursor.PassCandidates(slots_[slot]->at, measuring_, counters_);
    measuring_.Finish(cursor.query());
  }

 private:
  // Number of queries in progress at a time. The used parts of their stacks fit
  // into the first-level cache. Loops over them are long enough for branch
  // prediction.
  static constexpr size_t kSlots = 16;

  using Cursor = NearestCursor<Pace::kAmongOthers, NoCounters, kMost>;
  struct Slot {
    Slot(const TreeSpace& space, size_t wanted)
        : cursor(space, {}, 0, 0, wanted) {}

    SearchPosition at;
    double bound = 0;  // bound of the query, or kIsFinished
    Cursor cursor;
  };
  static constexpr double kIsFinished = -1;
  // A query with this many candidates, such as a point at a vertex, continues
  // alone. Most of its candidates are as near as the nearest.
  static constexpr size_t kMany = 32;

  HWY_INLINE void MakeRoom(size_t slot) {
    if (HWY_UNLIKELY(slots_[slot]->cursor.is_full(slots_[slot]->at))) {
      Shorten(*slots_[slot]);
    }
  }

  // Shortens the list. Requires that no triangle of this query has been passed
  // on yet.
  HWY_NOINLINE void Shorten(Slot& slot) {
    slot.cursor.DropFar(slot.at, counters_);
    if (slot.at.pending <= kMany) return;
    if (slot.bound != kIsFinished) {
      const uint32_t query = slot.cursor.query();
      NearestBatch alone = batch_;
      alone.order = {&query, 1};
      alone.bounds = {&slot.bound, 1};
      SearchNearest(tree_, alone, sink_, counters_.watch());
      slot.bound = kIsFinished;
    }
    const uint32_t child = slot.at.child;
    slot.at = {};
    slot.at.child = child;
  }

  const Tree& tree_;
  const TreeMemory memory_;
  const NearestBatch& batch_;
  NearestSink& sink_;
  NoCounters counters_;
  Measuring<Pace::kAmongOthers> measuring_;
  std::optional<Slot> slots_[kSlots];
  size_t next_ = 0;
};

void InterleavedLoop(const Tree& tree, const NearestBatch& batch,
                     NearestSink& sink, const Watch& watch) {
  if (batch.wanted == 1) {
    Interleaved<1>(tree, batch, sink, watch).Run();
  } else {
    Interleaved<kMostWantedTogether>(tree, batch, sink, watch).Run();
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(SearchOne);
HWY_EXPORT(InterleavedLoop);

void SearchNearest(const Tree& tree, const NearestBatch& batch,
                   NearestSink& sink, const Watch& watch) {
  // Searches in trees with detail trees are not interleaved.
  if (batch.order.size() > 1 && watch.statistics == nullptr &&
      tree.detail_trees() == nullptr && batch.wanted <= kMostWantedTogether) {
    ORBOX_DYNAMIC_DISPATCH(InterleavedLoop)(tree, batch, sink, watch);
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

void SearchNearestTo(TreeAtPose given, const Vec3& p, double max_distance,
                     size_t wanted, FarTies ties, NearestSink& sink,
                     const Watch& watch) {
  const TreeAtPose at = WithoutStretch(given);
  const Tree& tree = at.tree();
  const PointInModel in_model(at, p);
  constexpr uint32_t kFirst = 0;
  const NearestBatch batch{.points = {&p, 1},
                           .moved = at.moved() == nullptr ? nullptr : &in_model,
                           .order = {&kFirst, 1},
                           .max_distance = max_distance,
                           .wanted = wanted};
  // From far away, floats cannot distinguish the distances. FarSearch handles
  // such points.
  if (IsFinite(in_model.at) && FarSearch::MayPay(tree, in_model.at)) {
    if (at.moved() == nullptr && FindFromAfar(tree, batch, sink, watch)) return;
    const PosedTree posed = at.moved() == nullptr ? tree : *at.moved();
    if (const auto far = FarSearch::Between(posed, p)) {
      const auto offer = [&sink](const Witness& w) {
        sink.Offer(kFirst, {w.triangles.a, w.distance, w.on_a});
      };
      if (ties == FarTies::kAny) {
        if (const auto w = far->Closest({.max_distance = max_distance}, watch))
          offer(*w);
      } else {
        for (const Witness& w : far->Nearest(wanted, max_distance, watch))
          offer(w);
      }
      return;
    }
  }
  SearchNearest(tree, batch, sink, watch);
}

}  // namespace orbox
#endif  // HWY_ONCE
