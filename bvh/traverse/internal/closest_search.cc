// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "orbox/bvh/traverse/internal/far_search.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/traverse/internal/posed_box.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/triangles/internal/no_closer.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/traverse/internal/closest_search.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/leaf_bounds-inl.h"
#include "orbox/bvh/traverse/internal/pair_batch-inl.h"
#include "orbox/bvh/traverse/internal/two_trees-inl.h"
#include "orbox/overlap/triangles/internal/pair_distances-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Keeps the closest pair so far; of equally close pairs, the lowest. Most pairs
// that are offered have the same closest corner or edge and differ only in
// their ids. So several distances are computed at a time to find the pairs that
// need an exact distance. If an error is allowed, a pair must be closer by more
// than the error. A pair that overlaps, or whose distance is that of the
// meshes' boxes, ends the search. In this case, the result is the first such
// pair found.
class ClosestQuery {
 public:
  static constexpr Order kOrder = Order::kBestFirst;
  static constexpr bool kTouching = false;

  // Requires that no distance rounds to less than `lower_bound`.
  ClosestQuery(const ClosestSearch& search, double lower_bound)
      : search_(search),
        lower_bound_(lower_bound),
        bound_(search.max_distance) {}

  double bound() const { return bound_; }
  static constexpr bool wants_normals() { return true; }

  template <typename Counters>
  HWY_INLINE Step VisitLeaves(LeafPairs& leaves, PairLimits& limits,
                              Counters& counters);

  // Returns true if no pair can be closer than the one found.
  bool IsLeast() const { return best_ && best_->distance <= lower_bound_; }

  ClosestFound result() const { return {best_, bound_}; }

 private:
  bool IsRough() const {
    return search_.relative_error > 0 || search_.absolute_error > 0;
  }
  bool Improves(double distance, TrianglePair ids) const {
    if (!(distance <= bound_)) return false;
    return !best_ || distance != bound_ || ids < best_->triangles;
  }

  // Tests whether pair `i` of the batch can still improve the bound, before its
  // exact distance is computed. Pays if many pairs are about equally close:
  // most of them cannot.
  bool IsNoBetter(size_t i) const {
    if (!best_) return false;
    const double needed = best_->triangles < batch_.ids(i)
                              ? bound_
                              : std::nextafter(bound_, kInfinity);
    return AreNoCloser(batch_.columns().First(i), batch_.columns().Second(i),
                       needed);
  }

  template <typename Counters>
  HWY_NOINLINE Step Decide(Counters& counters);
  template <typename Counters>
  void Offer(TrianglePair ids, const Triangle& a, const Triangle& b,
             Counters& counters);

  // Returns the bound for the rest of the search, after `distance` has been
  // found. A pair above the bound is not closer than `distance` by more than
  // the allowed error.
  double BoundBelow(double distance) const;

  const ClosestSearch search_;
  const double lower_bound_;
  double bound_;
  std::optional<Witness> best_;
  PairBatch batch_;
};

template <typename Counters>
HWY_INLINE Step ClosestQuery::VisitLeaves(LeafPairs& leaves, PairLimits& limits,
                                          Counters& counters) {
  LeafBounds bounds;
  for (uint32_t rest = leaves.a_lanes(); rest != 0; rest &= rest - 1) {
    bounds.FillRow<true>(leaves, std::countr_zero(rest), limits);
  }
  // A smaller bound takes effect at once.
  const auto decide = [&]() HWY_ATTR {
    const Step step = Decide(counters);
    limits.SetAndNarrow(bound_);
    return step;
  };
  const Step step =
      bounds.Offer<true>(leaves, limits, counters, [&](int i, int j) HWY_ATTR {
        const PairCorners t = leaves.Corners(i, j);
        const bool is_full = batch_.Add(leaves.Ids(i, j), t.first, t.second,
                                        bounds.Feature(leaves, i, j));
        return is_full ? decide() : Step::kContinue;
      });
  if (step == Step::kStop) return step;
  if (batch_.size() != 0) return decide();
  limits.SetAndNarrow(bound_);
  return step;
}

template <typename Counters>
HWY_NOINLINE Step ClosestQuery::Decide(Counters& counters) {
  const PairColumns& pairs = batch_.columns();
  double distances[PairColumns::kRoom];
  const size_t size = batch_.size();
  batch_.Clear();
  const uint32_t certified = CertifiedDistances(pairs, size, distances);
  for (size_t i = 0; i < size; ++i) {
    if ((certified >> i & 1) != 0 ? !Improves(distances[i], batch_.ids(i))
                                  : IsNoBetter(i)) {
      counters.CountDouble(1);
      continue;
    }
    Offer(batch_.ids(i), pairs.First(i), pairs.Second(i), counters);
    if (IsLeast()) {
      counters.CountDouble(static_cast<int>(size - i) - 1);
      return Step::kStop;
    }
  }
  return Step::kContinue;
}

