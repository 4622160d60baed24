// SPDX-License-Identifier: Apache-2.0

// The last stage of ray_triangle.h: its functions, by the ladder. Private.
//
// Right on every finite input. Results are the exact values rounded once, to
// nearest. *used, if given, is raised to the stage that decided. Costs a
// microsecond or two, and tens of them in integers.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_RAY_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_RAY_H_

#include <optional>

#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/ray_triangle.h"

namespace orbox::exact {

// Requires a finite ray whose direction is not zero, and 0 <= max_t < infinity.
std::optional<RayTriangleHit> Intersect(const Ray& ray,
                                        const Triangle& triangle, double max_t,
                                        Arithmetic* used);

// Requires that the ray, of any length, hits both triangles.
int CompareHits(const Ray& ray, const Triangle& s, const Triangle& t);

}  // namespace orbox::exact

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_RAY_H_
