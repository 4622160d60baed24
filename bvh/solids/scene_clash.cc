// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/scene_clash.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "orbox/bvh/scene/internal/scene_query.h"
#include "orbox/bvh/scene/scene_within.h"
#include "orbox/bvh/solids/internal/solid.h"
#include "orbox/bvh/solids/internal/solid_clash.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/task_runner.h"

namespace orbox {
namespace {

// The solids of the bodies in the given pairs.
class SceneSolids {
 public:
  SceneSolids(const Scene& scene, std::span<const BodyPair> pairs,
              const ClashOptions& options, const Execution& run)
      : solids_(scene.id_end()) {
    std::vector<uint8_t> is_needed(scene.id_end(), 0);
    for (const BodyPair& p : pairs) is_needed[p.a] = is_needed[p.b] = 1;
    std::vector<BodyId> bodies;
    for (const BodyId body : scene.bodies()) {
      if (is_needed[body] != 0) bodies.push_back(body);
    }
    // A small part of the work, without progress.
    TaskRunner(run, 1).For(
        bodies.size(), 1,
        [&](size_t i, size_t, const Watch&) {
          solids_[bodies[i]] = std::make_unique<const Solid>(
              scene.body(bodies[i]), options.inside, options.close_holes);
        },
        /*worth=*/0);
  }

  const Solid& operator[](BodyId body) const { return *solids_[body]; }

 private:
  std::vector<std::unique_ptr<const Solid>> solids_;  // by body
};

// Returns the options of one pair, for a query in one thread.
ClashOptions Alone(const ClashOptions& options, const QueryOptions& one) {
  ClashOptions alone = options;
  alone.statistics = one.statistics;
  alone.threads = 1;
  alone.progress = one.progress;
  return alone;
}

}  // namespace

std::vector<BodyPair> AllClashCandidates(const Scene& scene,
                                         const ClashOptions& options) {
  const Execution run(options);
  run.RequireValid();
  return AllBoundsWithin(
      scene, ReachOf(options),
      {.threads = run.threads(), .cancelled = run.cancelled()});
}

std::vector<BodyPairClash> AllClashes(const Scene& scene,
                                      std::span<const BodyPair> pairs,
                                      const ClashOptions& options) {
  RequireUpToDate(scene);
  const Execution run(options);
  run.RequireValid();
  const SceneSolids solids(scene, pairs, options, run);
  return FindEach<BodyPairClash>(
      pairs, run,
      [&](const BodyPair& p,
          const QueryOptions& one) -> std::optional<BodyPairClash> {
        Clash clash =
            ClashOfSolids(solids[p.a], solids[p.b], Alone(options, one));
        if (clash.kind == ClashKind::kApart) return std::nullopt;
        return BodyPairClash{p, std::move(clash)};
      });
}

std::vector<BodyPairClash> AllClashes(const Scene& scene,
                                      const ClashOptions& options) {
  const std::vector<BodyPair> pairs = AllClashCandidates(scene, options);
  return AllClashes(scene, pairs, options);
}

size_t CountClashes(const Scene& scene, const ClashOptions& options) {
  const std::vector<BodyPairClash> all = AllClashes(scene, options);
  return static_cast<size_t>(std::count_if(
      all.begin(), all.end(),
      [](const BodyPairClash& c) { return IsClash(c.clash.kind); }));
}

void VisitClashes(const Scene& scene, BodyPairClashVisitor visitor,
                  const ClashOptions& options) {
  const Execution run(options);
  const std::vector<BodyPair> pairs = AllClashCandidates(scene, options);
  const SceneSolids solids(scene, pairs, options, run);
  const ClashOptions alone = Alone(options, run.Alone());
  for (const BodyPair& p : pairs) {
    run.CheckCancelled();
    const BodyPairClash found{p,
                              ClashOfSolids(solids[p.a], solids[p.b], alone)};
    if (found.clash.kind == ClashKind::kApart) continue;
    if (visitor(found) == Visit::kStop) return;
  }
}

bool AnyClash(const Scene& scene, const ClashOptions& options) {
  bool any = false;
  VisitClashes(
      scene,
      [&](const BodyPairClash& c) {
        any = IsClash(c.clash.kind);
        return any ? Visit::kStop : Visit::kContinue;
      },
      options);
  return any;
}

}  // namespace orbox
