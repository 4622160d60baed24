// SPDX-License-Identifier: Apache-2.0

// Overlap of a triangle with another shape. The result is that of exact
// arithmetic on the given doubles.
//
//   if (Overlaps(a, b)) ...                  // two closed triangles overlap
//   if (Overlaps(ball, triangle)) ...        // distance <= radius
//
// Shapes are closed sets: touching is overlapping. A degenerate triangle counts
// as a segment or a point. Every finite input is legal, whatever its magnitude.
// A ball with NaN overlaps nothing. The functions are pure and thread-safe.
// They cost tens to hundreds of nanoseconds if double decides, and microseconds
// if exact arithmetic is needed. If `counts` is given, they add one for the
// arithmetic that decided.
#ifndef ORBOX_OVERLAP_TRIANGLES_TRIANGLE_OVERLAP_H_
#define ORBOX_OVERLAP_TRIANGLES_TRIANGLE_OVERLAP_H_

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

ORBOX_EXPORT bool Overlaps(const Triangle& s, const Triangle& t,
                           ArithmeticCounts* counts = nullptr);

ORBOX_EXPORT bool Overlaps(const Sphere& ball, const Triangle& t,
                           ArithmeticCounts* counts = nullptr);

ORBOX_EXPORT bool Overlaps(const Aabb& box, const Triangle& t,
                           ArithmeticCounts* counts = nullptr);

// The box is the intersection of its three slabs, exactly as given.
ORBOX_EXPORT bool Overlaps(const Obb& box, const Triangle& t,
                           ArithmeticCounts* counts = nullptr);

// Returns true if the distance between the two triangles, or between a finite
// point and a triangle, is at most `distance` (not negative; infinity is legal
// and gives true).
ORBOX_EXPORT bool WithinDistance(const Triangle& s, const Triangle& t,
                                 double distance,
                                 ArithmeticCounts* counts = nullptr);
ORBOX_EXPORT bool WithinDistance(const Vec3& p, const Triangle& t,
                                 double distance,
                                 ArithmeticCounts* counts = nullptr);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_TRIANGLE_OVERLAP_H_
