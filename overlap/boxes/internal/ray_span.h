// SPDX-License-Identifier: Apache-2.0

// An interval of a ray's parameter that contains all points of the ray in a
// box. Serves to reject boxes quickly.
//
//   const std::optional<RaySpan> span = SpanInBox(ray, box, max_t);
//   if (!span) ...                       // no point of the ray is in the box
//
// Private. Tests of nodes, eight boxes at a time in float, are in
// traverse/internal/ray_in_tree-inl.h.
#ifndef ORBOX_OVERLAP_BOXES_INTERNAL_RAY_SPAN_H_
#define ORBOX_OVERLAP_BOXES_INTERNAL_RAY_SPAN_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

struct RaySpan {
  double enter = 0;
  double leave = 0;
};

// Returns an interval that contains all t in [0, max_t] at which the ray is in
// the box. Returns nullopt only if there is no such t. Requires a finite ray
// and a box without NaN. A box with lo above hi is empty. A ray whose direction
// is zero stays at its origin.
std::optional<RaySpan> SpanInBox(const Ray& ray, const Aabb& box, double max_t);

// Implementation.

inline std::optional<RaySpan> SpanInBox(const Ray& ray, const Aabb& box,
                                        double max_t) {
  // The error of a difference and a quotient is less than two units in the last
  // place, or at most the smallest denormal if the quotient underflows.
  constexpr double kRelative = 0x1p-50;
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  RaySpan span{0, max_t};
  for (size_t axis = 0; axis < 3; ++axis) {
    const double o = ray.origin[axis];
    const double d = ray.direction[axis];
    if (d == 0) {
      if (o < box.lo[axis] || o > box.hi[axis]) return std::nullopt;
      continue;
    }
    const double first = ((d > 0 ? box.lo : box.hi)[axis] - o) / d;
    const double last = ((d > 0 ? box.hi : box.lo)[axis] - o) / d;
    // If a difference overflows, only the sign of the quotient is used.
    if (std::isfinite(first)) {
      span.enter =
          std::max(span.enter, first - std::abs(first) * kRelative - kLeast);
    }
    if (std::isfinite(last)) {
      span.leave =
          std::min(span.leave, last + std::abs(last) * kRelative + kLeast);
    } else if (last < 0) {
      return std::nullopt;
    }
  }
  if (!(span.enter <= span.leave)) return std::nullopt;
  return span;
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BOXES_INTERNAL_RAY_SPAN_H_
