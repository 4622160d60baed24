// SPDX-License-Identifier: Apache-2.0

// Solid angle of a triangle seen from a point, and the sum of many. Private.
#ifndef ORBOX_BVH_QUERY_INSIDE_INTERNAL_SOLID_ANGLE_H_
#define ORBOX_BVH_QUERY_INSIDE_INTERNAL_SOLID_ANGLE_H_

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Triangles with a corner nearer to the point than this need scaling, because
// products of three lengths underflow.
inline constexpr double kNearCorner = 0x1p-200;

// Returns the solid angle of a triangle seen from p, positive if p sees the
// back. This is twice the angle of the complex number (rest, volume): Van
// Oosterom and Strackee, "The solid angle of a plane triangle", 1983. Returns 0
// for a triangle without volume.
ORBOX_EXPORT double SolidAngle(const Vec3& p, const Triangle& t);

// Returns the solid angle if its sign is known, such as by exact arithmetic on
// unrounded coordinates. 0 means that p is in the triangle's plane.
double SolidAngle(const Vec3& p, const Triangle& t, int sign);

// Sum of the angles of complex numbers. Multiplies the numbers, so that one arc
// tangent is enough for all, and counts the full turns that the product loses.
class AngleSum {
 public:
  // Adds an angle above -pi and at most pi. Requires numbers with absolute
  // values between 1 / 2 and 2, and at most a few hundred of them.
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
  // Returns true if the angle is above 0.
  static bool IsAbove(double re, double im) {
    return im > 0 || (im == 0 && re < 0);
  }

  double re_ = 1;
  double im_ = 0;
  int turns_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_SOLID_ANGLE_H_
