// SPDX-License-Identifier: Apache-2.0

// Relation of the bodies of a scene as solids: pairs that clash, touch, contain
// or duplicate each other, or are closer than a clearance.
//
//   ClashOptions options{.tolerance = 0.001, .clearance = 0.05};
//   options.threads = 0;
//   for (const BodyPairClash& c : AllClashes(scene, options)) {
//     if (IsClash(c.clash.kind)) use(c.bodies, c.clash.thickness);
//   }
//   std::vector<BodyPair> chosen = AllClashCandidates(scene, options);
//   auto some = AllClashes(scene, chosen, options);   // of these pairs alone
//
// The result for each pair of bodies is that of ClashOf (solids/clash.h). Pairs
// that are kApart are not reported. Contained bodies are found. Body a precedes
// body b in each pair, and pairs ascend. Results are identical for any number
// of threads. Each mesh is examined once, in O(n), for any number of bodies and
// pairs.
//
// Options are those of solids/clash.h. AllClashes and CountClashes call
// `progress`. Queries require an up-to-date scene (Scene::Update). Thread-safe.
#ifndef ORBOX_BVH_SOLIDS_SCENE_CLASH_H_
#define ORBOX_BVH_SOLIDS_SCENE_CLASH_H_

#include <cstddef>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/solids/clash.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Two bodies. Body a is the first mesh of the clash.
struct BodyPairClash {
  BodyPair bodies;
  Clash clash;
};

// AnyClash returns true if any two bodies have a kind for which IsClash is
// true, and stops at the first pair found. CountClashes returns the number of
// such pairs.
ORBOX_EXPORT bool AnyClash(const Scene& scene,
                           const ClashOptions& options = {});
ORBOX_EXPORT size_t CountClashes(const Scene& scene,
                                 const ClashOptions& options = {});

// Returns all pairs that are not kApart.
ORBOX_EXPORT std::vector<BodyPairClash> AllClashes(
    const Scene& scene, const ClashOptions& options = {});

// AllClashes for the given pairs only, in the given order. Requires bodies of
// the scene.
ORBOX_EXPORT std::vector<BodyPairClash> AllClashes(
    const Scene& scene, std::span<const BodyPair> pairs,
    const ClashOptions& options = {});

// Calls `visitor` with each pair that is not kApart, ascending, until the
// visitor returns kStop. One thread.
using BodyPairClashVisitor = absl::FunctionRef<Visit(const BodyPairClash&)>;
ORBOX_EXPORT void VisitClashes(const Scene& scene, BodyPairClashVisitor visitor,
                               const ClashOptions& options = {});

// Returns the pairs whose bounds are within the larger one of tolerance and
// clearance. All other pairs are kApart.
ORBOX_EXPORT std::vector<BodyPair> AllClashCandidates(
    const Scene& scene, const ClashOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_SCENE_CLASH_H_
