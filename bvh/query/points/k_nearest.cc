// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/points/k_nearest.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/points/internal/few_nearest.h"
#include "orbox/bvh/query/points/internal/nearest_search.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/far_search.h"

namespace orbox {
namespace {

// Keeps the best k so far, for a small k.
class BestFew final : public NearestSink {
 public:
  BestFew(size_t k, double max_distance) : best_(k, max_distance) {}

  double Offer(uint32_t, const SurfacePoint& near) override {
    return best_.Offer(near);
  }

  std::vector<SurfacePoint> Sorted() {
    std::vector<SurfacePoint> sorted(best_.count());
    best_.WriteSorted(sorted);
    return sorted;
  }

 private:
  FewNearest best_;
};

// Keeps at least the best k so far. The list is cut back to k when it is full.
class BestMany final : public NearestSink {
 public:
  BestMany(size_t k, double max_distance) : k_(k), bound_(max_distance) {
    // The search has bounds, too, so it passes few more than k.
    best_.reserve(k + FewNearest::kMost);
  }

  double Offer(uint32_t, const SurfacePoint& near) override {
    best_.push_back(near);
    if (best_.size() == 2 * k_) {
      Cut();
      bound_ = best_.back().distance;
    }
    return bound_;
  }

  // The best, nearest first.
  std::vector<SurfacePoint> Sorted() {
    if (best_.size() > k_) Cut();
    std::sort(best_.begin(), best_.end(), IsNearer<SurfacePoint>);
    return std::move(best_);
  }

 private:
  // Keeps the best k, with the worst of them at the back.
  void Cut() {
    const auto last = best_.begin() + static_cast<ptrdiff_t>(k_) - 1;
    std::nth_element(best_.begin(), last, best_.end(), IsNearer<SurfacePoint>);
    best_.resize(k_);
  }

  std::vector<SurfacePoint> best_;
  size_t k_;
  double bound_;
};

// Keeps the best few of several queries at a time. A query takes over the list
// of a finished one, so that lists stay in the cache.
class BestFewOfEach final : public NearestSink {
 public:
  // Writes the best of query i to rows[i * k ...], and their number to
  // counts[i].
  BestFewOfEach(size_t k, double max_distance, std::span<SurfacePoint> rows,
                std::span<size_t> counts)
      : k_(k),
        max_distance_(max_distance),
        rows_(rows),
        counts_(counts),
        lists_of_(counts.size(), kNone) {}

  double Offer(uint32_t query, const SurfacePoint& near) override {
    uint32_t& list = lists_of_[query];
    if (list == kNone) list = Begin();
    return lists_[list].Offer(near);
  }

  void Finish(uint32_t query) override {
    const uint32_t list = lists_of_[query];
    if (list == kNone) return;
    counts_[query] = lists_[list].WriteSorted(rows_.subspan(query * k_, k_));
    free_.push_back(list);
  }

 private:
  static constexpr uint32_t kNone = 0xffffffff;

  uint32_t Begin() {
    if (free_.empty()) {
      lists_.emplace_back(k_, max_distance_);
      return static_cast<uint32_t>(lists_.size() - 1);
    }
    const uint32_t list = free_.back();
    free_.pop_back();
    lists_[list].Clear(max_distance_);
    return list;
  }

