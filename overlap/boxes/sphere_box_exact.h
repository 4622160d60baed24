// SPDX-License-Identifier: Apache-2.0

// Overlap of a sphere and a box, decided as by exact arithmetic on the given
// doubles.
//
//   if (Overlaps(ball, box)) ...   // Aabb or Obb; distance <= radius
//
// Shapes are closed sets: touching is overlapping. Every valid sphere and box
// of any magnitude is legal, also with radius zero, extents zero or denormals.
// Pure and thread-safe. Costs a few nanoseconds if double with a derived error
// bound decides, and microseconds if exact arithmetic is needed. If `counts` is
// not null, adds one for the arithmetic that decided. The tests of
// sphere_aabb.h and sphere_obb.h compute the same relation up to rounding, a
// little faster.
#ifndef ORBOX_OVERLAP_BOXES_SPHERE_BOX_EXACT_H_
#define ORBOX_OVERLAP_BOXES_SPHERE_BOX_EXACT_H_

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

ORBOX_EXPORT bool Overlaps(const Sphere& s, const Aabb& b,
                           ArithmeticCounts* counts = nullptr);

// The box is the intersection of its three slabs, exactly as given. If its axes
// are not quite orthonormal because of rounding, the box is the slightly skewed
// solid between the slabs' planes.
ORBOX_EXPORT bool Overlaps(const Sphere& s, const Obb& b,
                           ArithmeticCounts* counts = nullptr);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BOXES_SPHERE_BOX_EXACT_H_
