// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/points/closest_point.h"

#include <cstddef>
#include <optional>
#include <vector>

#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/points/internal/nearest_search.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/far_search.h"

namespace orbox {
namespace {

// Keeps the best triangle of each query.
class ClosestSink final : public NearestSink {
 public:
  explicit ClosestSink(std::span<std::optional<SurfacePoint>> results)
      : results_(results) {}

  double Offer(uint32_t query, const SurfacePoint& near) override {
    std::optional<SurfacePoint>& best = results_[query];
    if (!best || IsNearer(near, *best)) best = near;
    return best->distance;
  }

 private:
  const std::span<std::optional<SurfacePoint>> results_;
};

}  // namespace

std::optional<SurfacePoint> FindClosest(TreeAtPose at, const Vec3& p,
                                        double max_distance,
                                        const Watch& watch) {
  std::optional<SurfacePoint> result;
  ClosestSink sink({&result, 1});
  SearchNearestTo(at, p, max_distance, 1, FarTies::kAny, sink, watch);
  return result;
}

std::optional<SurfacePoint> ClosestPoint(TreeAtPose at, const Vec3& p,
                                         double max_distance) {
  Require(CheckQuery(PointWithin{p, max_distance}));
  return FindClosest(at, p, max_distance, Watch());
}

absl::StatusOr<std::optional<SurfacePoint>> ClosestPoint(
    TreeAtPose at, const Vec3& p, double max_distance,
    const RunOptions& options) {
  return WithRunOptions(options, CheckQuery(PointWithin{p, max_distance}),
                        [&](const Execution& run) {
                          return FindClosest(at, p, max_distance, run);
                        });
}

absl::StatusOr<std::vector<std::optional<SurfacePoint>>> ClosestPoint(
    TreeAtPose at, std::span<const Vec3> points, double max_distance,
    const RunOptions& options) {
  if (absl::Status s = CheckDistance("max_distance", max_distance); !s.ok()) {
    return s;
  }
  if (at.moved() != nullptr) {
    return RunEachOf<std::optional<SurfacePoint>>(
        at, points, PositionsOf(points), options,
        [&](TreeAtPose posed, const Vec3& p, const Execution& run) {
          return FindClosest(posed, p, max_distance, run);
        });
  }
  const Tree& tree = at.tree();
  // Batches smaller than this are not sorted. Their neighbours along a curve
  // are too far from each other for the savings to pay for sorting.
  constexpr size_t kFew = size_t{1} << 14;
  std::vector<std::optional<SurfacePoint>> results;
  if (absl::Status s = CheckQueries(points); !s.ok()) return s;
  BatchRun run(tree.space(), points.size(), Execution(options),
               BatchRun::LeastTogether(options.threads));
  const auto work = [&](const BatchRun::Task& task) {
    // Copies the points of a task, so that their scattered memory is read only
    // once.
    const size_t count = task.queries.size();
    std::vector<Vec3> places(count);
    for (size_t n = 0; n < count; ++n) places[n] = points[task.queries[n]];
    std::vector<std::optional<SurfacePoint>> found(count);
    // Points far away are searched one by one. They follow each other in the
    // order.
    std::vector<uint32_t> near;
    near.reserve(count);
    for (uint32_t n = 0; n < count; ++n) {
      if (FarSearch::MayPay(tree, places[n])) {
        found[n] = FindClosest(tree, places[n], max_distance, task.watch);
      } else {
        near.push_back(n);
      }
    }
    ClosestSink sink(found);
    SearchNearest(
        tree, {.points = places, .order = near, .max_distance = max_distance},
        sink, task.watch);
    for (size_t n = 0; n < count; ++n) results[task.queries[n]] = found[n];
  };
  const absl::Status status = BatchRun::GuardMemory([&] {
    results.resize(points.size());
    if (points.size() <= kFew) return run.ForEachTask(std::nullopt, work);
    return run.ForEachTask(PositionsOf(points), work);
  });
  if (!status.ok()) return status;
  return results;
}

}  // namespace orbox
