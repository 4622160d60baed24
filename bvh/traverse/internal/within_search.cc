// SPDX-License-Identifier: Apache-2.0

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/traverse/internal/posed_box.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/triangles/internal/no_closer.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/traverse/internal/within_search.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/leaf_bounds-inl.h"
#include "orbox/bvh/traverse/internal/pair_batch-inl.h"
#include "orbox/bvh/traverse/internal/pair_loop-inl.h"
#include "orbox/overlap/triangles/internal/pair_distances-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Passes the pairs within a distance to a sink, or stops at the first one. The
// correctly rounded distance of a pair nearly always decides if it belongs to
// the result. Only if it is equal to the limit, the exact distance may be on
// either side. Several distances are computed at a time. If they are not
// certified, as for parallel faces, a plane between the triangles often shows
// that they are too far apart.
class WithinQuery {
 public:
  static constexpr Order kOrder = Order::kDeepestFirst;
  static constexpr bool kTouching = false;

  // `found` is null if only the existence of a pair matters.
  WithinQuery(const SelfPairs* self, double distance,
              FoundPairs<PairDistance>* found)
      : self_(self), distance_(distance), found_(found) {}

  double bound() const { return distance_; }
  static constexpr bool wants_normals() { return true; }
  bool wants_one() const { return found_ == nullptr; }

  template <typename Counters>
  HWY_INLINE Step VisitLeaves(LeafPairs& leaves, PairLimits& limits,
                              Counters& counters);

  // Decides the pairs that are still waiting.
  template <typename Counters>
  Step Finish(const LeafPairs& /*leaves*/, Counters& counters) {
    return batch_.size() != 0 ? Decide(counters) : Step::kContinue;
  }

  bool is_any() const { return is_any_; }

 private:
  template <typename Counters>
  HWY_INLINE Step Offer(LeafPairs& leaves, const LeafBounds& bounds, int i,
                        int j, Counters& counters);

  // Ends the search after it is known that some pair is within the distance.
  template <typename Counters>
  Step Stop(Counters& counters) {
    counters.Contribute();
    is_any_ = true;
    return Step::kStop;
  }

  template <typename Counters>
  HWY_NOINLINE Step Decide(Counters& counters);

  // Returns true if a pair is within the limit, and sets its distance. Called
  // for pairs that double does not certify.
  template <typename Counters>
  bool IsWithin(const Triangle& s, const Triangle& t, double* distance,
                Counters& counters) const;

  const SelfPairs* const self_;
  const double distance_;
  FoundPairs<PairDistance>* const found_;
  bool is_any_ = false;
  PairBatch batch_;
};

template <typename Counters>
HWY_INLINE Step WithinQuery::VisitLeaves(LeafPairs& leaves, PairLimits& limits,
                                         Counters& counters) {
  LeafBounds bounds;
  for (uint32_t rest = leaves.a_lanes(); rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    bounds.FillRow<false>(leaves, i, limits);
    if (self_ != nullptr) {
      bounds.Keep(i, leaves.LanesOnce(i));
    } else if (found_ == nullptr && limits.IsSomeWithin()) {
      const int tested = std::popcount(leaves.a_lanes() & LanesBelow(i + 1)) *
                         std::popcount(leaves.b_lanes());
      counters.TestTriangles(tested, tested);
      return Stop(counters);
    }
  }
  const Step step =
      bounds.Offer<false>(leaves, limits, counters, [&](int i, int j) HWY_ATTR {
        return Offer(leaves, bounds, i, j, counters);
      });
  // Counters must know at once which subtree a pair came from.
  return Counters::kCounting && step == Step::kContinue
             ? Finish(leaves, counters)
             : step;
}

template <typename Counters>
HWY_INLINE Step WithinQuery::Offer(LeafPairs& leaves, const LeafBounds& bounds,
                                   int i, int j, Counters& counters) {
  const TrianglePair ids = leaves.Ids(i, j);
  const PairCorners t = leaves.Corners(i, j);
  if (self_ != nullptr && self_->AreNeighbours(ids, t.first, t.second)) {
    // Neighbours share corners exactly, so comparing corners decides.
    counters.TestTriangles(0, 1);
    return Step::kContinue;
  }
  if (found_ != nullptr) {
    const bool is_full =
        batch_.Add(ids, t.first, t.second, bounds.Feature(leaves, i, j));
    return is_full ? Decide(counters) : Step::kContinue;
  }
  return WithinDistance(t.first, t.second, distance_, counters.arithmetic())
             ? Stop(counters)
             : Step::kContinue;
}

template <typename Counters>
HWY_NOINLINE Step WithinQuery::Decide(Counters& counters) {
  const PairColumns& pairs = batch_.columns();
  const size_t size = batch_.size();
  batch_.Clear();
  double distances[PairColumns::kRoom];
  const uint32_t certified = CertifiedDistances(pairs, size, distances);
  counters.CountDouble(std::popcount(certified));
  for (size_t i = 0; i < size; ++i) {
    double d = distances[i];
    const bool is_certified = (certified >> i & 1) != 0;
    if (is_certified
            ? d > distance_
            : !IsWithin(pairs.First(i), pairs.Second(i), &d, counters)) {
      continue;
    }
    if (d == distance_ && d > 0 &&
        !WithinDistance(pairs.First(i), pairs.Second(i), distance_)) {
      continue;
    }
    counters.Contribute();
    TrianglePair ids = batch_.ids(i);
    if (self_ != nullptr && ids.a > ids.b) std::swap(ids.a, ids.b);
    if (found_->Add({ids, d}) == Step::kStop) return Step::kStop;
  }
  return Step::kContinue;
}

