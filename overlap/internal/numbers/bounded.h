// SPDX-License-Identifier: Apache-2.0

// Numbers with an error bound: a bound of the distance to the exact number.
// Private: the first two stages of ladder.h.
//
//   Bounded area = (Bounded(b) - a) * (Bounded(d) - c);      // or LongBounded
//   std::optional<int> sign = area.CertainSign();
//
// Bounded is a double and its bound. LongBounded is a pair of doubles, a third
// double for the rounding error of the pair, and a bound of the remaining
// error. That bound is computed from the rounding errors that really occurred.
// It is 0 as long as every operation is exact. Coordinates in scans and CAD
// data have few digits: their sums and products are exact up to 106 bits, and
// their zeros are certain. The functions of LongBounded are in
// long_bounded.inc, for any type of numbers: sums and products of
// double-doubles after Dekker, as in error_free.h.
#ifndef ORBOX_OVERLAP_INTERNAL_NUMBERS_BOUNDED_H_
#define ORBOX_OVERLAP_INTERNAL_NUMBERS_BOUNDED_H_

#include <cmath>
#include <limits>
#include <optional>

#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/internal/numbers/error_free.h"

namespace orbox {

struct Bounded {
  double value = 0;
  double error = 0;

  Bounded() = default;
  Bounded(double exact) : value(exact) {}  // NOLINT: every double is exact
  Bounded(double approximate, double bound)
      : value(approximate), error(bound) {}

  // Returns the sign of the exact number. Returns nullopt if the error bound
  // leaves the sign undecided, and for NaN and overflow.
  std::optional<int> CertainSign() const {
    if (!(error < std::numeric_limits<double>::infinity())) return std::nullopt;
    if (value > error) return 1;
    if (value < -error) return -1;
    if (IsZero()) return 0;
    return std::nullopt;
  }

  Bounded operator-() const { return {-value, error}; }
  friend Bounded operator+(const Bounded& a, const Bounded& b) {
    return Rounded(a.value + b.value, a.error + b.error);
  }
  friend Bounded operator-(const Bounded& a, const Bounded& b) {
    return Rounded(a.value - b.value, a.error + b.error);
  }
  friend Bounded operator*(const Bounded& a, const Bounded& b) {
    if (a.IsZero() || b.IsZero()) return {};
    // Each of the three products may lose 2^-1075 to underflow.
    return Rounded(a.value * b.value,
                   std::abs(a.value) * b.error +
                       (std::abs(b.value) + b.error) * a.error + 0x1p-1072);
  }

 private:
  bool IsZero() const { return value == 0 && error == 0; }

  // Returns `value`, which was rounded once, with its rounding error added to
  // `error`, which was rounded a few times.
  static Bounded Rounded(double value, double error) {
    return {value, (error + kRoundoff * std::abs(value)) * (1 + 8 * kRoundoff)};
  }
};

#define ORBOX_NUMBERS_INLINE inline
#include "orbox/overlap/internal/numbers/long_bounded.inc"
#undef ORBOX_NUMBERS_INLINE

// LongBoundedOf<double> with shortcuts that are worthwhile for single numbers.
struct LongBounded : LongBoundedOf<double> {
  LongBounded() = default;
  LongBounded(double exact)  // NOLINT: every double is exact
      : LongBoundedOf<double>{exact} {}
  LongBounded(double a, double b, double c, double bound)
      : LongBoundedOf<double>{a, b, c, bound} {}
  LongBounded(const LongBoundedOf<double>& x)  // NOLINT: the same number
      : LongBoundedOf<double>(x) {}

  // Returns the sign of the exact number. Returns nullopt if the error bound
  // leaves the sign undecided, and for NaN and overflow.
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

  // Returns true if products with this number, or with its error, may
  // underflow.
  bool IsTiny() const {
    return IsTiny(hi) || IsTiny(lo) || IsTiny(rest) || IsTiny(error);
  }
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

#endif  // ORBOX_OVERLAP_INTERNAL_NUMBERS_BOUNDED_H_
