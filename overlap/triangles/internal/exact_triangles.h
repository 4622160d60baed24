// SPDX-License-Identifier: Apache-2.0

// The last stage of triangle_overlap.h and triangle_distance.h, if one guess in
// pairs of doubles does not decide: their functions, by the ladder. Private.
//
// Right on every finite input. Distances and the coordinates of witness points
// are exact values rounded once, to nearest. *used, if given, is raised to the
// stage that decided. Costs a microsecond or a few, and tens of them in
// integers.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_TRIANGLES_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_TRIANGLES_H_

#include <cstddef>
#include <cstdint>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/distance_bounds.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox::exact {

// Axes that may separate a box and a triangle, as bits: those along the box's
// edges, the triangle's normal, and for each edge of the triangle its products
// with the box's axes.
struct BoxAxes {
  static constexpr uint32_t kAll = (1u << 13) - 1;
  static constexpr uint32_t kNormal = 1u << 3;
  static constexpr uint32_t Along(size_t axis) { return 1u << axis; }
  static constexpr uint32_t Across(size_t axis, size_t edge) {
    return 1u << (4 + 3 * edge + axis);
  }
};

// Require that no axes except `axes` separate box and triangle.
bool Overlaps(const Aabb& box, const Triangle& t, uint32_t axes,
              Arithmetic* used);
bool Overlaps(const Obb& box, const Triangle& t, uint32_t axes,
              Arithmetic* used);

// Returns the sign of (the distance) - `limit`, which is finite and not
// negative. Requires triangles that do not overlap, and so do Distance and the
// bounds below: they search for closest points on boundaries only.
int CompareDistance(const Vec3& p, const Triangle& t, double limit,
                    Arithmetic* used);
int CompareDistance(const Triangle& s, const Triangle& t, double limit,
                    Arithmetic* used);

// The bounds of distance_bounds.h.
DistanceInterval BoundsOfSquaredDistance(const Vec3& p, const Triangle& t);
DistanceInterval BoundsOfSquaredDistance(const Triangle& s, const Triangle& t);

PointTriangleDistance Distance(const Vec3& p, const Triangle& t,
                               Arithmetic* used);

// Among closest pairs of points that are equally close (to 2^-90 of their
// distance), returns the first in a fixed order of features: vertices before
// edges before faces.
TrianglePairDistance Distance(const Triangle& s, const Triangle& t,
                              Arithmetic* used);

}  // namespace orbox::exact

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_TRIANGLES_H_
