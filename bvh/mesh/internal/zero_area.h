// Does a triangle have no area, exactly? That is: do its corners lie on a line,
// or coincide?
//
//   if (HasZeroArea(mesh.triangle(id))) ++degenerate;
//
// The answer is the one that exact arithmetic gives, for every finite triangle.
// A few nanoseconds where double decides, which is nearly always; about a
// microsecond where it does not. Pure and thread-safe.
#ifndef ORBOX_BVH_MESH_INTERNAL_ZERO_AREA_H_
#define ORBOX_BVH_MESH_INTERNAL_ZERO_AREA_H_

#include "orbox/overlap/shapes/shapes.h"

namespace orbox::mesh_internal {

bool HasZeroArea(const Triangle& t);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_ZERO_AREA_H_
