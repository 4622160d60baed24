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

// Returns the pairs that may clash.
std::vector<BodyPair> FindCandidates(const Scene& scene,
                                     const ClashOptions& options,
                                     const Execution& run) {
  return FindBoundsWithin(scene, ReachOf(options), run);
}

std::vector<BodyPairClash> FindClashes(const Scene& scene,
                                       std::span<const BodyPair> pairs,
                                       const ClashOptions& options,
                                       const Execution& run) {
  const SceneSolids solids(scene, pairs, options, run);
  return FindEach<BodyPairClash>(
      pairs, run,
      [&](const BodyPair& p,
          const Execution& alone) -> std::optional<BodyPairClash> {
        Clash clash = ClashOfSolids(solids[p.a], solids[p.b], options, alone);
        if (clash.kind == ClashKind::kApart) return std::nullopt;
        return BodyPairClash{p, std::move(clash)};
      });
}

bool FindAnyClash(const Scene& scene, const ClashOptions& options,
                  const Execution& run) {
  const std::vector<BodyPair> pairs = FindCandidates(scene, options, run);
  const SceneSolids solids(scene, pairs, options, run);
  return std::any_of(pairs.begin(), pairs.end(), [&](const BodyPair& p) {
    run.CheckCancelled();
    return IsClash(ClashOfSolids(solids[p.a], solids[p.b], options, run).kind);
  });
}

}  // namespace

bool AnyClash(const Scene& scene, const ClashOptions& options) {
  return ValueOrEnd(AnyClash(scene, options, RunOptions()));
}

absl::StatusOr<bool> AnyClash(const Scene& scene, const ClashOptions& options,
                              const RunOptions& run) {
  return RunWith(run, scene, absl::OkStatus(), [&](const Execution& execution) {
    return FindAnyClash(scene, options, execution);
  });
}

std::vector<BodyPairClash> AllClashes(const Scene& scene,
                                      const ClashOptions& options) {
  return ValueOrEnd(AllClashes(scene, options, RunOptions()));
}

absl::StatusOr<std::vector<BodyPairClash>> AllClashes(
    const Scene& scene, const ClashOptions& options, const RunOptions& run) {
  return RunWith(run, scene, absl::OkStatus(), [&](const Execution& execution) {
    return FindClashes(scene, FindCandidates(scene, options, execution),
                       options, execution);
  });
}

std::vector<BodyPairClash> AllClashes(const Scene& scene,
                                      std::span<const BodyPair> pairs,
                                      const ClashOptions& options) {
  return ValueOrEnd(AllClashes(scene, pairs, options, RunOptions()));
}

absl::StatusOr<std::vector<BodyPairClash>> AllClashes(
    const Scene& scene, std::span<const BodyPair> pairs,
    const ClashOptions& options, const RunOptions& run) {
  return RunWith(run, scene, absl::OkStatus(), [&](const Execution& execution) {
    return FindClashes(scene, pairs, options, execution);
  });
}

std::vector<BodyPair> AllClashCandidates(const Scene& scene,
                                         const ClashOptions& options) {
  return AllBoundsWithin(scene, ReachOf(options));
}

}  // namespace orbox
