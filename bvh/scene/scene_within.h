// SPDX-License-Identifier: Apache-2.0

// Bodies of a scene that are within d of each other or of a mesh, their
// distances and closest points, and their triangles that are within d.
//
//   for (const BodyPairGap& g : AllWithin(scene, 0.5)) use(g.bodies, g.gap);
//   BodyPairLists<PairDistance> tight = AllTrianglesWithin(scene, 0.5);
//   BodyPairLists<NearCluster> places = AllClustersWithin(scene, 0.5);
//
//   bool unsafe = AnyWithin(scene, tool, 0.5);     // tool: a Tree or PosedTree
//   for (const BodyGap& g : AllWithin(scene, tool, 0.5)) use(g.body, g.gap);
//   auto gaps = AllWithin(scene, part, poses, 0.5, {}, {.threads = 0});
//   if (!gaps.ok()) return gaps.status();                    // a batch
//
// Exact: the results are those of pair_within.h and closest_pair.h for every
// two bodies, or for each body and the mesh. The distance of bodies that
// overlap is 0. If d is infinite, all bodies are reported. A negative or NaN d
// is not valid. scene_overlap.h describes everything else.
#ifndef ORBOX_BVH_SCENE_SCENE_WITHIN_H_
#define ORBOX_BVH_SCENE_SCENE_WITHIN_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/pairs/pair_clusters.h"
#include "orbox/bvh/scene/body_answers.h"
#include "orbox/bvh/scene/body_filter.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// Queries between the bodies. AnyWithin stops at the first pair found.
ORBOX_EXPORT bool AnyWithin(const Scene& scene, double distance);
ORBOX_EXPORT absl::StatusOr<bool> AnyWithin(const Scene& scene, double distance,
                                            const RunOptions& options);
ORBOX_EXPORT std::vector<BodyPairGap> AllWithin(const Scene& scene,
                                                double distance);
ORBOX_EXPORT absl::StatusOr<std::vector<BodyPairGap>> AllWithin(
    const Scene& scene, double distance, const RunOptions& options);

// Returns all pairs of triangles of different bodies within `distance`,
// ascending for each pair of bodies.
ORBOX_EXPORT BodyPairLists<PairDistance> AllTrianglesWithin(const Scene& scene,
                                                            double distance);
ORBOX_EXPORT absl::StatusOr<BodyPairLists<PairDistance>> AllTrianglesWithin(
    const Scene& scene, double distance, const RunOptions& options);

// Returns the clusters of triangles of different bodies within `distance` of
// each other (pair_clusters.h), the nearest first for each pair of bodies.
ORBOX_EXPORT BodyPairLists<NearCluster> AllClustersWithin(const Scene& scene,
                                                          double distance);
ORBOX_EXPORT absl::StatusOr<BodyPairLists<NearCluster>> AllClustersWithin(
    const Scene& scene, double distance, const RunOptions& options);

// Returns the pairs of bodies whose bounds are within `distance` of each other:
// the candidates of the queries above.
ORBOX_EXPORT std::vector<BodyPair> AllBoundsWithin(const Scene& scene,
                                                   double distance);
ORBOX_EXPORT absl::StatusOr<std::vector<BodyPair>> AllBoundsWithin(
    const Scene& scene, double distance, const RunOptions& options);

// Queries between the bodies and a mesh. AnyWithin stops at the first body
// found.
ORBOX_EXPORT bool AnyWithin(const Scene& scene, const PosedTree& mesh,
                            double distance, const BodyFilter& filter = {});
ORBOX_EXPORT absl::StatusOr<bool> AnyWithin(const Scene& scene,
                                            const PosedTree& mesh,
                                            double distance,
                                            const BodyFilter& filter,
                                            const RunOptions& options);
ORBOX_EXPORT std::vector<BodyGap> AllWithin(const Scene& scene,
                                            const PosedTree& mesh,
                                            double distance,
                                            const BodyFilter& filter = {});
ORBOX_EXPORT absl::StatusOr<std::vector<BodyGap>> AllWithin(
    const Scene& scene, const PosedTree& mesh, double distance,
    const BodyFilter& filter, const RunOptions& options);

// The body's triangle is the first of each pair.
ORBOX_EXPORT BodyLists<PairDistance> AllTrianglesWithin(
    const Scene& scene, const PosedTree& mesh, double distance,
    const BodyFilter& filter = {});
ORBOX_EXPORT absl::StatusOr<BodyLists<PairDistance>> AllTrianglesWithin(
    const Scene& scene, const PosedTree& mesh, double distance,
    const BodyFilter& filter, const RunOptions& options);
ORBOX_EXPORT BodyLists<NearCluster> AllClustersWithin(
    const Scene& scene, const PosedTree& mesh, double distance,
    const BodyFilter& filter = {});
ORBOX_EXPORT absl::StatusOr<BodyLists<NearCluster>> AllClustersWithin(
    const Scene& scene, const PosedTree& mesh, double distance,
    const BodyFilter& filter, const RunOptions& options);

// Batches: the query at each of many poses of a part (scene_overlap.h).
// AnyWithin returns 1 for poses at which a body is within `distance` of the
// part, else 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyWithin(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    double distance, const BodyFilter& filter = {},
    const RunOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<BodyGap>> AllWithin(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    double distance, const BodyFilter& filter = {},
    const RunOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_SCENE_WITHIN_H_
