// SPDX-License-Identifier: Apache-2.0

// Which bodies of a scene overlap a region (a ball, a box, an oriented box, or
// a convex set of half-spaces), and which of their triangles do?
//
//   std::vector<BodyId> bodies = AllOverlaps(scene, Sphere{p, 0.1});
//   std::vector<BodyTriangle> all = AllOverlappingTriangles(scene, box);
//   bool any = AnyOverlap(scene, ball, {.except = body});
//   auto lists = AllOverlaps(scene, balls, {.threads = 4});  // a batch
//   if (!lists.ok()) return lists.status();
//
// Exact for the moved vertices, as region_overlap.h is for those of one tree,
// with the same rules for regions that are not valid (region.h). A batch has
// the answers of its single questions, each at its own place; its errors are
// those of region_overlap.h. Options are those of scene_options.h: single
// questions run in one thread; `progress` is called by batches alone.
//
// A body without a pose costs a query of its tree. A moved body costs a ball a
// query of two trees, and other regions a query of its tree with half-spaces
// that are a little larger, and an exact test of each triangle that these find.
// Half-spaces alone are tested against the bounds of all bodies.
//
// Require that the scene is up to date (Scene::Update). Thread-safe. Allocate
// the results, half-spaces and small meshes.
#ifndef ORBOX_BVH_SCENE_SCENE_REGION_OVERLAP_H_
#define ORBOX_BVH_SCENE_SCENE_REGION_OVERLAP_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/region.h"
#include "orbox/bvh/scene/body_answers.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/scene/scene_options.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Bodies, ascending. AnyOverlap stops at the first triangle found.
ORBOX_EXPORT bool AnyOverlap(const Scene& scene, const Region& region,
                             const SceneOptions& options = {});
ORBOX_EXPORT size_t CountOverlaps(const Scene& scene, const Region& region,
                                  const SceneOptions& options = {});
ORBOX_EXPORT std::vector<BodyId> AllOverlaps(const Scene& scene,
                                             const Region& region,
                                             const SceneOptions& options = {});
ORBOX_EXPORT void VisitOverlaps(const Scene& scene, const Region& region,
                                BodyVisitor visitor,
                                const SceneOptions& options = {});

// Triangles, ascending by (body, triangle).
ORBOX_EXPORT std::vector<BodyTriangle> AllOverlappingTriangles(
    const Scene& scene, const Region& region, const SceneOptions& options = {});
ORBOX_EXPORT void VisitOverlappingTriangles(const Scene& scene,
                                            const Region& region,
                                            BodyTriangleVisitor visitor,
                                            const SceneOptions& options = {});

// Batches. AnyOverlap gives 1 where a body overlaps the region, else 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyOverlap(
    const Scene& scene, const Regions& regions,
    const SceneOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<size_t>> CountOverlaps(
    const Scene& scene, const Regions& regions,
    const SceneOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<BodyId>> AllOverlaps(
    const Scene& scene, const Regions& regions,
    const SceneOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<BodyTriangle>> AllOverlappingTriangles(
    const Scene& scene, const Regions& regions,
    const SceneOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_SCENE_REGION_OVERLAP_H_
