// SPDX-License-Identifier: Apache-2.0

// Tests exactly if a triangle has zero area: its corners are on a line, or
// coincide.
//
//   if (HasZeroArea(mesh.triangle(id))) ++degenerate;
//
// Decides like exact arithmetic, for every finite triangle. Takes a few
// nanoseconds if doubles decide, which is nearly always; otherwise about a
// microsecond. Pure and thread-safe.
#ifndef ORBOX_BVH_MESH_INTERNAL_ZERO_AREA_H_
#define ORBOX_BVH_MESH_INTERNAL_ZERO_AREA_H_

#include "orbox/overlap/shapes/shapes.h"

namespace orbox::mesh_internal {

bool HasZeroArea(const Triangle& t);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_ZERO_AREA_H_
