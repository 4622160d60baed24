// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/pair_limits.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/traverse/internal/posed_box.h"
#include "orbox/bvh/traverse/internal/step.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/traverse/internal/rough_distance.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/two_trees-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Finds a certified lower bound: a fraction of the smallest distance between
// the volumes of leaves so far. So pairs that are only slightly nearer need no
// visit. Ends at leaves that may be within the distance.
class RoughQuery {
 public:
  static constexpr Order kOrder = Order::kDeepestFirst;
  static constexpr bool kTouching = false;

  RoughQuery(double within, double reach) : within_(within), bound_(reach) {}

  double bound() const { return bound_; }
  static constexpr bool wants_one() { return false; }

  Step VisitVolumes(float key, PairLimits& limits) {
    const double apart = limits.InWorld(key - limits.slack()) * kShare;
    if (!(apart > within_)) {
      bound_ = within_;
      return Step::kStop;
    }
    if (apart < bound_) {
      bound_ = apart;
      limits.Set(bound_);
    }
    return Step::kContinue;
  }

 private:
  // With a larger fraction, more pairs are expanded. With a smaller one, the
  // bound is weaker. The fraction also covers the rounding of distances.
  static constexpr double kShare = 0.6;

  const double within_;
  double bound_;
};

template <typename Counters>
double RunRough(const PosedTree& a, const PosedTree& b, double within,
                double reach, Counters& counters) {
  RoughQuery query(within, reach);
  TwoTrees<RoughQuery, Counters>(a, b, query, counters).TraverseBelow({});
  return query.bound();
}

double RoughLoop(const PosedTree& a, const PosedTree& b, double within,
                 double reach, const Watch& watch) {
  NoCounters none(watch);
  return RunRough(a, b, within, reach, none);
}

#if HWY_ONCE
double CountedRoughLoop(const PosedTree& a, const PosedTree& b, double within,
                        double reach, StatisticsCounters& counters) {
  return RunRough(a, b, within, reach, counters);
}
#endif

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(RoughLoop);

double RoughDistance(const PosedTree& a, const PosedTree& b, double within,
                     double reach, const Watch& watch) {
  if (BoxGap(a, b) > reach) return reach;
  // Below a node with a detail tree, volumes are imprecise.
  if (a.tree().detail_trees() != nullptr ||
      b.tree().detail_trees() != nullptr) {
    return IsAnyWithin({a, b}, reach, watch) ? within : reach;
  }
  if (watch.statistics == nullptr) {
    return ORBOX_DYNAMIC_DISPATCH(RoughLoop)(a, b, within, reach, watch);
  }
  StatisticsCounters counters(watch);
  const double d =
      HWY_NAMESPACE::CountedRoughLoop(a, b, within, reach, counters);
  counters.Finish();
  return d;
}

}  // namespace orbox
#endif  // HWY_ONCE
