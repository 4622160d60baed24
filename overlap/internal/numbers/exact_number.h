// SPDX-License-Identifier: Apache-2.0

// Numbers m * 2^e, where m and e are integers and m may have any size. Finite
// doubles are such numbers, and so are sums and products of such numbers.
// Private to the exact stages.
//
//   Exact area = Exact(w) * Exact(h) - Exact(limit);
//   if (area.Sign() > 0) ...
//   double quotient = RoundedQuotient(area, Exact(3));   // rounds once
//
// No operation rounds except ToDouble and Rounded*. These round once, to
// nearest, ties to even, with gradual underflow and overflow to infinity, in
// any state of the floating-point environment. A sum of numbers whose exponents
// are 2000 apart has 2000 bits. Integers of up to 512 bits allocate nothing.
#ifndef ORBOX_OVERLAP_INTERNAL_NUMBERS_EXACT_NUMBER_H_
#define ORBOX_OVERLAP_INTERNAL_NUMBERS_EXACT_NUMBER_H_

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <utility>

namespace orbox {

class Exact {
 public:
  using Integer = boost::multiprecision::number<
      boost::multiprecision::cpp_int_backend<
          512, 0, boost::multiprecision::signed_magnitude,
          boost::multiprecision::unchecked>,
      boost::multiprecision::et_off>;

  Exact() = default;    // zero
  Exact(double value);  // NOLINT: exact for every finite double
  Exact(Integer mantissa, int64_t exponent)
      : mantissa_(std::move(mantissa)), exponent_(exponent) {}

  int Sign() const { return mantissa_.sign(); }
  const Integer& mantissa() const { return mantissa_; }
  int64_t exponent() const { return exponent_; }

  // Returns the nearest double.
  double ToDouble() const;

  Exact operator-() const { return {Integer(-mantissa_), exponent_}; }
  friend Exact operator+(const Exact& a, const Exact& b);
  friend Exact operator-(const Exact& a, const Exact& b) { return a + (-b); }
  friend Exact operator*(const Exact& a, const Exact& b) {
    return {Integer(a.mantissa_ * b.mantissa_), a.exponent_ + b.exponent_};
  }
  friend bool operator==(const Exact& a, const Exact& b) {
    return (a - b).Sign() == 0;
  }
  friend std::strong_ordering operator<=>(const Exact& a, const Exact& b) {
    return (a - b).Sign() <=> 0;
  }

 private:
  Integer mantissa_ = 0;
  int64_t exponent_ = 0;
};

// Returns the double nearest to n / d. Requires d != 0.
double RoundedQuotient(const Exact& n, const Exact& d);

// Returns the double nearest to the square root of n / d. Requires n >= 0 and d
// > 0.
double RoundedSqrtOfQuotient(const Exact& n, const Exact& d);

// Implementation.

inline Exact::Exact(double value) {
  if (value == 0) return;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);  // 0.5 <= |.| < 1
  // With 53 bits, the fraction of any double is an integer.
  int64_t mantissa = static_cast<int64_t>(std::ldexp(fraction, 53));
  // Removes trailing zeros. Tests and CAD data mostly have small integers,
  // which then stay small and cheap.
  while ((mantissa & 1) == 0) {
    mantissa /= 2;
    ++exponent;
  }
  mantissa_ = mantissa;
  exponent_ = exponent - 53;
}

inline Exact operator+(const Exact& a, const Exact& b) {
  if (a.Sign() == 0) return b;
  if (b.Sign() == 0) return a;
  if (a.exponent_ < b.exponent_) return b + a;
  const auto shift = static_cast<uint64_t>(a.exponent_ - b.exponent_);
  return {Exact::Integer((a.mantissa_ << shift) + b.mantissa_), b.exponent_};
}

namespace exact_internal {

// Returns the double nearest to magnitude * 2^exponent. If `more`, the number
// to be rounded is larger than that, by less than one unit of the last bit of
// magnitude. In this case, requires magnitude >= 2^55, so that the difference
// does not reach the rounding bit.
inline double RoundMagnitude(const Exact::Integer& magnitude, int64_t exponent,
                             bool more) {
  if (magnitude == 0) return 0;
  const int64_t top = static_cast<int64_t>(msb(magnitude)) + exponent;
  if (top > 1023) return std::numeric_limits<double>::infinity();
  // The exponent of the last bit of a double of this magnitude: 52 below the
  // top one, but at least that of the smallest denormal.
  const int64_t last = std::max<int64_t>(top - 52, -1074);
  const int64_t dropped = last - exponent;
  if (dropped <= 0) {
    return std::ldexp(static_cast<double>(static_cast<int64_t>(magnitude)),
                      static_cast<int>(exponent));
  }
  Exact::Integer kept = magnitude >> static_cast<uint64_t>(dropped);
  const Exact::Integer rest =
      magnitude - (kept << static_cast<uint64_t>(dropped));
  const Exact::Integer half = Exact::Integer(1)
                              << static_cast<uint64_t>(dropped - 1);
  const int order = rest.compare(half);
  if (order > 0 || (order == 0 && (more || (kept & 1) != 0))) kept += 1;
  // At most 2^53, and therefore exact. ldexp overflows to infinity, as
  // intended.
  return std::ldexp(static_cast<double>(static_cast<int64_t>(kept)),
                    static_cast<int>(last));
}

inline int64_t BitLength(const Exact::Integer& positive) {
  return static_cast<int64_t>(msb(positive)) + 1;
}

}  // namespace exact_internal

inline double Exact::ToDouble() const {
  const double magnitude =
      exact_internal::RoundMagnitude(Integer(abs(mantissa_)), exponent_, false);
  return mantissa_ < 0 ? -magnitude : magnitude;
}

inline double RoundedQuotient(const Exact& n, const Exact& d) {
  using exact_internal::BitLength;
  if (n.Sign() == 0) return 0;
  Exact::Integer numerator = abs(n.mantissa());
  const Exact::Integer denominator = abs(d.mantissa());
  // 66 bits of the quotient: the 53 bits of a double, and more than the two
  // that rounding reads.
  const int64_t shift =
      std::max<int64_t>(0, 66 - BitLength(numerator) + BitLength(denominator));
  numerator <<= static_cast<uint64_t>(shift);
  Exact::Integer quotient, rest;
  divide_qr(numerator, denominator, quotient, rest);
  const double magnitude = exact_internal::RoundMagnitude(
      quotient, n.exponent() - d.exponent() - shift, rest != 0);
  return n.Sign() * d.Sign() < 0 ? -magnitude : magnitude;
}

inline double RoundedSqrtOfQuotient(const Exact& n, const Exact& d) {
  using exact_internal::BitLength;
  if (n.Sign() == 0) return 0;
  Exact::Integer numerator = n.mantissa();
  // 132 bits of the quotient give 66 bits of the root. The exponent is made
  // even, so that it can be halved.
  int64_t shift = std::max<int64_t>(
      0, 132 - BitLength(numerator) + BitLength(d.mantissa()));
  if ((n.exponent() - d.exponent() - shift) % 2 != 0) ++shift;
  numerator <<= static_cast<uint64_t>(shift);
  Exact::Integer quotient, rest, square_rest;
  divide_qr(numerator, d.mantissa(), quotient, rest);
  const Exact::Integer root = sqrt(quotient, square_rest);
  return exact_internal::RoundMagnitude(
      root, (n.exponent() - d.exponent() - shift) / 2,
      rest != 0 || square_rest != 0);
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_INTERNAL_NUMBERS_EXACT_NUMBER_H_
