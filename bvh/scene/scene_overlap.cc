// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/scene_overlap.h"

#include <algorithm>
#include <optional>

#include "orbox/bvh/query/pair_overlap.h"
#include "orbox/bvh/scene/internal/part_motion.h"
#include "orbox/bvh/scene/internal/probe.h"
#include "orbox/bvh/scene/internal/scene_query.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox {
namespace {

// Whether the triangles that overlapped at the last pose still do.
bool StillOverlaps(const Scene& scene, const Tree& part, const Pose& pose,
                   const BodyOverlap& last) {
  return Overlaps(pose.Apply(part.mesh().triangle(last.triangles.a)),
                  scene.body(last.body).triangle(last.triangles.b));
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
  if (run.finds_nothing()) return {};
  return FindEach<BodyPair>(
      scene.pairs_of_bounds(), run,
      [&](const BodyPair& p,
          const QueryOptions& alone) -> std::optional<BodyPair> {
        if (!AnyOverlap(scene.body(p.a), scene.body(p.b), alone)) return {};
        return p;
      });
}

void VisitOverlaps(const Scene& scene, BodyPairVisitor visitor,
                   const QueryOptions& options) {
  RequireUpToDate(scene);
  const Execution run(options);
  if (run.finds_nothing()) return;
  const QueryOptions alone{.statistics = run.statistics(),
                           .cancelled = run.cancelled()};
  for (const BodyPair& p : scene.pairs_of_bounds()) {
    if (run.is_cancelled()) return;
    if (!AnyOverlap(scene.body(p.a), scene.body(p.b), alone)) continue;
    if (visitor(p) == Visit::kStop) return;
  }
}

BodyPairLists<TrianglePair> AllOverlappingTriangles(
    const Scene& scene, const QueryOptions& options) {
  RequireUpToDate(scene);
  const Execution run(options);
  if (run.finds_nothing()) return {};
  return ListEach<TrianglePair>(
      scene.pairs_of_bounds(), run,
      [&](const BodyPair& p, const QueryOptions& alone) {
        return AllOverlaps(scene.body(p.a), scene.body(p.b), alone);
      });
}

bool AnyOverlap(const Scene& scene, const PosedTree& mesh,
                const SceneOptions& options) {
  RequireUpToDate(scene);
  const Execution run(options);
  return !run.finds_nothing() &&
         FindOverlap(scene, Probe::Of(mesh, options.except), kNoBody, run)
             .has_value();
}

size_t CountOverlaps(const Scene& scene, const PosedTree& mesh,
                     const SceneOptions& options) {
  return AllOverlaps(scene, mesh, options).size();
}

std::vector<BodyId> AllOverlaps(const Scene& scene, const PosedTree& mesh,
                                const SceneOptions& options) {
  RequireUpToDate(scene);
  const Execution run(options);
  if (run.finds_nothing()) return {};
  return AllOverlaps(scene, Probe::Of(mesh, options.except), run);
}

void VisitOverlaps(const Scene& scene, const PosedTree& mesh,
                   BodyVisitor visitor, const SceneOptions& options) {
  RequireUpToDate(scene);
  const Execution run(options);
  if (run.finds_nothing()) return;
  const QueryOptions alone{.statistics = run.statistics(),
                           .cancelled = run.cancelled()};
  VisitBoundsWithin(scene, Probe::Of(mesh, options.except), 0,
                    [&](BodyId body) {
                      if (run.is_cancelled()) return Visit::kStop;
                      if (!AnyOverlap(mesh, scene.body(body), alone))
                        return Visit::kContinue;
                      return visitor(body);
                    });
}

BodyLists<TrianglePair> AllOverlappingTriangles(const Scene& scene,
                                                const PosedTree& mesh,
                                                const SceneOptions& options) {
  RequireUpToDate(scene);
  const Execution run(options);
  if (run.finds_nothing()) return {};
  const std::vector<BodyId> candidates =
      BoundsWithin(scene, Probe::Of(mesh, options.except), 0);
  return ListEach<TrianglePair>(
      std::span(candidates), run, [&](BodyId body, const QueryOptions& alone) {
        return AllOverlaps(mesh, scene.body(body), alone);
      });
}

absl::StatusOr<std::vector<uint8_t>> AnyOverlap(const Scene& scene,
                                                const Tree& part,
                                                std::span<const Pose> poses,
                                                const SceneOptions& options) {
  return PartMotion(scene, part, poses, 0, options)
      .AskEach<uint8_t>(
          [&](const Pose& pose, const LastPose& last) {
            return last.overlap &&
                   StillOverlaps(scene, part, pose, *last.overlap);
          },
          [&](const Probe& probe, const Execution& run, LastPose& last) {
            last.overlap = FindOverlap(scene, probe, last.guess, run);
            if (last.overlap) last.guess = last.overlap->body;
            return uint8_t{last.overlap.has_value()};
          });
}

absl::StatusOr<std::vector<size_t>> CountOverlaps(const Scene& scene,
                                                  const Tree& part,
                                                  std::span<const Pose> poses,
                                                  const SceneOptions& options) {
  return PartMotion(scene, part, poses, 0, options)
      .AskEach<size_t>(
          [&](const Probe& probe, const Execution& run, LastPose&) {
            return AllOverlaps(scene, probe, run).size();
          });
}

absl::StatusOr<Lists<BodyId>> AllOverlaps(const Scene& scene, const Tree& part,
                                          std::span<const Pose> poses,
                                          const SceneOptions& options) {
  return PartMotion(scene, part, poses, 0, options)
      .CollectEach<BodyId>([&](const Probe& probe, const Execution& run) {
        return AllOverlaps(scene, probe, run);
      });
}

}  // namespace orbox
