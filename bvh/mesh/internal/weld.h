// SPDX-License-Identifier: Apache-2.0

// Finds points that are equal, where 0 and -0 are equal, or close to each
// other.
//
//   Welded welded = Weld(points);
//   // points[i] equals points[welded.first[welded.id[i]]]
//   Welded near = Weld(points, workers, 0.01);
//   // points[i] is at most 0.01 from points[near.first[near.id[i]]]
//
// Deterministic: ids number the distinct points in the order of their first
// occurrences. Expected O(n). O(n log n) for input that is constructed to
// defeat the hash.
#ifndef ORBOX_BVH_MESH_INTERNAL_WELD_H_
#define ORBOX_BVH_MESH_INTERNAL_WELD_H_

#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::mesh_internal {

struct Welded {
  std::vector<uint32_t> id;     // the id of each point: its position in `first`
  std::vector<uint32_t> first;  // the first point with each id
};

// Requires fewer than 2^32 - 1 points, without NaN, and a distance of at least
// 0. A distance above 0 requires vertices of a mesh (shapes/range.h). Polls the
// workers.
ORBOX_EXPORT Welded Weld(std::span<const Vec3> points,
                         const Workers& workers = Workers(1),
                         double distance = 0);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_WELD_H_
