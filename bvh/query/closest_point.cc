// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/closest_point.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "orbox/bvh/posed/internal/into_model.h"
#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/far_nearest.h"
#include "orbox/bvh/query/internal/nearest_search.h"
#include "orbox/bvh/query/region_overlap.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/far_search.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox {
namespace {

bool IsBetter(const SurfacePoint& x, const SurfacePoint& best) {
  return x.distance < best.distance ||
         (x.distance == best.distance && x.triangle < best.triangle);
}

// Keeps the best triangle of each query.
class ClosestSink final : public NearestSink {
 public:
  explicit ClosestSink(std::span<std::optional<SurfacePoint>> results)
      : results_(results) {}

  double Take(uint32_t query, const SurfacePoint& near) override {
    std::optional<SurfacePoint>& best = results_[query];
    if (!best || IsBetter(near, *best)) best = near;
    return best->distance;
  }

 private:
  const std::span<std::optional<SurfacePoint>> results_;
};

// The best of the moved triangles that it is offered.
class ClosestMoved {
 public:
  ClosestMoved(const PosedTree& tree, const Vec3& p, const Execution& run)
      : tree_(tree), p_(p), run_(run) {}

  void Offer(uint32_t id) {
    const Triangle t = tree_.triangle(id);
    const PointTriangleDistance d = Distance(p_, t);
    const SurfacePoint near{id, d.distance, d.closest};
    if (best_ && !IsBetter(near, *best_)) return;
    if (!WithinDistance(p_, t, run_.max_distance())) return;
    best_ = near;
  }

  const std::optional<SurfacePoint>& best() const { return best_; }

 private:
  const PosedTree& tree_;
  const Vec3& p_;
  const Execution& run_;
  std::optional<SurfacePoint> best_;
};

// For poses whose inverse of `p` is not precise enough in double: measures the
// moved triangles.
std::optional<SurfacePoint> ClosestOfEach(const PosedTree& tree, const Vec3& p,
                                          const Execution& run) {
  ClosestMoved closest(tree, p, run);
  const size_t count = tree.tree().mesh().triangle_count();
  for (uint32_t id = 0; id < count; ++id) closest.Offer(id);
  return closest.best();
}

}  // namespace

std::optional<SurfacePoint> ClosestPoint(const PosedTree& posed, const Vec3& p,
                                         const QueryOptions& options) {
  if (!posed.is_moved()) return ClosestPoint(posed.tree(), p, options);
  const Execution run(options);
  run.RequireValid();
  Require(CheckQuery(p));
  // A ball of the world is an ellipsoid in the model of a pose that stretches.
  if (posed.stretch() != 1) {
    const PosedTree& own = posed.InWorld();
    if (!own.is_moved()) return ClosestPoint(own.tree(), p, options);
  }
  const IntoModel into(posed);
  const IntoModel::Point q = into.At(p);
  if (!IsFinite(q.at) || !std::isfinite(q.error)) {
    return ClosestOfEach(posed, p, run);
  }
  if (FarSearch::MayPay(posed.tree(), q.at)) {
    if (const auto far = FarSearch::Between(posed, p)) {
      const auto answer =
          far->Closest({.max_distance = run.max_distance()}, run);
      if (!answer) return std::nullopt;
      return SurfacePoint{answer->triangles.a, answer->distance, answer->on_a};
    }
  }
  // A triangle that is near in the model bounds the distance in the world. All
  // that, moved, may be as near are in a ball of the model.
  const auto radius_of = [&](double distance) {
    return (into.RadiusOf(distance) + q.error) * (1 + 0x1p-50);
  };
  const std::optional<SurfacePoint> guess = ClosestPoint(
      posed.tree(), q.at, run.Alone(radius_of(run.max_distance())));
  if (!guess) return std::nullopt;
  const double bound =
      std::min(Distance(p, posed.triangle(guess->triangle)).distance,
               run.max_distance());
  const double radius = radius_of(bound);
  if (!std::isfinite(radius)) return ClosestOfEach(posed, p, run);
  ClosestMoved closest(posed, p, run);
  VisitOverlaps(
      posed.tree(), Sphere{q.at, radius},
      [&](uint32_t id) {
        closest.Offer(id);
        return Visit::kContinue;
      },
      run.Alone());
  return closest.best();
}

absl::StatusOr<std::vector<std::optional<SurfacePoint>>> ClosestPoint(
    const PosedTree& tree, std::span<const Vec3> points,
    const QueryOptions& options) {
  if (!tree.is_moved()) return ClosestPoint(tree.tree(), points, options);
  std::vector<std::optional<SurfacePoint>> results;
  if (absl::Status s = CheckQueries(points); !s.ok()) return s;
  BatchRun run(tree.tree().space(), points.size(), Execution(options));
  const absl::Status status = BatchRun::GuardMemory([&] {
    results.resize(points.size());
    return run.ForEachTask(std::nullopt, [&](const BatchRun::Task& task) {
      const QueryOptions alone = task.watch.Alone(options.max_distance);
      for (const uint32_t i : task.queries) {
        results[i] = ClosestPoint(tree, points[i], alone);
      }
    });
  });
  if (!status.ok()) return status;
  return results;
}

std::optional<SurfacePoint> ClosestPoint(const Tree& tree, const Vec3& p,
                                         const QueryOptions& options) {
  const Execution run(options);
  run.RequireValid();
  Require(CheckQuery(p));
  std::optional<SurfacePoint> result;
  ClosestSink sink({&result, 1});
  constexpr uint32_t kFirst = 0;
  const NearestBatch batch{.points = {&p, 1},
                           .order = {&kFirst, 1},
                           .max_distance = run.max_distance()};
  // From far away, floats do not distinguish distances. These points have
  // searches of their own.
  if (FarSearch::MayPay(tree, p)) {
    if (FindFromAfar(tree, batch, sink, run)) return result;
    result.reset();
    if (const auto far = FarSearch::Between(tree, p)) {
      const auto answer =
          far->Closest({.max_distance = run.max_distance()}, run);
      if (!answer) return std::nullopt;
      return SurfacePoint{answer->triangles.a, answer->distance, answer->on_a};
    }
  }
  SearchNearest(tree, batch, sink, run);
  return result;
}

absl::StatusOr<std::vector<std::optional<SurfacePoint>>> ClosestPoint(
    const Tree& tree, std::span<const Vec3> points,
    const QueryOptions& options) {
  // Few points stay in their order: neighbours along a curve are too far from
  // each other to share what sorting them costs.
  constexpr size_t kFew = size_t{1} << 14;
  std::vector<std::optional<SurfacePoint>> results;
  if (absl::Status s = CheckQueries(points); !s.ok()) return s;
  BatchRun run(tree.space(), points.size(), Execution(options),
               BatchRun::LeastTogether(options.threads));
  const auto work = [&](const BatchRun::Task& task) {
    // Side by side, so that points and results come from all over memory once.
    const size_t count = task.queries.size();
    std::vector<Vec3> places(count);
    for (size_t n = 0; n < count; ++n) places[n] = points[task.queries[n]];
    std::vector<std::optional<SurfacePoint>> found(count);
    // Points far away come one by one; they follow each other in the order.
    std::vector<uint32_t> near;
    near.reserve(count);
    for (uint32_t n = 0; n < count; ++n) {
      if (FarSearch::MayPay(tree, places[n])) {
        found[n] = ClosestPoint(tree, places[n],
                                task.watch.Alone(options.max_distance));
      } else {
        near.push_back(n);
      }
    }
    ClosestSink sink(found);
    SearchNearest(
        tree,
        {.points = places, .order = near, .max_distance = options.max_distance},
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
