// SPDX-License-Identifier: Apache-2.0

// Bodies of a scene that overlap each other or a mesh, and their overlapping
// triangles.
//
//   for (const BodyPair& p : AllOverlaps(scene, {.threads = 0})) use(p.a, p.b);
//   BodyPairLists<TrianglePair> triangles = AllOverlappingTriangles(scene);
//
//   bool clash = AnyOverlap(scene, tool);          // tool: a Tree or PosedTree
//   std::vector<BodyId> bodies = AllOverlaps(scene, tool, {.except = body});
//   auto clashes = AnyOverlap(scene, part, poses, {.threads = 0});  // a batch
//   if (!clashes.ok()) return clashes.status();
//
// Exact: the results are those of pair_overlap.h for every two bodies, or for
// the mesh and each body. Only bodies with bounds that overlap are queried.
// Results are in ascending order, and do not depend on the number of threads.
// Bodies are surfaces, not solids: a body entirely inside another one does not
// overlap it. The mesh need not belong to the scene; if it does, `except`
// excludes it.
//
// Options are those of query_options.h and scene_options.h. CountOverlaps,
// AllOverlaps and AllOverlappingTriangles may use many threads and call
// `progress`.
//
// Queries require that the scene is up to date (Scene::Update). Thread-safe.
// Allocate the results and the lists of the queries of two meshes. A query of a
// mesh with more than 64 vertices takes ten microseconds to compute its bounds.
// A batch does this only once.
#ifndef ORBOX_BVH_SCENE_SCENE_OVERLAP_H_
#define ORBOX_BVH_SCENE_SCENE_OVERLAP_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/scene/body_answers.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/scene/scene_options.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// Queries between the bodies. AnyOverlap stops at the first pair found.
ORBOX_EXPORT bool AnyOverlap(const Scene& scene,
                             const QueryOptions& options = {});
ORBOX_EXPORT size_t CountOverlaps(const Scene& scene,
                                  const QueryOptions& options = {});
ORBOX_EXPORT std::vector<BodyPair> AllOverlaps(
    const Scene& scene, const QueryOptions& options = {});
ORBOX_EXPORT void VisitOverlaps(const Scene& scene, BodyPairVisitor visitor,
                                const QueryOptions& options = {});

// Returns all overlapping pairs of triangles of different bodies, ascending for
// each pair of bodies.
ORBOX_EXPORT BodyPairLists<TrianglePair> AllOverlappingTriangles(
    const Scene& scene, const QueryOptions& options = {});

// Queries between a mesh and the bodies. AnyOverlap stops at the first body
// found.
ORBOX_EXPORT bool AnyOverlap(const Scene& scene, const PosedTree& mesh,
                             const SceneOptions& options = {});
ORBOX_EXPORT size_t CountOverlaps(const Scene& scene, const PosedTree& mesh,
                                  const SceneOptions& options = {});
ORBOX_EXPORT std::vector<BodyId> AllOverlaps(const Scene& scene,
                                             const PosedTree& mesh,
                                             const SceneOptions& options = {});
ORBOX_EXPORT void VisitOverlaps(const Scene& scene, const PosedTree& mesh,
                                BodyVisitor visitor,
                                const SceneOptions& options = {});

// Returns all overlapping pairs of triangles. The mesh's triangle is the first
// of each pair.
ORBOX_EXPORT BodyLists<TrianglePair> AllOverlappingTriangles(
    const Scene& scene, const PosedTree& mesh,
    const SceneOptions& options = {});

// Batches: a part at each of many poses, for example along a robot's motion or
// an assembly path. The result of each pose is that of its single query, in
// order. Poses are processed in the given order or along a Morton curve of the
// part's positions, whichever moves the part less. Each pose makes the next
// ones faster: bodies that are farther away than the part has moved are
// skipped, and the body that overlapped last is tested first. Allocates the
// results and 24 bytes per pose. Errors are those of query_options.h, and
// kInvalidArgument for a pose that PosedTree::Create refuses; the message
// contains the index of the first such pose. AnyOverlap returns 1 for poses at
// which a body overlaps the part, else 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyOverlap(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    const SceneOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<size_t>> CountOverlaps(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    const SceneOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<BodyId>> AllOverlaps(
    const Scene& scene, const Tree& part, std::span<const Pose> poses,
    const SceneOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_SCENE_OVERLAP_H_
