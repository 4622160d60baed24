// SPDX-License-Identifier: Apache-2.0

// Enclosure of the exact distance of a mesh by two doubles.
//
//   std::optional<SurfacePoint> hit = ClosestPoint(tree, p);
//   DistanceInterval d = BoundsOfDistance(tree, p, *hit);
//
//   Witness gap = *ClosestPair(a, b);
//   DistanceInterval e = BoundsOfDistance(a, b, gap);
//
// Returns the largest double that does not exceed the distance and the smallest
// double that is not below it, as overlap/triangles/distance_bounds.h does for
// triangles. If the distance is a double, both are equal; otherwise they are
// neighbours. The bounds are those of the whole mesh, not of the triangle that
// the query reported: if several distances round to one double, another
// triangle may be a little closer. So the bounds depend only on the shapes.
// Costs another query, with the distance as its limit, and exact arithmetic if
// the distance is a double. Each query has a form with run options
// (query_options.h), and runs in one thread. Thread-safe.
#ifndef ORBOX_BVH_QUERY_PAIRS_MESH_DISTANCE_BOUNDS_H_
#define ORBOX_BVH_QUERY_PAIRS_MESH_DISTANCE_BOUNDS_H_

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/triangles/distance_bounds.h"

namespace orbox {

// Requires that `closest` is the result of ClosestPoint for this point. A
// negative distance, of a SignedDistanceField, has negative bounds.
ORBOX_EXPORT DistanceInterval BoundsOfDistance(TreeAtPose tree, const Vec3& p,
                                               const SurfacePoint& closest);
ORBOX_EXPORT absl::StatusOr<DistanceInterval> BoundsOfDistance(
    TreeAtPose tree, const Vec3& p, const SurfacePoint& closest,
    const RunOptions& options);

// Requires that `closest` is the result of ClosestPair for these meshes.
ORBOX_EXPORT DistanceInterval BoundsOfDistance(const PosedTree& a,
                                               const PosedTree& b,
                                               const Witness& closest);
ORBOX_EXPORT absl::StatusOr<DistanceInterval> BoundsOfDistance(
    const PosedTree& a, const PosedTree& b, const Witness& closest,
    const RunOptions& options);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_PAIRS_MESH_DISTANCE_BOUNDS_H_
