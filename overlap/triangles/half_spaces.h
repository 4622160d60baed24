// SPDX-License-Identifier: Apache-2.0

// Does a triangle meet a convex set, given by the half-spaces that bound it: a
// view frustum, a wedge, a section, any polyhedron?
//
//   std::vector<HalfSpace> set = {{{0, 0, 1}, 5}, {{0, 0, -1}, -3}};
//   if (Overlaps(set, triangle)) ...      // 3 <= z <= 5
//
// The answer is the one that exact arithmetic on the given doubles gives: a
// half-space is what its normal and offset say, of whatever length the normal
// is. Touching is overlapping. The set may be unbounded, flat, a point or
// empty, and half-spaces may be redundant; without any, it is everything.
// Degenerate triangles are handled as the segments and points that they are.
// Pure and thread-safe. Tens of nanoseconds a half-space where a single one
// decides or a vertex is in the set; half a microsecond and more where the
// triangle has to be clipped; tens where that takes exact arithmetic.
#ifndef ORBOX_OVERLAP_TRIANGLES_HALF_SPACES_H_
#define ORBOX_OVERLAP_TRIANGLES_HALF_SPACES_H_

#include <span>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// The points p with Dot(normal, p) <= offset; both finite. A normal of zero is
// legal: then it is all points or none, by the sign of the offset.
struct HalfSpace {
  Vec3 normal;
  double offset = 0;
};

// The points that all of them hold.
using HalfSpaces = std::span<const HalfSpace>;

ORBOX_EXPORT bool IsValid(const HalfSpace& h);

ORBOX_EXPORT bool Overlaps(HalfSpaces set, const Triangle& t,
                           ArithmeticCounts* counts = nullptr);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_HALF_SPACES_H_
