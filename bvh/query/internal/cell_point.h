// SPDX-License-Identifier: Apache-2.0

// A line along a coordinate axis through a point of rational coordinates: which
// triangles does it meet, and in which order? Exact. Private: what
// interior_overlap.h rests on.
//
//   if (IsCrossedAt(p, axis, s) && IsCrossedAt(p, axis, t)) {
//     int order = CompareHeights(p, axis, s, t);
//   }
//
// What is seen along an axis has the coordinates u and v, those of the next two
// axes in cyclic order.
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

// Whether the line through p along the axis meets the triangle, if p is moved
// by (e, e^2) for an e that is as small as it takes: it then meets no edge.
bool IsCrossedAt(const CellPoint& p, size_t axis, const Triangle& t);

// The sign of how much higher s is than t, along the axis, at the moved p; 0
// where they are in one plane. Requires that the line meets both.
int CompareHeights(const CellPoint& p, size_t axis, const Triangle& s,
                   const Triangle& t);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_CELL_POINT_H_
