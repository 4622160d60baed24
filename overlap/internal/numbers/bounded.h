// SPDX-License-Identifier: Apache-2.0

// A double and a bound of its error, the distance to the exact number. Private:
// the first rung of ladder.h.
//
//   Bounded area = (Bounded(b) - a) * (Bounded(d) - c);
//   std::optional<int> sign = area.CertainSign();
#ifndef ORBOX_OVERLAP_INTERNAL_NUMBERS_BOUNDED_H_
#define ORBOX_OVERLAP_INTERNAL_NUMBERS_BOUNDED_H_

#include <cmath>
#include <limits>
#include <optional>

#include "orbox/overlap/base/roundoff.h"

namespace orbox {

struct Bounded {
  double value = 0;
  double error = 0;

  Bounded() = default;
  Bounded(double exact) : value(exact) {}  // NOLINT: every double is one
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

  // Adds the rounding error of `value`, which was rounded once, and of `error`,
  // which was rounded a few times.
  static Bounded Rounded(double value, double error) {
    return {value, (error + kRoundoff * std::abs(value)) * (1 + 8 * kRoundoff)};
  }
};

}  // namespace orbox

#endif  // ORBOX_OVERLAP_INTERNAL_NUMBERS_BOUNDED_H_
