// SPDX-License-Identifier: Apache-2.0

// Distance of a point to a triangle that contains it or nearly contains it, if
// doubles and pairs of doubles do not decide. Uses the number types of
// bounded.h, a register of triangles at a time.
//
//   DMask done = CertifyNearFace(p, t, wanted, &distance, &closest);
//
// The result is that of exact_triangles.h, in a fraction of the time. Only
// lanes whose closest point is inside the face, or inside the edge from a to b,
// can be certified. Private; compiled once per instruction set.
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_POINT_NEAR_FACE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_POINT_NEAR_FACE_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_POINT_NEAR_FACE_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_POINT_NEAR_FACE_INL_H_
#endif

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
#include "orbox/overlap/internal/numbers/long_bounded-inl.h"
#include "orbox/overlap/triangles/internal/distance_certificate-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Returns the certified lanes among `wanted`. Sets *distance and *closest,
// correctly rounded, in these lanes. Other lanes are unspecified.
DMask CertifyNearFace(const D3& p, const TriangleOf<D>& t, const DMask& wanted,
                      D* distance, D3* closest);

// Returns true if p is certainly on the segment from a to b. This is the test
// of on_segment.h in each lane.
DMask IsOnSegment(const D3& p, const D3& a, const D3& b);

// Implementation.

// Returns true if a b = c d is certain, as in error_free.h.
HWY_INLINE DMask AreEqualProducts(const D& a, const D& b, const D& c,
                                  const D& d) {
  const LongOf<D> p = TwoProduct(a, b);
  const LongOf<D> q = TwoProduct(c, d);
  const DMask are_zero = ((a == 0) | (b == 0)) & ((c == 0) | (d == 0));
  return are_zero | ((p.hi == q.hi) & (p.lo == q.lo) & (Abs(p.hi) >= 0x1p-960));
}

HWY_INLINE DMask IsBetween(const D& p, const D& a, const D& b) {
  return (Min(a, b) <= p) & (p <= Max(a, b));
}

HWY_INLINE DMask IsOnSegment(const D3& p, const D3& a, const D3& b) {
  const LongVec3Of<D> w = LongDifference(p, a);
  const LongVec3Of<D> e = LongDifference(b, a);
  const DMask is_exact = (w.x.lo == 0) & (w.y.lo == 0) & (w.z.lo == 0) &
                         (e.x.lo == 0) & (e.y.lo == 0) & (e.z.lo == 0);
  return is_exact & IsBetween(p.x, a.x, b.x) & IsBetween(p.y, a.y, b.y) &
         IsBetween(p.z, a.z, b.z) &
         AreEqualProducts(w.y.hi, e.z.hi, w.z.hi, e.y.hi) &
         AreEqualProducts(w.z.hi, e.x.hi, w.x.hi, e.z.hi) &
         AreEqualProducts(w.x.hi, e.y.hi, w.y.hi, e.x.hi);
}

using LongD = LongBoundedOf<D>;

struct LongD3 {
  LongD x, y, z;
};

HWY_INLINE LongD LongProduct(const LongD& a, const LongD& b) {
  return BoundedProduct<D>(a, b, D(0));
}
HWY_INLINE LongD LongMinus(const LongD& a, const LongD& b) {
  return BoundedSum<D>(a, -b);
}
HWY_INLINE LongD3 LongCross(const LongD3& a, const LongD3& b) {
  return {LongMinus(LongProduct(a.y, b.z), LongProduct(a.z, b.y)),
          LongMinus(LongProduct(a.z, b.x), LongProduct(a.x, b.z)),
          LongMinus(LongProduct(a.x, b.y), LongProduct(a.y, b.x))};
}
HWY_INLINE LongD LongDot(const LongD3& a, const LongD3& b) {
  return BoundedSum<D>(
      BoundedSum<D>(LongProduct(a.x, b.x), LongProduct(a.y, b.y)),
      LongProduct(a.z, b.z));
}

// Returns true for coordinates in a safe range. In it, no part of a product of
// six coordinates, or of their rounding errors, underflows, unless the result
// is out of range.
HWY_INLINE DMask IsPlain(const D& x) {
  const D size = Abs(x);
  return (x == 0) | ((size >= 0x1p-100) & (size <= 0x1p100));
}
HWY_INLINE DMask IsPlain(const LongVec3Of<D>& v) {
  return IsPlain(v.x.hi) & IsPlain(v.x.lo) & IsPlain(v.y.hi) & IsPlain(v.y.lo) &
         IsPlain(v.z.hi) & IsPlain(v.z.lo);
}

