// SPDX-License-Identifier: Apache-2.0

// Finds the point of a mesh that is closest to a given point, and its distance.
//
//   std::optional<SurfacePoint> near = ClosestPoint(tree, p);
//   near = ClosestPoint(PosedTree::Create(tree, pose).value(), p);
//   if (near) use(near->triangle, near->distance, near->point);
//   near = ClosestPoint(tree, p, {.max_distance = 0.5});
//   auto all = ClosestPoint(tree, points, {.threads = 4});  // a batch
//   if (!all.ok()) return all.status();
//
// The distance is exact and correctly rounded
// (overlap/triangles/triangle_distance.h). The triangle with the lowest id is
// reported where several are at the same distance; for a point more than 64
// diagonals away, any one of them, the same on every machine. Nothing is found
// where no triangle is within `max_distance`, which is decided exactly:
// distances of triangles beyond it may round to it. A point that is not finite
// is not valid. The answer of a posed tree is exact for its vertices moved and
// rounded once.
//
// A batch has the answers of its single questions, each at its own place, and
// has several of them under way at a time, so that none waits for memory. Its
// errors are those of query_options.h, and kInvalidArgument for more than
// 2^32 - 1 points. `progress` is called by batches alone.
//
// Cost: near O(log n) where few triangles are about as near as the closest;
// O(n) where most are, as from the centre of a sphere; it does not depend on
// the distance. A posed tree takes about twice as long, and one whose pose is
// not a similarity has a tree built in place once (posed/posed_tree.h). A
// single question of a tree allocates nothing, except from afar a list of nodes
// to visit; a batch its results and 20 bytes a point. Thread-safe.
#ifndef ORBOX_BVH_QUERY_CLOSEST_POINT_H_
#define ORBOX_BVH_QUERY_CLOSEST_POINT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// A point of a mesh's surface, found from elsewhere.
struct SurfacePoint {
  uint32_t triangle = 0;
  double distance = 0;
  Vec3 point;
};

ORBOX_EXPORT std::optional<SurfacePoint> ClosestPoint(
    const Tree& tree, const Vec3& p, const QueryOptions& options = {});
ORBOX_EXPORT std::optional<SurfacePoint> ClosestPoint(
    const PosedTree& tree, const Vec3& p, const QueryOptions& options = {});

ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<SurfacePoint>>>
ClosestPoint(const Tree& tree, std::span<const Vec3> points,
             const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<SurfacePoint>>>
ClosestPoint(const PosedTree& tree, std::span<const Vec3> points,
             const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_CLOSEST_POINT_H_
