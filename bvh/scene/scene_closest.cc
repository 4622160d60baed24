// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/scene_closest.h"

#include <algorithm>

#include "orbox/bvh/query/internal/check_query.h"
#include "orbox/bvh/query/points/internal/nearest_search.h"
#include "orbox/bvh/scene/internal/near_bodies.h"
#include "orbox/bvh/scene/internal/poses_in_scene.h"
#include "orbox/bvh/scene/internal/probe.h"
#include "orbox/bvh/scene/internal/scene_batch.h"
#include "orbox/bvh/scene/internal/scene_query.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox {
namespace {

std::optional<BodyPoint> FindClosestPoint(const Scene& scene, const Vec3& p,
                                          const BodyLimits& limits,
                                          const Execution& run) {
  const double max_distance = limits.max_distance;
  std::optional<BodyPoint> best;
  double limit = max_distance;
  scene.broad_phase().VisitNearest(
      Aabb{p, p}, max_distance, [&](BodyId id, double) {
        run.CheckCancelled();
        if (id == limits.except) return limit;
        const double within =
            best ? std::min(max_distance, AboveRounded(limit)) : max_distance;
        const auto found = FindClosest(scene.body(id), p, within, run);
        if (!found || found->distance > limit) return limit;
        if (best && found->distance == limit && best->body < id) return limit;
        best = {id, *found};
        limit = found->distance;
        return limit;
      });
  return best;
}

// Returns the closest two bodies.
std::optional<BodyPairGap> FindClosestBodies(const Scene& scene,
                                             double max_distance,
                                             const Execution& run) {
  std::optional<BodyPairGap> best;
  double limit = max_distance;
  for (const BodyId a : scene.bodies()) {
    const Probe probe{.mesh = scene.body(a),
                      .bounds = scene.bounds(a),
                      .first = a + 1,
                      .is_a = true};
    const auto closest = ClosestBody(scene, probe, limit, run);
    // A body later in the order has to be strictly closer.
    if (!closest || (best && closest->gap.distance >= best->gap.distance)) {
      continue;
    }
    best = {{a, closest->body}, closest->gap};
    limit = std::min(limit, closest->gap.distance);
    if (limit == 0) break;
  }
  return best;
}

// Returns an upper bound of the distance: the distance, at this pose, of the
// last closest pair of triangles.
double BoundBy(const Scene& scene, const BodyGap& last, const Probe& probe) {
  const TrianglePair& pair = last.gap.triangles;
  return AboveRounded(DistanceBetween(scene.body(last.body).triangle(pair.a),
                                      probe.mesh.triangle(pair.b)));
}

absl::Status CheckLimit(double max_distance) {
  return CheckDistance("max_distance", max_distance);
}

}  // namespace

std::optional<BodyPoint> ClosestPoint(const Scene& scene, const Vec3& p,
                                      const BodyLimits& limits) {
  return ValueOrEnd(ClosestPoint(scene, p, limits, RunOptions()));
}

absl::StatusOr<std::optional<BodyPoint>> ClosestPoint(
    const Scene& scene, const Vec3& p, const BodyLimits& limits,
    const RunOptions& options) {
  return RunWith(options, scene,
                 CheckQuery(PointWithin{p, limits.max_distance}),
                 [&](const Execution& run) {
                   return FindClosestPoint(scene, p, limits, run);
                 });
}

absl::StatusOr<std::vector<std::optional<BodyPoint>>> ClosestPoint(
    const Scene& scene, std::span<const Vec3> points, const BodyLimits& limits,
    const RunOptions& options) {
  if (absl::Status s = CheckLimit(limits.max_distance); !s.ok()) return s;
  return SceneBatch(scene, points, options)
      .RunEach<std::optional<BodyPoint>>(
          PositionsOf(points), [&](const Vec3& p, const Execution& run) {
            return FindClosestPoint(scene, p, limits, run);
          });
}

std::optional<BodyGap> ClosestPair(const Scene& scene, const PosedTree& mesh,
                                   const BodyLimits& limits) {
  return ValueOrEnd(ClosestPair(scene, mesh, limits, RunOptions()));
}

absl::StatusOr<std::optional<BodyGap>> ClosestPair(const Scene& scene,
                                                   const PosedTree& mesh,
                                                   const BodyLimits& limits,
                                                   const RunOptions& options) {
  return RunWith(options, scene, CheckLimit(limits.max_distance),
                 [&](const Execution& run) {
                   return ClosestBody(scene, Probe::Of(mesh, limits.except),
                                      limits.max_distance, run);
                 });
}

absl::StatusOr<std::vector<std::optional<BodyGap>>> ClosestPair(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    const BodyLimits& limits, const RunOptions& options) {
  const double max_distance = limits.max_distance;
  if (absl::Status s = CheckLimit(max_distance); !s.ok()) return s;
  PosesInScene motion(scene, part, poses, max_distance, limits.except, options);
  // The closest body and pair at the last pose bound the distance at the next.
  using Last = std::optional<BodyGap>;
  const auto closest = [&](const PosedTree& posed, const Execution& run,
                           Last& last) {
    const Probe probe = motion.ProbeOf(posed);
    double limit = max_distance;
    if (last && limit > 0) {
      limit = std::min(limit, BoundBy(scene, *last, probe));
    }
    const auto found = ClosestBody(scene, probe, limit, run);
    if (found) last = found;
    return found;
  };
  return motion.RunEachInTurn<std::optional<BodyGap>>(
      [] { return Last(); },
      [&](const PosedTree& posed, NearBodies& near, const Execution& run,
          Last& last) {
        if (max_distance == kInfinity) return closest(posed, run, last);
        std::optional<BodyGap> found;
        bool is_known = false;
        near.AnyWithin(posed, run, [&](const NearBody&) {
          if (!is_known) found = closest(posed, run, last);
          is_known = true;
          return found.has_value();
        });
        return found;
      });
}

std::optional<BodyPairGap> ClosestPair(const Scene& scene,
                                       double max_distance) {
  return ValueOrEnd(ClosestPair(scene, max_distance, RunOptions()));
}

absl::StatusOr<std::optional<BodyPairGap>> ClosestPair(
    const Scene& scene, double max_distance, const RunOptions& options) {
  return RunWith(options, scene, CheckLimit(max_distance),
                 [&](const Execution& run) {
                   return FindClosestBodies(scene, max_distance, run);
                 });
}

}  // namespace orbox
