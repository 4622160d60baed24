#include "orbox/bvh/query/closest_point.h"

#include <bit>
#include <cmath>
#include <limits>

#include "orbox/overlap/triangles/triangle_distance.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/closest_point.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/internal/nearest_leaf-inl.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Keeps the best triangle so far.
class BestOne {
 public:
  explicit BestOne(double max_distance) : bound_(max_distance) {}

  static constexpr size_t wanted() { return 1; }
  double bound() const { return bound_; }

  // Whether the candidate is the best now.
  bool Offer(uint32_t id, const PointTriangleDistance& d) {
    if (!(d.distance <= bound_)) return false;
    if (found_ && d.distance == bound_ && id > best_.triangle) return false;
    best_ = {id, d.distance, d.closest};
    bound_ = d.distance;
    found_ = true;
    return true;
  }

  std::optional<SurfacePoint> Take() const {
    return found_ ? std::optional<SurfacePoint>(best_) : std::nullopt;
  }

 private:
  SurfacePoint best_;
  double bound_;
  bool found_ = false;
};

std::optional<SurfacePoint> ClosestPointLoop(const Tree& tree, const Vec3& p,
                                             double max_distance,
                                             TraversalStatistics* statistics) {
  BestOne best(max_distance);
  RunCounted(statistics, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    NearestQuery<BestOne, Counters> query(tree, p, best, counters);
    TraverseTree(tree, query, counters);
    query.Settle();
  });
  return best.Take();
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(ClosestPointLoop);

std::optional<SurfacePoint> ClosestPoint(const Tree& tree, const Vec3& p,
                                         double max_distance,
                                         TraversalStatistics* statistics) {
  if (!IsFinite(p) || !(max_distance >= 0)) return std::nullopt;
  return ORBOX_DYNAMIC_DISPATCH(ClosestPointLoop)(tree, p, max_distance,
                                                  statistics);
}

}  // namespace orbox
#endif  // HWY_ONCE
