// SPDX-License-Identifier: Apache-2.0

// Relation of the bodies of a scene as solids: pairs that clash, touch, contain
// or duplicate each other, or are closer than a clearance.
//
//   ClashOptions options{.tolerance = 0.001, .clearance = 0.05};
//   for (const BodyPairClash& c : AllClashes(scene, options)) {
//     if (IsClash(c.clash.kind)) use(c.bodies, c.clash.thickness);
//   }
//   auto all = AllClashes(scene, options, {.threads = 0});
//   if (!all.ok()) return all.status();
//   std::vector<BodyPair> chosen = AllClashCandidates(scene, options);
//   auto some = AllClashes(scene, chosen, options);   // of these pairs alone
//
// The result for each pair of bodies is that of ClashOf (solids/clash.h). Pairs
// that are kApart are not reported. Contained bodies are found. Body a precedes
// body b in each pair, and pairs ascend. Results are identical for any number
// of threads. Each mesh is examined once, in O(n), for any number of bodies and
// pairs.
//
// Each query has a form with run options (query_options.h). Queries require an
// up-to-date scene (scene_overlap.h). AllClashes may use many threads.
// Thread-safe.
#ifndef ORBOX_BVH_SOLIDS_SCENE_CLASH_H_
#define ORBOX_BVH_SOLIDS_SCENE_CLASH_H_

#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/solids/clash.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Two bodies. Body a is the first mesh of the clash.
struct BodyPairClash {
  BodyPair bodies;
  Clash clash;
};

// Returns true if any two bodies have a kind for which IsClash is true. Stops
// at the first pair found.
ORBOX_EXPORT bool AnyClash(const Scene& scene,
                           const ClashOptions& options = {});
ORBOX_EXPORT absl::StatusOr<bool> AnyClash(const Scene& scene,
                                           const ClashOptions& options,
                                           const RunOptions& run);

// Returns all pairs that are not kApart.
ORBOX_EXPORT std::vector<BodyPairClash> AllClashes(
    const Scene& scene, const ClashOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<BodyPairClash>> AllClashes(
    const Scene& scene, const ClashOptions& options, const RunOptions& run);

// AllClashes for the given pairs only, in the given order. Requires bodies of
// the scene.
ORBOX_EXPORT std::vector<BodyPairClash> AllClashes(
    const Scene& scene, std::span<const BodyPair> pairs,
    const ClashOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<BodyPairClash>> AllClashes(
    const Scene& scene, std::span<const BodyPair> pairs,
    const ClashOptions& options, const RunOptions& run);

// Returns the pairs whose bounds are within the larger one of tolerance and
// clearance. All other pairs are kApart.
ORBOX_EXPORT std::vector<BodyPair> AllClashCandidates(
    const Scene& scene, const ClashOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_SCENE_CLASH_H_
