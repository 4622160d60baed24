// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/hausdorff.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/posed/internal/tree_in_place.h"
#include "orbox/bvh/query/closest_pair.h"
#include "orbox/bvh/query/closest_point.h"
#include "orbox/bvh/query/internal/farthest_search.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/tree/internal/rounding.h"

namespace orbox {
namespace {

HausdorffOptions ShareOf(HausdorffOptions options, double from, double to) {
  options.progress = Between(from, to, options.progress);
  return options;
}

// A mesh's corners and how far each is from the target.
class CornerSamples {
 public:
  explicit CornerSamples(const PosedTree& mesh) : mesh_(mesh.tree().mesh()) {
    points_.assign(mesh_.vertices().begin(), mesh_.vertices().end());
    if (!mesh.is_moved()) return;
    for (Vec3& p : points_) p = mesh.pose().Apply(p);
  }

  absl::Status Take(const Tree& target, const HausdorffOptions& options) {
    auto nearest = ClosestPoint(target, points_,
                                {.statistics = options.statistics,
                                 .threads = options.threads,
                                 .progress = options.progress,
                                 .cancelled = options.cancelled});
    if (!nearest.ok()) return nearest.status();
    nearest_ = *std::move(nearest);
    return absl::OkStatus();
  }

  FarthestSearch::Corners Of(uint32_t id) const {
    const TriangleIndices& t = mesh_.triangles()[id];
    return {At(t[0]), At(t[1]), At(t[2])};
  }

 private:
  DistanceSample At(uint32_t vertex) const {
    const std::optional<SurfacePoint>& nearest = nearest_[vertex];
    return {points_[vertex], nearest->distance, nearest->triangle};
  }

