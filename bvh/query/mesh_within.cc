#include "orbox/bvh/query/mesh_within.h"

#include <bit>
#include <cstddef>
#include <cstdint>

#include "orbox/bvh/query/internal/pairs_below.h"
#include "orbox/bvh/query/internal/sort_pairs.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/mesh_within.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/two_trees-inl.h"
#include "orbox/overlap/triangles/internal/pair_distances-inl.h"

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
  HWY_NOINLINE Step OfferBatch(const PairBatch& batch, Counters& counters) {
    const PairColumns& pairs = batch.columns();
    double distances[PairColumns::kRoom];
    const uint32_t certified =
        CertifiedDistances(pairs, batch.size(), distances);
    counters.CountDouble(std::popcount(certified));
    for (size_t i = 0; i < batch.size(); ++i) {
      const double d = (certified >> i & 1) != 0
                           ? distances[i]
                           : DistanceBetween(pairs.First(i), pairs.Second(i),
                                             counters.arithmetic());
      if (d > distance_) continue;
      if (d == distance_ &&
          !WithinDistance(pairs.First(i), pairs.Second(i), distance_)) {
        continue;
      }
      counters.Contribute();
      if (visitor_({batch.ids(i), d}) == Visit::kStop) return Step::kStop;
    }
    return Step::kContinue;
  }

 private:
  double distance_;
  PairVisitor visitor_;
};

template <typename Query>
void RunWithin(const PosedTree& a, const PosedTree& b, const SubtreePair& below,
               Query& query, TraversalStatistics* statistics) {
  RunCounted(
      statistics,
      [&]<typename Counters>(Counters& counters) HWY_ATTR {
        TwoTrees<Query, Counters>(a, b, query, counters).TraverseBelow(below);
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
