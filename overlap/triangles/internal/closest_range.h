// SPDX-License-Identifier: Apache-2.0

// A certified range of the squared distance of two convex shapes, in
// double-double, computed from a good guess of their closest features. Private:
// the middle stage between a guess in double and exact arithmetic.
//
//   Difference d{.from = &p, .to = &a,  // a point and a triangle's corner
//                .generators = {{{&a, &b}, {&a, &c}}}, .generator_count = 2,
//                .coefficients = {t}, .active_count = 1};   // a + t (b - a)
//   SquaredRange range = RangeOf(d);
//   double distance;
//   if (RoundSqrt(range, &distance)) ...
//
// The computation uses the Minkowski difference M = second - first: it finds
// the point of M closest to the origin. M is described by a corner, to - from,
// and by the generators of its cone at that corner. A generator is a vector
// head - tail: an edge of the second shape out of `to`, or the reverse of an
// edge of the first out of `from`. The guess is r = corner + sum of coefficient
// * active generator; r must be in M. The other generators are expected to lead
// away from the origin; this is checked.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_RANGE_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_RANGE_H_

#include <array>
#include <cstddef>

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Contains pointers to vertices. The vertices must outlive it.
struct Difference {
  struct Generator {
    const Vec3* tail;
    const Vec3* head;
  };

  const Vec3* from;
  const Vec3* to;
  std::array<Generator, 4> generators;  // active ones first
  size_t generator_count;
  std::array<double, 2> coefficients;
  size_t active_count;
  // True if both active generators belong to one triangle. Then the sum of
  // their coefficients is at most 1.
  bool on_one_face;
};

// The exact squared distance is from value - below to value + above.
struct SquaredRange {
  DoubleDouble value;
  double below = 0;
  double above = 0;
  bool is_certified = false;  // otherwise the other members have no meaning
};

ORBOX_EXPORT SquaredRange RangeOf(const Difference& difference);

// Sets *root to the correctly rounded square root of the number in the range.
// Returns false if the range is not certified, or too wide to decide.
ORBOX_EXPORT bool RoundSqrt(const SquaredRange& range, double* root);

// Returns the sign of (the number in the range) - limit^2. Returns 0 if they
// are equal or if the range is too wide to decide. Requires limit >= 0.
int CompareWithSquare(const SquaredRange& range, double limit);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_RANGE_H_
