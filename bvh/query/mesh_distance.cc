#include "orbox/bvh/query/mesh_distance.h"

#include <cstddef>
#include <cstdint>
#include <limits>

#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/mesh_distance.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/two_trees-inl.h"
#include "orbox/overlap/triangles/internal/pair_distances-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Keeps the closest pair so far, of equals the lowest. Most pairs that are
// offered share the corner or edge that is closest, and differ by nothing but
// their ids: distances alone, several at a time, tell which are worth more.
class ClosestPairQuery {
 public:
  static constexpr Order kOrder = Order::kBestFirst;
  static constexpr bool kSharpBounds = true;

  explicit ClosestPairQuery(double max_distance)
      : max_distance_(max_distance), bound_(max_distance) {}

  double bound() const { return bound_; }

  template <typename Counters>
  HWY_NOINLINE Step OfferBatch(const PairBatch& batch, Counters& counters) {
    const PairColumns& pairs = batch.columns();
    double distances[PairColumns::kRoom];
    const uint32_t certified =
        CertifiedDistances(pairs, batch.size(), distances);
    for (size_t i = 0; i < batch.size(); ++i) {
      if ((certified >> i & 1) != 0 && !Improves(distances[i], batch.ids(i))) {
        counters.CountDouble(1);
        continue;
      }
      Offer(batch.ids(i), pairs.First(i), pairs.Second(i), counters);
    }
    return Step::kContinue;
  }

  template <typename Counters>
  Step Offer(TrianglePair ids, const Triangle& a, const Triangle& b,
             Counters& counters) {
    // Nothing is below 0: a pair that is no lower cannot win any more.
    if (found_ && bound_ == 0 && ids > best_.triangles) {
      counters.TestTriangles(0, 1);
      return Step::kContinue;
    }
    // Of what comes after a pair that meets, only others that meet interest,
    // which is cheaper to tell than how far they are.
    if (found_ && bound_ == 0 && !Overlaps(a, b)) {
      counters.TestTriangles(0, 1);
      return Step::kContinue;
    }
    const TrianglePairDistance d = Distance(a, b, counters.arithmetic());
    if (!Improves(d.distance, ids)) return Step::kContinue;
    // Some that are further round to it.
    if (d.distance == max_distance_ && d.distance > 0 &&
        !WithinDistance(a, b, max_distance_, counters.arithmetic())) {
      return Step::kContinue;
    }
    counters.Contribute();
    best_ = {d.distance, ids, d.on_first, d.on_second};
    bound_ = d.distance;
    found_ = true;
    return Step::kContinue;
  }

  std::optional<MeshDistanceResult> Take() const {
    return found_ ? std::optional<MeshDistanceResult>(best_) : std::nullopt;
  }

 private:
  bool Improves(double distance, TrianglePair ids) const {
    if (!(distance <= bound_)) return false;
    return !found_ || distance != bound_ || ids < best_.triangles;
  }

  MeshDistanceResult best_;
  double max_distance_;
  double bound_;
  bool found_ = false;
};

std::optional<MeshDistanceResult> DistanceLoop(
    const PosedTree& a, const PosedTree& b, double max_distance,
    TraversalStatistics* statistics) {
  ClosestPairQuery query(max_distance);
  RunCounted(statistics, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    TwoTrees<ClosestPairQuery, Counters>(a, b, query, counters).Traverse();
  });
  return query.Take();
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(DistanceLoop);

MeshDistanceResult MeshDistance(const PosedTree& a, const PosedTree& b,
                                TraversalStatistics* statistics) {
  return *MeshDistanceWithin(a, b, std::numeric_limits<double>::infinity(),
                             statistics);
}

std::optional<MeshDistanceResult> MeshDistanceWithin(
    const PosedTree& a, const PosedTree& b, double max_distance,
    TraversalStatistics* statistics) {
  if (!(max_distance >= 0)) return std::nullopt;
  return ORBOX_DYNAMIC_DISPATCH(DistanceLoop)(a, b, max_distance, statistics);
}

}  // namespace orbox
#endif  // HWY_ONCE
