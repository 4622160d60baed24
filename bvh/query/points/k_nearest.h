// SPDX-License-Identifier: Apache-2.0

// The k triangles nearest to a given point.
//
//   std::vector<SurfacePoint> near = KNearest(tree, p, 10);
//   near = KNearest(PosedTree::Create(tree, pose).value(), p, 10);
//   auto lists = KNearest(tree, points, 10, {.threads = 4});  // a batch
//   if (!lists.ok()) return lists.status();
//
// Each triangle is reported once, with its closest point, nearest first; equal
// distances are in the order of ids. There are fewer than k if the mesh, or the
// ball of `max_distance`, contains fewer. If several are as near as the last,
// the lowest ids are reported. There is one exception: a point more than 64
// diagonals of the mesh away, and more than 2^34 diagonals of the mesh or of
// one of its detail trees (tree.h). Many triangles then have one rounded
// distance. Any of these are reported, but the same ones on every machine.
// closest_point.h describes distances, queries that are not valid, forms with
// run options and batches.
//
// Cost: near O(log n + k log k), and about twice as much for a posed tree. Its
// result is exact for its vertices, moved and rounded once. If its pose is not
// a similarity, a tree is built in place once (posed/posed_tree.h). Memory: the
// result and a list of about its size. Thread-safe.
#ifndef ORBOX_BVH_QUERY_POINTS_K_NEAREST_H_
#define ORBOX_BVH_QUERY_POINTS_K_NEAREST_H_

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

ORBOX_EXPORT std::vector<SurfacePoint> KNearest(
    TreeAtPose tree, const Vec3& p, size_t k,
    double max_distance = std::numeric_limits<double>::infinity());
ORBOX_EXPORT absl::StatusOr<std::vector<SurfacePoint>> KNearest(
    TreeAtPose tree, const Vec3& p, size_t k, double max_distance,
    const RunOptions& options);

// A batch.
ORBOX_EXPORT absl::StatusOr<Lists<SurfacePoint>> KNearest(
    TreeAtPose tree, std::span<const Vec3> points, size_t k,
    double max_distance, const RunOptions& options = {});

// Without a limit of the distance.
inline absl::StatusOr<std::vector<SurfacePoint>> KNearest(
    TreeAtPose tree, const Vec3& p, size_t k, const RunOptions& options) {
  return KNearest(tree, p, k, std::numeric_limits<double>::infinity(), options);
}
inline absl::StatusOr<Lists<SurfacePoint>> KNearest(
    TreeAtPose tree, std::span<const Vec3> points, size_t k,
    const RunOptions& options = {}) {
  return KNearest(tree, points, k, std::numeric_limits<double>::infinity(),
                  options);
}

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_POINTS_K_NEAREST_H_
