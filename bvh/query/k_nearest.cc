// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/k_nearest.h"

#include <algorithm>

#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/nearest_search.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/far_search.h"

namespace orbox {
namespace {

// Nearest first, and at equal distance the lowest id.
bool IsNearer(const SurfacePoint& x, const SurfacePoint& y) {
  return x.distance != y.distance ? x.distance < y.distance
                                  : x.triangle < y.triangle;
}

// Keeps the best k so far, and some that were; now and then the list is cut.
class BestK final : public NearestSink {
 public:
  BestK(size_t k, double max_distance)
      : k_(k), capacity_(k + std::max(k, kLeastExcess)), bound_(max_distance) {
    // The search has bounds of its own, so that few more than k get here.
    best_.reserve(k + kLeastExcess);
  }

  double Take(uint32_t, const SurfacePoint& near) override {
    best_.push_back(near);
    if (best_.size() == capacity_) {
      Cut();
      bound_ = best_.back().distance;
    }
    return bound_;
  }

  std::vector<SurfacePoint> TakeBest() {
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

std::vector<SurfacePoint> NearestFromAfar(const FarSearch& far, size_t k,
                                          const Execution& run) {
  std::vector<SurfacePoint> nearest;
  for (const FarSearch::Answer& answer :
       far.Nearest(k, run.max_distance(), run.statistics())) {
    nearest.push_back({answer.triangles.a, answer.distance, answer.on_a});
  }
  return nearest;
}

}  // namespace

std::vector<SurfacePoint> KNearest(const Tree& tree, const Vec3& p, size_t k,
                                   const QueryOptions& options) {
  const Execution run(options);
  k = std::min(k, tree.mesh().triangle_count());
  if (k == 0 || !IsFinite(p) || run.finds_nothing()) return {};
  if (FarSearch::MayPay(tree, p)) {
    if (const auto far = FarSearch::Between(tree, p)) {
      return NearestFromAfar(*far, k, run);
    }
  }
  BestK best(k, run.max_distance());
  constexpr uint32_t kFirst = 0;
  SearchNearest(tree,
                {.points = {&p, 1},
                 .order = {&kFirst, 1},
                 .max_distance = run.max_distance(),
                 .wanted = k},
                best, run.statistics());
  return best.TakeBest();
}

absl::StatusOr<Lists<SurfacePoint>> KNearest(const Tree& tree,
                                             std::span<const Vec3> points,
                                             size_t k,
                                             const QueryOptions& options) {
  BatchRun run(tree.space(), points.size(), Execution(options));
  return run.CollectLists<SurfacePoint>(
      [&](size_t i) { return points[i]; },
      [&](size_t i, std::vector<SurfacePoint>* found, TraversalStatistics* s) {
        const std::vector<SurfacePoint> nearest =
            KNearest(tree, points[i], k, run.Alone(s));
        found->insert(found->end(), nearest.begin(), nearest.end());
      });
}

}  // namespace orbox
