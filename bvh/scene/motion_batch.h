// A part at many poses in a fixed scene, on all cores: a robot's motion, an
// assembly path, a search.
//
//   auto clash = MeetsAnyBodyAtPoses(scene, tool, poses);
//   if (!clash.ok()) return clash.status();       // cancelled, a bad pose
//   if ((*clash)[7] != 0) ...                     // at the eighth pose
//   auto gaps = ClosestBodyAtPoses(scene, tool, poses, {.threads = 4});
//
// The answer for each pose is the answer of a single query (scene_probe.h), at
// the same position. The bytes do not depend on the number of threads.
//
// Poses run in the order given or along a Morton curve of the part's positions,
// whichever moves the part less. Each pose makes the next ones cheaper: the
// bound of the part's motion excludes bodies that were farther away, the body
// that overlapped is tested first, and the closest pair of triangles bounds the
// distance.
//
// Requires that the scene is up to date (Scene::Update). Allocates the results
// and 24 bytes a pose. Thread-safe.
#ifndef ORBOX_BVH_SCENE_MOTION_BATCH_H_
#define ORBOX_BVH_SCENE_MOTION_BATCH_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/query/batch_options.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/scene/scene_probe.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// Errors: those of batches (batch.h), and kInvalidArgument, with the number of
// the first offender, for a pose that PosedTree::Create refuses. If the part is
// itself a body of the scene, pass its number as `but` to exclude it.

// 1 at each pose where MeetsAnyBody is true, else 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> MeetsAnyBodyAtPoses(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    const BatchOptions& options = {}, BodyId but = kNoBody,
    TraversalStatistics* statistics = nullptr);

// BodiesMeeting at each pose.
ORBOX_EXPORT absl::StatusOr<Lists<BodyId>> BodiesMeetingAtPoses(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    const BatchOptions& options = {}, BodyId but = kNoBody,
    TraversalStatistics* statistics = nullptr);

// 1 at each pose where IsNearAnyBody is true, else 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> IsNearAnyBodyAtPoses(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    double distance, const BatchOptions& options = {}, BodyId but = kNoBody,
    TraversalStatistics* statistics = nullptr);

// BodiesNear at each pose.
ORBOX_EXPORT absl::StatusOr<Lists<NearBody>> BodiesNearAtPoses(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    double distance, const BatchOptions& options = {}, BodyId but = kNoBody,
    TraversalStatistics* statistics = nullptr);

// ClosestBody at each pose.
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<NearBody>>>
ClosestBodyAtPoses(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    const BatchOptions& options = {},
    double max_distance = std::numeric_limits<double>::infinity(),
    BodyId but = kNoBody, TraversalStatistics* statistics = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_MOTION_BATCH_H_
