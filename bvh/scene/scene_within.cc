// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/scene_within.h"

#include <algorithm>
#include <optional>

#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/scene/internal/near_bodies.h"
#include "orbox/bvh/scene/internal/poses_in_scene.h"
#include "orbox/bvh/scene/internal/probe.h"
#include "orbox/bvh/scene/internal/scene_query.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/traverse/internal/task_runner.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"

namespace orbox {
namespace {

// Largest number of bodies in a task. Finding the neighbours of a body takes
// some microseconds.
constexpr size_t kMostInTask = 64;

std::vector<BodyPair> CandidatesWithin(const Scene& scene, double distance,
                                       const Execution& run) {
  RequireUpToDate(scene);
  run.RequireValid();
  const std::span<const BodyPair> overlapping = scene.pairs_of_bounds();
  if (distance == 0) return {overlapping.begin(), overlapping.end()};
  const std::span<const BodyId> bodies = scene.bodies();
  std::vector<std::vector<BodyPair>> found(bodies.size());
  // This step is too short to report progress.
  TaskRunner(run, 1).For(
      bodies.size(), TaskRunner::GrainOf(bodies.size(), 1, kMostInTask),
      [&](size_t begin, size_t end, const Watch&) {
        for (size_t i = begin; i < end; ++i) {
          const BodyId a = bodies[i];
          const Aabb& box = scene.bounds(a);
          scene.broad_phase().FindBodies(Grown(box, distance), [&](BodyId b) {
            if (a >= b) return;
            if (GapOf(box, scene.bounds(b)) > distance) return;
            found[i].push_back({a, b});
          });
          std::sort(found[i].begin(), found[i].end());
        }
      },
      /*worth=*/0);
  std::vector<BodyPair> pairs;
  for (const std::vector<BodyPair>& of_one : found) {
    pairs.insert(pairs.end(), of_one.begin(), of_one.end());
  }
  return pairs;
}

std::optional<Witness> GapWithin(const PosedTree& a, const PosedTree& b,
                                 double distance, const Execution& run) {
  return FindClosestPair(a, b, {.max_distance = distance}, run);
}

// Returns the lists of `call`, a query of two meshes within a distance, for all
// pairs of bodies that may be within `distance`.
template <typename T, typename Call>
BodyPairLists<T> ListNear(const Scene& scene, double distance,
                          const QueryOptions& options, const Call& call) {
  const Execution run(options);
  const double limit = LimitOf(distance, run);
  const auto candidates = CandidatesWithin(scene, limit, run);
  return ListEach<T>(std::span(candidates), run,
                     [&](const BodyPair& p, const QueryOptions& alone) {
                       return call(scene.body(p.a), scene.body(p.b), limit,
                                   alone);
                     });
}

// Returns the lists of `call` for all bodies that may be within `distance` of
// `mesh`.
template <typename T, typename Call>
BodyLists<T> ListNear(const Scene& scene, const PosedTree& mesh,
                      double distance, const SceneOptions& options,
                      const Call& call) {
  RequireUpToDate(scene);
  const Execution run(options);
  run.RequireValid();
  const double limit = LimitOf(distance, run);
  const std::vector<BodyId> candidates =
      BoundsWithin(scene, Probe::Of(mesh, options.except), limit);
  return ListEach<T>(std::span(candidates), run,
                     [&](BodyId body, const QueryOptions& alone) {
                       return call(mesh, scene.body(body), limit, alone);
                     });
}

}  // namespace

std::vector<BodyPair> AllBoundsWithin(const Scene& scene, double distance,
                                      const QueryOptions& options) {
  const Execution run(options);
  return CandidatesWithin(scene, LimitOf(distance, run), run);
}

bool AnyWithin(const Scene& scene, double distance,
               const QueryOptions& options) {
  const Execution run(options);
  const double limit = LimitOf(distance, run);
  const QueryOptions alone = run.Alone();
  for (const BodyPair& p : CandidatesWithin(scene, limit, run)) {
    run.CheckCancelled();
    if (WithinSearch(limit, alone).Any({scene.body(p.a), scene.body(p.b)})) {
      return true;
    }
  }
  return false;
}

size_t CountWithin(const Scene& scene, double distance,
                   const QueryOptions& options) {
  const Execution run(options);
  const double limit = LimitOf(distance, run);
  const auto candidates = CandidatesWithin(scene, limit, run);
  const auto within = RunEach<uint8_t>(
      std::span(candidates), run,
      [&](const BodyPair& p, const QueryOptions& alone) -> uint8_t {
        return WithinSearch(limit, alone)
                       .Any({scene.body(p.a), scene.body(p.b)})
                   ? 1
                   : 0;
      });
  return static_cast<size_t>(std::count(within.begin(), within.end(), 1));
}

std::vector<BodyPairGap> AllWithin(const Scene& scene, double distance,
                                   const QueryOptions& options) {
  const Execution run(options);
  const double limit = LimitOf(distance, run);
  const auto candidates = CandidatesWithin(scene, limit, run);
  return FindEach<BodyPairGap>(
      std::span(candidates), run,
      [&](const BodyPair& p,
          const QueryOptions& alone) -> std::optional<BodyPairGap> {
        const auto gap = GapWithin(scene.body(p.a), scene.body(p.b), limit,
                                   Execution(alone));
        if (!gap) return {};
        return BodyPairGap{p, *gap};
      });
}

void VisitWithin(const Scene& scene, double distance,
                 BodyPairGapVisitor visitor, const QueryOptions& options) {
  const Execution run(options);
  const double limit = LimitOf(distance, run);
  const QueryOptions alone = run.Alone();
  for (const BodyPair& p : CandidatesWithin(scene, limit, run)) {
    run.CheckCancelled();
    const auto gap = GapWithin(scene.body(p.a), scene.body(p.b), limit, run);
    if (gap && visitor({p, *gap}) == Visit::kStop) return;
  }
}

BodyPairLists<PairDistance> AllTrianglesWithin(const Scene& scene,
                                               double distance,
                                               const QueryOptions& options) {
  return ListNear<PairDistance>(scene, distance, options,
                                [](const PosedTree& a, const PosedTree& b,
                                   double limit, const QueryOptions& alone) {
                                  return WithinSearch(limit, alone).All({a, b});
                                });
}

BodyPairLists<NearCluster> AllClustersWithin(const Scene& scene,
                                             double distance,
                                             const QueryOptions& options) {
  return ListNear<NearCluster>(
      scene, distance, options,
      [](const PosedTree& a, const PosedTree& b, double limit,
         const QueryOptions& alone) {
        return ClustersOf(a, b, WithinSearch(limit, alone).All({a, b}), limit);
      });
}

bool AnyWithin(const Scene& scene, const PosedTree& mesh, double distance,
               const SceneOptions& options) {
  RequireUpToDate(scene);
  const Execution run(options);
  run.RequireValid();
  return IsAnyWithin(scene, Probe::Of(mesh, options.except),
                     LimitOf(distance, run), run);
}

size_t CountWithin(const Scene& scene, const PosedTree& mesh, double distance,
                   const SceneOptions& options) {
  return AllWithin(scene, mesh, distance, options).size();
}

std::vector<BodyGap> AllWithin(const Scene& scene, const PosedTree& mesh,
                               double distance, const SceneOptions& options) {
  RequireUpToDate(scene);
  const Execution run(options);
  run.RequireValid();
  return AllWithin(scene, Probe::Of(mesh, options.except),
                   LimitOf(distance, run), run);
}

void VisitWithin(const Scene& scene, const PosedTree& mesh, double distance,
                 BodyGapVisitor visitor, const SceneOptions& options) {
  RequireUpToDate(scene);
  const Execution run(options);
  run.RequireValid();
  const double limit = LimitOf(distance, run);
  const QueryOptions alone = run.Alone();
  VisitBoundsWithin(
      scene, Probe::Of(mesh, options.except), limit, [&](BodyId body) {
        run.CheckCancelled();
        const auto gap = GapWithin(mesh, scene.body(body), limit, run);
        return gap ? visitor({body, *gap}) : Visit::kContinue;
      });
}

BodyLists<PairDistance> AllTrianglesWithin(const Scene& scene,
                                           const PosedTree& mesh,
                                           double distance,
                                           const SceneOptions& options) {
  return ListNear<PairDistance>(scene, mesh, distance, options,
                                [](const PosedTree& a, const PosedTree& b,
                                   double limit, const QueryOptions& alone) {
                                  return WithinSearch(limit, alone).All({a, b});
                                });
}

BodyLists<NearCluster> AllClustersWithin(const Scene& scene,
                                         const PosedTree& mesh, double distance,
                                         const SceneOptions& options) {
  return ListNear<NearCluster>(
      scene, mesh, distance, options,
      [](const PosedTree& a, const PosedTree& b, double limit,
         const QueryOptions& alone) {
        return ClustersOf(a, b, WithinSearch(limit, alone).All({a, b}), limit);
      });
}

absl::StatusOr<std::vector<uint8_t>> AnyWithin(const Scene& scene,
                                               const Tree& part,
                                               std::span<const Pose> poses,
                                               double distance,
                                               const SceneOptions& options) {
  if (absl::Status s = CheckWithin(distance, options); !s.ok()) return s;
  const double limit = LimitOf(distance, Execution(options));
  return PosesInScene(scene, part, poses, limit, options)
      .RunEach<uint8_t>([&](const PosedTree& posed, NearBodies& near,
                            const Execution& run) {
        return uint8_t{near.AnyWithin(posed, run, [&](const NearBody& body) {
          return IsAnyWithin({posed, scene.body(body.id)}, limit, run);
        })};
      });
}

absl::StatusOr<std::vector<size_t>> CountWithin(const Scene& scene,
                                                const Tree& part,
                                                std::span<const Pose> poses,
                                                double distance,
                                                const SceneOptions& options) {
  if (absl::Status s = CheckWithin(distance, options); !s.ok()) return s;
  const double limit = LimitOf(distance, Execution(options));
  return PosesInScene(scene, part, poses, limit, options)
      .RunEach<size_t>(
          [&](const PosedTree& posed, NearBodies& near, const Execution& run) {
            size_t count = 0;
            near.VisitWithin(posed, run, [&](const NearBody& body) {
              const bool is_one =
                  IsAnyWithin({posed, scene.body(body.id)}, limit, run);
              count += is_one ? 1 : 0;
              return is_one;
            });
            return count;
          });
}

absl::StatusOr<Lists<BodyGap>> AllWithin(const Scene& scene, const Tree& part,
                                         std::span<const Pose> poses,
                                         double distance,
                                         const SceneOptions& options) {
  if (absl::Status s = CheckWithin(distance, options); !s.ok()) return s;
  const double limit = LimitOf(distance, Execution(options));
  return PosesInScene(scene, part, poses, limit, options)
      .CollectEach<BodyGap>([&](const PosedTree& posed, NearBodies& near,
                                const Execution& run,
                                std::vector<BodyGap>* gaps) {
        near.VisitWithin(posed, run, [&](const NearBody& body) {
          const auto gap = GapWithin(posed, scene.body(body.id), limit, run);
          if (gap) gaps->push_back({body.id, *gap});
          return gap.has_value();
        });
      });
}

}  // namespace orbox
