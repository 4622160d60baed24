// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/hausdorff.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/query/closest_pair.h"
#include "orbox/bvh/query/closest_point.h"
#include "orbox/bvh/query/internal/farthest_search.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/tree/internal/rounding.h"

namespace orbox {
namespace {

absl::Status CheckOptions(const HausdorffOptions& options) {
  if (absl::Status s = Execution(options).Check(); !s.ok()) return s;
  if ((!options.tolerance.has_value() || *options.tolerance >= 0) &&
      options.relative_tolerance >= 0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "a tolerance of the Hausdorff distance is negative or NaN; give 0 or "
      "more");
}

// The tree of the posed mesh, where it stands.
absl::StatusOr<Tree> TreeInPlace(const PosedTree& t, int threads) {
  if (!t.is_moved()) return t.tree();
  const Mesh& mesh = t.tree().mesh();
  std::vector<Vec3> vertices;
  vertices.reserve(mesh.vertex_count());
  for (const Vec3& v : mesh.vertices()) {
    const Vec3 p = t.pose().Apply(v);
    // Of vertices that no triangle uses, nothing is asked.
    vertices.push_back(IsFinite(p) ? p : Vec3{});
  }
  const absl::StatusOr<Mesh> moved = Mesh::Create(
      std::move(vertices), {mesh.triangles().begin(), mesh.triangles().end()});
  if (!moved.ok()) return moved.status();
  BuildOptions options;
  options.volumes = t.tree().volumes();
  options.threads = threads;
  return Build(*moved, options);
}

FarthestGoal GoalOf(const HausdorffOptions& options, const Mesh& b) {
  FarthestGoal goal;
  goal.tolerance = options.tolerance.has_value()
                       ? *options.tolerance
                       : 0.002 * SafeNorm(b.bounds().HalfExtents());
  goal.relative_tolerance = options.relative_tolerance;
  goal.max_parts = options.max_parts;
  return goal;
}

// What `progress` is told of a part of the work that ranges from one share of
// the whole to another.
std::function<void(double)> Between(
    double from, double to, const std::function<void(double)>& progress) {
  if (!progress) return nullptr;
  return [=](double share) { progress(from + (to - from) * share); };
}

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

// Sampling corners is most of the work, mostly.
constexpr double kSampled = 0.7;

absl::StatusOr<HausdorffResult> Search(const PosedTree& a, const Tree& b,
                                       const HausdorffOptions& options) {
  CornerSamples corners(a);
  const absl::Status sampled = corners.Take(b, ShareOf(options, 0, kSampled));
  if (!sampled.ok()) return sampled;
  FarthestSearch search(b, GoalOf(options, b.mesh()));
  const auto count = static_cast<uint32_t>(a.tree().mesh().triangle_count());
  for (uint32_t i = 0; i < count; ++i) Witness(search, i, corners.Of(i));
  const Workers workers(options.threads);
  search.Add(
      0, count, [&](uint32_t id) { return corners.Of(id); }, workers);
  const bool finished =
      search.Run({.workers = &workers,
                  .statistics = options.statistics,
                  .progress = Between(kSampled, 1, options.progress),
                  .cancelled = options.cancelled});
  if (!finished) return Execution::Cancelled();
  if (options.progress) options.progress(1);
  return search.result();
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
    const FarthestGoal& goal, const FarthestRun& run) {
  FarthestSearch search(target, goal);
  Witness(search, id, corners);
  search.Add(
      id, id + 1, [&](uint32_t) { return corners; }, *run.workers);
  if (!search.Run(run)) return Execution::Cancelled();
  const HausdorffResult farthest = search.result();
  const double at_most =
      std::min({corners[0].distance, corners[1].distance, corners[2].distance});
  const absl::StatusOr<double> nearest =
      NearestOf(triangle, at_most, target, run.statistics);
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

  const FarthestGoal goal = GoalOf(options, target->mesh());
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
    const FarthestRun run{.workers = &alone,
                          .statistics = own ? &*own : nullptr,
                          .progress = nullptr,
                          .cancelled = options.cancelled};
    absl::Status status = Execution(options).is_cancelled()
                              ? Execution::Cancelled()
                              : absl::OkStatus();
    for (size_t i = begin; i < end && status.ok(); ++i) {
      const auto id = static_cast<uint32_t>(i);
      const absl::StatusOr<TriangleDeviation> deviation =
          DeviationOf(a.triangle(id), id, corners.Of(id), *target, goal, run);
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
  if (absl::Status s = CheckOptions(options); !s.ok()) return s;
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
  if (absl::Status s = CheckOptions(options); !s.ok()) return s;
  return GuardMemory(kWhat, [&] { return DeviationsOf(a, b, options); });
}

}  // namespace orbox
