// SPDX-License-Identifier: Apache-2.0

// On which side of a plane, or of a line, does a point lie? Exact signs.
//
//   int side = Orient3d(a, b, c, d);   // +1, 0 or -1
//
// Double with a derived error bound answers nearly always; what it leaves is
// decided by pairs of doubles, then by sums of doubles that lose nothing (some
// tenths of a microsecond), and in integers of any length where the exponents
// of coordinates are so far apart that those would underflow or overflow. Any
// finite input is legal. Pure and thread-safe. Shewchuk, "Adaptive precision
// floating-point arithmetic and fast robust geometric predicates", 1997, for
// the idea and the orientations.
#ifndef ORBOX_OVERLAP_TRIANGLES_PREDICATES_H_
#define ORBOX_OVERLAP_TRIANGLES_PREDICATES_H_

#include <cstddef>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// The sign of the volume of the tetrahedron: of
//   Dot(Cross(b - a, c - a), d - a),
// positive where d sees a, b, c counterclockwise. 0: the four are in one plane.
// *used, if given, is raised to what the answer took.
ORBOX_EXPORT int Orient3d(const Vec3& a, const Vec3& b, const Vec3& c,
                          const Vec3& d, Arithmetic* used = nullptr);

// The sign of the area of the triangle a, b, c in the plane of the coordinates
// `u` and `v`: of (b - a).u (c - a).v - (b - a).v (c - a).u.
ORBOX_EXPORT int Orient2d(const Vec3& a, const Vec3& b, const Vec3& c, size_t u,
                          size_t v, Arithmetic* used = nullptr);

// Whether the three points are on one line (or two or all of them coincide).
ORBOX_EXPORT bool AreCollinear(const Vec3& a, const Vec3& b, const Vec3& c,
                               Arithmetic* used = nullptr);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_PREDICATES_H_
