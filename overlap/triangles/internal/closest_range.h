// SPDX-License-Identifier: Apache-2.0

// How small can the distance between two convex shapes be, given a good guess
// of their closest features? A certified range in double-double. Private: the
// middle stage between a guess in double and exact arithmetic.
//
//   Difference d{.from = &p, .to = &a,    // a point, and a corner of a
//   triangle
//                .generators = {{{&a, &b}, {&a, &c}}}, .generator_count = 2,
//                .coefficients = {t}, .active_count = 1};   // a + t (b - a)
//   SquaredRange range = RangeOf(d);
//   double distance;
//   if (RoundSqrt(range, &distance)) ...
//
// All is seen from the Minkowski difference M = second - first, of which the
// point closest to the origin is sought. M is known by a corner, to - from, and
// by the generators of its cone there: vectors head - tail, each an edge of the
// second shape out of `to`, or the reverse of an edge of the first out of
// `from`. The guess is r = corner + sum of coefficient * active generator; it
// has to lie in M. The other generators are believed to lead away from the
// origin.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_RANGE_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_RANGE_H_

#include <array>
#include <cstddef>

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Points to vertices that live elsewhere.
struct Difference {
  struct Generator {
    const Vec3* tail;
    const Vec3* head;
  };

  const Vec3* from;
  const Vec3* to;
  std::array<Generator, 4> generators;  // the active ones first
  size_t generator_count;
  std::array<double, 2> coefficients;
  size_t active_count;
  // Whether both active generators belong to one triangle, so that their
  // coefficients share the bound of 1.
  bool on_one_face;
};

// The exact squared distance is between value - below and value + above.
struct SquaredRange {
  DoubleDouble value;
  double below = 0;
  double above = 0;
  bool is_certified = false;  // the above means nothing otherwise
};

ORBOX_EXPORT SquaredRange RangeOf(const Difference& difference);

// Sets *root to the correctly rounded square root of what the range encloses.
// False where the range is not certified, or too wide to tell.
ORBOX_EXPORT bool RoundSqrt(const SquaredRange& range, double* root);

// The sign of (what the range encloses) - limit^2, or 0 where it is too wide to
// tell. Equality is 0, too. Requires limit >= 0.
int CompareWithSquare(const SquaredRange& range, double limit);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_RANGE_H_
