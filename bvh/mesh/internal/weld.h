// SPDX-License-Identifier: Apache-2.0

// Finds equal points: points with equal coordinates, where 0 and -0 are equal.
//
//   Welded welded = Weld(points);
//   // points[i] equals points[welded.first[welded.id[i]]]
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

// Requires fewer than 2^32 - 1 points, without NaN. Polls the workers.
ORBOX_EXPORT Welded Weld(std::span<const Vec3> points,
                         const Workers& workers = Workers(1));

// Returns the result of Weld, computed by sorting. Serves as the reference in
// tests, and as the fallback for a bad hash.
Welded WeldBySorting(std::span<const Vec3> points);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_WELD_H_