HWY_INLINE LongD3 LiftLong(const LongVec3Of<D>& v) {
  return {
      {v.x.hi, v.x.lo, 0, 0}, {v.y.hi, v.y.lo, 0, 0}, {v.z.hi, v.z.lo, 0, 0}};
}

HWY_INLINE D TrailingParts(const LongD& x) {
  return (Abs(x.lo) + Abs(x.rest)) + x.error;
}
HWY_INLINE DMask IsCertainlyZero(const LongD& x) {
  return (x.hi == 0) & (TrailingParts(x) == 0);
}
HWY_INLINE DMask IsCertainlyPositive(const LongD& x) {
  return x.hi > kAboveBounds * TrailingParts(x);
}
// Returns true if the relative error of the leading part is small, and if the
// number is in the range in which later results do not underflow.
HWY_INLINE DMask HasLeadingPart(const LongD& x) {
  const D size = Abs(x.hi);
  return (size >= 0x1p-400) & (size <= 0x1p900) &
         (size * 0x1p-50 >= TrailingParts(x));
}

// Sets *root to the root of n / d, rounded as in ladder.h. Returns the lanes in
// which all numbers within the error bounds have this rounded root.
HWY_INLINE DMask RoundRootOfQuotient(const LongD& n, const LongD& d, D* root) {
  const D r = Sqrt(n.hi / d.hi);
  const LongD square = LongProduct({r, 0, 0, 0}, {r, 0, 0, 0});
  const LongD rest = LongMinus(n, LongProduct(d, square));
  const D half = D(0.5) / (r * d.hi);
  const D correction = rest.hi * half;
  const D slack = kAboveCertificate *
                  (TrailingParts(rest) * half + 0x1p-46 * Abs(correction));
  *root = r + (correction - slack);
  return HasLeadingPart(n) & HasLeadingPart(d) &
         (*root == r + (correction + slack));
}

// Sets *sum to x + n h / d, rounded. Returns the certain lanes.
HWY_INLINE DMask RoundOffset(const D& x, const LongD& n, const LongD& h,
                             const LongD& d, D* sum) {
  const D offset = n.hi * h.hi / d.hi;
  const D slack = 0x1p-47 * Abs(offset);
  *sum = x + (offset - slack);
  const DMask is_zero = IsCertainlyZero(n) | IsCertainlyZero(h);
  const DMask is_known = HasLeadingPart(n) & HasLeadingPart(h) &
                         (Abs(offset) >= 0x1p-900) & (Abs(*sum) >= 0x1p-900);
  return (*sum == x + (offset + slack)) & (is_zero | is_known) &
         HasLeadingPart(d);
}

// Sets *quotient to n / d, rounded. Returns the certain lanes.
HWY_INLINE DMask RoundQuotient(const LongD& n, const LongD& d, D* quotient) {
  const D r = n.hi / d.hi;
  const LongD rest = LongMinus(n, LongProduct(d, {r, 0, 0, 0}));
  const D correction = rest.hi / d.hi;
  const D slack = kAboveCertificate *
                  (TrailingParts(rest) / d.hi + 0x1p-49 * Abs(correction));
  *quotient = r + (correction - slack);
  return HasLeadingPart(n) & HasLeadingPart(d) & (Abs(r) >= 0x1p-800) &
         (*quotient == r + (correction + slack));
}

// The edges for which double shows that the foot of w, in the plane of e and f,
// is certainly on the inner side: e, and the two others. Differences have an
// error of u = 2^-53 in each coordinate. The error of products of vectors is
// less than 16 u of the product of their lengths.
struct ClearSides {
  DMask within_e;
  DMask within_others;
};
HWY_INLINE ClearSides ClearSidesOf(const D3& e, const D3& f, const D3& w) {
  const D3 n = Cross(e, f);
  const D ee = Dot(e, e);
  const D ff = Dot(f, f);
  const D ww = Dot(w, w);
  const D v = Dot(Cross(w, f), n);
  const D u = Dot(Cross(e, w), n);
  const D v_error = 0x1p-46 * ff * Sqrt(ww * ee);
  const D u_error = 0x1p-46 * ee * Sqrt(ww * ff);
  return {u > u_error,
          (v > v_error) &
              (Dot(n, n) - (v + u) > v_error + u_error + 0x1p-46 * (ee * ff))};
}

