#include "orbox/bvh/query/k_nearest.h"

#include <algorithm>
#include <vector>

#include "orbox/overlap/triangles/triangle_distance.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/k_nearest.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/internal/nearest_leaf-inl.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"

#ifndef ORBOX_BVH_QUERY_K_NEAREST_ONCE
#define ORBOX_BVH_QUERY_K_NEAREST_ONCE
namespace orbox {

// Nearest first, and at equal distance the lowest id.
inline bool IsNearer(const SurfacePoint& x, const SurfacePoint& y) {
  return x.distance != y.distance ? x.distance < y.distance
                                  : x.triangle < y.triangle;
}

}  // namespace orbox
#endif  // ORBOX_BVH_QUERY_K_NEAREST_ONCE

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Keeps the best k so far, and some that were; now and then the list is cut.
class BestK {
 public:
  BestK(size_t k, double max_distance)
      : k_(k), capacity_(k + std::max(k, kLeastExcess)), bound_(max_distance) {
    // The search has bounds of its own, so that few more than k get here.
    best_.reserve(k + kLeastExcess);
  }

  size_t wanted() const { return k_; }
  double bound() const { return bound_; }

  // Whether the bound is lower now.
  bool Offer(uint32_t id, const PointTriangleDistance& d) {
    if (!(d.distance <= bound_)) return false;
    best_.push_back({id, d.distance, d.closest});
    if (best_.size() < capacity_) return false;
    Cut();
    bound_ = best_.back().distance;
    return true;
  }

  std::vector<SurfacePoint> Take() {
    if (best_.size() <= kFew) return TakeByRank();
    if (best_.size() > k_) Cut();
    std::sort(best_.begin(), best_.end(), IsNearer);
    return std::move(best_);
  }

 private:
  static constexpr size_t kLeastExcess = 8;

  // Of few, counting who is before each is quicker than sorting: there is
  // nothing to mispredict.
  static constexpr size_t kFew = 32;
  std::vector<SurfacePoint> TakeByRank() const {
    const size_t count = best_.size();
    double distances[kFew];
    uint32_t ids[kFew];
    for (size_t i = 0; i < count; ++i) {
      distances[i] = best_[i].distance;
      ids[i] = best_[i].triangle;
    }
    // One more place than is wanted, for all that come after.
    const size_t wanted = std::min(k_, count);
    std::vector<SurfacePoint> sorted(wanted + 1);
    for (size_t i = 0; i < count; ++i) {
      uint32_t rank = 0;
      for (size_t j = 0; j < count; ++j) {
        rank += uint32_t{distances[j] < distances[i]} |
                (uint32_t{distances[j] == distances[i]} &
                 uint32_t{ids[j] < ids[i]});
      }
      sorted[std::min<size_t>(rank, wanted)] = best_[i];
    }
    sorted.pop_back();
    return sorted;
  }

  // Leaves k, the worst of them at the back.
  void Cut() {
    const auto last = best_.begin() + static_cast<ptrdiff_t>(k_) - 1;
    std::nth_element(best_.begin(), last, best_.end(), IsNearer);
    best_.resize(k_);
  }

  std::vector<SurfacePoint> best_;
  size_t k_;
  size_t capacity_;
  double bound_;
};

std::vector<SurfacePoint> KNearestLoop(const Tree& tree, const Vec3& p,
                                       size_t k, double max_distance,
                                       TraversalStatistics* statistics) {
  BestK best(k, max_distance);
  RunCounted(statistics, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    NearestQuery<BestK, Counters> query(tree, p, best, counters);
    TraverseTree(tree, query, counters);
    query.Settle();
  });
  return best.Take();
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(KNearestLoop);

std::vector<SurfacePoint> KNearest(const Tree& tree, const Vec3& p, size_t k,
                                   double max_distance,
                                   TraversalStatistics* statistics) {
  k = std::min(k, tree.mesh().triangle_count());
  if (k == 0 || !IsFinite(p) || !(max_distance >= 0)) return {};
  return ORBOX_DYNAMIC_DISPATCH(KNearestLoop)(tree, p, k, max_distance,
                                              statistics);
}

}  // namespace orbox
#endif  // HWY_ONCE
