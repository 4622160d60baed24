// SPDX-License-Identifier: Apache-2.0

// The volume of a tetrahedron in double-double. Private: the stage between
// double and exact arithmetic for tests of the side of a plane on which a point
// is.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_LONG_VOLUME_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_LONG_VOLUME_H_

#include <cmath>

#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Bounds the error of LongVolume, relative to the sum of the magnitudes of its
// six triple products. Each path has two products and three sums, each with an
// error of at most 4 u^2 (u = 2^-53). The bound is twice the sum. This also
// covers the rounding of the bound itself, and that sums of rounded terms may
// be larger than those of exact terms.
constexpr double kLongVolumeError = 0x1p-100;  // 64 u^2

// Returns Dot(Cross(b - a, c - a), d - a), as in Orient3d. Requires differences
// of coordinates below 2^300. The error from underflow is at most 2^-700.
inline DoubleDouble LongVolume(const Vec3& a, const Vec3& b, const Vec3& c,
                               const Vec3& d) {
  const DoubleDouble ex = TwoDifference(b.x, a.x);
  const DoubleDouble ey = TwoDifference(b.y, a.y);
  const DoubleDouble ez = TwoDifference(b.z, a.z);
  const DoubleDouble fx = TwoDifference(c.x, a.x);
  const DoubleDouble fy = TwoDifference(c.y, a.y);
  const DoubleDouble fz = TwoDifference(c.z, a.z);
  const DoubleDouble nx = Sum(Product(ey, fz), Negated(Product(ez, fy)));
  const DoubleDouble ny = Sum(Product(ez, fx), Negated(Product(ex, fz)));
  const DoubleDouble nz = Sum(Product(ex, fy), Negated(Product(ey, fx)));
  return Sum(Sum(Product(nx, TwoDifference(d.x, a.x)),
                 Product(ny, TwoDifference(d.y, a.y))),
             Product(nz, TwoDifference(d.z, a.z)));
}

// Returns true if no step of LongVolume rounds, so that its result is exact.
// Assume that all differences are multiples of one power of two, by whole
// numbers below 2^33. Then products of two have 66 bits, the normal 67, its
// products with a difference 100, and their sum 102. A DoubleDouble has 106.
inline bool IsLongVolumeExact(const Vec3& a, const Vec3& b, const Vec3& c,
                              const Vec3& d) {
  const double largest =
      MaxCoordinate(Max(Abs(b - a), Max(Abs(c - a), Abs(d - a))));
  // In this range, products neither underflow nor overflow.
  if (!(largest >= 0x1p-200 && largest <= 0x1p300)) return largest == 0;
  int exponent = 0;
  std::frexp(largest, &exponent);  // largest < 2^exponent
  // After adding 1.5 * 2^52 units, the mantissa contains whole units.
  const double unit = std::ldexp(1.0, exponent - 33);
  const double shift = 0x1.8p52 * unit;
  const auto is_whole = [shift](double head, double tail) {
    const DoubleDouble x = TwoDifference(head, tail);
    return x.lo == 0 && (x.hi + shift) - shift == x.hi;
  };
  for (const Vec3* p : {&b, &c, &d}) {
    if (!is_whole(p->x, a.x) || !is_whole(p->y, a.y) || !is_whole(p->z, a.z)) {
      return false;
    }
  }
  return true;
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_LONG_VOLUME_H_
