// The steps by which a guess of a distance is evaluated in double-double and
// certified, a few lanes at once: those of closest_range.cc, where their bounds
// are derived.
//
//   LongD x = DEvaluate(base, v, e, w, f, &error.x);   // and y, z
//   DSquared square = DSquaredLength(x, y, z, error);
//   DMask others = DLeadsAway(DDotProduct(r, error, other), below, squared);
//   DMask certain = DRoundSqrt(square, below, &distance);
//
// Private; compiled once per instruction set (lanes-inl.h).
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_DISTANCE_CERTIFICATE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_DISTANCE_CERTIFICATE_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_DISTANCE_CERTIFICATE_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_DISTANCE_CERTIFICATE_INL_H_
#endif

#include <limits>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/double_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// A little more than what the bounds themselves lose by rounding.
inline constexpr double kDAbove = 1 + 0x1p-20;

inline constexpr double kDLargest = std::numeric_limits<double>::max();

// Squared lengths that keep products in double's range (IsInRange).
HWY_INLINE DMask DIsInRange(D square) {
  return hn::And(hn::Ge(square, DSet(0x1p-200)), hn::Le(square, DSet(0x1p300)));
}

// r . e, and a bound of its error (DotProduct in closest_range.cc).
struct DBounded {
  D value, error;
};
HWY_INLINE DBounded DDotProduct(const D3& r, const D3& r_error, const D3& e) {
  const D3 size = DAbs(e);
  return {DDot(r, e), hn::Add(hn::Mul(DSet(8 * 0x1p-53), DDot(DAbs(r), size)),
                              hn::Mul(DSet(2), DDot(r_error, size)))};
}

// Whether no multiple of e, of which e . e is `squared`, brings r without a
// part g of it closer to the origin: r . e >= |g| |e|, where |g|^2 <= `below`
// (LeadsAway in closest_range.cc).
HWY_INLINE DMask DLeadsAway(const DBounded& re, D below, D squared) {
  const D least = hn::Sub(re.value, re.error);
  const D bound = hn::Mul(DSet(kDAbove), hn::Mul(below, squared));
  return hn::And(hn::And(hn::Ge(least, hn::Zero(DoubleTag())),
                         hn::Le(bound, DSet(kDLargest))),
                 hn::Ge(hn::Mul(least, least), bound));
}

// from + v e + w f for one coordinate in double-double, off by *error
// (AddMultiples in closest_range.cc).
HWY_INLINE LongD DEvaluate(LongD from, D v, LongD e, D w, LongD f, D* error) {
  const LongD p = DTwoProduct(v, e.hi);
  const LongD q = DTwoProduct(w, f.hi);
  const LongD s = DTwoSum(from.hi, p.hi);
  const LongD t = DTwoSum(s.hi, q.hi);
  const D rest =
      hn::Add(hn::Add(hn::Add(from.lo, s.lo), hn::Add(p.lo, hn::Mul(v, e.lo))),
              hn::Add(t.lo, hn::Add(q.lo, hn::Mul(w, f.lo))));
  *error = hn::Mul(DSet(32 * 0x1p-106),
                   DAdd3(hn::Abs(from.hi), hn::Abs(p.hi), hn::Abs(q.hi)));
  return DTwoSum(t.hi, rest);
}

// |r|^2, and how far it may be off.
struct DSquared {
  LongD value;
  D error;
};

// SquaredLength there, for coordinates of r that are off by `error`.
HWY_INLINE DSquared DSquaredLength(const LongD& x, const LongD& y,
                                   const LongD& z, const D3& error) {
  const D3 r = {x.hi, y.hi, z.hi};
  const LongD xx = DTwoProduct(x.hi, x.hi);
  const LongD yy = DTwoProduct(y.hi, y.hi);
  const LongD zz = DTwoProduct(z.hi, z.hi);
  const LongD xy = DTwoSum(xx.hi, yy.hi);
  const LongD xyz = DTwoSum(xy.hi, zz.hi);
  const D mixed =
      DAdd3(hn::Mul(x.hi, x.lo), hn::Mul(y.hi, y.lo), hn::Mul(z.hi, z.lo));
  const D rest = DAdd3(DAdd3(xx.lo, yy.lo, zz.lo), hn::Add(xy.lo, xyz.lo),
                       hn::Add(mixed, mixed));
  const LongD value = DFastTwoSum(xyz.hi, rest);
  return {value, DAdd3(hn::Mul(DSet(80 * 0x1p-106), value.hi),
                       hn::Mul(DSet(4), DDot(DAbs(r), error)),
                       hn::Mul(DSet(4), DDot(error, error)))};
}

// RoundSqrt there, where the exact square may be smaller by `below` and what
// |r|^2 is off by: sets *root, and returns where both ends round to it. Squares
// have to be in range.
HWY_INLINE DMask DRoundSqrt(const DSquared& squared, D below, D* root) {
  const LongD& value = squared.value;
  const D r = hn::Sqrt(value.hi);
  const LongD square = DTwoProduct(r, r);
  const D half = hn::Div(DSet(0.5), r);
  const D correction = hn::Mul(
      hn::Add(hn::Sub(hn::Sub(value.hi, square.hi), square.lo), value.lo),
      half);
  const D slack = hn::Mul(DSet(16 * 0x1p-106), r);
  const D twice_half = hn::Add(half, half);
  const D down =
      hn::Add(hn::Mul(hn::Add(squared.error, below), twice_half), slack);
  const D up = hn::Add(hn::Mul(squared.error, twice_half), slack);
  *root = hn::Add(r, hn::Add(correction, up));
  const D lowest = hn::Add(r, hn::Sub(correction, down));
  return hn::Eq(lowest, *root);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_DISTANCE_CERTIFICATE_INL_H_
