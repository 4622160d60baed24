#include "orbox/bvh/query/mesh_within.h"

#include <algorithm>

#include "orbox/overlap/triangle_distance.h"
#include "orbox/overlap/triangle_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/mesh_within.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/counters.h"
#include "orbox/bvh/traverse/two_trees-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Decides exactly; what is done with a pair that is within is up to `Then`,
// called with the triangles too.
template <typename Then>
class WithinQuery {
 public:
  static constexpr Order kOrder = Order::kDeepestFirst;

  WithinQuery(double distance, Then then) : distance_(distance), then_(then) {}

  double bound() const { return distance_; }

  template <typename Counters>
  Step Offer(TrianglePair ids, const Triangle& a, const Triangle& b,
             Counters& counters) {
    if (!WithinDistance(a, b, distance_, counters.arithmetic())) {
      return Step::kContinue;
    }
    counters.Contribute();
    return then_(ids, a, b);
  }

 private:
  double distance_;
  Then then_;
};

template <typename Then>
void RunWithin(const PosedTree& a, const PosedTree& b, double distance,
               Then then, TraversalStatistics* statistics) {
  WithinQuery<Then> query(distance, then);
  if (statistics == nullptr) {
    NoCounters counters;
    TwoTrees<WithinQuery<Then>, NoCounters>(a, b, query, counters).Traverse();
    return;
  }
  Counters counters(statistics);
  TwoTrees<WithinQuery<Then>, Counters>(a, b, query, counters).Traverse();
  counters.Finish();
}

void PairsLoop(const PosedTree& a, const PosedTree& b, double distance,
               PairVisitor visitor, TraversalStatistics* statistics) {
  RunWithin(
      a, b, distance,
      [&](TrianglePair ids, const Triangle& s, const Triangle& t) {
        // The decision was exact; a rounded distance must not contradict it.
        const double d = std::min(Distance(s, t).distance, distance);
        return visitor({ids, d}) == Visit::kStop ? Step::kStop
                                                 : Step::kContinue;
      },
      statistics);
}

bool AnyLoop(const PosedTree& a, const PosedTree& b, double distance,
             TraversalStatistics* statistics) {
  bool found = false;
  RunWithin(
      a, b, distance,
      [&](TrianglePair, const Triangle&, const Triangle&) {
        found = true;
        return Step::kStop;
      },
      statistics);
  return found;
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
  VisitPairsWithin(
      a, b, distance,
      [&pairs](const PairDistance& pair) {
        pairs.push_back(pair);
        return Visit::kContinue;
      },
      statistics);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

void VisitPairsWithin(const PosedTree& a, const PosedTree& b, double distance,
                      PairVisitor visitor, TraversalStatistics* statistics) {
  if (!(distance >= 0)) return;
  ORBOX_DYNAMIC_DISPATCH(PairsLoop)(a, b, distance, visitor, statistics);
}

}  // namespace orbox
#endif  // HWY_ONCE
