// SPDX-License-Identifier: Apache-2.0

// Distance of a triangle to a point or to another triangle, and the closest
// points.
//
//   PointTriangleDistance d = Distance(p, triangle);
//   TrianglePairDistance e = Distance(s, t);   // e.on_first, e.on_second
//
// A distance is the exact one for the given doubles, correctly rounded (to
// nearest, ties to even), for every finite input. A distance above the range of
// double is infinite. So a distance depends only on the shapes, and not on the
// order of vertices or arguments or on the instruction set. Triangles whose
// closest points are on a common feature have equal distances. A distance is 0
// if and only if the shapes overlap exactly; a positive one that would round to
// 0 is the smallest denormal. Witness points are on their triangles within
// 2^-48 of the largest coordinate involved, mostly within an ulp or two. They
// do not depend on the order of vertices or arguments either. Pure and
// thread-safe. Costs one or two tenths of a microsecond if double-double
// suffices, as it nearly always does. Costs about one microsecond if a point is
// on the triangle or if triangles touch. Costs tens of microseconds if parallel
// triangles are 1e-15 apart, or if integers must decide.
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

// Returns only the distance, which costs 30 % less.
ORBOX_EXPORT double DistanceBetween(const Triangle& s, const Triangle& t,
                                    ArithmeticCounts* counts = nullptr);

// If the triangles overlap, both witness points are one common point (within
// rounding). Swapping the arguments swaps the witness points.
ORBOX_EXPORT TrianglePairDistance Distance(const Triangle& s, const Triangle& t,
                                           ArithmeticCounts* counts = nullptr);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_TRIANGLE_DISTANCE_H_
