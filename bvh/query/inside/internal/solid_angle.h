// SPDX-License-Identifier: Apache-2.0

// The solid angle under which a triangle is seen, and a sum of many. Private.
#ifndef ORBOX_BVH_QUERY_INSIDE_INTERNAL_SOLID_ANGLE_H_
#define ORBOX_BVH_QUERY_INSIDE_INTERNAL_SOLID_ANGLE_H_

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Triangles in which a corner is nearer to the point than this need care, since
// products of three lengths underflow.
inline constexpr double kNearCorner = 0x1p-200;

// Positive where p sees the back of the triangle. Van Oosterom and Strackee,
// "The solid angle of a plane triangle", 1983: twice the angle of the complex
// number (rest, volume). A triangle without volume has none.
ORBOX_EXPORT double SolidAngle(const Vec3& p, const Triangle& t);

// Adds angles of complex numbers up by their product, which takes one arc
// tangent for all. It counts the turns that the product does not show.
class AngleSum {
 public:
  // Requires numbers between 1 / 2 and 2 by absolute value, and no more than
  // some hundred of them. Angles are above -pi and at most pi.
  void Add(double re, double im) {
    const double x = re_ * re - im_ * im;
    const double y = re_ * im + im_ * re + 0.0;  // +0, not -0
    if (IsAbove(re_, im_) && IsAbove(re, im)) {
      if (y < 0 || (y == 0 && x > 0)) ++turns_;
    } else if (im_ < 0 && im < 0) {
      if (y > 0 || (y == 0 && x < 0)) --turns_;
    }
    re_ = x;
    im_ = y;
  }
  double Sum() const;

 private:
  // Whether the angle is.
  static bool IsAbove(double re, double im) {
    return im > 0 || (im == 0 && re < 0);
  }

  double re_ = 1;
  double im_ = 0;
  int turns_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_SOLID_ANGLE_H_
