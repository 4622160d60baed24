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
// Sums and products of double-doubles after Dekker, as error_free.h has them.
#ifndef ORBOX_OVERLAP_INTERNAL_NUMBERS_LONG_BOUNDED_H_
#define ORBOX_OVERLAP_INTERNAL_NUMBERS_LONG_BOUNDED_H_

#include <cmath>
#include <limits>
#include <optional>

#include "orbox/overlap/internal/numbers/error_free.h"

namespace orbox {

// The number is within `error` of hi + lo + rest, each of which is usually less
// than 2^-52 of the one before.
struct LongBounded {
  double hi = 0;
  double lo = 0;
  double rest = 0;
  double error = 0;

  LongBounded() = default;
  LongBounded(double exact) : hi(exact) {}  // NOLINT: every double is one
  LongBounded(double a, double b, double c, double bound)
      : hi(a), lo(b), rest(c), error(bound) {}

  // Nothing where the bound leaves it open; NaN and overflow do so, too.
  std::optional<int> CertainSign() const {
    if (!(error < std::numeric_limits<double>::infinity())) return std::nullopt;
    const double others = (std::abs(lo) + std::abs(rest) + error) * kAbove;
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

  // No less than the number's magnitude, but for the error.
  double Size() const {
    return (std::abs(hi) + (std::abs(lo) + std::abs(rest))) * kAbove;
  }

  // Whether products with it may underflow.
  bool IsTiny() const { return IsTiny(hi) || IsTiny(lo) || IsTiny(rest); }
  static bool IsTiny(double x) { return x != 0 && std::abs(x) < 0x1p-450; }

  // x + y + z, of which z was rounded, and each of the others is much larger
  // than the next unless it is zero.
  static LongBounded Normalized(double x, double y, double z, double error) {
    const DoubleDouble xy = TwoSum(x, y);
    const DoubleDouble yz = TwoSum(xy.lo, z);
    const DoubleDouble top = TwoSum(xy.hi, yz.hi);
    const DoubleDouble end = TwoSum(top.lo, yz.lo);
    return {top.hi, end.hi, end.lo, error * kAbove};
  }

  static constexpr double kU = 0x1p-53;  // relative error of one rounding
  // More than what bounds themselves lose by rounding.
  static constexpr double kAbove = 1 + 0x1p-40;
};

inline LongBounded operator+(const LongBounded& a, const LongBounded& b) {
  const DoubleDouble x = TwoSum(a.hi, b.hi);
  if (a.IsDouble() && b.IsDouble()) return {x.hi, x.lo, 0, 0};
  const DoubleDouble y = TwoSum(a.lo, b.lo);
  const DoubleDouble z = TwoSum(x.lo, y.hi);
  const double terms = (z.lo + y.lo) + (a.rest + b.rest);
  const double size =
      (std::abs(z.lo) + std::abs(y.lo)) + (std::abs(a.rest) + std::abs(b.rest));
  return LongBounded::Normalized(
      x.hi, z.hi, terms, (a.error + b.error) + 4 * LongBounded::kU * size);
}

inline LongBounded operator*(const LongBounded& a, const LongBounded& b) {
  const DoubleDouble p = TwoProduct(a.hi, b.hi);
  const double lost = a.IsTiny() || b.IsTiny() ? 0x1p-1060 : 0;
  if (a.IsDouble() && b.IsDouble()) {
    if (a.hi == 0 || b.hi == 0) return {};
    return {p.hi, p.lo, 0, lost};
  }
  const DoubleDouble q = TwoProduct(a.hi, b.lo);
  const DoubleDouble r = TwoProduct(a.lo, b.hi);
  const DoubleDouble x = TwoSum(q.hi, r.hi);
  const DoubleDouble y = TwoSum(p.lo, x.hi);
  const double s = a.lo * b.lo;
  const double t = a.hi * b.rest;
  const double v = a.rest * b.hi;
  const double terms = ((x.lo + y.lo) + (q.lo + r.lo)) + (s + (t + v));
  const double size =
      ((std::abs(x.lo) + std::abs(y.lo)) + (std::abs(q.lo) + std::abs(r.lo))) +
      (std::abs(s) + (std::abs(t) + std::abs(v)));
  // The products left out, roundings of `terms`, and what the factors bring in.
  const double left_out =
      std::abs(a.lo * b.rest) +
      std::abs(a.rest) * (std::abs(b.lo) + std::abs(b.rest));
  const double error = (left_out + 8 * LongBounded::kU * size) +
                       (a.Size() * b.error + (b.Size() + b.error) * a.error) +
                       lost;
  return LongBounded::Normalized(p.hi, y.hi, terms, error);
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_INTERNAL_NUMBERS_LONG_BOUNDED_H_
