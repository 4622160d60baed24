// SPDX-License-Identifier: Apache-2.0

// Shapes in CGAL's exact kernel (exact predicates and constructions): two
// libraries that share nothing and both claim to be exact must not differ in a
// single answer.
#ifndef ORBOX_TESTS_DIFFERENTIAL_CGAL_SHAPES_H_
#define ORBOX_TESTS_DIFFERENTIAL_CGAL_SHAPES_H_

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>

#include <cmath>

#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/distance_bounds.h"

namespace orbox::cgal {

using Kernel = CGAL::Exact_predicates_exact_constructions_kernel;
using Number = Kernel::FT;

inline Kernel::Point_3 ToCgal(const Vec3& p) { return {p.x, p.y, p.z}; }
inline Kernel::Triangle_3 ToCgal(const Triangle& t) {
  return {ToCgal(t.a), ToCgal(t.b), ToCgal(t.c)};
}

// Returns true if CGAL's number is within the bounds.
inline bool Holds(const DistanceInterval& bounds, const Number& value) {
  if (bounds.lower == bounds.upper) return value == Number(bounds.lower);
  const bool is_below =
      std::isinf(bounds.upper) || value < Number(bounds.upper);
  return is_below && Number(bounds.lower) < value;
}

}  // namespace orbox::cgal

#endif  // ORBOX_TESTS_DIFFERENTIAL_CGAL_SHAPES_H_