  size_t k_;
  double max_distance_;
  std::span<SurfacePoint> rows_;
  std::span<size_t> counts_;
  std::vector<uint32_t> lists_of_;
  std::vector<FewNearest> lists_;
  std::vector<uint32_t> free_;
};

// Search for the k > 0 triangles nearest to one point.
template <typename Best>
std::vector<SurfacePoint> Search(TreeAtPose at, const Vec3& p, size_t k,
                                 double max_distance, const Watch& watch) {
  Best best(k, max_distance);
  SearchNearestTo(at, p, max_distance, k, FarTies::kLowest, best, watch);
  return best.Sorted();
}

}  // namespace

std::vector<SurfacePoint> FindNearest(TreeAtPose at, const Vec3& p, size_t k,
                                      double max_distance, const Watch& watch) {
  k = std::min(k, at.tree().mesh().triangle_count());
  if (k == 0) return {};
  return k <= FewNearest::kMost
             ? Search<BestFew>(at, p, k, max_distance, watch)
             : Search<BestMany>(at, p, k, max_distance, watch);
}

std::vector<SurfacePoint> KNearest(TreeAtPose at, const Vec3& p, size_t k,
                                   double max_distance) {
  Require(CheckQuery(PointWithin{p, max_distance}));
  return FindNearest(at, p, k, max_distance, Watch());
}

absl::StatusOr<std::vector<SurfacePoint>> KNearest(TreeAtPose at, const Vec3& p,
                                                   size_t k,
                                                   double max_distance,
                                                   const RunOptions& options) {
  return WithRunOptions(options, CheckQuery(PointWithin{p, max_distance}),
                        [&](const Execution& run) {
                          return FindNearest(at, p, k, max_distance, run);
                        });
}

absl::StatusOr<Lists<SurfacePoint>> KNearest(TreeAtPose at,
                                             std::span<const Vec3> points,
                                             size_t k, double max_distance,
                                             const RunOptions& options) {
  if (absl::Status s = CheckDistance("max_distance", max_distance); !s.ok()) {
    return s;
  }
  if (at.moved() != nullptr) {
    return CollectEachOf<SurfacePoint>(
        at, points, PositionsOf(points), options,
        [&](TreeAtPose posed, const Vec3& p, const Execution& run) {
          return FindNearest(posed, p, k, max_distance, run);
        });
  }
  const Tree& tree = at.tree();
  k = std::min(k, tree.mesh().triangle_count());
  if (absl::Status s = CheckQueries(points); !s.ok()) return s;
  BatchRun run(tree.space(), points.size(), Execution(options),
               BatchRun::LeastTogether(options.threads));
  const auto find = [&](const BatchRun::Task& task,
                        std::vector<SurfacePoint>* found,
                        std::span<size_t> counts) {
    AppendNearest(tree,
                  {.points = points,
                   .order = task.queries,
                   .max_distance = max_distance,
                   .wanted = k},
                  found, counts, task.watch);
  };
  if (k <= kMostWantedTogether &&
      max_distance == std::numeric_limits<double>::infinity()) {
    // All lists will be full, so each task writes its results in place, without
    // additional memory.
    std::optional<Lists<SurfacePoint>> lists;
    const absl::Status status = BatchRun::GuardMemory([&] {
      lists.emplace();
      lists->offsets.resize(points.size() + 1);
      for (size_t i = 0; i <= points.size(); ++i) lists->offsets[i] = i * k;
      lists->values.resize(points.size() * k);
      return run.ForEachTask(
          PositionsOf(points), [&](const BatchRun::Task& task) {
            std::vector<SurfacePoint> found;
            std::vector<size_t> counts(task.queries.size());
            find(task, &found, counts);
            for (size_t n = 0; n < counts.size(); ++n) {
              std::copy_n(found.begin() + static_cast<ptrdiff_t>(n * k), k,
                          lists->values.begin() +
                              static_cast<ptrdiff_t>(task.queries[n] * k));
            }
          });
    });
    if (!status.ok()) return status;
    return *std::move(lists);
  }
  return run.CollectListsByTask<SurfacePoint>(
      PositionsOf(points),
      [&](const BatchRun::Task& task, std::vector<SurfacePoint>* found,
          size_t* counts) {
        std::vector<size_t> of_task(task.queries.size());
        find(task, found, of_task);
        for (size_t n = 0; n < of_task.size(); ++n) {
          counts[task.queries[n]] = of_task[n];
        }
      });
}

void AppendNearest(const Tree& tree, const NearestBatch& batch,
                   std::vector<SurfacePoint>* found, std::span<size_t> counts,
                   const Watch& watch) {
  const size_t k = std::min(batch.wanted, tree.mesh().triangle_count());
  const size_t count = k == 0 ? 0 : batch.order.size();
  const auto find_alone = [&](size_t n) {
    return FindNearest(tree, batch.points[batch.order[n]], k, batch.BoundOf(n),
                       watch);
  };
  if (k > kMostWantedTogether) {
    for (size_t n = 0; n < count; ++n) {
      const std::vector<SurfacePoint> nearest = find_alone(n);
      found->insert(found->end(), nearest.begin(), nearest.end());
      counts[n] = nearest.size();
    }
    return;
  }
  const size_t begin = found->size();
  found->resize(begin + count * k);
  const std::span rows = std::span(*found).subspan(begin);
  std::vector<Vec3> places(count);
  std::vector<double> bounds(count);
  std::vector<uint32_t> together;
  together.reserve(count);
  // Copied in a separate loop, because the points are scattered in memory.
  for (size_t n = 0; n < count; ++n) {
    places[n] = batch.points[batch.order[n]];
  }
  for (size_t n = 0; n < count; ++n) {
    // Points far away are searched one by one.
    if (FarSearch::MayPay(tree, places[n])) {
      const std::vector<SurfacePoint> nearest = find_alone(n);
      std::copy(nearest.begin(), nearest.end(), rows.begin() + n * k);
      counts[n] = nearest.size();
    } else {
      bounds[together.size()] = batch.BoundOf(n);
      together.push_back(static_cast<uint32_t>(n));
    }
  }
  BestFewOfEach best(k, batch.max_distance, rows, counts);
  SearchNearest(tree,
                {.points = places,
                 .order = together,
                 .max_distance = batch.max_distance,
                 .bounds = bounds,
                 .wanted = k},
                best, watch);
  // Rows are full unless less than k triangles are within the distance.
  size_t end = begin;
  for (size_t n = 0; n < count; ++n) {
    const auto row = found->begin() + static_cast<ptrdiff_t>(begin + n * k);
    const auto to = found->begin() + static_cast<ptrdiff_t>(end);
    if (row != to) std::move(row, row + static_cast<ptrdiff_t>(counts[n]), to);
    end += counts[n];
  }
  found->resize(end);
}

}  // namespace orbox
