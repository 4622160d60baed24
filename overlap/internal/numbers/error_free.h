// Sums and products of two doubles without error: as the nearest double and
// the rest that rounding dropped. Private.
//
//   DoubleDouble s = TwoSum(a, b);     // a + b == s.hi + s.lo, exactly
//   DoubleDouble p = TwoProduct(a, b);
//
// Written with roundings to nearest only, so that every machine gives the same
// bits; the compiler must not contract to fused multiply-add.
// TwoSum is exact unless it overflows. TwoProduct is exact where the factors
// are below 2^995 in magnitude and the product is zero or at least 2^-960.
// Knuth, TAOCP 2, 4.2.2; Dekker, "A floating-point technique for extending the
// available precision", 1971.
#ifndef ORBOX_OVERLAP_INTERNAL_NUMBERS_ERROR_FREE_H_
#define ORBOX_OVERLAP_INTERNAL_NUMBERS_ERROR_FREE_H_

namespace orbox {

// hi + lo, where hi is the double nearest to the sum.
struct DoubleDouble {
  double hi = 0;
  double lo = 0;
};

inline DoubleDouble TwoSum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

inline DoubleDouble TwoDifference(double a, double b) {
  const double difference = a - b;
  const double b_part = a - difference;
  return {difference, (a - (difference + b_part)) + (b_part - b)};
}

// TwoSum where a is zero or |a| >= |b|.
inline DoubleDouble FastTwoSum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// Two halves of at most 26 bits: their products are exact.
inline DoubleDouble Split(double a) {
  const double scaled = 134217729.0 * a;  // 2^27 + 1
  const double hi = scaled - (scaled - a);
  return {hi, a - hi};
}

inline DoubleDouble TwoProduct(double a, double b) {
  const double product = a * b;
  const DoubleDouble x = Split(a);
  const DoubleDouble y = Split(b);
  return {product,
          ((x.hi * y.hi - product) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

inline DoubleDouble TwoSquare(double a) {
  const double product = a * a;
  const DoubleDouble x = Split(a);
  return {product, ((x.hi * x.hi - product) + 2 * (x.hi * x.lo)) + x.lo * x.lo};
}

// Sums and products of such pairs, not quite to the last bit: off
// by at most 4 u^2 (u = 2^-53) of |a| + |b|, or of |a b|.
inline DoubleDouble Sum(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble s = TwoSum(a.hi, b.hi);
  return FastTwoSum(s.hi, s.lo + (a.lo + b.lo));
}

inline DoubleDouble Product(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble p = TwoProduct(a.hi, b.hi);
  return FastTwoSum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

inline DoubleDouble Negated(const DoubleDouble& a) { return {-a.hi, -a.lo}; }

}  // namespace orbox

#endif  // ORBOX_OVERLAP_INTERNAL_NUMBERS_ERROR_FREE_H_
