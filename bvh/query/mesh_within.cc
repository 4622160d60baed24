#include "orbox/bvh/query/mesh_within.h"

#include <bit>
#include <cstddef>
#include <cstdint>

#include "orbox/bvh/query/pairs_below.h"
#include "orbox/bvh/query/sort_pairs.h"
#include "orbox/overlap/triangle_distance.h"
#include "orbox/overlap/triangle_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/mesh_within.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/pair_batch-inl.h"
#include "orbox/bvh/traverse/counters.h"
#include "orbox/bvh/traverse/two_trees-inl.h"
#include "orbox/overlap/pair_distances-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Stops at the first pair.
class AnyQuery {
 public:
  static constexpr Order kOrder = Order::kDeepestFirst;
  static constexpr bool kSharpBounds = true;

  explicit AnyQuery(double distance) : distance_(distance) {}

  double bound() const { return distance_; }
  bool found() const { return found_; }

  template <typename Counters>
  Step Offer(TrianglePair, const Triangle& a, const Triangle& b,
             Counters& counters) {
    if (!WithinDistance(a, b, distance_, counters.arithmetic())) {
      return Step::kContinue;
    }
    return OfferWithin(counters);
  }

  template <typename Counters>
  Step OfferWithin(Counters& counters) {
    counters.Contribute();
    found_ = true;
    return Step::kStop;
  }

 private:
  double distance_;
  bool found_ = false;
};

// Hands every pair to the visitor. Its distance, correctly rounded, nearly
// always decides whether it belongs: only where it rounds to just the limit can
// the exact one still be on either side. Distances are found several at a time.
class EachQuery {
 public:
  static constexpr Order kOrder = Order::kDeepestFirst;

  static constexpr bool kSharpBounds = true;

  EachQuery(double distance, PairVisitor visitor)
      : distance_(distance), visitor_(visitor) {}

  double bound() const { return distance_; }

  template <typename Counters>
  Step OfferClosest(TrianglePair ids, const Triangle& a, const Triangle& b,
                    ClosestFeature feature, Counters& counters) {
    return near_.Add(ids, a, b, feature) ? VisitNear(counters)
                                         : Step::kContinue;
  }

  // Counters have to hear at once which subtree a pair came from.
  template <typename Counters>
  Step FinishLeaves(Counters& counters) {
    if constexpr (Counters::kCounting) return VisitNear(counters);
    return Step::kContinue;
  }

  // Those kept so far.
  template <typename Counters>
  HWY_NOINLINE Step VisitNear(Counters& counters) {
    if (near_.size() == 0) return Step::kContinue;
    double distances[PairColumns::kRoom];
    const uint32_t certified =
        CertifiedDistances(near_.columns(), near_.size(), distances);
    counters.CountDouble(std::popcount(certified));
    Step step = Step::kContinue;
    for (size_t i = 0; i < near_.size() && step == Step::kContinue; ++i) {
      const bool is_certified = (certified >> i & 1) != 0;
      step = VisitOne(i, is_certified ? &distances[i] : nullptr, counters);
    }
    near_.Clear();
    return step;
  }

 private:
  // The i-th of those kept; its distance, where that is known.
  template <typename Counters>
  HWY_INLINE Step VisitOne(size_t i, const double* known, Counters& counters) {
    const PairColumns& pairs = near_.columns();
    const double d = known != nullptr
                         ? *known
                         : DistanceBetween(pairs.First(i), pairs.Second(i),
                                           counters.arithmetic());
    if (d > distance_) return Step::kContinue;
    if (d == distance_ &&
        !WithinDistance(pairs.First(i), pairs.Second(i), distance_)) {
      return Step::kContinue;
    }
    counters.Contribute();
    return visitor_({near_.ids(i), d}) == Visit::kStop ? Step::kStop
                                                       : Step::kContinue;
  }

  double distance_;
  PairVisitor visitor_;
  PairBatch near_;
};

template <typename Query>
void RunWithin(const PosedTree& a, const PosedTree& b, const SubtreePair& below,
               Query& query, TraversalStatistics* statistics) {
  RunCounted(
      statistics,
      [&]<typename Counters>(Counters& counters) HWY_ATTR {
        const Step step = TwoTrees<Query, Counters>(a, b, query, counters)
                              .TraverseBelow(below);
        if constexpr (requires { query.VisitNear(counters); }) {
          if (step == Step::kContinue) query.VisitNear(counters);
        }
      },
      below.depth);
}

void PairsLoop(const PosedTree& a, const PosedTree& b, double distance,
               const SubtreePair& below, PairVisitor visitor,
               TraversalStatistics* statistics) {
  EachQuery query(distance, visitor);
  RunWithin(a, b, below, query, statistics);
}

bool AnyLoop(const PosedTree& a, const PosedTree& b, double distance,
             TraversalStatistics* statistics) {
  AnyQuery query(distance);
  RunWithin(a, b, {}, query, statistics);
  return query.found();
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(PairsLoop);
HWY_EXPORT(AnyLoop);

bool MeshesWithin(const PosedTree& a, const PosedTree& b, double distance,
                  TraversalStatistics* statistics) {
  if (!(distance >= 0)) return false;
  return ORBOX_DYNAMIC_DISPATCH(AnyLoop)(a, b, distance, statistics);
}

std::vector<PairDistance> PairsWithin(const PosedTree& a, const PosedTree& b,
                                      double distance,
                                      TraversalStatistics* statistics) {
  std::vector<PairDistance> pairs;
  PairsWithinBelow(a, b, distance, {}, &pairs, statistics);
  SortPairs(&pairs);
  return pairs;
}

void VisitPairsWithin(const PosedTree& a, const PosedTree& b, double distance,
                      PairVisitor visitor, TraversalStatistics* statistics) {
  if (!(distance >= 0)) return;
  ORBOX_DYNAMIC_DISPATCH(PairsLoop)(a, b, distance, {}, visitor, statistics);
}

void PairsWithinBelow(const PosedTree& a, const PosedTree& b, double distance,
                      const SubtreePair& below,
                      std::vector<PairDistance>* pairs,
                      TraversalStatistics* statistics) {
  if (!(distance >= 0)) return;
  const auto collect = [pairs](const PairDistance& pair) {
    pairs->push_back(pair);
    return Visit::kContinue;
  };
  ORBOX_DYNAMIC_DISPATCH(PairsLoop)
  (a, b, distance, below, collect, statistics);
}

}  // namespace orbox
#endif  // HWY_ONCE
