// SPDX-License-Identifier: Apache-2.0

// Does a sphere overlap a box? Decides as exact arithmetic on the given
// doubles.
//
//   if (Overlaps(ball, box)) ...   // Aabb or Obb; distance <= radius
//
// Closed sets: touching is overlapping. Every valid sphere and box is legal,
// whatever its magnitude: zero radius, zero extents, denormals. Pure and
// thread-safe. Costs a few nanoseconds if double with a derived error bound
// decides, and microseconds if exact arithmetic has to. Adds to `counts`, if
// given, which of them decided. The tests of sphere_aabb.h and sphere_obb.h
// decide the same question up to rounding, a little faster.
#ifndef ORBOX_OVERLAP_BOXES_SPHERE_BOX_EXACT_H_
#define ORBOX_OVERLAP_BOXES_SPHERE_BOX_EXACT_H_

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

ORBOX_EXPORT bool Overlaps(const Sphere& s, const Aabb& b,
                           ArithmeticCounts* counts = nullptr);

// The box is the intersection of its three slabs, exactly as given: if rounding
// has left its axes not quite orthonormal, it is the slightly skewed solid that
// they bound.
ORBOX_EXPORT bool Overlaps(const Sphere& s, const Obb& b,
                           ArithmeticCounts* counts = nullptr);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BOXES_SPHERE_BOX_EXACT_H_
