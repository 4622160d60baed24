// SPDX-License-Identifier: Apache-2.0

// Body of a scene that is closest to a point or to a mesh; the two bodies that
// are closest to each other; their distances and closest points.
//
//   std::optional<BodyPoint> near = ClosestPoint(scene, p);
//   auto all = ClosestPoint(scene, points, {}, {.threads = 4});  // a batch
//   if (!all.ok()) return all.status();
//
//   std::optional<BodyGap> gap = ClosestPair(scene, tool, {.max_distance = 2});
//   std::optional<BodyPairGap> tightest = ClosestPair(scene);
//   auto gaps = ClosestPair(scene, part, poses, {}, {.threads = 0});
//   if (!gaps.ok()) return gaps.status();                    // a batch
//
// Results are exact for the moved vertices. closest_point.h and closest_pair.h
// define max_distance, valid points, and ties of triangles. Among ties of
// bodies, the lowest body or the lowest pair of bodies is reported. Each query
// has a form with run options (query_options.h). Single queries run in one
// thread.
//
// Bodies are visited in the order of their distance. For a point, a body
// without a pose costs a query of one tree. A moved body costs a query of two
// trees, because the point becomes a mesh. This takes 20 to 40 us in a scene of
// a thousand rotated bodies. scene_overlap.h gives the cost of a mesh.
//
// Queries require that the scene is up to date (scene_overlap.h). Thread-safe.
// Allocate small meshes and the lists of the queries of two meshes.
#ifndef ORBOX_BVH_SCENE_SCENE_CLOSEST_H_
#define ORBOX_BVH_SCENE_SCENE_CLOSEST_H_

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/scene/body_answers.h"
#include "orbox/bvh/scene/body_filter.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct BodyPoint {
  BodyId body = 0;
  SurfacePoint surface;
};

ORBOX_EXPORT std::optional<BodyPoint> ClosestPoint(
    const Scene& scene, const Vec3& p, const BodyLimits& limits = {});
ORBOX_EXPORT absl::StatusOr<std::optional<BodyPoint>> ClosestPoint(
    const Scene& scene, const Vec3& p, const BodyLimits& limits,
    const RunOptions& options);
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<BodyPoint>>> ClosestPoint(
    const Scene& scene, std::span<const Vec3> points,
    const BodyLimits& limits = {}, const RunOptions& options = {});

// Returns the body that is closest to the mesh. The body is mesh a of the gap.
ORBOX_EXPORT std::optional<BodyGap> ClosestPair(const Scene& scene,
                                                const PosedTree& mesh,
                                                const BodyLimits& limits = {});
ORBOX_EXPORT absl::StatusOr<std::optional<BodyGap>> ClosestPair(
    const Scene& scene, const PosedTree& mesh, const BodyLimits& limits,
    const RunOptions& options);

// ClosestPair at each of many poses of a part; scene_overlap.h describes such
// batches.
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<BodyGap>>> ClosestPair(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    const BodyLimits& limits = {}, const RunOptions& options = {});

// Returns the two bodies that are closest to each other, if their distance is
// at most `max_distance`.
ORBOX_EXPORT std::optional<BodyPairGap> ClosestPair(
    const Scene& scene,
    double max_distance = std::numeric_limits<double>::infinity());
ORBOX_EXPORT absl::StatusOr<std::optional<BodyPairGap>> ClosestPair(
    const Scene& scene, double max_distance, const RunOptions& options);

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_SCENE_CLOSEST_H_
