// SPDX-License-Identifier: Apache-2.0

// Error-free sums and products of two doubles: the nearest double, and its
// rounding error as a second double. Private.
//
//   DoubleDouble s = TwoSum(a, b);     // a + b == s.hi + s.lo, exactly
//   DoubleDouble p = TwoProduct(a, b);
//
// Only roundings to nearest are used, so that every machine gives the same
// bits. The compiler must not contract them to fused multiply-add. TwoSum is
// exact unless it overflows. TwoProduct is exact if the factors are below 2^995
// in magnitude and the product is zero or at least 2^-960. Knuth, TAOCP 2,
// 4.2.2; Dekker, "A floating-point technique for extending the available
// precision", 1971.
//
// The functions are in error_free.inc, for any type of numbers.
#ifndef ORBOX_OVERLAP_INTERNAL_NUMBERS_ERROR_FREE_H_
#define ORBOX_OVERLAP_INTERNAL_NUMBERS_ERROR_FREE_H_

#include <cmath>

namespace orbox {

inline double Abs(double x) { return std::abs(x); }

#define ORBOX_NUMBERS_INLINE inline
#include "orbox/overlap/internal/numbers/error_free.inc"
#undef ORBOX_NUMBERS_INLINE

using DoubleDouble = LongOf<double>;

// Returns true if a b = c d is certain. Returns false if products underflow or
// overflow.
inline bool AreEqualProducts(double a, double b, double c, double d) {
  // Rounding is monotonic, so equal products have equal roundings.
  if (a * b != c * d) return false;
  if ((a == 0 || b == 0) && (c == 0 || d == 0)) return true;
  const DoubleDouble p = TwoProduct(a, b);
  const DoubleDouble q = TwoProduct(c, d);
  // NaN, also from an overflow, is not equal to anything.
  return std::abs(p.hi) >= 0x1p-960 && p.lo == q.lo;
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_INTERNAL_NUMBERS_ERROR_FREE_H_
