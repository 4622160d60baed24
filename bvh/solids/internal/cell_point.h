// SPDX-License-Identifier: Apache-2.0

// Finds the triangles that a line crosses, and their order, in exact
// arithmetic. The line is along a coordinate axis, through a point of rational
// coordinates. Private; used by interior_overlap.h.
//
//   if (CrossingAt(p, axis, s) != 0 && CrossingAt(p, axis, t) != 0) {
//     int order = CompareHeights(p, axis, s, t);
//   }
//
// The view along an axis has the coordinates u and v, those of the next two
// axes in cyclic order.
#ifndef ORBOX_BVH_SOLIDS_INTERNAL_CELL_POINT_H_
#define ORBOX_BVH_SOLIDS_INTERNAL_CELL_POINT_H_

#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>

#include "orbox/overlap/internal/numbers/bounded.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

using Rational = boost::multiprecision::cpp_rational;

inline size_t AxisU(size_t axis) { return (axis + 1) % 3; }
inline size_t AxisV(size_t axis) { return (axis + 2) % 3; }

// A rational number, and a double close to it with an error bound.
struct CellNumber {
  explicit CellNumber(Rational value);

  Rational exact;
  Bounded near;
};

struct CellPoint {
  CellNumber u;
  CellNumber v;
};

// Returns 0 if the line through p along the axis does not cross the triangle.
// Otherwise returns 1 or -1, opposite for opposite triangles. p is moved by (e,
// e^2) for a sufficiently small e, so that the line crosses no edge.
int CrossingAt(const CellPoint& p, size_t axis, const Triangle& t);

// Returns the sign of the height of s minus that of t, along the axis, at the
// moved p. Returns 0 if they are in one plane. Requires that the line crosses
// both.
int CompareHeights(const CellPoint& p, size_t axis, const Triangle& s,
                   const Triangle& t);

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERNAL_CELL_POINT_H_
