// SPDX-License-Identifier: Apache-2.0

// Finds the point of a mesh that is closest to a given point, and its distance.
//
//   std::optional<SurfacePoint> near = ClosestPoint(tree, p);
//   near = ClosestPoint(PosedTree::Create(tree, pose).value(), p);
//   if (near) use(near->triangle, near->distance, near->point);
//   near = ClosestPoint(tree, p, /*max_distance=*/0.5);
//   auto all = ClosestPoint(tree, points, {.threads = 4});  // a batch
//   if (!all.ok()) return all.status();
//
// The distance is exact and correctly rounded
// (overlap/triangles/triangle_distance.h). Among triangles at equal distances,
// the one with the lowest id is reported. For a point more than 64 diagonals
// away, any one of them is reported, but the same one on every machine. Returns
// nothing if no triangle is within `max_distance`. This is decided exactly: a
// distance above max_distance that rounds to it is too far. A point that is not
// finite is not valid. The result for a posed tree is exact for its vertices,
// moved and rounded once.
//
// Each query has a form with run options (query_options.h). A batch has the
// results of its single queries, in order. It runs several queries at a time,
// so that they need not wait for memory. Its errors are those of
// query_options.h, and kInvalidArgument for more than 2^32 - 1 points.
//
// Costs near O(log n) if few triangles are about as near as the closest. Costs
// O(n) if most of them are, as for the centre of a sphere. The cost does not
// depend on the distance. A posed tree takes about twice as long. If its pose
// is not a similarity, a tree is built in place once (posed/posed_tree.h). A
// single query of a tree allocates nothing, except that from far away it
// allocates a list of the nodes still to visit. A batch allocates its results
// and 20 bytes per point. Thread-safe.
#ifndef ORBOX_BVH_QUERY_POINTS_CLOSEST_POINT_H_
#define ORBOX_BVH_QUERY_POINTS_CLOSEST_POINT_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// A point of a mesh's surface, and its distance from the point of a query. `Id`
// is the type of triangles' ids.
template <typename Id>
struct BasicSurfacePoint {
  Id triangle = 0;
  double distance = 0;
  Vec3 point;
};
using SurfacePoint = BasicSurfacePoint<uint32_t>;

// max_distance must not be negative or NaN.
ORBOX_EXPORT std::optional<SurfacePoint> ClosestPoint(
    TreeAtPose tree, const Vec3& p,
    double max_distance = std::numeric_limits<double>::infinity());
ORBOX_EXPORT absl::StatusOr<std::optional<SurfacePoint>> ClosestPoint(
    TreeAtPose tree, const Vec3& p, double max_distance,
    const RunOptions& options);

// A batch.
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<SurfacePoint>>>
ClosestPoint(TreeAtPose tree, std::span<const Vec3> points, double max_distance,
             const RunOptions& options = {});

// Without a limit of the distance.
inline absl::StatusOr<std::optional<SurfacePoint>> ClosestPoint(
    TreeAtPose tree, const Vec3& p, const RunOptions& options) {
  return ClosestPoint(tree, p, std::numeric_limits<double>::infinity(),
                      options);
}
inline absl::StatusOr<std::vector<std::optional<SurfacePoint>>> ClosestPoint(
    TreeAtPose tree, std::span<const Vec3> points,
    const RunOptions& options = {}) {
  return ClosestPoint(tree, points, std::numeric_limits<double>::infinity(),
                      options);
}

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_POINTS_CLOSEST_POINT_H_
