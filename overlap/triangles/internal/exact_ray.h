// SPDX-License-Identifier: Apache-2.0

// The last stage of ray_triangle.h: its functions, decided by the ladder.
// Private.
//
// Correct for every finite input. Results are the exact values, rounded once to
// nearest. If `used` is given, raises *used to the stage that decided. Costs
// one or two microseconds, and tens of microseconds in integers.
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

// Requires that the ray, without a limit of its length, hits both triangles.
int CompareHits(const Ray& ray, const Triangle& s, const Triangle& t);

// Requires that the ray, without limits of its length, hits the triangle.
int CompareHit(const Ray& ray, const Triangle& triangle, double t);

int CrossingSign(const Ray& ray, const Triangle& triangle);

}  // namespace orbox::exact

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_RAY_H_
