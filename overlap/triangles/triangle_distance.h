// SPDX-License-Identifier: Apache-2.0

// How far is a triangle from a point or from another triangle, and where?
//
//   PointTriangleDistance d = Distance(p, triangle);
//   TrianglePairDistance e = Distance(s, t);   // e.on_first, e.on_second
//
// A distance is the exact one of the given doubles, correctly rounded (to
// nearest, ties to even), for every finite input; one beyond the range of
// double is infinite. Hence it depends on the shapes alone: not on the order of
// vertices or arguments, nor on the instruction set, and triangles whose
// closest points lie on a feature that they share are exactly as far. It is 0
// if and only if the shapes meet exactly (what would round to 0 without being
// it is the smallest denormal). Witness points lie on their triangles to within
// 2^-48 of the largest coordinate involved, mostly to an ulp or two, and do not
// depend on the order of vertices or arguments either. Pure and thread-safe.
// Costs a tenth of a microsecond or two where double-double suffices, which it
// nearly always does, about one where a point is on the triangle or triangles
// touch, and tens where parallel ones are 1e-15 apart or where integers decide.
#ifndef ORBOX_OVERLAP_TRIANGLES_TRIANGLE_DISTANCE_H_
#define ORBOX_OVERLAP_TRIANGLES_TRIANGLE_DISTANCE_H_

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

struct PointTriangleDistance {
  double distance = 0;
  Vec3 closest;  // on the triangle
};

// Ericson, "Real-Time Collision Detection", 5.1.5, by Voronoi regions.
ORBOX_EXPORT PointTriangleDistance Distance(const Vec3& p, const Triangle& t,
                                            ArithmeticCounts* counts = nullptr);

struct TrianglePairDistance {
  double distance = 0;
  Vec3 on_first;
  Vec3 on_second;
};

// The distance alone, which costs 30 % less.
ORBOX_EXPORT double DistanceBetween(const Triangle& s, const Triangle& t,
                                    ArithmeticCounts* counts = nullptr);

// Where triangles meet, both witness points are one point that they share (to
// within rounding). Swapping the arguments swaps the witness points.
ORBOX_EXPORT TrianglePairDistance Distance(const Triangle& s, const Triangle& t,
                                           ArithmeticCounts* counts = nullptr);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_TRIANGLE_DISTANCE_H_
