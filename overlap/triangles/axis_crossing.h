// SPDX-License-Identifier: Apache-2.0

// Does the ray from a point along the x axis cross a triangle, and which way?
// Summed over a closed mesh, that is its winding number about the point.
//
//   int winding = 0;
//   for (const Triangle& t : closed_mesh) winding += CrossingAlongX(p, t).sign;
//
// Exact, and free of special cases: the ray is moved aside by (epsilon,
// epsilon^2) in y and z, so that it meets no edge and no vertex, and crosses
// exactly one of two triangles that share an edge, whatever their order
// (Edelsbrunner and Muecke, "Simulation of simplicity", 1990). That moves the
// ray across no surface unless the point is on it, which is reported. Every
// finite input is legal; degenerate triangles are not crossed. Pure and
// thread-safe. Some ten nanoseconds where double decides.
#ifndef ORBOX_OVERLAP_TRIANGLES_AXIS_CROSSING_H_
#define ORBOX_OVERLAP_TRIANGLES_AXIS_CROSSING_H_

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

struct AxisCrossing {
  // 1 where the ray leaves through the front, the side from which the vertices
  // are seen counterclockwise; -1 where it enters there; 0 where it passes by.
  int sign = 0;
  // Whether the point is a point of the triangle. The sign means nothing then.
  bool is_on_triangle = false;
};

ORBOX_EXPORT AxisCrossing CrossingAlongX(const Vec3& p, const Triangle& t,
                                         ArithmeticCounts* counts = nullptr);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_AXIS_CROSSING_H_
