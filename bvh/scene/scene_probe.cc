#include "orbox/bvh/scene/scene_probe.h"

#include <algorithm>

#include "orbox/bvh/query/pair_overlap.h"
#include "orbox/bvh/query/pair_within.h"
#include "orbox/bvh/scene/internal/box_gap.h"
#include "orbox/bvh/scene/internal/mesh_outline.h"
#include "orbox/bvh/scene/internal/probe.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/tree/internal/rounding.h"

namespace orbox {
namespace {

// The first body that passes the test; `guess` is tested first.
template <typename Test>
std::optional<BodyId> FindFirst(const Scene& scene, const Probe& probe,
                                double distance, BodyId guess, Test test) {
  if (guess != probe.but && scene.Contains(guess) &&
      GapOf(probe.bounds, scene.bounds(guess)) <= distance && test(guess)) {
    return guess;
  }
  std::optional<BodyId> found;
  VisitBodiesNear(scene, probe, distance, [&](BodyId body) {
    if (body == guess || !test(body)) return Visit::kContinue;
    found = body;
    return Visit::kStop;
  });
  return found;
}

Probe ProbeOf(const PosedTree& mesh, BodyId but,
              TraversalStatistics* statistics) {
  const Aabb bounds = mesh.is_moved() ? MeshOutline(mesh.tree()).BoundsAt(mesh)
                                      : mesh.tree().mesh().bounds();
  return {mesh, bounds, but, statistics};
}

}  // namespace

void VisitBodiesNear(const Scene& scene, const Probe& probe, double distance,
                     absl::FunctionRef<Visit(BodyId)> visit) {
  if (!(distance >= 0)) return;
  bool stopped = false;
  scene.broad_phase().FindBodies(
      distance == 0 ? probe.bounds : Grown(probe.bounds, distance),
      [&](BodyId body) {
        if (stopped || body == probe.but) return;
        if (GapOf(probe.bounds, scene.bounds(body)) > distance) return;
        stopped = visit(body) == Visit::kStop;
      });
}

std::optional<Meeting> FindMeeting(const Scene& scene, const Probe& probe,
                                   BodyId guess) {
  std::optional<TrianglePair> pair;
  const auto body = FindFirst(scene, probe, 0, guess, [&](BodyId asked) {
    pair = FirstOverlap({probe.mesh, scene.body(asked)}, probe.statistics);
    return pair.has_value();
  });
  if (!body) return std::nullopt;
  return Meeting{*body, *pair};
}

std::optional<BodyId> FindNear(const Scene& scene, const Probe& probe,
                               double distance, BodyId guess) {
  if (!(distance >= 0)) return std::nullopt;
  return FindFirst(scene, probe, distance, guess, [&](BodyId body) {
    return AnyWithin(probe.mesh, scene.body(body), distance,
                     {.statistics = probe.statistics});
  });
}

std::vector<BodyId> AllMeeting(const Scene& scene, const Probe& probe) {
  std::vector<BodyId> bodies;
  VisitBodiesNear(scene, probe, 0, [&](BodyId body) {
    if (AnyOverlap(probe.mesh, scene.body(body),
                   {.statistics = probe.statistics})) {
      bodies.push_back(body);
    }
    return Visit::kContinue;
  });
  std::sort(bodies.begin(), bodies.end());
  return bodies;
}

std::vector<NearBody> AllNear(const Scene& scene, const Probe& probe,
                              double distance) {
  std::vector<NearBody> bodies;
  VisitBodiesNear(scene, probe, distance, [&](BodyId body) {
    const auto gap =
        ClosestPair(probe.mesh, scene.body(body),
                    {.max_distance = distance, .statistics = probe.statistics});
    if (gap) bodies.push_back({body, *gap});
    return Visit::kContinue;
  });
  std::sort(
      bodies.begin(), bodies.end(),
      [](const NearBody& x, const NearBody& y) { return x.body < y.body; });
  return bodies;
}

std::optional<NearBody> Closest(const Scene& scene, const Probe& probe,
                                double max_distance) {
  if (!(max_distance >= 0)) return std::nullopt;
  std::optional<NearBody> best;
  double limit = max_distance;
  scene.broad_phase().VisitNearest(
      probe.bounds, max_distance, [&](BodyId body, double) {
        if (body == probe.but) return limit;
        const bool is_after = best && body > best->body;
        if (is_after && limit == 0) return limit;
        const double within =
            best ? std::min(max_distance, AboveRounded(limit)) : max_distance;
        const auto gap = ClosestPair(
            probe.mesh, scene.body(body),
            {.max_distance = within, .statistics = probe.statistics});
        if (!gap || gap->distance > limit) return limit;
        // A body with a higher number has to be closer.
        if (is_after && gap->distance == limit) return limit;
        best = {body, *gap};
        limit = gap->distance;
        return limit;
      });
  return best;
}

bool MeetsAnyBody(const Scene& scene, const PosedTree& mesh, BodyId but,
                  TraversalStatistics* statistics) {
  return FindMeeting(scene, ProbeOf(mesh, but, statistics), kNoBody)
      .has_value();
}

std::vector<BodyId> BodiesMeeting(const Scene& scene, const PosedTree& mesh,
                                  BodyId but, TraversalStatistics* statistics) {
  return AllMeeting(scene, ProbeOf(mesh, but, statistics));
}

bool IsNearAnyBody(const Scene& scene, const PosedTree& mesh, double distance,
                   BodyId but, TraversalStatistics* statistics) {
  return FindNear(scene, ProbeOf(mesh, but, statistics), distance, kNoBody)
      .has_value();
}

std::vector<NearBody> BodiesNear(const Scene& scene, const PosedTree& mesh,
                                 double distance, BodyId but,
                                 TraversalStatistics* statistics) {
  return AllNear(scene, ProbeOf(mesh, but, statistics), distance);
}

std::optional<NearBody> ClosestBody(const Scene& scene, const PosedTree& mesh,
                                    double max_distance, BodyId but,
                                    TraversalStatistics* statistics) {
  return Closest(scene, ProbeOf(mesh, but, statistics), max_distance);
}

}  // namespace orbox
