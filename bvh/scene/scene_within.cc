// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/scene_within.h"

#include <algorithm>
#include <optional>

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

bool FindAnyPair(const Scene& scene, double distance, const Execution& run) {
  const auto alone = run.Alone<RunOptions>();
  for (const BodyPair& p : FindBoundsWithin(scene, distance, run)) {
    run.CheckCancelled();
    if (WithinSearch(distance, alone).Any({scene.body(p.a), scene.body(p.b)})) {
      return true;
    }
  }
  return false;
}

std::vector<BodyPairGap> FindPairs(const Scene& scene, double distance,
                                   const Execution& run) {
  const auto candidates = FindBoundsWithin(scene, distance, run);
  return FindEach<BodyPairGap>(
      std::span(candidates), run,
      [&](const BodyPair& p,
          const Execution& alone) -> std::optional<BodyPairGap> {
        const auto gap = FindClosestPair(scene.body(p.a), scene.body(p.b),
                                         {.max_distance = distance}, alone);
        if (!gap) return {};
        return BodyPairGap{p, *gap};
      });
}

// The two kinds of lists.
std::vector<PairDistance> TrianglesOf(const PosedTree& a, const PosedTree& b,
                                      double distance, const Execution& run) {
  return WithinSearch(distance, run).All({a, b});
}
std::vector<NearCluster> ClustersNear(const PosedTree& a, const PosedTree& b,
                                      double distance, const Execution& run) {
  return ClustersOf(a, b, TrianglesOf(a, b, distance, run), distance);
}

// Returns the lists of `call`, a query of two meshes within a distance, for all
// pairs of bodies that may be within `distance`.
template <typename T, typename Call>
BodyPairLists<T> ListNear(const Scene& scene, double distance,
                          const Execution& run, const Call& call) {
  const auto candidates = FindBoundsWithin(scene, distance, run);
  return ListEach<T>(std::span(candidates), run,
                     [&](const BodyPair& p, const Execution& alone) {
                       return call(scene.body(p.a), scene.body(p.b), distance,
                                   alone);
                     });
}

// Returns the lists of `call` for all bodies that may be within `distance` of
// `mesh`.
template <typename T, typename Call>
BodyLists<T> ListNear(const Scene& scene, const PosedTree& mesh,
                      double distance, const BodyFilter& filter,
                      const Execution& run, const Call& call) {
  const std::vector<BodyId> candidates =
      BoundsWithin(scene, Probe::Of(mesh, filter.except), distance);
  return ListEach<T>(std::span(candidates), run,
                     [&](BodyId body, const Execution& alone) {
                       return call(scene.body(body), mesh, distance, alone);
                     });
}

}  // namespace

