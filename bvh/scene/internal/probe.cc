// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/internal/probe.h"

#include <algorithm>
#include <span>

#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/scene/internal/mesh_outline.h"
#include "orbox/bvh/scene/internal/scene_query.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"

namespace orbox {
namespace {

bool Concerns(const Probe& probe, BodyId body) {
  return body != probe.except && body >= probe.first;
}

// Returns true if the test is true for any body near the probe.
template <typename Test>
bool IsAny(const Scene& scene, const Probe& probe, double distance,
           const Execution& run, Test test) {
  bool is_any = false;
  VisitBoundsWithin(scene, probe, distance, [&](BodyId body) {
    run.CheckCancelled();
    is_any = test(body);
    return is_any ? Visit::kStop : Visit::kContinue;
  });
  return is_any;
}

std::optional<Witness> GapTo(const PosedTree& body, const Probe& probe,
                             double max_distance, const Watch& watch) {
  return probe.is_a ? FindClosestPair(probe.mesh, body,
                                      {.max_distance = max_distance}, watch)
                    : FindClosestPair(body, probe.mesh,
                                      {.max_distance = max_distance}, watch);
}

}  // namespace

Probe Probe::Of(const PosedTree& mesh, BodyId except) {
  const Aabb bounds = mesh.is_moved() ? MeshOutline(mesh.tree()).BoundsAt(mesh)
                                      : mesh.tree().mesh().bounds();
  return {mesh, bounds, except};
}

void VisitBoundsWithin(const Scene& scene, const Probe& probe, double distance,
                       absl::FunctionRef<Visit(BodyId)> visit) {
  if (!(distance >= 0)) return;
  bool stopped = false;
  scene.broad_phase().FindBodies(
      distance == 0 ? probe.bounds : Grown(probe.bounds, distance),
      [&](BodyId body) {
        if (stopped || !Concerns(probe, body)) return;
        if (GapOf(probe.bounds, scene.bounds(body)) > distance) return;
        stopped = visit(body) == Visit::kStop;
      });
}

std::vector<BodyId> BoundsWithin(const Scene& scene, const Probe& probe,
                                 double distance) {
  std::vector<BodyId> bodies;
  VisitBoundsWithin(scene, probe, distance, [&](BodyId body) {
    bodies.push_back(body);
    return Visit::kContinue;
  });
  std::sort(bodies.begin(), bodies.end());
  return bodies;
}

bool IsAnyOverlapping(const Scene& scene, const Probe& probe,
                      const Execution& run) {
  return IsAny(scene, probe, 0, run, [&](BodyId body) {
    return FirstOverlap(
               {.a = probe.mesh, .b = scene.body(body), .only_whether = true},
               run)
        .has_value();
  });
}

bool IsAnyWithin(const Scene& scene, const Probe& probe, double distance,
                 const Execution& run) {
  return IsAny(scene, probe, distance, run, [&](BodyId body) {
    return IsAnyWithin({probe.mesh, scene.body(body)}, distance, run);
  });
}

std::vector<BodyGap> AllWithin(const Scene& scene, const Probe& probe,
                               double distance, const Execution& run) {
  const std::vector<BodyId> candidates = BoundsWithin(scene, probe, distance);
  return FindEach<BodyGap>(
      std::span(candidates), run,
      [&](BodyId body, const Execution& alone) -> std::optional<BodyGap> {
        const auto gap = GapTo(scene.body(body), probe, distance, alone);
        if (!gap) return {};
        return BodyGap{body, *gap};
      });
}

std::optional<BodyGap> ClosestBody(const Scene& scene, const Probe& probe,
                                   double max_distance, const Execution& run) {
  if (!(max_distance >= 0)) return std::nullopt;
  std::optional<BodyGap> best;
  double limit = max_distance;
  scene.broad_phase().VisitNearest(
      probe.bounds, max_distance, [&](BodyId body, double) {
        run.CheckCancelled();
        if (!Concerns(probe, body)) return limit;
        const bool is_after = best && body > best->body;
        if (is_after && limit == 0) return limit;
        const double within =
            best ? std::min(max_distance, AboveRounded(limit)) : max_distance;
        const auto gap = GapTo(scene.body(body), probe, within, run);
        if (!gap || gap->distance > limit) return limit;
        // At equal distances, the lower body wins.
        if (is_after && gap->distance == limit) return limit;
        best = {body, *gap};
        limit = gap->distance;
        return limit;
      });
  return best;
}

}  // namespace orbox
