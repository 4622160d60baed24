// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/deviation/internal/farthest_target.h"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <numeric>
#include <optional>
#include <vector>

#include "orbox/bvh/query/deviation/internal/farthest_goal.h"
#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/points/internal/nearest_search.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/far_search.h"
#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {
namespace {

// Keeps the closest triangle of each query. Among ties, keeps the first.
class SampleSink final : public NearestSink {
 public:
  explicit SampleSink(std::span<DistanceSample> samples) : samples_(samples) {}

  double Offer(uint32_t query, const SurfacePoint& near) override {
    DistanceSample& best = samples_[query];
    if (near.distance < best.distance ||
        (near.distance == best.distance && near.triangle < best.triangle)) {
      best.distance = near.distance;
      best.triangle = near.triangle;
    }
    return best.distance;
  }

 private:
  const std::span<DistanceSample> samples_;
};

// Upper bounds for points that are far away from the target. Neighbouring
// points see the target from almost the same direction. So the triangle that is
// closest to one of them is almost closest to the others.
class FarGuide {
 public:
  // `slack` is the largest permitted excess of a bound over the distance,
  // without rounding.
  FarGuide(const Tree& tree, double slack)
      : tree_(tree),
        slack_(slack),
        radius_(SafeNorm(tree.mesh().bounds().HalfExtents())) {}

  // Sets *sample to an upper bound of the distance of p, and returns true, if
  // the last triangle found gives one that is good enough. Proof: let q be the
  // closest point for `from_`, and x any other point of the target. At `from_`,
  // |p - q| - |p - x| is not above 0. On the way to p it changes by at most the
  // difference of the directions to q and x. This difference is at most |q -
  // x|, which is at most twice the radius, divided by the distance from either.
  bool Bounds(const Vec3& p, DistanceSample* sample) const {
    const double way = SafeNorm(p - from_.point);
    if (!(2 * radius_ * way <= slack_ * (from_.distance - way))) return false;
    const Triangle t =
        tree_.mesh().triangle(static_cast<uint32_t>(from_.triangle));
    *sample = {p, DistanceAtMost(p, t, 0), from_.triangle,
               DistanceSample::Known::kAtMost};
    return true;
  }

  void Found(const DistanceSample& sample) { from_ = sample; }

 private:
  const Tree& tree_;
  const double slack_;
  const double radius_;
  DistanceSample from_;  // distance 0 until the first point is found
};

// Measures the points whose indices are in `order`. `bounds` has an upper bound
// for each of them, or is empty. If a slack is given, points from far away may
// get upper bounds within this slack.
void MeasureSome(const Tree& tree, std::span<const Vec3> points,
                 std::span<const uint32_t> order,
                 std::span<const double> bounds, DistanceSample::Known known,
                 std::span<DistanceSample> samples, const Watch& watch,
                 double slack = -1) {
  constexpr uint64_t kNone = std::numeric_limits<uint64_t>::max();
  NearestBatch batch{.points = points};
  batch.is_rough = known == DistanceSample::Known::kNearly;
  std::vector<uint32_t> near;
  std::vector<double> near_bounds;
  FarGuide guide(tree, slack);
  uint64_t guided = 0;
  for (size_t n = 0; n < order.size(); ++n) {
    const uint32_t i = order[n];
    samples[i] = {points[i], kInfinity, kNone, known};
    const double bound = bounds.empty() ? kInfinity : bounds[n];
    if (!FarSearch::MayPay(tree, points[i])) {
      near.push_back(i);
      near_bounds.push_back(bound);
      continue;
    }
    if (guide.Bounds(points[i], &samples[i])) {
      ++guided;
      continue;
    }
    const std::optional<SurfacePoint> hit =
        FindClosest(tree, points[i], bound, watch);
    samples[i] = {points[i], hit->distance, hit->triangle};
    guide.Found(samples[i]);
  }
  if (watch.statistics != nullptr) {
    watch.statistics->triangle_tests += guided;
    watch.statistics->settled_by_double += guided;
  }
  batch.order = near;
  batch.bounds = near_bounds;
  SampleSink sink(samples);
  SearchNearest(tree, batch, sink, watch);
}

// Measures samples that only have upper bounds, until the farthest sample is
// exact.
void MeasureFarthest(const Tree& tree, std::span<DistanceSample> samples,
                     const Watch& watch) {
  double farthest = 0;
  std::vector<uint32_t> bounded;
  for (uint32_t i = 0; i < samples.size(); ++i) {
    if (samples[i].known == DistanceSample::Known::kAtMost) {
      bounded.push_back(i);
    } else {
      farthest = std::max(farthest, samples[i].distance);
    }
  }
  std::erase_if(bounded,
                [&](uint32_t i) { return samples[i].distance <= farthest; });
  std::sort(bounded.begin(), bounded.end(), [&](uint32_t x, uint32_t y) {
    return samples[x].distance != samples[y].distance
               ? samples[x].distance > samples[y].distance
               : x < y;
  });
  for (const uint32_t i : bounded) {
    DistanceSample& sample = samples[i];
    if (sample.distance <= farthest) break;
    const std::optional<SurfacePoint> hit =
        FindClosest(tree, sample.point, kInfinity, watch);
    sample = {sample.point, hit->distance, hit->triangle};
    farthest = std::max(farthest, sample.distance);
  }
}

}  // namespace

absl::Status FarthestTree::Measure(std::span<const DistanceQuery> queries,
                                   std::span<DistanceSample> samples) {
  std::mutex mutex;  // guards *watch_.statistics
  // Tasks of many points, because a point takes a few tenths of a microsecond.
  constexpr size_t kGrain = 256;
  workers_.For(queries.size(), kGrain, [&](size_t begin, size_t end) {
    const size_t count = end - begin;
    std::vector<Vec3> points(count);
    std::vector<double> bounds(count);
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    for (size_t i = 0; i < count; ++i) {
      points[i] = queries[begin + i].point;
      bounds[i] = queries[begin + i].limit;
    }
    std::optional<TraversalStatistics> own;
    if (watch_.statistics != nullptr) own.emplace();
    MeasureSome(tree_, points, order, bounds, queries[begin].known,
                samples.subspan(begin, count),
                {own ? &*own : nullptr, watch_.cancelled, watch_.progress});
    if (!own) return;
    const std::lock_guard lock(mutex);
    *watch_.statistics += *own;
  });
  return absl::OkStatus();
}

absl::Status MeasurePoints(const Tree& tree, std::span<const Vec3> points,
                           DistanceSample::Known known, double tolerance,
                           const RunOptions& options,
                           std::vector<DistanceSample>* samples) {
  // Far less than the differences that FarthestSearch::IsPromising requires.
  constexpr double kShare = 0x1p-5;
  const double slack =
      known == DistanceSample::Known::kNearly ? kShare * tolerance : -1;
  BatchRun run(tree.space(), points.size(), Execution(options));
  return BatchRun::GuardMemory([&] {
    samples->resize(points.size());
    absl::Status status =
        run.ForEachTask([&](size_t i) { return points[i]; },
                        [&](const BatchRun::Task& task) {
                          MeasureSome(tree, points, task.queries, {}, known,
                                      *samples, task.watch, slack);
                        });
    if (status.ok() && slack > 0) {
      MeasureFarthest(tree, *samples,
                      {options.statistics, options.cancelled, nullptr});
    }
    return status;
  });
}

}  // namespace orbox
