// SPDX-License-Identifier: Apache-2.0

// Bodies of a scene that overlap each other or a mesh, and their overlapping
// triangles.
//
//   for (const BodyPair& p : AllOverlaps(scene)) use(p.a, p.b);
//   absl::StatusOr<std::vector<BodyPair>> pairs = AllOverlaps(scene, options);
//   BodyPairLists<TrianglePair> triangles = AllOverlappingTriangles(scene);
//
//   bool clash = AnyOverlap(scene, tool);          // tool: a Tree or PosedTree
//   std::vector<BodyId> bodies = AllOverlaps(scene, tool, {.except = body});
//   auto clashes = AnyOverlap(scene, part, poses, {}, {.threads = 0});
//   if (!clashes.ok()) return clashes.status();              // a batch
//
// Exact: the results are those of pair_overlap.h for every two bodies, or for
// each body and the mesh. Only bodies with bounds that overlap are queried.
// Results are in ascending order, and do not depend on the number of threads.
// Bodies are surfaces, not solids: a body entirely inside another one does not
// overlap it. The mesh need not belong to the scene; if it does, `except`
// excludes it (body_filter.h).
//
// Each query has a form with run options (query_options.h). Queries require
// that the scene is up to date (Scene::Update). If it is not, the plain form
// ends the program with a message, and the other form returns
// kFailedPrecondition. AllOverlaps and AllOverlappingTriangles may use many
// threads. Thread-safe. Allocate the results and the lists of the queries of
// two meshes. A query of a mesh with more than 64 vertices takes ten
// microseconds to compute its bounds. A batch does this only once.
#ifndef ORBOX_BVH_SCENE_SCENE_OVERLAP_H_
#define ORBOX_BVH_SCENE_SCENE_OVERLAP_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/scene/body_answers.h"
#include "orbox/bvh/scene/body_filter.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// Queries between the bodies. AnyOverlap stops at the first pair found.
ORBOX_EXPORT bool AnyOverlap(const Scene& scene);
ORBOX_EXPORT absl::StatusOr<bool> AnyOverlap(const Scene& scene,
                                             const RunOptions& options);
ORBOX_EXPORT std::vector<BodyPair> AllOverlaps(const Scene& scene);
ORBOX_EXPORT absl::StatusOr<std::vector<BodyPair>> AllOverlaps(
    const Scene& scene, const RunOptions& options);

// Returns all overlapping pairs of triangles of different bodies, ascending for
// each pair of bodies.
ORBOX_EXPORT BodyPairLists<TrianglePair> AllOverlappingTriangles(
    const Scene& scene);
ORBOX_EXPORT absl::StatusOr<BodyPairLists<TrianglePair>>
AllOverlappingTriangles(const Scene& scene, const RunOptions& options);

// Queries between the bodies and a mesh. AnyOverlap stops at the first body
// found.
ORBOX_EXPORT bool AnyOverlap(const Scene& scene, const PosedTree& mesh,
                             const BodyFilter& filter = {});
ORBOX_EXPORT absl::StatusOr<bool> AnyOverlap(const Scene& scene,
                                             const PosedTree& mesh,
                                             const BodyFilter& filter,
                                             const RunOptions& options);
ORBOX_EXPORT std::vector<BodyId> AllOverlaps(const Scene& scene,
                                             const PosedTree& mesh,
                                             const BodyFilter& filter = {});
ORBOX_EXPORT absl::StatusOr<std::vector<BodyId>> AllOverlaps(
    const Scene& scene, const PosedTree& mesh, const BodyFilter& filter,
    const RunOptions& options);

// Returns all overlapping pairs of triangles. The body's triangle is the first
// of each pair.
ORBOX_EXPORT BodyLists<TrianglePair> AllOverlappingTriangles(
    const Scene& scene, const PosedTree& mesh, const BodyFilter& filter = {});
ORBOX_EXPORT absl::StatusOr<BodyLists<TrianglePair>> AllOverlappingTriangles(
    const Scene& scene, const PosedTree& mesh, const BodyFilter& filter,
    const RunOptions& options);

// Batches: a part at each of many poses, for example along a robot's motion or
// an assembly path. The result of each pose is that of its single query, in
// order. Poses are processed in the given order or along a Morton curve of the
// part's positions, whichever moves the part less. Each pose makes the next
// ones faster: bodies that are farther away than the part has moved are
// skipped, and the body that overlapped last is tested first. Allocates the
// results and 24 bytes per pose. A pose that PosedTree::Create refuses is not
// valid; the message contains the index of the first such pose. AnyOverlap
// returns 1 for poses at which a body overlaps the part, else 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyOverlap(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    const BodyFilter& filter = {}, const RunOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<BodyId>> AllOverlaps(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    const BodyFilter& filter = {}, const RunOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_SCENE_OVERLAP_H_
