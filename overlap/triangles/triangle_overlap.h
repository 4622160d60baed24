// SPDX-License-Identifier: Apache-2.0

// Does a triangle meet another shape? The answer is the one that exact
// arithmetic on the given doubles gives.
//
//   if (Overlaps(a, b)) ...                  // two closed triangles meet
//   if (Overlaps(ball, triangle)) ...        // distance <= radius
//
// Closed sets: touching is overlapping. Degenerate triangles (segments, points)
// are what they are. Every finite input is legal, whatever its magnitude; a
// ball of NaN meets nothing. The functions are pure and thread-safe; they cost
// tens to hundreds of nanoseconds where double decides, microseconds where
// exact arithmetic has to. `counts`, when given, learns which of them decided.
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

// Whether the distance of the two triangles, or of a finite point and a
// triangle, is at most `distance` (not negative; infinity is legal and always
// answers yes).
ORBOX_EXPORT bool WithinDistance(const Triangle& s, const Triangle& t,
                                 double distance,
                                 ArithmeticCounts* counts = nullptr);
ORBOX_EXPORT bool WithinDistance(const Vec3& p, const Triangle& t,
                                 double distance,
                                 ArithmeticCounts* counts = nullptr);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_TRIANGLE_OVERLAP_H_
