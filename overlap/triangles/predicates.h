// SPDX-License-Identifier: Apache-2.0

// Exact signs: the side of a plane, or of a line, on which a point is.
//
//   int side = Orient3d(a, b, c, d);   // +1, 0 or -1
//
// Double with a derived error bound decides nearly always. Otherwise pairs of
// doubles decide, then exact sums of doubles (some tenths of a microsecond).
// Integers of any length decide if the exponents of coordinates differ so much
// that these sums would underflow or overflow. Any finite input is legal. Pure
// and thread-safe. The idea and the orientation tests are from Shewchuk,
// "Adaptive precision floating-point arithmetic and fast robust geometric
// predicates", 1997.
#ifndef ORBOX_OVERLAP_TRIANGLES_PREDICATES_H_
#define ORBOX_OVERLAP_TRIANGLES_PREDICATES_H_

#include <cstddef>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Returns the sign of the volume of the tetrahedron, which is the sign of
//   Dot(Cross(b - a, c - a), d - a).
// It is positive if a, b, c are counterclockwise as seen from d, and 0 if the
// four points are in one plane. Raises *used, if given, to the stage that
// decided.
ORBOX_EXPORT int Orient3d(const Vec3& a, const Vec3& b, const Vec3& c,
                          const Vec3& d, Arithmetic* used = nullptr);

// Returns the sign of the area of the triangle a, b, c in the plane of the
// coordinates `u` and `v`. This is the sign of (b - a).u (c - a).v - (b - a).v
// (c - a).u.
ORBOX_EXPORT int Orient2d(const Vec3& a, const Vec3& b, const Vec3& c, size_t u,
                          size_t v, Arithmetic* used = nullptr);

// Returns true if the three points are on one line. Points may coincide.
ORBOX_EXPORT bool AreCollinear(const Vec3& a, const Vec3& b, const Vec3& c,
                               Arithmetic* used = nullptr);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_PREDICATES_H_
