// SPDX-License-Identifier: Apache-2.0

// A pair of doubles, a double more for what the pair dropped, and a bound of
// what that dropped. Private: the second rung of ladder.h.
//
//   LongBounded area = (LongBounded(b) - a) * (LongBounded(d) - c);
//   std::optional<int> sign = area.CertainSign();
//
// The bound is made of what rounding really lost. It is 0 as long as nothing
// was: sums and products of coordinates of few digits, as scans and CAD data
// have, stay exact up to 106 bits, and their zeros are certain.
// Sums and products of double-doubles after Dekker, as error_free.h has them,
// in long_bounded.inc, for any type of numbers.
#ifndef ORBOX_OVERLAP_INTERNAL_NUMBERS_LONG_BOUNDED_H_
#define ORBOX_OVERLAP_INTERNAL_NUMBERS_LONG_BOUNDED_H_

#include <cmath>
#include <limits>
#include <optional>

#include "orbox/overlap/internal/numbers/error_free.h"

namespace orbox {

#define ORBOX_NUMBERS_INLINE inline
#include "orbox/overlap/internal/numbers/long_bounded.inc"
#undef ORBOX_NUMBERS_INLINE

// With the shortcuts that pay where numbers come one by one.
struct LongBounded : LongBoundedOf<double> {
  LongBounded() = default;
  LongBounded(double exact)  // NOLINT: every double is one
      : LongBoundedOf<double>{exact} {}
  LongBounded(double a, double b, double c, double bound)
      : LongBoundedOf<double>{a, b, c, bound} {}
  LongBounded(const LongBoundedOf<double>& x)  // NOLINT: the same number
      : LongBoundedOf<double>(x) {}

  // Nothing where the bound leaves it open; NaN and overflow do so, too.
  std::optional<int> CertainSign() const {
    if (!(error < std::numeric_limits<double>::infinity())) return std::nullopt;
    const double others =
        (std::abs(lo) + std::abs(rest) + error) * kAboveBounds;
    if (std::abs(hi) > others) return hi > 0 ? 1 : -1;
    if (hi == 0 && others == 0) return 0;
    return std::nullopt;
  }

  LongBounded operator-() const { return {-hi, -lo, -rest, error}; }
  friend LongBounded operator+(const LongBounded& a, const LongBounded& b);
  friend LongBounded operator-(const LongBounded& a, const LongBounded& b) {
    return a + (-b);
  }
  friend LongBounded operator*(const LongBounded& a, const LongBounded& b);

 private:
  bool IsDouble() const { return lo == 0 && rest == 0 && error == 0; }

  // Whether products with it may underflow.
  bool IsTiny() const { return IsTiny(hi) || IsTiny(lo) || IsTiny(rest); }
  static bool IsTiny(double x) { return x != 0 && std::abs(x) < 0x1p-450; }
};

inline LongBounded operator+(const LongBounded& a, const LongBounded& b) {
  if (a.IsDouble() && b.IsDouble()) {
    const DoubleDouble x = TwoSum(a.hi, b.hi);
    return {x.hi, x.lo, 0, 0};
  }
  return BoundedSum<double>(a, b);
}

inline LongBounded operator*(const LongBounded& a, const LongBounded& b) {
  const double lost = a.IsTiny() || b.IsTiny() ? 0x1p-1060 : 0;
  if (a.IsDouble() && b.IsDouble()) {
    if (a.hi == 0 || b.hi == 0) return {};
    const DoubleDouble p = TwoProduct(a.hi, b.hi);
    return {p.hi, p.lo, 0, lost};
  }
  return BoundedProduct<double>(a, b, lost);
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_INTERNAL_NUMBERS_LONG_BOUNDED_H_
