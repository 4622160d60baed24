// SPDX-License-Identifier: Apache-2.0

// Tests whether points are inside a closed mesh.
//
//   bool inside = IsInside(tree, p);
//   bool moved = IsInside(PosedTree::Create(tree, pose).value(), p);
//   auto all = IsInside(tree, points, {.threads = 4});  // a batch
//   if (!all.ok()) return all.status();
//   if ((*all)[7] != 0) use(points[7]);
//
// A point is inside if the winding number of the mesh about it is not 0. So
// overlapping shells count as their union, and duplicate faces count once. A
// cavity has to face the opposite way to its shell. The result does not
// depend on the direction in which the whole mesh faces. If the faces of a
// closed mesh do not agree (inside_rule.h), or `rule` is kParity, a point is
// inside if a ray from it crosses the surface an odd number of times. Points of
// the surface are not inside. A point that is not finite is not valid.
//
// For a posed tree, the result is exact for its vertices, moved and rounded
// once.
//
// Requires a closed mesh: each edge has an even number of triangles. For a mesh
// with holes, the result is the parity along the x axis, which depends on where
// the holes are; use winding_number.h there.
//
// Each query has a form with run options (query_options.h). A batch has the
// results of its single queries, in order. Its errors are those of
// query_options.h, and kInvalidArgument for more than 2^32 - 1 points.
//
// Cost: near O(sqrt n), the number of triangles along a line. A posed tree
// takes a few times as long. A batch of n / 4 points or more decides
// neighbouring points together, in a quarter to two thirds of the time.
// Statistics count the tests that the batch made. A single query allocates
// nothing; a batch allocates its results and 20 bytes per point. The first
// large batch, and the first point with an even winding number other than 0,
// also take the time of IsClosed (mesh.h). Thread-safe.
#ifndef ORBOX_BVH_QUERY_INSIDE_INSIDE_H_
#define ORBOX_BVH_QUERY_INSIDE_INSIDE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

ORBOX_EXPORT bool IsInside(TreeAtPose tree, const Vec3& p,
                           InsideRule rule = InsideRule::kWinding);
ORBOX_EXPORT absl::StatusOr<bool> IsInside(TreeAtPose tree, const Vec3& p,
                                           InsideRule rule,
                                           const RunOptions& options);

// A batch. Each result is 1 if the point is inside, else 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> IsInside(
    TreeAtPose tree, std::span<const Vec3> points, InsideRule rule,
    const RunOptions& options = {});

// By winding numbers.
inline absl::StatusOr<bool> IsInside(TreeAtPose tree, const Vec3& p,
                                     const RunOptions& options) {
  return IsInside(tree, p, InsideRule::kWinding, options);
}
inline absl::StatusOr<std::vector<uint8_t>> IsInside(
    TreeAtPose tree, std::span<const Vec3> points,
    const RunOptions& options = {}) {
  return IsInside(tree, points, InsideRule::kWinding, options);
}

// Returns the winding number of a closed mesh about a point: 1 inside one shell
// that faces outward, -1 inside one that faces inward, and the sum if shells
// overlap. Returns nothing for points of the surface, and for meshes whose
// faces do not agree. The first call takes O(n log n), as DoFacesAgree does.
// For open meshes, whose winding numbers are fractions, use WindingNumberField
// (winding_number.h).
ORBOX_EXPORT std::optional<int> WindingNumber(TreeAtPose tree, const Vec3& p);
ORBOX_EXPORT absl::StatusOr<std::optional<int>> WindingNumber(
    TreeAtPose tree, const Vec3& p, const RunOptions& options);
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<int>>> WindingNumber(
    TreeAtPose tree, std::span<const Vec3> points,
    const RunOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INSIDE_H_
