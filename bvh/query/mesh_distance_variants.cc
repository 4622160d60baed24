#include "orbox/bvh/query/mesh_distance_variants.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orbox/bvh/query/mesh_within.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/mesh_distance_variants.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/two_trees-inl.h"
#include "orbox/bvh/tree/internal/rounding.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Keeps a pair until one is found that is closer by more than the error.
class RoughlyClosestQuery {
 public:
  static constexpr Order kOrder = Order::kBestFirst;
  static constexpr bool kSharpBounds = true;  // an offer is a distance

  explicit RoughlyClosestQuery(const DistanceError& error) : error_(error) {}

  double bound() const { return best_.lower; }

  template <typename Counters>
  Step Offer(TrianglePair ids, const Triangle& a, const Triangle& b,
             Counters& counters) {
    if (!WithinDistance(a, b, bound(), counters.arithmetic())) {
      return Step::kContinue;
    }
    const TrianglePairDistance d = Distance(a, b);
    if (!(d.distance < best_.nearest.distance)) return Step::kContinue;
    counters.Contribute();
    best_ = {{d.distance, ids, d.on_first, d.on_second},
             LowerBoundBelow(d.distance)};
    return d.distance == 0 ? Step::kStop : Step::kContinue;
  }

  const BoundedDistance& best() const { return best_; }

 private:
  // Whatever is above it is close enough to `distance`. Both quotient and
  // difference round once, so what they leave is within the error but for a
  // unit in the last place, which goes to the safe side.
  double LowerBoundBelow(double distance) const {
    if (!(error_.relative > 0) && !(error_.absolute > 0)) return distance;
    const double relative = distance / (1 + std::max(0.0, error_.relative));
    const double absolute = distance - std::max(0.0, error_.absolute);
    const double lower = std::min(relative, absolute);
    return std::clamp(std::nextafter(lower, distance), 0.0, distance);
  }

  DistanceError error_;
  BoundedDistance best_{{std::numeric_limits<double>::infinity(), {}, {}, {}},
                        std::numeric_limits<double>::infinity()};
};

BoundedDistance RoughDistanceLoop(const PosedTree& a, const PosedTree& b,
                                  const DistanceError& error,
                                  TraversalStatistics* statistics) {
  RoughlyClosestQuery query(error);
  RunCounted(statistics, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    TwoTrees<RoughlyClosestQuery, Counters>(a, b, query, counters).Traverse();
  });
  return query.best();
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(RoughDistanceLoop);

MeshDistanceResult MeshDistanceFrom(const PosedTree& a, const PosedTree& b,
                                    TrianglePair guess,
                                    TraversalStatistics* statistics) {
  // No pair that is closer, or as close, is beyond it.
  const double bound =
      Distance(a.triangle(guess.a), b.triangle(guess.b)).distance;
  return *MeshDistanceWithin(a, b, AboveRounded(bound), statistics);
}

std::vector<TrianglePair> ClosestPairs(const PosedTree& a, const PosedTree& b,
                                       TraversalStatistics* statistics) {
  const double least = MeshDistance(a, b, statistics).distance;
  if (least == 0) return OverlappingPairs(a, b, statistics);
  std::vector<TrianglePair> ties;
  // Some are beyond `least` and round to it.
  VisitPairsWithin(
      a, b, AboveRounded(least),
      [&](const PairDistance& pair) {
        if (pair.distance == least) ties.push_back(pair.triangles);
        return Visit::kContinue;
      },
      statistics);
  std::sort(ties.begin(), ties.end());
  return ties;
}

BoundedDistance MeshDistanceWithError(const PosedTree& a, const PosedTree& b,
                                      const DistanceError& error,
                                      TraversalStatistics* statistics) {
  return ORBOX_DYNAMIC_DISPATCH(RoughDistanceLoop)(a, b, error, statistics);
}

}  // namespace orbox
#endif  // HWY_ONCE
