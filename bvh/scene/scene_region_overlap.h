// SPDX-License-Identifier: Apache-2.0

// Bodies of a scene, and their triangles, that overlap a region: a ball, a box,
// an oriented box, or a convex set of half-spaces.
//
//   std::vector<BodyId> bodies = AllOverlaps(scene, Sphere{p, 0.1});
//   std::vector<BodyTriangle> all = AllOverlappingTriangles(scene, box);
//   bool any = AnyOverlap(scene, ball, {.except = body});
//   auto lists = AllOverlaps(scene, balls, {}, {.threads = 4});  // a batch
//   if (!lists.ok()) return lists.status();
//
// Results are exact for the moved vertices. region.h defines valid regions. A
// batch has the results of its single queries, in order. Its errors are those
// of region_overlap.h. Each query has a form with run options
// (query_options.h). Single queries run in one thread.
//
// A body costs a query of its tree, with and without a pose. A set of
// half-spaces is tested against the bounds of all bodies, because it has no
// finite box.
//
// Queries require that the scene is up to date (scene_overlap.h). Thread-safe.
// Allocate the results and half-spaces.
#ifndef ORBOX_BVH_SCENE_SCENE_REGION_OVERLAP_H_
#define ORBOX_BVH_SCENE_SCENE_REGION_OVERLAP_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/region.h"
#include "orbox/bvh/scene/body_answers.h"
#include "orbox/bvh/scene/body_filter.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Queries that return bodies, ascending. AnyOverlap stops at the first triangle
// found.
ORBOX_EXPORT bool AnyOverlap(const Scene& scene, const Region& region,
                             const BodyFilter& filter = {});
ORBOX_EXPORT absl::StatusOr<bool> AnyOverlap(const Scene& scene,
                                             const Region& region,
                                             const BodyFilter& filter,
                                             const RunOptions& options);
ORBOX_EXPORT std::vector<BodyId> AllOverlaps(const Scene& scene,
                                             const Region& region,
                                             const BodyFilter& filter = {});
ORBOX_EXPORT absl::StatusOr<std::vector<BodyId>> AllOverlaps(
    const Scene& scene, const Region& region, const BodyFilter& filter,
    const RunOptions& options);

// Returns triangles, ascending by (body, triangle).
ORBOX_EXPORT std::vector<BodyTriangle> AllOverlappingTriangles(
    const Scene& scene, const Region& region, const BodyFilter& filter = {});
ORBOX_EXPORT absl::StatusOr<std::vector<BodyTriangle>> AllOverlappingTriangles(
    const Scene& scene, const Region& region, const BodyFilter& filter,
    const RunOptions& options);

// Batches. AnyOverlap returns 1 for regions that a body overlaps, else 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyOverlap(
    const Scene& scene, const Regions& regions, const BodyFilter& filter = {},
    const RunOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<BodyId>> AllOverlaps(
    const Scene& scene, const Regions& regions, const BodyFilter& filter = {},
    const RunOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<BodyTriangle>> AllOverlappingTriangles(
    const Scene& scene, const Regions& regions, const BodyFilter& filter = {},
    const RunOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_SCENE_REGION_OVERLAP_H_
