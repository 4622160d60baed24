// SPDX-License-Identifier: Apache-2.0

// Functions that evaluate a guess of a distance in double-double and certify
// it. V is double or lanes of doubles.
//
//   Evaluated<V> r = Evaluate(from, v, e, w, f);          // from + v e + w f
//   SquareOf<V> square = SquaredLength(r);
//   MaskOf<V> others =
//       LeadsAway(BoundedDot(r, other), below, Dot(other, other));
//   MaskOf<V> certain = RoundSqrt(square.value, below, above, &distance);
//
// Errors are in units of u = 2^-53. Private; compiled once per instruction set
// (arithmetic-inl.h).
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_DISTANCE_CERTIFICATE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_DISTANCE_CERTIFICATE_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_DISTANCE_CERTIFICATE_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_DISTANCE_CERTIFICATE_INL_H_
#endif

#include <limits>

#include "hwy/highway.h"
#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
#include "orbox/overlap/internal/numbers/error_free-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Covers the rounding errors of the bounds themselves.
inline constexpr double kAboveCertificate = 1 + 0x1p-20;

// Limit of the angle between two generators e, f. The squared area |e x f|^2
// must be at least this fraction of |e|^2 |f|^2, which is a sine of 2^-20. In
// double, the error of the area is at most 2^-50 |e| |f|, a factor of 1 +-
// 2^-29.
inline constexpr double kSmallestSquaredSine = 0x1p-40;

// Returns true for squared lengths in a safe range. In it, products of six
// lengths are finite, and underflow is far below the relative errors that the
// bounds allow.
template <typename V>
HWY_INLINE MaskOf<V> IsInRange(const V& square) {
  return (square >= V(0x1p-200)) & (square <= V(0x1p300));
}

template <typename V>
struct LongVec3Of {
  LongOf<V> x, y, z;

  HWY_INLINE Vec3Of<V> Hi() const { return {x.hi, y.hi, z.hi}; }
};

template <typename V>
HWY_INLINE LongVec3Of<V> LongDifference(const Vec3Of<V>& head,
                                        const Vec3Of<V>& tail) {
  return {TwoDifference(head.x, tail.x), TwoDifference(head.y, tail.y),
          TwoDifference(head.z, tail.z)};
}

// A vector, and a bound of the error of each coordinate.
template <typename V>
struct Evaluated {
  LongVec3Of<V> r;
  Vec3Of<V> error;
};

// Returns one coordinate of `Evaluate`. Let M be the sum of the magnitudes of
// from, v e and w f. No term of `rest` exceeds u M; together they are below 6 u
// M, and seven roundings lose at most 26 u^2 M.
template <typename V>
HWY_INLINE LongOf<V> AddMultiples(const LongOf<V>& from, const V& v,
                                  const LongOf<V>& e, const V& w,
                                  const LongOf<V>& f, V* error) {
  const LongOf<V> p = TwoProduct(v, e.hi);
  const LongOf<V> q = TwoProduct(w, f.hi);
  const LongOf<V> s = TwoSum(from.hi, p.hi);
  const LongOf<V> t = TwoSum(s.hi, q.hi);
  const V rest =
      ((from.lo + s.lo) + (p.lo + v * e.lo)) + (t.lo + (q.lo + w * f.lo));
  *error = V(32 * 0x1p-106) * ((Abs(from.hi) + Abs(p.hi)) + Abs(q.hi));
  return TwoSum(t.hi, rest);
}

// AddMultiples without w f.
template <typename V>
HWY_INLINE LongOf<V> AddMultiple(const LongOf<V>& from, const V& v,
                                 const LongOf<V>& e, V* error) {
  const LongOf<V> p = TwoProduct(v, e.hi);
  const LongOf<V> s = TwoSum(from.hi, p.hi);
  const V rest = (from.lo + s.lo) + (p.lo + v * e.lo);
  *error = V(32 * 0x1p-106) * (Abs(from.hi) + Abs(p.hi));
  return TwoSum(s.hi, rest);
}

// Returns from + v e + w f.
template <typename V>
HWY_INLINE Evaluated<V> Evaluate(const LongVec3Of<V>& from, const V& v,
                                 const LongVec3Of<V>& e, const V& w,
                                 const LongVec3Of<V>& f) {
  Evaluated<V> sum;
  sum.r = {AddMultiples(from.x, v, e.x, w, f.x, &sum.error.x),
           AddMultiples(from.y, v, e.y, w, f.y, &sum.error.y),
           AddMultiples(from.z, v, e.z, w, f.z, &sum.error.z)};
  return sum;
}

