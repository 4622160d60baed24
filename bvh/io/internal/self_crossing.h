// SPDX-License-Identifier: Apache-2.0

// Tests if a polygon crosses itself.
#ifndef ORBOX_BVH_IO_INTERNAL_SELF_CROSSING_H_
#define ORBOX_BVH_IO_INTERNAL_SELF_CROSSING_H_

#include <span>

#include "orbox/bvh/io/internal/ear_clipping.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::mesh_internal {

// Returns true if two sides cross: they have exactly one common point, in the
// interior of both. O(n log n), unless the polygon touches itself and has many
// long sides that are above each other.
bool CrossesItself(std::span<const Vec3> points, const PolygonPlane& plane);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_SELF_CROSSING_H_
