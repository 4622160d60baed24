// SPDX-License-Identifier: Apache-2.0

// Overlap of a triangle and a convex set, given by the half-spaces that bound
// it: a view frustum, a wedge, a section, any polyhedron.
//
//   std::vector<HalfSpace> set = {{{0, 0, 1}, 5}, {{0, 0, -1}, -3}};
//   if (Overlaps(set, triangle)) ...      // 3 <= z <= 5
//
// The result is that of exact arithmetic on the given doubles. A half-space is
// defined by its normal and offset; the normal may have any length. Touching is
// overlapping. The set may be unbounded, flat, a point or empty, and
// half-spaces may be redundant. Without half-spaces, the set is all of space. A
// degenerate triangle counts as a segment or a point. Pure and thread-safe.
// Costs tens of nanoseconds per half-space if a single half-space decides or a
// vertex is in the set. Costs half a microsecond or more if the triangle must
// be clipped, and tens of microseconds if clipping needs exact arithmetic.
#ifndef ORBOX_OVERLAP_TRIANGLES_HALF_SPACES_H_
#define ORBOX_OVERLAP_TRIANGLES_HALF_SPACES_H_

#include <span>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// The points p with Dot(normal, p) <= offset; both finite. A normal of zero is
// legal: the half-space then contains all points or none, depending on the sign
// of the offset.
struct HalfSpace {
  Vec3 normal;
  double offset = 0;
};

// The points that all half-spaces contain.
using HalfSpaces = std::span<const HalfSpace>;

ORBOX_EXPORT bool IsValid(const HalfSpace& h);

ORBOX_EXPORT bool Overlaps(HalfSpaces set, const Triangle& t,
                           ArithmeticCounts* counts = nullptr);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_HALF_SPACES_H_