template <typename Counters>
bool WithinQuery::IsWithin(const Triangle& s, const Triangle& t,
                           double* distance, Counters& counters) const {
  // If the distance is at least the next double above the limit, the pair is
  // farther than the limit.
  if (AreNoCloser(s, t, std::nextafter(distance_, kInfinity))) {
    counters.CountDouble(1);
    return false;
  }
  *distance = DistanceBetween(s, t, counters.arithmetic());
  return *distance <= distance_;
}

template <typename Counters>
Step RunWithin(const PairScope& scope, double distance,
               FoundPairs<PairDistance>* found, bool* is_any,
               Counters& counters) {
  WithinQuery query(scope.self, distance, found);
  const Step step = SearchPairs(scope, query, counters);
  *is_any = query.is_any();
  return step;
}

Step WithinLoop(const PairScope& scope, double distance,
                FoundPairs<PairDistance>* found, const Watch& watch,
                bool* is_any) {
  NoCounters none(watch);
  return RunWithin(scope, distance, found, is_any, none);
}

template <typename Counters>
void RunSplit(const PairScope& scope, double distance,
              std::span<const uint32_t> nodes, size_t count, Counters& counters,
              std::vector<SearchTask>* tasks) {
  WithinQuery query(scope.self, distance, nullptr);
  const auto add = [tasks](const auto& split) {
    for (const auto& task : split) {
      SearchTask& added =
          tasks->emplace_back(SearchTask{{0, 0, task.pair}, {}});
      if constexpr (Counters::kCounting) added.ticket = task.ticket;
    }
  };
  if (scope.self != nullptr) {
    add(SelfTree<WithinQuery, Counters>(scope.a, query, counters)
            .Split(nodes, count));
  } else {
    add(TwoTrees<WithinQuery, Counters>(scope.a, scope.b, query, counters)
            .Split({{}}, count));
  }
}

#if HWY_ONCE
Step CountedWithinLoop(const PairScope& scope, double distance,
                       FoundPairs<PairDistance>* found, bool* is_any,
                       StatisticsCounters& counters) {
  return RunWithin(scope, distance, found, is_any, counters);
}

// Splitting takes too little time to be compiled for another instruction set.
void SplitLoop(const PairScope& scope, double distance,
               std::span<const uint32_t> nodes, size_t count,
               StatisticsCounters* counters, std::vector<SearchTask>* tasks) {
  if (counters != nullptr) {
    RunSplit(scope, distance, nodes, count, *counters, tasks);
  } else {
    NoCounters none;
    RunSplit(scope, distance, nodes, count, none, tasks);
  }
}
#endif

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(WithinLoop);

namespace {

// Triangles within distance 0 overlap, so no distance needs to be computed.
bool IsOverlapOnly(double distance) { return distance == 0; }

PairScope WithoutNeighbours(PairScope scope) {
  scope.neighbours_count = false;
  return scope;
}

class OverlapsAsPairs final : public Sink<TrianglePair> {
 public:
  explicit OverlapsAsPairs(FoundPairs<PairDistance>& found) : found_(found) {}

  Step Add(std::span<const TrianglePair> pairs) override {
    for (const TrianglePair& pair : pairs) {
      if (found_.Add({pair, 0}) == Step::kStop) return Step::kStop;
    }
    return Step::kContinue;
  }

 private:
  FoundPairs<PairDistance>& found_;
};

bool AreBoxesApart(const PairScope& scope, double distance) {
  return scope.self == nullptr && BoxGap(scope.a, scope.b) > distance;
}

Step Search(const PairScope& scope, double distance,
            FoundPairs<PairDistance>* found, bool* is_any, const Watch& watch) {
  if (AreBoxesApart(scope, distance)) return Step::kContinue;
  if (watch.statistics == nullptr) {
    return ORBOX_DYNAMIC_DISPATCH(WithinLoop)(scope, distance, found, watch,
                                              is_any);
  }
  StatisticsCounters counters(watch, scope.task.below.depth);
  const Step step = HWY_NAMESPACE::CountedWithinLoop(scope, distance, found,
                                                     is_any, counters);
  counters.Finish();
  return step;
}

}  // namespace

bool IsAnyWithin(const PairScope& scope, double distance, const Watch& watch) {
  if (IsOverlapOnly(distance)) {
    return FirstOverlap(WithoutNeighbours(scope), watch).has_value();
  }
  bool is_any = false;
  Search(scope, distance, nullptr, &is_any, watch);
  return is_any;
}

Step FindWithin(const PairScope& scope, double distance,
                Sink<PairDistance>& sink, const Watch& watch) {
  FoundPairs<PairDistance> found(sink);
  bool unused = false;
  OverlapsAsPairs overlaps(found);
  const Step step =
      IsOverlapOnly(distance)
          ? FindOverlaps(WithoutNeighbours(scope), overlaps, watch)
          : Search(scope, distance, &found, &unused, watch);
  return step == Step::kStop ? step : found.Flush();
}

void SplitPairs(const PairScope& scope, double distance,
                std::span<const uint32_t> nodes, size_t count,
                StatisticsCounters* counters, std::vector<SearchTask>* tasks) {
  if (AreBoxesApart(scope, distance)) {
    // The search finds nothing in this task, and counts nothing.
    tasks->emplace_back();
    return;
  }
  HWY_NAMESPACE::SplitLoop(scope, distance, nodes, count, counters, tasks);
}

}  // namespace orbox
#endif  // HWY_ONCE