template <typename Counters>
void ClosestQuery::Offer(TrianglePair ids, const Triangle& a, const Triangle& b,
                         Counters& counters) {
  const TrianglePairDistance d = Distance(a, b, counters.arithmetic());
  if (!Improves(d.distance, ids)) return;
  // A distance that rounds to max_distance may be larger.
  if (d.distance == search_.max_distance && d.distance > 0 &&
      !WithinDistance(a, b, search_.max_distance, counters.arithmetic())) {
    return;
  }
  counters.Contribute();
  best_ = {ids, d.distance, d.on_first, d.on_second};
  bound_ = BoundBelow(d.distance);
}

// Quotient and difference each round once. Their error is within the allowed
// error plus one unit in the last place, and is on the safe side.
inline double ClosestQuery::BoundBelow(double distance) const {
  if (!IsRough()) return distance;
  const double relative =
      distance / (1 + std::max(0.0, search_.relative_error));
  const double absolute = distance - std::max(0.0, search_.absolute_error);
  const double lower = std::min(relative, absolute);
  return std::clamp(std::nextafter(lower, distance), 0.0, distance);
}

template <typename Counters>
ClosestFound RunClosest(const PosedTree& a, const PosedTree& b,
                        const ClosestSearch& search, double lower_bound,
                        Counters& counters) {
  ClosestQuery query(search, lower_bound);
  TwoTrees<ClosestQuery, Counters> trees(a, b, query, counters);
  trees.TraverseBelow({});
  return query.result();
}

ClosestFound ClosestLoop(const PosedTree& a, const PosedTree& b,
                         const ClosestSearch& search, double lower_bound,
                         const Watch& watch) {
  NoCounters none(watch);
  return RunClosest(a, b, search, lower_bound, none);
}

#if HWY_ONCE
ClosestFound CountedClosestLoop(const PosedTree& a, const PosedTree& b,
                                const ClosestSearch& search, double lower_bound,
                                StatisticsCounters& counters) {
  return RunClosest(a, b, search, lower_bound, counters);
}
#endif

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(ClosestLoop);

namespace {

// Returns true if balls around the two meshes overlap, up to rounding. If they
// do not, the meshes almost certainly do not overlap.
bool DoBallsOverlap(const PosedTree& a, const PosedTree& b) {
  const Sphere of_a = BallAround(a);
  const Sphere of_b = BallAround(b);
  return !(Norm(of_a.center - of_b.center) > of_a.radius + of_b.radius);
}

// Returns the result for meshes that overlap: the overlapping pair and distance
// 0.
ClosestFound ResultOfOverlap(const PosedTree& a, const PosedTree& b,
                             const TrianglePair& pair) {
  const TrianglePairDistance d =
      Distance(a.triangle(pair.a), b.triangle(pair.b));
  return {Witness{pair, 0, d.on_first, d.on_second}, 0};
}

ClosestFound FindClosestPair(const PosedTree& a, const PosedTree& b,
                             const ClosestSearch& search, double lower_bound,
                             const Watch& watch) {
  if (watch.statistics == nullptr) {
    return ORBOX_DYNAMIC_DISPATCH(ClosestLoop)(a, b, search, lower_bound,
                                               watch);
  }
  StatisticsCounters counters(watch);
  const ClosestFound found =
      HWY_NAMESPACE::CountedClosestLoop(a, b, search, lower_bound, counters);
  counters.Finish();
  return found;
}

}  // namespace

ClosestFound FindClosest(const PosedTree& a, const PosedTree& b,
                         const ClosestSearch& search, const Watch& watch) {
  if (const std::optional<FarSearch> far = FarSearch::Between(a, b)) {
    const auto witness = far->Closest(
        {.max_distance = search.max_distance, .least = BoxGap(a, b)}, watch);
    return {witness, witness ? witness->distance : search.max_distance};
  }
  const double lower_bound = BoxGap(a, b);
  if (lower_bound > search.max_distance)
    return {std::nullopt, search.max_distance};
  ClosestSearch bounded = search;
  if (lower_bound == 0 && DoBallsOverlap(a, b)) {
    // An overlap is found faster than a distance. If there is no overlap, a
    // pair of leaves that overlap gives a bound of the distance.
    const FirstFound first = FindFirstOverlap({a, b}, watch);
    if (first.overlap) return ResultOfOverlap(a, b, *first.overlap);
    if (!bounded.guess) bounded.guess = first.near;
  }
  if (bounded.guess) {
    // The limit is above all distances that round to the distance of the guess.
    // So the closest pair and all ties are found.
    const double d = DistanceBetween(a.triangle(bounded.guess->a),
                                     b.triangle(bounded.guess->b));
    bounded.max_distance = std::min(search.max_distance, AboveRounded(d));
  }
  const ClosestFound found = FindClosestPair(a, b, bounded, lower_bound, watch);
  if (!found.witness || found.witness->distance > 0) return found;
  const auto pair = FirstOverlap({a, b}, watch);
  return pair ? ResultOfOverlap(a, b, *pair) : found;
}

}  // namespace orbox
#endif  // HWY_ONCE
