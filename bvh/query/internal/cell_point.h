// SPDX-License-Identifier: Apache-2.0

// The triangles that a line along a coordinate axis, through a point of
// rational coordinates, crosses, and their order. Exact. Private: for
// interior_overlap.h.
//
//   if (CrossingAt(p, axis, s) != 0 && CrossingAt(p, axis, t) != 0) {
//     int order = CompareHeights(p, axis, s, t);
//   }
//
// Seen along an axis, points have the coordinates u and v: those of the next
// two axes in cyclic order.
#ifndef ORBOX_BVH_QUERY_INTERNAL_CELL_POINT_H_
#define ORBOX_BVH_QUERY_INTERNAL_CELL_POINT_H_

#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>

#include "orbox/overlap/internal/numbers/bounded.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

using Rational = boost::multiprecision::cpp_rational;

inline size_t AxisU(size_t axis) { return (axis + 1) % 3; }
inline size_t AxisV(size_t axis) { return (axis + 2) % 3; }

// A number, and a double near it with a bound.
struct CellNumber {
  explicit CellNumber(Rational value);

  Rational exact;
  Bounded near;
};

struct CellPoint {
  CellNumber u;
  CellNumber v;
};

// Returns 0 where the line through p along the axis does not cross the
// triangle; otherwise 1 or -1, opposite for opposite triangles. p is moved by
// (e, e^2) for an e that is as small as it takes, so that the line meets no
// edge.
int CrossingAt(const CellPoint& p, size_t axis, const Triangle& t);

// The sign of how much higher s is than t, along the axis, at the moved p; 0
// where they are in one plane. Requires that the line meets both.
int CompareHeights(const CellPoint& p, size_t axis, const Triangle& s,
                   const Triangle& t);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_CELL_POINT_H_
