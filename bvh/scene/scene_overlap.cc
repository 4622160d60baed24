// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/scene_overlap.h"

#include <algorithm>
#include <optional>

#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/scene/internal/near_bodies.h"
#include "orbox/bvh/scene/internal/poses_in_scene.h"
#include "orbox/bvh/scene/internal/probe.h"
#include "orbox/bvh/scene/internal/scene_query.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/pair_search.h"

namespace orbox {
namespace {

// Returns a function that tests a body against the moving part. Its search
// starts at the nodes that overlapped last.
auto MeetsBody(const Scene& scene, const PosedTree& posed,
               const Execution& run) {
  return [&](NearBody& body) {
    const FirstFound found = FindFirstOverlap(
        {.a = posed, .b = scene.body(body.id), .first = body.nodes}, run);
    body.nodes = found.nodes;
    return found.overlap.has_value();
  };
}

}  // namespace

bool AnyOverlap(const Scene& scene, const QueryOptions& options) {
  bool is_any = false;
  VisitOverlaps(
      scene,
      [&](const BodyPair&) {
        is_any = true;
        return Visit::kStop;
      },
      options);
  return is_any;
}

size_t CountOverlaps(const Scene& scene, const QueryOptions& options) {
  return AllOverlaps(scene, options).size();
}

std::vector<BodyPair> AllOverlaps(const Scene& scene,
                                  const QueryOptions& options) {
  RequireUpToDate(scene);
  const Execution run(options);
  run.RequireValid();
  return FindEach<BodyPair>(
      scene.pairs_of_bounds(), run,
      [&](const BodyPair& p,
          const QueryOptions& alone) -> std::optional<BodyPair> {
        if (!OverlapSearch(alone).Any({scene.body(p.a), scene.body(p.b)})) {
          return {};
        }
        return p;
      });
}

void VisitOverlaps(const Scene& scene, BodyPairVisitor visitor,
                   const QueryOptions& options) {
  RequireUpToDate(scene);
  const Execution run(options);
  run.RequireValid();
  const QueryOptions alone = run.Alone();
  for (const BodyPair& p : scene.pairs_of_bounds()) {
    run.CheckCancelled();
    if (!OverlapSearch(alone).Any({scene.body(p.a), scene.body(p.b)})) continue;
    if (visitor(p) == Visit::kStop) return;
  }
}

BodyPairLists<TrianglePair> AllOverlappingTriangles(
    const Scene& scene, const QueryOptions& options) {
  RequireUpToDate(scene);
  const Execution run(options);
  run.RequireValid();
  return ListEach<TrianglePair>(
      scene.pairs_of_bounds(), run,
      [&](const BodyPair& p, const QueryOptions& alone) {
        return OverlapSearch(alone).All({scene.body(p.a), scene.body(p.b)});
      });
}

bool AnyOverlap(const Scene& scene, const PosedTree& mesh,
                const SceneOptions& options) {
  RequireUpToDate(scene);
  const Execution run(options);
  run.RequireValid();
  return IsAnyOverlapping(scene, Probe::Of(mesh, options.except), run);
}

size_t CountOverlaps(const Scene& scene, const PosedTree& mesh,
                     const SceneOptions& options) {
  return AllOverlaps(scene, mesh, options).size();
}

std::vector<BodyId> AllOverlaps(const Scene& scene, const PosedTree& mesh,
                                const SceneOptions& options) {
  RequireUpToDate(scene);
  const Execution run(options);
  run.RequireValid();
  return AllOverlaps(scene, Probe::Of(mesh, options.except), run);
}

void VisitOverlaps(const Scene& scene, const PosedTree& mesh,
                   BodyVisitor visitor, const SceneOptions& options) {
  RequireUpToDate(scene);
  const Execution run(options);
  run.RequireValid();
  const QueryOptions alone = run.Alone();
  VisitBoundsWithin(scene, Probe::Of(mesh, options.except), 0,
                    [&](BodyId body) {
                      run.CheckCancelled();
                      if (!OverlapSearch(alone).Any({mesh, scene.body(body)})) {
                        return Visit::kContinue;
                      }
                      return visitor(body);
                    });
}

BodyLists<TrianglePair> AllOverlappingTriangles(const Scene& scene,
                                                const PosedTree& mesh,
                                                const SceneOptions& options) {
  RequireUpToDate(scene);
  const Execution run(options);
  run.RequireValid();
  const std::vector<BodyId> candidates =
      BoundsWithin(scene, Probe::Of(mesh, options.except), 0);
  return ListEach<TrianglePair>(
      std::span(candidates), run, [&](BodyId body, const QueryOptions& alone) {
        return OverlapSearch(alone).All({mesh, scene.body(body)});
      });
}

absl::StatusOr<std::vector<uint8_t>> AnyOverlap(const Scene& scene,
                                                const Tree& part,
                                                std::span<const Pose> poses,
                                                const SceneOptions& options) {
  return PosesInScene(scene, part, poses, 0, options)
      .RunEach<uint8_t>(
          [&](const PosedTree& posed, NearBodies& near, const Execution& run) {
            return uint8_t{
                near.AnyWithin(posed, run, MeetsBody(scene, posed, run))};
          });
}

absl::StatusOr<std::vector<size_t>> CountOverlaps(const Scene& scene,
                                                  const Tree& part,
                                                  std::span<const Pose> poses,
                                                  const SceneOptions& options) {
  return PosesInScene(scene, part, poses, 0, options)
      .RunEach<size_t>(
          [&](const PosedTree& posed, NearBodies& near, const Execution& run) {
            size_t count = 0;
            const auto meets = MeetsBody(scene, posed, run);
            near.VisitWithin(posed, run, [&](NearBody& body) {
              const bool is_one = meets(body);
              count += is_one ? 1 : 0;
              return is_one;
            });
            return count;
          });
}

absl::StatusOr<Lists<BodyId>> AllOverlaps(const Scene& scene, const Tree& part,
                                          std::span<const Pose> poses,
                                          const SceneOptions& options) {
  return PosesInScene(scene, part, poses, 0, options)
      .CollectEach<BodyId>([&](const PosedTree& posed, NearBodies& near,
                               const Execution& run,
                               std::vector<BodyId>* bodies) {
        const auto meets = MeetsBody(scene, posed, run);
        near.VisitWithin(posed, run, [&](NearBody& body) {
          const bool is_one = meets(body);
          if (is_one) bodies->push_back(body.id);
          return is_one;
        });
      });
}

}  // namespace orbox
