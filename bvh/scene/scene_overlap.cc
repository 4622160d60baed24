// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/scene_overlap.h"

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

bool FindAnyPair(const Scene& scene, const Execution& run) {
  const auto alone = run.Alone<RunOptions>();
  for (const BodyPair& p : scene.pairs_of_bounds()) {
    run.CheckCancelled();
    if (OverlapSearch(alone).Any({scene.body(p.a), scene.body(p.b)})) {
      return true;
    }
  }
  return false;
}

std::vector<BodyPair> FindPairs(const Scene& scene, const Execution& run) {
  return FindEach<BodyPair>(
      scene.pairs_of_bounds(), run,
      [&](const BodyPair& p,
          const Execution& alone) -> std::optional<BodyPair> {
        if (!OverlapSearch(alone).Any({scene.body(p.a), scene.body(p.b)})) {
          return {};
        }
        return p;
      });
}

BodyPairLists<TrianglePair> FindTriangles(const Scene& scene,
                                          const Execution& run) {
  return ListEach<TrianglePair>(
      scene.pairs_of_bounds(), run,
      [&](const BodyPair& p, const Execution& alone) {
        return OverlapSearch(alone).All({scene.body(p.a), scene.body(p.b)});
      });
}

std::vector<BodyId> FindBodies(const Scene& scene, const PosedTree& mesh,
                               const BodyFilter& filter, const Execution& run) {
  const std::vector<BodyId> candidates =
      BoundsWithin(scene, Probe::Of(mesh, filter.except), 0);
  return FindEach<BodyId>(
      std::span(candidates), run,
      [&](BodyId body, const Execution& alone) -> std::optional<BodyId> {
        if (!OverlapSearch(alone).Any({scene.body(body), mesh})) return {};
        return body;
      });
}

BodyLists<TrianglePair> FindTriangles(const Scene& scene, const PosedTree& mesh,
                                      const BodyFilter& filter,
                                      const Execution& run) {
  const std::vector<BodyId> candidates =
      BoundsWithin(scene, Probe::Of(mesh, filter.except), 0);
  return ListEach<TrianglePair>(
      std::span(candidates), run, [&](BodyId body, const Execution& alone) {
        return OverlapSearch(alone).All({scene.body(body), mesh});
      });
}

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

bool AnyOverlap(const Scene& scene) {
  return ValueOrEnd(AnyOverlap(scene, RunOptions()));
}

absl::StatusOr<bool> AnyOverlap(const Scene& scene, const RunOptions& options) {
  return RunWith(options, scene, absl::OkStatus(),
                 [&](const Execution& run) { return FindAnyPair(scene, run); });
}

std::vector<BodyPair> AllOverlaps(const Scene& scene) {
  return ValueOrEnd(AllOverlaps(scene, RunOptions()));
}

absl::StatusOr<std::vector<BodyPair>> AllOverlaps(const Scene& scene,
                                                  const RunOptions& options) {
  return RunWith(options, scene, absl::OkStatus(),
                 [&](const Execution& run) { return FindPairs(scene, run); });
}

BodyPairLists<TrianglePair> AllOverlappingTriangles(const Scene& scene) {
  return ValueOrEnd(AllOverlappingTriangles(scene, RunOptions()));
}

absl::StatusOr<BodyPairLists<TrianglePair>> AllOverlappingTriangles(
    const Scene& scene, const RunOptions& options) {
  return RunWith(options, scene, absl::OkStatus(), [&](const Execution& run) {
    return FindTriangles(scene, run);
  });
}

bool AnyOverlap(const Scene& scene, const PosedTree& mesh,
                const BodyFilter& filter) {
  return ValueOrEnd(AnyOverlap(scene, mesh, filter, RunOptions()));
}

absl::StatusOr<bool> AnyOverlap(const Scene& scene, const PosedTree& mesh,
                                const BodyFilter& filter,
                                const RunOptions& options) {
  return RunWith(options, scene, absl::OkStatus(), [&](const Execution& run) {
    return IsAnyOverlapping(scene, Probe::Of(mesh, filter.except), run);
  });
}

std::vector<BodyId> AllOverlaps(const Scene& scene, const PosedTree& mesh,
                                const BodyFilter& filter) {
  return ValueOrEnd(AllOverlaps(scene, mesh, filter, RunOptions()));
}

absl::StatusOr<std::vector<BodyId>> AllOverlaps(const Scene& scene,
                                                const PosedTree& mesh,
                                                const BodyFilter& filter,
                                                const RunOptions& options) {
  return RunWith(options, scene, absl::OkStatus(), [&](const Execution& run) {
    return FindBodies(scene, mesh, filter, run);
  });
}

BodyLists<TrianglePair> AllOverlappingTriangles(const Scene& scene,
                                                const PosedTree& mesh,
                                                const BodyFilter& filter) {
  return ValueOrEnd(AllOverlappingTriangles(scene, mesh, filter, RunOptions()));
}

absl::StatusOr<BodyLists<TrianglePair>> AllOverlappingTriangles(
    const Scene& scene, const PosedTree& mesh, const BodyFilter& filter,
    const RunOptions& options) {
  return RunWith(options, scene, absl::OkStatus(), [&](const Execution& run) {
    return FindTriangles(scene, mesh, filter, run);
  });
}

absl::StatusOr<std::vector<uint8_t>> AnyOverlap(const Scene& scene,
                                                const Tree& part,
                                                std::span<const Pose> poses,
                                                const BodyFilter& filter,
                                                const RunOptions& options) {
  return PosesInScene(scene, part, poses, 0, filter.except, options)
      .RunEach<uint8_t>(
          [&](const PosedTree& posed, NearBodies& near, const Execution& run) {
            return uint8_t{
                near.AnyWithin(posed, run, MeetsBody(scene, posed, run))};
          });
}

absl::StatusOr<Lists<BodyId>> AllOverlaps(const Scene& scene, const Tree& part,
                                          std::span<const Pose> poses,
                                          const BodyFilter& filter,
                                          const RunOptions& options) {
  return PosesInScene(scene, part, poses, 0, filter.except, options)
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
