// SPDX-License-Identifier: Apache-2.0

// Points whose coordinates are of any number type (ladder.h), and rational
// numbers and points. Private to the exact stages.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_POINTS_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_POINTS_H_

#include <array>
#include <cstddef>

#include "orbox/overlap/internal/numbers/ladder.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox::exact {

template <typename Number>
using Point = BasicVec3<Number>;
template <typename Number>
using Corners = std::array<Point<Number>, 3>;

template <typename Number>
Point<Number> Lift(const Vec3& p) {
  return {p.x, p.y, p.z};
}
template <typename Number>
Corners<Number> Lift(const Triangle& t) {
  return {Lift<Number>(t.a), Lift<Number>(t.b), Lift<Number>(t.c)};
}

template <typename Number>
Point<Number> Difference(const Vec3& head, const Vec3& tail) {
  return Lift<Number>(head) - Lift<Number>(tail);
}

template <typename Number>
bool IsZero(const Point<Number>& v, Judge<Number>* judge) {
  return judge->Sign(v.x) == 0 && judge->Sign(v.y) == 0 &&
         judge->Sign(v.z) == 0;
}

// The number numerator / denominator. The denominator is positive.
template <typename Number>
struct Ratio {
  Number numerator;
  Number denominator = 1;
};

// Returns the sign of x - y.
template <typename Number>
int Compare(const Ratio<Number>& x, const Ratio<Number>& y,
            Judge<Number>* judge) {
  return judge->Sign(x.numerator * y.denominator - y.numerator * x.denominator);
}

// The point base + offset / denominator.
template <typename Number>
struct RationalPoint {
  Point<Number> base;
  Point<Number> offset;
  Number denominator = 1;

  // Returns the coordinates times the denominator.
  Point<Number> Numerator() const { return base * denominator + offset; }

  // Returns the point with each coordinate rounded to nearest.
  Vec3 Rounded(Judge<Number>* judge) const {
    const Point<Number> numerator = Numerator();
    return {judge->RoundedQuotient(numerator.x, denominator),
            judge->RoundedQuotient(numerator.y, denominator),
            judge->RoundedQuotient(numerator.z, denominator)};
  }
};

// Returns p + n h / d, each coordinate rounded to nearest. If the offset is
// small compared with p, or is known precisely enough, decides the rounded sum
// without exact numbers.
template <typename Number>
Vec3 OffsetPoint(const Vec3& p, const Point<Number>& n, const Number& h,
                 const Number& d, Judge<Number>* judge) {
  Vec3 point;
  for (size_t i = 0; i < 3; ++i) {
    if (!judge->GetRoundedSum(p[i], n[i], h, d, &point[i])) {
      point[i] = judge->RoundedQuotient(Number(p[i]) * d + n[i] * h, d);
    }
  }
  return point;
}

}  // namespace orbox::exact

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_POINTS_H_
