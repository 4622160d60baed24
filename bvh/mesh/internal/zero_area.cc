// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/internal/zero_area.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>

namespace orbox::mesh_internal {
namespace {

using boost::multiprecision::cpp_int;

// Twice the signed area of the triangle's projection on the plane of axes i and
// j is
//   (b - a)_i (c - a)_j - (b - a)_j (c - a)_i.
// Each difference and product is rounded once and their difference once more,
// so the result is off by at most (3 + 16 u) u times the sum of the products'
// magnitudes, u = 2^-53 (Shewchuk, "Adaptive precision floating-point
// arithmetic and fast robust geometric predicates", 1997, section 4.3). 4 u
// covers the rounding of the bound. Underflow adds at most half the least
// denormal in each product and in the bound, less than 4 of those. Overflow
// makes infinities or NaN, which compare as uncertain.
bool ShadowHasAreaForCertain(const Vec3& ab, const Vec3& ac, int i, int j) {
  const double left = ab[i] * ac[j];
  const double right = ab[j] * ac[i];
  const double bound = 0x1p-51 * (std::abs(left) + std::abs(right)) +
                       4 * std::numeric_limits<double>::denorm_min();
  return std::abs(left - right) > bound &&
         bound < std::numeric_limits<double>::infinity();
}

// A coordinate as an integer multiple of 2^exponent; requires that it is one.
cpp_int AsMultiple(double x, int exponent) {
  int own = 0;
  // A double's significand has 53 bits, so the scaled value is whole.
  const double whole = std::ldexp(std::frexp(x, &own), 53);
  const int shift = own - 53 - exponent;
  cpp_int value(static_cast<int64_t>(whole));
  return shift >= 0 ? cpp_int(value << shift) : cpp_int(value >> -shift);
}

bool HasZeroAreaExactly(const Triangle& t) {
  // A power of two of which all nine coordinates are multiples.
  int exponent = std::numeric_limits<int>::max();
  for (size_t corner = 0; corner < 3; ++corner) {
    for (size_t axis = 0; axis < 3; ++axis) {
      if (t[corner][axis] == 0) continue;
      int own = 0;
      std::frexp(t[corner][axis], &own);
      exponent = std::min(exponent, own - 53);
    }
  }
  if (exponent == std::numeric_limits<int>::max()) return true;  // all zero

  cpp_int ab[3], ac[3];
  for (size_t axis = 0; axis < 3; ++axis) {
    const cpp_int a = AsMultiple(t.a[axis], exponent);
    ab[axis] = AsMultiple(t.b[axis], exponent) - a;
    ac[axis] = AsMultiple(t.c[axis], exponent) - a;
  }
  return ab[0] * ac[1] == ab[1] * ac[0] && ab[1] * ac[2] == ab[2] * ac[1] &&
         ab[2] * ac[0] == ab[0] * ac[2];
}

}  // namespace

bool HasZeroArea(const Triangle& t) {
  const Vec3 ab = t.b - t.a;
  const Vec3 ac = t.c - t.a;
  if (ShadowHasAreaForCertain(ab, ac, 0, 1) ||
      ShadowHasAreaForCertain(ab, ac, 1, 2) ||
      ShadowHasAreaForCertain(ab, ac, 2, 0)) {
    return false;
  }
  if (t.a == t.b || t.b == t.c || t.c == t.a) return true;
  return HasZeroAreaExactly(t);
}

}  // namespace orbox::mesh_internal
