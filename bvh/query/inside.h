// SPDX-License-Identifier: Apache-2.0

// Is a point inside a closed mesh?
//
//   bool inside = IsInside(tree, p);
//   auto all = IsInside(tree, points, {.threads = 4});  // a batch
//   if (!all.ok()) return all.status();
//   if ((*all)[7] != 0) use(points[7]);
//
// Inside is where a ray to infinity crosses the surface an odd number of times.
// The count is exact. Points of the surface are not inside; points that are not
// finite are not valid. It does not matter which way the triangles face.
//
// Requires a closed mesh: each edge has as many triangles that go one way as
// the other. SignedDistanceField::Create (signed_distance.h) checks that. Where
// a mesh has holes, the answer is the parity along the x axis, which depends on
// where the holes are; use winding_number.h there.
//
// A batch has the answers of its single questions, each at its own place. Its
// errors are those of query_options.h, and kInvalidArgument for more than
// 2^32 - 1 points. `max_distance` has no effect as long as it is valid.
// `progress` is called by batches alone.
//
// Cost: near O(sqrt n): the triangles along a line. In a batch of n / 4 points
// or more, points tell of their neighbours, which takes a quarter to two thirds
// of the time; statistics count what the batch did. A single question allocates
// nothing, a batch its results, 20 bytes a point, and once what IsClosed takes
// (mesh.h). Thread-safe.
#ifndef ORBOX_BVH_QUERY_INSIDE_H_
#define ORBOX_BVH_QUERY_INSIDE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

ORBOX_EXPORT bool IsInside(const Tree& tree, const Vec3& p,
                           const QueryOptions& options = {});

// 1 where the point is inside, else 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> IsInside(
    const Tree& tree, std::span<const Vec3> points,
    const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_H_