  const Mesh& mesh_;
  std::vector<Vec3> points_;
  std::vector<std::optional<SurfacePoint>> nearest_;
};

void Witness(FarthestSearch& search, uint32_t id,
             const FarthestSearch::Corners& corners) {
  for (const DistanceSample& corner : corners) search.Witness(id, corner);
}

HausdorffResult ResultOf(const FarthestSearch& search) {
  const FarthestPoint p = search.result();
  return {p.lower,
          p.upper,
          static_cast<uint32_t>(p.triangle_a),
          p.on_a,
          static_cast<uint32_t>(p.triangle_b),
          p.on_b};
}

// Sampling corners is most of the work, mostly.
constexpr double kSampled = 0.7;

absl::StatusOr<HausdorffResult> Search(const PosedTree& a, const Tree& b,
                                       const HausdorffOptions& options) {
  CornerSamples corners(a);
  const absl::Status sampled = corners.Take(b, ShareOf(options, 0, kSampled));
  if (!sampled.ok()) return sampled;
  const Workers workers(options.threads);
  FarthestTree target(b, workers, options.statistics);
  FarthestSearch search(target, GoalOf(options, b.mesh().bounds()));
  const auto count = static_cast<uint32_t>(a.tree().mesh().triangle_count());
  for (uint32_t i = 0; i < count; ++i) Witness(search, i, corners.Of(i));
  std::vector<double> upper;
  absl::Status status = search.Bound(
      count, [&](size_t id) { return corners.Of(static_cast<uint32_t>(id)); },
      workers, &upper);
  if (!status.ok()) return status;
  for (uint32_t i = 0; i < count; ++i) search.Add(i, upper[i], corners.Of(i));
  std::vector<double>().swap(upper);
  status = search.Run({.workers = &workers,
                       .progress = Between(kSampled, 1, options.progress),
                       .cancelled = options.cancelled});
  if (!status.ok()) return status;
  if (options.progress) options.progress(1);
  return ResultOf(search);
}

// The distance of a triangle whose corners are at most so far.
absl::StatusOr<double> NearestOf(const Triangle& t, double at_most,
                                 const Tree& b,
                                 TraversalStatistics* statistics) {
  if (at_most == 0) return 0.0;
  const absl::StatusOr<Mesh> mesh = Mesh::Create({t.a, t.b, t.c}, {{0, 1, 2}});
  if (!mesh.ok()) return mesh.status();
  BuildOptions options;
  options.threads = 1;
  const absl::StatusOr<Tree> tree = Build(*mesh, options);
  if (!tree.ok()) return tree.status();
  return ClosestPair(
             *tree, b,
             {.max_distance = AboveRounded(at_most), .statistics = statistics})
      ->distance;
}

absl::StatusOr<TriangleDeviation> DeviationOf(
    const Triangle& triangle, uint32_t id,
    const FarthestSearch::Corners& corners, const Tree& target,
    const FarthestGoal& goal, const FarthestRun& run,
    TraversalStatistics* statistics) {
  FarthestTree measured(target, *run.workers, statistics);
  FarthestSearch search(measured, goal);
  Witness(search, id, corners);
  std::vector<double> upper;
  absl::Status status = search.Bound(
      1, [&](size_t) { return corners; }, *run.workers, &upper);
  if (!status.ok()) return status;
  search.Add(id, upper[0], corners);
  status = search.Run(run);
  if (!status.ok()) return status;
  const HausdorffResult farthest = ResultOf(search);
  const double at_most =
      std::min({corners[0].distance, corners[1].distance, corners[2].distance});
  const absl::StatusOr<double> nearest =
      NearestOf(triangle, at_most, target, statistics);
  if (!nearest.ok()) return nearest.status();
  return TriangleDeviation{*nearest, farthest.lower, farthest.upper};
}

absl::StatusOr<std::vector<TriangleDeviation>> DeviationsOf(
    const PosedTree& a, const PosedTree& b, const HausdorffOptions& options) {
  const absl::StatusOr<Tree> target = TreeInPlace(b, options.threads);
  if (!target.ok()) return target.status();
  constexpr double kCorners = 0.2;
  CornerSamples corners(a);
  const absl::Status sampled =
      corners.Take(*target, ShareOf(options, 0, kCorners));
  if (!sampled.ok()) return sampled;

  const FarthestGoal goal = GoalOf(options, target->mesh().bounds());
  const size_t count = a.tree().mesh().triangle_count();
  std::vector<TriangleDeviation> field(count);
  const Workers alone(1);
  std::mutex mutex;  // of all below
  absl::Status failure;
  const std::function<void(double)> report =
      Between(kCorners, 1, options.progress);
  Progress progress(report, count);
  // Some microseconds a triangle, or many where one of them is large.
  constexpr size_t kGrain = 32;
  Workers(options.threads).For(count, kGrain, [&](size_t begin, size_t end) {
    std::optional<TraversalStatistics> own;
    if (options.statistics != nullptr) own.emplace();
    const FarthestRun run{
        .workers = &alone, .progress = nullptr, .cancelled = options.cancelled};
    absl::Status status = Execution(options).is_cancelled()
                              ? Execution::Cancelled()
                              : absl::OkStatus();
    for (size_t i = begin; i < end && status.ok(); ++i) {
      const auto id = static_cast<uint32_t>(i);
      const absl::StatusOr<TriangleDeviation> deviation =
          DeviationOf(a.triangle(id), id, corners.Of(id), *target, goal, run,
                      own ? &*own : nullptr);
      status = deviation.status();
      if (status.ok()) field[i] = *deviation;
    }
    const std::lock_guard lock(mutex);
    if (!status.ok()) failure = status;
    if (own) *options.statistics += *own;
    progress.Add(end - begin);
  });
  if (!failure.ok()) return failure;
  return field;
}

constexpr char kWhat[] =
    "for a Hausdorff distance; allow fewer parts, or a larger tolerance";

}  // namespace

absl::StatusOr<HausdorffResult> HausdorffDistance(
    const PosedTree& a, const PosedTree& b, const HausdorffOptions& options) {
  if (absl::Status s = CheckHausdorff(options); !s.ok()) return s;
  return GuardMemory(kWhat, [&]() -> absl::StatusOr<HausdorffResult> {
    const absl::StatusOr<Tree> target = TreeInPlace(b, options.threads);
    if (!target.ok()) return target.status();
    return Search(a, *target, options);
  });
}

absl::StatusOr<SymmetricHausdorffResult> SymmetricHausdorffDistance(
    const PosedTree& a, const PosedTree& b, const HausdorffOptions& options) {
  const absl::StatusOr<HausdorffResult> a_to_b =
      HausdorffDistance(a, b, ShareOf(options, 0, 0.5));
  if (!a_to_b.ok()) return a_to_b.status();
  const absl::StatusOr<HausdorffResult> b_to_a =
      HausdorffDistance(b, a, ShareOf(options, 0.5, 1));
  if (!b_to_a.ok()) return b_to_a.status();
  return SymmetricHausdorffResult{*a_to_b, *b_to_a};
}

absl::StatusOr<std::vector<TriangleDeviation>> DeviationField(
    const PosedTree& a, const PosedTree& b, const HausdorffOptions& options) {
  if (absl::Status s = CheckHausdorff(options); !s.ok()) return s;
  return GuardMemory(kWhat, [&] { return DeviationsOf(a, b, options); });
}

}  // namespace orbox
