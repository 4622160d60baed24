// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/deviation/hausdorff.h"

#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/posed/internal/world_tree.h"
#include "orbox/bvh/query/deviation/internal/deviation_field.h"
#include "orbox/bvh/query/deviation/internal/farthest_search.h"
#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/tree/internal/rounding.h"

namespace orbox {
namespace {

RunOptions ShareOf(RunOptions options, double from, double to) {
  options.progress = Between(from, to, options.progress);
  return options;
}

// The corners of a mesh, each with its distance from the target.
class CornerSamples {
 public:
  explicit CornerSamples(const PosedTree& mesh) : mesh_(mesh.tree().mesh()) {
    points_.assign(mesh_.vertices().begin(), mesh_.vertices().end());
    if (!mesh.is_moved()) return;
    for (Vec3& p : points_) p = mesh.pose().Apply(p);
  }

  absl::Status MeasureTo(const Tree& target, DistanceSample::Known known,
                         double tolerance, const RunOptions& options) {
    return MeasurePoints(target, points_, known, tolerance, options, &samples_);
  }

  SampledCorners Of(uint32_t id) const {
    const TriangleIndices& t = mesh_.triangles()[id];
    return {samples_[t[0]], samples_[t[1]], samples_[t[2]]};
  }

  // Returns the farthest corner of a triangle. Among several, returns the first
  // that is known exactly; if none is, the first.
  std::pair<uint32_t, DistanceSample> Farthest() const {
    const auto rank = [](const DistanceSample& sample) {
      return std::pair(sample.distance,
                       sample.known == DistanceSample::Known::kExactly);
    };
    uint32_t id = 0;
    const DistanceSample* farthest = nullptr;
    for (uint32_t i = 0; i < mesh_.triangle_count(); ++i) {
      for (const uint32_t vertex : mesh_.triangles()[i]) {
        const DistanceSample& sample = samples_[vertex];
        if (farthest && rank(sample) <= rank(*farthest)) continue;
        id = i;
        farthest = &sample;
      }
    }
    return {id, *farthest};
  }

 private:
  const Mesh& mesh_;
  std::vector<Vec3> points_;
  std::vector<DistanceSample> samples_;
};

HausdorffResult ResultOf(const FarthestSearch& search) {
  const FarthestPoint p = search.result();
  return {p.lower,
          p.upper,
          static_cast<uint32_t>(p.triangle_a),
          p.on_a,
          static_cast<uint32_t>(p.triangle_b),
          p.on_b};
}

// Usual share of the work that is the measurement of the corners.
constexpr double kSampled = 0.7;

absl::StatusOr<HausdorffResult> Search(const PosedTree& a, const Tree& b,
                                       const HausdorffLimits& limits,
                                       const RunOptions& options) {
  const FarthestGoal goal = GoalOf(limits, b.mesh().bounds());
  CornerSamples corners(a);
  absl::Status status = corners.MeasureTo(b, goal.known, goal.tolerance,
                                          ShareOf(options, 0, kSampled));
  if (!status.ok()) return status;
  const Workers workers(options.threads);
  FarthestTree target(b, workers,
                      {options.statistics, options.cancelled, nullptr});
  FarthestSearch search(target, goal);
  const auto count = static_cast<uint32_t>(a.tree().mesh().triangle_count());
  auto [far_id, farthest] = corners.Farthest();
  status = search.WitnessFarthest(far_id, &farthest);
  if (!status.ok()) return status;
  std::vector<double> upper;
  status = search.Bound(
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

absl::StatusOr<Tree> TargetOf(const PosedTree& b, const RunOptions& options) {
  return WorldTree(
      b, {.threads = options.threads, .cancelled = options.cancelled});
}

// The triangles of A, as the Source that FindDeviations requires.
class TriangleSource {
 public:
  TriangleSource(const PosedTree& a, const CornerSamples& corners,
                 const Tree& target)
      : a_(a), corners_(corners), target_(target) {}

  size_t size() const { return a_.tree().mesh().triangle_count(); }
  Triangle TriangleAt(size_t i) const {
    return a_.triangle(static_cast<uint32_t>(i));
  }
  SampledCorners CornersOf(size_t i) const {
    return corners_.Of(static_cast<uint32_t>(i));
  }
  absl::Status Measure(size_t, const Workers& workers, const Watch& watch,
                       DeviationWork work) const {
    FarthestTree measured(target_, workers, watch);
    return work(measured);
  }
  absl::StatusOr<double> DistanceOf(const Tree& triangle, double at_most,
                                    const Watch& watch) const {
    return FindClosestPair(triangle, target_,
                           {.max_distance = AboveRounded(at_most)}, watch)
        ->distance;
  }

 private:
  const PosedTree& a_;
  const CornerSamples& corners_;
  const Tree& target_;
};

absl::StatusOr<std::vector<TriangleDeviation>> DeviationsOf(
    const PosedTree& a, const PosedTree& b, const HausdorffLimits& limits,
    const RunOptions& options) {
  const absl::StatusOr<Tree> target = TargetOf(b, options);
  if (!target.ok()) return target.status();
  const FarthestGoal goal = GoalOf(limits, target->mesh().bounds());
  CornerSamples corners(a);
  absl::Status status = corners.MeasureTo(
      *target, DistanceSample::Known::kExactly, goal.tolerance,
      ShareOf(options, 0, kCornersOfDeviations));
  if (!status.ok()) return status;
  const TriangleSource source(a, corners, *target);
  std::vector<TriangleDeviation> field(source.size());
  status = FindDeviations(source, goal,
                          ShareOf(options, kCornersOfDeviations, 1), field);
  if (!status.ok()) return status;
  return field;
}

constexpr char kWhat[] =
    "for a Hausdorff distance; allow fewer parts, or a larger tolerance";

}  // namespace

absl::StatusOr<HausdorffResult> HausdorffDistance(const PosedTree& a,
                                                  const PosedTree& b,
                                                  const HausdorffLimits& limits,
                                                  const RunOptions& options) {
  if (absl::Status s = CheckHausdorff(limits, options); !s.ok()) return s;
  return GuardMemory(kWhat, [&]() -> absl::StatusOr<HausdorffResult> {
    const absl::StatusOr<Tree> target = TargetOf(b, options);
    if (!target.ok()) return target.status();
    return Search(a, *target, limits, options);
  });
}

absl::StatusOr<SymmetricHausdorffResult> SymmetricHausdorffDistance(
    const PosedTree& a, const PosedTree& b, const HausdorffLimits& limits,
    const RunOptions& options) {
  const absl::StatusOr<HausdorffResult> a_to_b =
      HausdorffDistance(a, b, limits, ShareOf(options, 0, 0.5));
  if (!a_to_b.ok()) return a_to_b.status();
  const absl::StatusOr<HausdorffResult> b_to_a =
      HausdorffDistance(b, a, limits, ShareOf(options, 0.5, 1));
  if (!b_to_a.ok()) return b_to_a.status();
  return SymmetricHausdorffResult{*a_to_b, *b_to_a};
}

absl::StatusOr<std::vector<TriangleDeviation>> DeviationField(
    const PosedTree& a, const PosedTree& b, const HausdorffLimits& limits,
    const RunOptions& options) {
  if (absl::Status s = CheckHausdorff(limits, options); !s.ok()) return s;
  return GuardMemory(kWhat,
                     [&] { return DeviationsOf(a, b, limits, options); });
}

}  // namespace orbox
