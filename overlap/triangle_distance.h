// How far is a triangle from a point or from another triangle, and where?
//
//   PointTriangleDistance d = Distance(p, triangle);
//   TrianglePairDistance e = Distance(s, t);   // e.on_first, e.on_second
//
// Distances are within 4 ulp of the exact value for every finite input whose
// distance neither overflows nor is denormal; a distance of two triangles is 0
// if and only if they meet exactly. Witness points lie on their triangles to
// within rounding (a few ulp of the largest coordinate involved). The results
// depend on the shapes only, not on the order of a triangle's vertices: the
// feature that two triangles share gives both the same bits, so that ties can
// be told. Pure and thread-safe. Costs a fraction of a microsecond where double
// suffices, and climbs to exact arithmetic where cancellation would eat the
// result.
#ifndef ORBOX_OVERLAP_TRIANGLE_DISTANCE_H_
#define ORBOX_OVERLAP_TRIANGLE_DISTANCE_H_

#include "orbox/overlap/arithmetic_counts.h"
#include "orbox/overlap/shapes.h"

namespace orbox {

struct PointTriangleDistance {
  double distance = 0;
  Vec3 closest;  // on the triangle
};

// Ericson, "Real-Time Collision Detection", 5.1.5, by Voronoi regions.
PointTriangleDistance Distance(const Vec3& p, const Triangle& t,
                               ArithmeticCounts* counts = nullptr);

struct TrianglePairDistance {
  double distance = 0;
  Vec3 on_first;
  Vec3 on_second;
};

// Where triangles meet, both witness points are one point that they share (to
// within rounding). Swapping the arguments swaps the witness points.
TrianglePairDistance Distance(const Triangle& s, const Triangle& t,
                              ArithmeticCounts* counts = nullptr);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLE_DISTANCE_H_