// Returns from + v e.
template <typename V>
HWY_INLINE Evaluated<V> Evaluate(const LongVec3Of<V>& from, const V& v,
                                 const LongVec3Of<V>& e) {
  Evaluated<V> sum;
  sum.r = {AddMultiple(from.x, v, e.x, &sum.error.x),
           AddMultiple(from.y, v, e.y, &sum.error.y),
           AddMultiple(from.z, v, e.z, &sum.error.z)};
  return sum;
}

template <typename V>
struct BoundedLanes {
  V value;
  V error;

  HWY_INLINE V Largest() const { return Abs(value) + error; }
};

// Returns r . e from the leading parts. Each factor has an error of u, and r
// has its error in addition. Products and sums add at most three roundings.
template <typename V>
HWY_INLINE BoundedLanes<V> BoundedDot(const Evaluated<V>& r,
                                      const Vec3Of<V>& e) {
  const Vec3Of<V> hi = r.r.Hi();
  const Vec3Of<V> size = Abs(e);
  return {Dot(hi, e),
          V(8 * 0x1p-53) * Dot(Abs(hi), size) + V(2) * Dot(r.error, size)};
}

// Returns true if e certainly leads away from the origin, seen from r - g,
// where g is a part of r: r . e >= |g| |e|. Requires |g|^2 <= `below`;
// `squared` is e . e. Squares above the range of doubles are rejected.
// Underflow is far below the allowed error of r^2.
template <typename V>
HWY_INLINE MaskOf<V> LeadsAway(const BoundedLanes<V>& re, const V& below,
                               const V& squared) {
  const V least = re.value - re.error;
  const V bound = V(kAboveCertificate) * (below * squared);
  return (least >= V(0)) & (bound <= V(std::numeric_limits<double>::max())) &
         (least * least >= bound);
}

// Let g be the part of r in the plane of e and f, and let e' and f' be e and f
// turned by a right angle in this plane. Then |g| |e x f| = |(r . e) f' - (r .
// f) e'|. Returns a bound of the square of this, given bounds of |r . e| and |r
// . f|.
template <typename V>
HWY_INLINE V LargestSquareInPlane(const V& re, const V& ee, const V& rf,
                                  const V& ff) {
  return V(4) * (re * re * ff + rf * rf * ee);
}

// The part g of r in the span of one or two active generators.
template <typename V>
struct ProjectionOf {
  BoundedLanes<V> squared;  // its squared length
  V largest_square;         // an upper bound of it
  // True if the closest point of the span has coefficients that are positive
  // and below their upper bounds. Then it is in M (closest_range.h).
  MaskOf<V> is_inside;
  MaskOf<V> is_certified;
};

// Projects on one generator e. `x` is BoundedDot(r, e), `ee` is Dot(e, e), and
// `c` is the coefficient of e.
template <typename V>
HWY_INLINE ProjectionOf<V> ProjectOnLine(const BoundedLanes<V>& x, const V& ee,
                                         const V& c) {
  ProjectionOf<V> g;
  const V largest = x.Largest();
  g.is_certified = IsInRange(ee);
  g.squared.value = x.value * x.value / ee;
  g.squared.error = V(kAboveCertificate) * (V(2) * largest * x.error) / ee +
                    V(0x1p-28) * g.squared.value;
  g.largest_square = V(kAboveCertificate) * largest * largest / ee;
  // The closest point is at c - x / ee.
  g.is_inside = Min(c, V(1) - c) * ee > V(kAboveCertificate) * largest;
  return g;
}

// Projects on the plane of e and f, which have the coefficients `c` and `d`.
// `beyond` is the margin between the coefficients and their upper bounds.
template <typename V>
HWY_INLINE ProjectionOf<V> ProjectOnPlane(const BoundedLanes<V>& x,
                                          const BoundedLanes<V>& y,
                                          const Vec3Of<V>& e,
                                          const Vec3Of<V>& f, const V& c,
                                          const V& d, const V& beyond) {
  ProjectionOf<V> g;
  const V ee = Dot(e, e);
  const V ff = Dot(f, f);
  const Vec3Of<V> n = Cross(e, f);
  const V area = Dot(n, n);
  const MaskOf<V> is_e_in_range = IsInRange(ee);
  const MaskOf<V> is_f_in_range = IsInRange(ff);
  g.is_certified = is_e_in_range & is_f_in_range &
                   (area >= V(kSmallestSquaredSine) * ee * ff);
  // With e' and f' for e and f turned by a right angle in their plane, |g| |e x
  // f| = |x f' - y e'|.
  const V scale = V(1) / area;
  const V xx = x.value * x.value * ff * scale;
  const V yy = y.value * y.value * ee * scale;
  const V errors =
      V(2) * (x.error * x.error * ff + y.error * y.error * ee) * scale;
  g.squared.value = (xx + yy) - V(2) * (x.value * y.value) * Dot(e, f) * scale;
  g.squared.error =
      V(kAboveCertificate) * (V(2) * Sqrt(V(2) * (xx + yy) * errors) + errors) +
      V(0x1p-26) * (xx + yy);
  g.largest_square = V(4) * V(kAboveCertificate) * ((xx + yy) + errors);
  // The coefficients of the closest point differ by at most |g| |f| / |e x f|
  // and |g| |e| / |e x f|.
  const V room = Min(Min(c, d), beyond - V(4 * kRoundoff));
  g.is_inside = (room > V(0)) &
                (room * room > V(4) * g.largest_square * (ee + ff) * scale);
  return g;
}

