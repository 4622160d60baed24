// A part at many poses in a fixed scene, on all cores: a robot's motion, an
// assembly path, a search.
//
//   auto clash = MeetsAnyBodyAtPoses(scene, tool, poses);
//   if (!clash.ok()) return clash.status();       // cancelled, a bad pose
//   if ((*clash)[7] != 0) ...                     // at the eighth pose
//   auto gaps = ClosestBodyAtPoses(scene, tool, poses, {.threads = 4});
//
// Each pose has the answer that it has alone (scene_probe.h), at its own place;
// the bytes do not depend on the number of threads. Poses are taken in turn, as
// a motion has them, or along a curve through the places of the part, whichever
// moves it less. What was found at a pose serves at the next ones: the part has
// moved by so much at most, so that what was further away need not be looked
// at; what it met is asked first; and the pair of triangles that was closest
// bounds the distance. Require that the scene is up to date (Scene::Update).
// Cost the results, and 24 bytes a pose. Thread-safe.
#ifndef ORBOX_BVH_SCENE_MOTION_BATCH_H_
#define ORBOX_BVH_SCENE_MOTION_BATCH_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/query/batch.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/scene/scene_probe.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// Errors of all: those of batches (batch.h), and kInvalidArgument for a pose
// that PosedTree::Create refuses, the first of them by its number.
// `but` is the part's own body where it is one of the scene's: not looked at.

// As MeetsAnyBody at each pose: 1 where it does, and 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> MeetsAnyBodyAtPoses(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    const BatchOptions& options = {}, BodyId but = kNoBody,
    TraversalStatistics* statistics = nullptr);

// As BodiesMeeting at each pose.
ORBOX_EXPORT absl::StatusOr<Lists<BodyId>> BodiesMeetingAtPoses(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    const BatchOptions& options = {}, BodyId but = kNoBody,
    TraversalStatistics* statistics = nullptr);

// As IsNearAnyBody at each pose: 1 where it is, and 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> IsNearAnyBodyAtPoses(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    double distance, const BatchOptions& options = {}, BodyId but = kNoBody,
    TraversalStatistics* statistics = nullptr);

// As BodiesNear at each pose.
ORBOX_EXPORT absl::StatusOr<Lists<NearBody>> BodiesNearAtPoses(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    double distance, const BatchOptions& options = {}, BodyId but = kNoBody,
    TraversalStatistics* statistics = nullptr);

// As ClosestBody at each pose.
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<NearBody>>>
ClosestBodyAtPoses(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    const BatchOptions& options = {},
    double max_distance = std::numeric_limits<double>::infinity(),
    BodyId but = kNoBody, TraversalStatistics* statistics = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_MOTION_BATCH_H_
