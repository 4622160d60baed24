// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/farthest_target.h"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <numeric>
#include <optional>
#include <vector>

#include "orbox/bvh/query/closest_point.h"
#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/nearest_search.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/far_search.h"
#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {
namespace {

// Keeps the nearest triangle of each question, and of several the first.
class SampleSink final : public NearestSink {
 public:
  explicit SampleSink(std::span<DistanceSample> samples) : samples_(samples) {}

  double Take(uint32_t query, const SurfacePoint& near) override {
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

// The samples of the points that `order` names. `bounds` are those of `order`,
// or empty.
void MeasureSome(const Tree& tree, std::span<const Vec3> points,
                 std::span<const uint32_t> order,
                 std::span<const double> bounds, DistanceSample::Known known,
                 std::span<DistanceSample> samples,
                 TraversalStatistics* statistics) {
  constexpr uint64_t kNone = std::numeric_limits<uint64_t>::max();
  NearestQuestion question{.points = points};
  question.is_rough = known == DistanceSample::Known::kNearly;
  std::vector<uint32_t> near;
  std::vector<double> near_bounds;
  for (size_t n = 0; n < order.size(); ++n) {
    const uint32_t i = order[n];
    samples[i] = {points[i], kInfinity, kNone, known};
    const double bound = bounds.empty() ? kInfinity : bounds[n];
    if (!FarSearch::MayPay(tree, points[i])) {
      near.push_back(i);
      near_bounds.push_back(bound);
      continue;
    }
    const std::optional<SurfacePoint> hit = ClosestPoint(
        tree, points[i], {.max_distance = bound, .statistics = statistics});
    samples[i] = {points[i], hit->distance, hit->triangle};
  }
  question.order = near;
  question.bounds = near_bounds;
  SampleSink sink(samples);
  SearchNearest(tree, question, sink, statistics);
}

}  // namespace

absl::Status FarthestTree::Measure(std::span<const DistanceQuestion> questions,
                                   std::span<DistanceSample> samples) {
  std::mutex mutex;  // of *statistics_
  // Many are searched for at a time, some tenths of a microsecond each.
  constexpr size_t kGrain = 256;
  workers_.For(questions.size(), kGrain, [&](size_t begin, size_t end) {
    const size_t count = end - begin;
    std::vector<Vec3> points(count);
    std::vector<double> bounds(count);
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    for (size_t i = 0; i < count; ++i) {
      points[i] = questions[begin + i].point;
      bounds[i] = questions[begin + i].limit;
    }
    std::optional<TraversalStatistics> own;
    if (statistics_ != nullptr) own.emplace();
    MeasureSome(tree_, points, order, bounds, questions[begin].known,
                samples.subspan(begin, count), own ? &*own : nullptr);
    if (!own) return;
    const std::lock_guard lock(mutex);
    *statistics_ += *own;
  });
  return absl::OkStatus();
}

absl::Status MeasurePoints(const Tree& tree, std::span<const Vec3> points,
                           DistanceSample::Known known,
                           const HausdorffOptions& options,
                           std::vector<DistanceSample>* samples) {
  HausdorffOptions unlimited = options;
  unlimited.max_distance = kInfinity;
  BatchRun run(tree.space(), points.size(), Execution(unlimited));
  return BatchRun::GuardMemory([&] {
    samples->resize(points.size());
    return run.ForEachPiece([&](size_t i) { return points[i]; },
                            [&](const BatchRun::Piece& piece) {
                              MeasureSome(tree, points, piece.queries, {},
                                          known, *samples, piece.statistics);
                            });
  });
}

}  // namespace orbox