// The square |r|^2 of an evaluated vector, and a bound of its error.
template <typename V>
struct SquareOf {
  LongOf<V> value;
  V error;
};

// Let S be the sum of the squares of the leading parts. TwoProduct and TwoSum
// split it into xyz.hi and trailing parts, whose sum is at most 3 u S. Each
// trailing part is rounded at most four times before it is in `rest`. `mixed`,
// twice at most u S, is also rounded four times. The sum of these errors is 20
// u^2 S. The squares of r's trailing parts are omitted, and are below u^2 S. So
// 64 u^2 is enough for these and for the roundings of the bound itself. Let d
// be the error of r. It adds 2 |r| d + d^2.
template <typename V>
HWY_INLINE SquareOf<V> SquaredLength(const Evaluated<V>& evaluated) {
  const auto& [x, y, z] = evaluated.r;
  const Vec3Of<V>& error = evaluated.error;
  const LongOf<V> xx = TwoProduct(x.hi, x.hi);
  const LongOf<V> yy = TwoProduct(y.hi, y.hi);
  const LongOf<V> zz = TwoProduct(z.hi, z.hi);
  const LongOf<V> xy = TwoSum(xx.hi, yy.hi);
  const LongOf<V> xyz = TwoSum(xy.hi, zz.hi);
  const V mixed = x.hi * x.lo + y.hi * y.lo + z.hi * z.lo;
  const V rest = ((xx.lo + yy.lo) + zz.lo) + (xy.lo + xyz.lo) + (mixed + mixed);
  const LongOf<V> value = FastTwoSum(xyz.hi, rest);
  return {value, V(64 * 0x1p-106) * value.hi +
                     V(4) * Dot(Abs(evaluated.r.Hi()), error) +
                     V(4) * Dot(error, error)};
}

// The squared distance minus |g|^2, and bounds of the distance from this value
// to the exact one, below and above.
template <typename V>
struct RangeOfSquare {
  LongOf<V> value;
  V below;
  V above;
};

template <typename V>
HWY_INLINE RangeOfSquare<V> WithoutPart(const SquareOf<V>& square,
                                        const ProjectionOf<V>& g) {
  const LongOf<V> value = TwoSum(square.value.hi, -g.squared.value);
  RangeOfSquare<V> range{FastTwoSum(value.hi, value.lo + square.value.lo),
                         square.error, square.error};
  // Each of the last additions rounds by at most u^2 of the value.
  const V rounding = V(8 * kRoundoff * kRoundoff) * range.value.hi;
  range.below = range.below + (g.squared.error + rounding);
  // If the closest point of the span is not inside, |g|^2 may be far larger
  // than |r|^2. The upper bound then adds all of |g|^2 again.
  const V nearer = Select(g.is_inside, g.squared.error,
                          V(kAboveCertificate) * g.squared.value);
  range.above = range.above + (nearer + rounding);
  return range;
}

// Sets *root to the correctly rounded square root. Returns true if all numbers
// from square - below to square + above have this rounded root. Requires
// squares in range.
template <typename V>
HWY_INLINE MaskOf<V> RoundSqrt(const LongOf<V>& square, const V& below,
                               const V& above, V* root) {
  // One step of Newton's iteration, from the square root of the leading part.
  // The error after the step is below u^2 of the root.
  const V r = Sqrt(square.hi);
  const LongOf<V> rr = TwoProduct(r, r);
  const V half = V(0.5) / r;
  const V correction = (((square.hi - rr.hi) - rr.lo) + square.lo) * half;
  const V slack = V(16 * 0x1p-106) * r;
  const V twice_half = half + half;
  *root = r + (correction + (above * twice_half + slack));
  const V lowest = r + (correction - (below * twice_half + slack));
  return lowest == *root;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_DISTANCE_CERTIFICATE_INL_H_
