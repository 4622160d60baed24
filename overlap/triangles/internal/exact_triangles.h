// SPDX-License-Identifier: Apache-2.0

// The last stage of triangle_overlap.h and triangle_distance.h, for shapes that
// a guess in pairs of doubles does not decide. Has their functions, decided by
// the ladder. Private.
//
// Correct for every finite input. Distances and coordinates of witness points
// are the exact values, rounded once to nearest. If `used` is given, raises
// *used to the stage that decided. Costs one or a few microseconds, and tens of
// microseconds in integers.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_TRIANGLES_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_TRIANGLES_H_

#include <cstddef>
#include <cstdint>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/distance_bounds.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox::exact {

// Axes that may separate a box and a triangle, as bits: the edges of the box,
// the normal of the triangle, and for each edge of the triangle its products
// with the axes of the box.
struct BoxAxes {
  static constexpr uint32_t kAll = (1u << 13) - 1;
  static constexpr uint32_t kNormal = 1u << 3;
  static constexpr uint32_t Along(size_t axis) { return 1u << axis; }
  static constexpr uint32_t Across(size_t axis, size_t edge) {
    return 1u << (4 + 3 * edge + axis);
  }
};

// Require that only axes in `axes` may separate box and triangle.
bool Overlaps(const Aabb& box, const Triangle& t, uint32_t axes,
              Arithmetic* used);
bool Overlaps(const Obb& box, const Triangle& t, uint32_t axes,
              Arithmetic* used);

// Returns the sign of (the distance) - `limit`. Requires a limit that is finite
// and not negative. This function, Distance and the bounds below require
// triangles that do not overlap, because they search for closest points on
// boundaries only.
int CompareDistance(const Vec3& p, const Triangle& t, double limit,
                    Arithmetic* used);
int CompareDistance(const Triangle& s, const Triangle& t, double limit,
                    Arithmetic* used);

// The functions of distance_bounds.h.
DistanceInterval BoundsOfSquaredDistance(const Vec3& p, const Triangle& t);
DistanceInterval BoundsOfSquaredDistance(const Triangle& s, const Triangle& t);

PointTriangleDistance Distance(const Vec3& p, const Triangle& t,
                               Arithmetic* used);

// Returns the distance and a closest pair of points. If several pairs are
// equally close (to 2^-90 of their distance), returns the first in a fixed
// order of features: vertices before edges before faces.
TrianglePairDistance Distance(const Triangle& s, const Triangle& t,
                              Arithmetic* used);

}  // namespace orbox::exact

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_TRIANGLES_H_