std::vector<BodyPair> FindBoundsWithin(const Scene& scene, double distance,
                                       const Execution& run) {
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

bool AnyWithin(const Scene& scene, double distance) {
  return ValueOrEnd(AnyWithin(scene, distance, RunOptions()));
}

absl::StatusOr<bool> AnyWithin(const Scene& scene, double distance,
                               const RunOptions& options) {
  return RunWith(
      options, scene, CheckDistance("distance", distance),
      [&](const Execution& run) { return FindAnyPair(scene, distance, run); });
}

std::vector<BodyPairGap> AllWithin(const Scene& scene, double distance) {
  return ValueOrEnd(AllWithin(scene, distance, RunOptions()));
}

absl::StatusOr<std::vector<BodyPairGap>> AllWithin(const Scene& scene,
                                                   double distance,
                                                   const RunOptions& options) {
  return RunWith(
      options, scene, CheckDistance("distance", distance),
      [&](const Execution& run) { return FindPairs(scene, distance, run); });
}

BodyPairLists<PairDistance> AllTrianglesWithin(const Scene& scene,
                                               double distance) {
  return ValueOrEnd(AllTrianglesWithin(scene, distance, RunOptions()));
}

absl::StatusOr<BodyPairLists<PairDistance>> AllTrianglesWithin(
    const Scene& scene, double distance, const RunOptions& options) {
  return RunWith(options, scene, CheckDistance("distance", distance),
                 [&](const Execution& run) {
                   return ListNear<PairDistance>(scene, distance, run,
                                                 TrianglesOf);
                 });
}

BodyPairLists<NearCluster> AllClustersWithin(const Scene& scene,
                                             double distance) {
  return ValueOrEnd(AllClustersWithin(scene, distance, RunOptions()));
}

absl::StatusOr<BodyPairLists<NearCluster>> AllClustersWithin(
    const Scene& scene, double distance, const RunOptions& options) {
  return RunWith(options, scene, CheckDistance("distance", distance),
                 [&](const Execution& run) {
                   return ListNear<NearCluster>(scene, distance, run,
                                                ClustersNear);
                 });
}

std::vector<BodyPair> AllBoundsWithin(const Scene& scene, double distance) {
  return ValueOrEnd(AllBoundsWithin(scene, distance, RunOptions()));
}

absl::StatusOr<std::vector<BodyPair>> AllBoundsWithin(
    const Scene& scene, double distance, const RunOptions& options) {
  return RunWith(options, scene, CheckDistance("distance", distance),
                 [&](const Execution& run) {
                   return FindBoundsWithin(scene, distance, run);
                 });
}

bool AnyWithin(const Scene& scene, const PosedTree& mesh, double distance,
               const BodyFilter& filter) {
  return ValueOrEnd(AnyWithin(scene, mesh, distance, filter, RunOptions()));
}

absl::StatusOr<bool> AnyWithin(const Scene& scene, const PosedTree& mesh,
                               double distance, const BodyFilter& filter,
                               const RunOptions& options) {
  return RunWith(options, scene, CheckDistance("distance", distance),
                 [&](const Execution& run) {
                   return IsAnyWithin(scene, Probe::Of(mesh, filter.except),
                                      distance, run);
                 });
}

std::vector<BodyGap> AllWithin(const Scene& scene, const PosedTree& mesh,
                               double distance, const BodyFilter& filter) {
  return ValueOrEnd(AllWithin(scene, mesh, distance, filter, RunOptions()));
}

absl::StatusOr<std::vector<BodyGap>> AllWithin(const Scene& scene,
                                               const PosedTree& mesh,
                                               double distance,
                                               const BodyFilter& filter,
                                               const RunOptions& options) {
  return RunWith(options, scene, CheckDistance("distance", distance),
                 [&](const Execution& run) {
                   return AllWithin(scene, Probe::Of(mesh, filter.except),
                                    distance, run);
                 });
}

BodyLists<PairDistance> AllTrianglesWithin(const Scene& scene,
                                           const PosedTree& mesh,
                                           double distance,
                                           const BodyFilter& filter) {
  return ValueOrEnd(
      AllTrianglesWithin(scene, mesh, distance, filter, RunOptions()));
}

absl::StatusOr<BodyLists<PairDistance>> AllTrianglesWithin(
    const Scene& scene, const PosedTree& mesh, double distance,
    const BodyFilter& filter, const RunOptions& options) {
  return RunWith(options, scene, CheckDistance("distance", distance),
                 [&](const Execution& run) {
                   return ListNear<PairDistance>(scene, mesh, distance, filter,
                                                 run, TrianglesOf);
                 });
}

BodyLists<NearCluster> AllClustersWithin(const Scene& scene,
                                         const PosedTree& mesh, double distance,
                                         const BodyFilter& filter) {
  return ValueOrEnd(
      AllClustersWithin(scene, mesh, distance, filter, RunOptions()));
}

absl::StatusOr<BodyLists<NearCluster>> AllClustersWithin(
    const Scene& scene, const PosedTree& mesh, double distance,
    const BodyFilter& filter, const RunOptions& options) {
  return RunWith(options, scene, CheckDistance("distance", distance),
                 [&](const Execution& run) {
                   return ListNear<NearCluster>(scene, mesh, distance, filter,
                                                run, ClustersNear);
                 });
}

absl::StatusOr<std::vector<uint8_t>> AnyWithin(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    double distance, const BodyFilter& filter, const RunOptions& options) {
  return PosesInScene(scene, part, poses, distance, filter.except, options)
      .RunEach<uint8_t>([&](const PosedTree& posed, NearBodies& near,
                            const Execution& run) {
        return uint8_t{near.AnyWithin(posed, run, [&](const NearBody& body) {
          return IsAnyWithin({posed, scene.body(body.id)}, distance, run);
        })};
      });
}

absl::StatusOr<Lists<BodyGap>> AllWithin(const Scene& scene, const Tree& part,
                                         std::span<const Pose> poses,
                                         double distance,
                                         const BodyFilter& filter,
                                         const RunOptions& options) {
  return PosesInScene(scene, part, poses, distance, filter.except, options)
      .CollectEach<BodyGap>([&](const PosedTree& posed, NearBodies& near,
                                const Execution& run,
                                std::vector<BodyGap>* gaps) {
        near.VisitWithin(posed, run, [&](const NearBody& body) {
          const auto gap = FindClosestPair(scene.body(body.id), posed,
                                           {.max_distance = distance}, run);
          if (gap) gaps->push_back({body.id, *gap});
          return gap.has_value();
        });
      });
}

}  // namespace orbox
