// SPDX-License-Identifier: Apache-2.0

// A point of each component of each chunk of a mesh. Private.
//
//   absl::StatusOr<ComponentPoints> points =
//       PointsWithin(box, mesh, 0, mesh.tree().table().size());
//   if (!points.ok()) return points.status();
//   for (const Vec3& p : points->within) ...
#ifndef ORBOX_BVH_LARGE_INTERNAL_COMPONENT_POINTS_H_
#define ORBOX_BVH_LARGE_INTERNAL_COMPONENT_POINTS_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunk_tasks.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct ComponentPoints {
  std::vector<Vec3> within;    // those in the box
  bool any_elsewhere = false;  // true if there are others
};

// Returns the points of chunks [begin, end). Loads those whose boxes overlap
// `box`. May throw std::bad_alloc, and QueryCancelled.
ORBOX_EXPORT absl::StatusOr<ComponentPoints> PointsWithin(
    const Aabb& box, const PosedChunkedTree& mesh, size_t begin, size_t end,
    const Watch& watch);

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_COMPONENT_POINTS_H_