// Sets *coordinate to one coordinate of the point a + e we / ee, rounded.
HWY_INLINE DMask RoundOnEdge(const D& a, const LongD& e, const LongD& we,
                             const LongD& ee, D* coordinate) {
  const LongD sum =
      BoundedSum<D>(LongProduct({a, 0, 0, 0}, ee), LongProduct(e, we));
  return IsPlain(a) & RoundQuotient(sum, ee, coordinate);
}

// A point and a triangle, relative to its corner a.
struct NearFace {
  const D3& p;
  const D3& a;
  LongD3 e, f, w;  // to b, to c and to the point
  LongD3 n;        // e x f

  // Returns true if the foot is on the inner sides of the edges other than e.
  // `u` is the distance of the foot from e, positive inward, times a positive
  // factor.
  HWY_INLINE DMask IsWithinOthers(const LongD& nn, const LongD& u) const {
    const LongD v = LongDot(LongCross(w, f), n);
    return IsCertainlyPositive(v) &
           IsCertainlyPositive(LongMinus(nn, BoundedSum<D>(v, u)));
  }

  // Sets the distance to the plane, and the foot in the plane. Returns the
  // certain lanes.
  HWY_INLINE DMask OnFace(const LongD& nn, D* distance, D3* closest) const {
    const LongD down = -LongDot(n, w);
    const DMask is_on_plane = IsCertainlyZero(down);
    D root;
    const DMask is_rounded =
        RoundRootOfQuotient(LongProduct(down, down), nn, &root);
    *distance = ZeroOrSelect(is_on_plane, root);
    return (is_on_plane | is_rounded) &
           RoundOffset(p.x, n.x, down, nn, &closest->x) &
           RoundOffset(p.y, n.y, down, nn, &closest->y) &
           RoundOffset(p.z, n.z, down, nn, &closest->z);
  }

  // Sets the distance to the line of e, and the foot, if the foot is inside e.
  // `x` is e x w. Returns the certain lanes.
  HWY_INLINE DMask OnEdge(const LongD3& x, D* distance, D3* closest) const {
    const LongD ee = LongDot(e, e);
    const LongD we = LongDot(w, e);
    return IsCertainlyPositive(we) & IsCertainlyPositive(LongMinus(ee, we)) &
           RoundRootOfQuotient(LongDot(x, x), ee, distance) &
           RoundOnEdge(a.x, e.x, we, ee, &closest->x) &
           RoundOnEdge(a.y, e.y, we, ee, &closest->y) &
           RoundOnEdge(a.z, e.z, we, ee, &closest->z);
  }
};

HWY_NOINLINE inline DMask CertifyNearFace(const D3& p, const TriangleOf<D>& t,
                                          const DMask& wanted, D* distance,
                                          D3* closest) {
  const LongVec3Of<D> to_b = LongDifference(t.b, t.a);
  const LongVec3Of<D> to_c = LongDifference(t.c, t.a);
  const LongVec3Of<D> to_p = LongDifference(p, t.a);
  const DMask plain = wanted & IsPlain(to_b) & IsPlain(to_c) & IsPlain(to_p);
  const ClearSides sides = ClearSidesOf(to_b.Hi(), to_c.Hi(), to_p.Hi());
  const LongD3 e = LiftLong(to_b);
  const LongD3 f = LiftLong(to_c);
  const LongD3 w = LiftLong(to_p);
  const NearFace near = {p, t.a, e, f, w, LongCross(e, f)};
  const LongD nn = LongDot(near.n, near.n);
  DMask inside = plain & sides.within_e & sides.within_others;
  DMask beyond = plain & !plain;  // on the outer side of e
  LongD3 x{};
  if (Bits(AndNot(inside, plain)) != 0) {
    x = LongCross(e, w);
    const LongD u = LongDot(near.n, x);
    const DMask within_e = plain & IsCertainlyPositive(u);
    beyond = plain & IsCertainlyPositive(-u);
    inside = within_e & sides.within_others;
    if (Bits(AndNot(inside, within_e)) != 0) {
      inside = inside | (within_e & near.IsWithinOthers(nn, u));
    }
  }
  DMask done = inside;
  if (Bits(inside) != 0) {
    done = inside & near.OnFace(nn, distance, closest);
  }
  if (Bits(beyond) != 0) {
    D on_edge;
    D3 foot;
    beyond = beyond & near.OnEdge(x, &on_edge, &foot);
    *distance = Select(beyond, on_edge, *distance);
    *closest = Select(beyond, foot, *closest);
    done = done | beyond;
  }
  return done;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_POINT_NEAR_FACE_INL_H_
