// SPDX-License-Identifier: Apache-2.0

// Certified bounds of the distances from a point, a box or a triangle to eight
// triangles at once. At leaves, they decide most triangles before double is
// used.
//
//   DistanceBounds b =
//       PointToTriangles(Set8x3(p), LoadTriangles(leaf.rows), error);
//   uint32_t maybe = Bits(b.lower <= Set8(limit));
//
// Private; compiled once per instruction set (lanes-inl.h). Triangles are rows
// a.x, a.y, a.z, b.x, ..., c.z.
//
// Method: guess, then certify. Any point of a triangle gives an upper bound.
// Any direction n gives a lower bound: the gap between the shapes' projections
// on n. So a wrong guess never makes a bound wrong. The caller passes `error`,
// a bound of the sum of the errors of a coordinate in the single shape and in
// the rows. The functions add the rounding of their own arithmetic, with u =
// 2^-24, and return bounds that hold for the exact shapes.
//
// If a triangle is degenerate, or numbers leave float's range, lower bounds
// become 0 and upper bounds infinite.
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_LANES_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_LANES_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_LANES_INL_H_
#endif

#include <limits>
#include <type_traits>

#include "hwy/highway.h"
#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

using T8 = TriangleOf<F8>;

struct DistanceBounds {
  F8 lower;
  F8 upper;
};

T8 LoadTriangles(const float (*HWY_RESTRICT rows)[8]);

// The distances from one point (in all lanes) to each triangle, as far as they
// can be computed without a division. F is F8, or F16 for two points with a row
// of triangles each. The `error` passed to the functions below must also cover
// the underflow of squares in float: 2^-50 is enough.
template <typename F>
struct PointLengthsOf {
  F length;  // from the point to the guess
  F shadow;  // smallest dot product of this vector and a corner
};
using PointLengths8 = PointLengthsOf<F8>;
PointLengths8 GuessLengths(const V8& p, const T8& t);

// PointLengthsOf with error bounds.
template <typename F>
struct PointGuessOf : PointLengthsOf<F> {
  F slack;
  F upper_slack;

  F Lower() const;
  F Upper() const;
  // Returns the lanes that are certainly farther than `radius`, which may be
  // infinite.
  MaskOf<F> IsBeyond(const F& radius) const;
};
using PointGuess8 = PointGuessOf<F8>;
template <typename F>
PointGuessOf<F> GuessDistances(const Vec3Of<F>& p, const TriangleOf<F>& t,
                               const std::type_identity_t<F>& error);

// Limits that lengths are compared with, for a given radius. Requires triangles
// whose coordinates differ from those of the point by at most `reach`. Takes
// fewer operations than a slack per lane, but leaves more lanes undecided.
struct RadiusLimits {
  float inside;
  float outside;

  // Requires the radius rounded down (`certain`) and rounded up (`radius`).
  void Set(float certain, float radius, float error, float reach);
  M8 IsWithin(const PointLengths8& guess) const;
  M8 IsBeyond(const PointLengths8& guess) const;
};

// Returns bounds of the distances from p to each triangle.
DistanceBounds PointToTriangles(const V8& p, const T8& t, float error);

// Eight triangles, with the values that bounds between two triangles need.
struct TriangleRow {
  // The corners, row by row as in a leaf. Then the bounds. Then the unit
  // normals (0 if there is none) and the projections on them.
  alignas(32) float corners[9][8];
  alignas(32) float lo[3][8];
  alignas(32) float hi[3][8];
  alignas(32) float normal[3][8];
  alignas(32) float shadow_lo[8];
  alignas(32) float shadow_hi[8];

  void Fill(const T8& t);
  // The two halves of Fill: the first sets corners and bounds, the second
  // normals.
  void FillCorners(const T8& t);
  void FillNormals(const T8& t);
};

// Returns a lower bound of the distance between triangle `lane` of s and each
// triangle of t. Tests directions that are cheap: the coordinate axes, both
// normals, and, if these leave a lane within `limit`, the difference of
// centroids. The bound may be too large by 24 u times the largest coordinate.
F8 TrianglesLowerBound(const TriangleRow& s, int lane, const TriangleRow& t,
                       float limit);

// Relations of eight triangles to a box.
struct BoxMasks {
  M8 outside;  // certainly do not overlap the box
  M8 inside;   // certainly overlap the box
};

// The box is center +- half on each axis, in the frame of the rows.
BoxMasks BoxAgainstTriangles(const float center[3], const float half[3],
                             const T8& t, float error);

// Implementation.

// Twice the unit roundoff of float, so that sums of a few error terms that are
// themselves rounded stay upper bounds.
inline constexpr float kUnit = 2 * kFloatRoundoff;

// Vectors with a smaller squared length are not normalised. Each square that
// underflows may have an error of 2^-150, which would make the unit vector too
// long.
inline constexpr float kShortestSquared = 0x1p-120f;

HWY_INLINE T8 LoadTriangles(const float (*HWY_RESTRICT rows)[8]) {
  return {Load8x3(rows), Load8x3(rows + 3), Load8x3(rows + 6)};
}

// Returns the largest coordinate in absolute value.
template <typename F>
HWY_INLINE F Reach(const Vec3Of<F>& v) {
  return Max(Max(Abs(v.x), Abs(v.y)), Abs(v.z));
}

// Returns the point of each triangle closest to the origin, except for
// rounding: Ericson, "Real-Time Collision Detection", 5.1.5, with selections
// instead of branches. The values d1 .. d6 are the negatives of Ericson's.
template <typename F>
HWY_INLINE Vec3Of<F> ClosestToOrigin(const TriangleOf<F>& t) {
  const F zero = F(0.0f);
  const F one = F(1.0f);
  const Vec3Of<F> ab = t.b - t.a;
  const Vec3Of<F> ac = t.c - t.a;
  const F d1 = Dot(ab, t.a);
  const F d2 = Dot(ac, t.a);
  const F d3 = Dot(ab, t.b);
  const F d4 = Dot(ac, t.b);
  const F d5 = Dot(ab, t.c);
  const F d6 = Dot(ac, t.c);
  const F va = d3 * d6 - d5 * d4;
  const F vb = d5 * d2 - d1 * d6;
  const F vc = d1 * d4 - d3 * d2;
  const F bc1 = d3 - d4;
  const F bc2 = d6 - d5;
  const MaskOf<F> on_bc = (va <= zero) & (bc1 >= zero) & (bc2 >= zero);
  const MaskOf<F> on_ac = (vb <= zero) & (d2 <= zero) & (d6 >= zero);
  const MaskOf<F> on_ab = (vc <= zero) & (d1 <= zero) & (d3 >= zero);

  // The point is a + v ab + w ac. One division serves edges and face. If the
  // denominator is not positive, any point is valid.
  const F to_b = zero - d1;
  const F to_c = zero - d2;
  F bottom = Select(on_bc, bc1 + bc2, va + vb + vc);
  bottom = Select(on_ac, d6 - d2, bottom);
  bottom = Select(on_ab, d3 - d1, bottom);
  const F scale = one / Select(bottom > zero, bottom, one);
  F w = Select(on_ac, to_c, Select(on_bc, bc1, vc)) * scale;
  F v = Select(on_ab, to_b, vb) * scale;
  v = Select(on_ab, v, Select(on_ac, zero, Select(on_bc, one - w, v)));
  w = Select(on_ab, zero, w);
  // In a needle, rounded signs may contradict each other. The clamps keep the
  // point in the triangle.
  v = Min(Max(v, zero), one);
  w = Min(Max(w, zero), one - v);

  const MaskOf<F> at_c = (d6 <= zero) & (d5 >= d6);
  v = Select(at_c, zero, v);
  w = Select(at_c, one, w);
  const MaskOf<F> at_b = (d3 <= zero) & (d4 >= d3);
  v = Select(at_b, one, v);
  w = Select(at_b, zero, w);
  const MaskOf<F> at_a = (d1 >= zero) & (d2 >= zero);
  v = Select(at_a, zero, v);
  w = Select(at_a, zero, w);
  return t.a + ab * v + ac * w;
}

template <typename F>
HWY_INLINE PointLengthsOf<F> LengthsFromOrigin(const TriangleOf<F>& r) {
  const Vec3Of<F> q = ClosestToOrigin(r);
  // If squares underflow, a length of 0 would make any projection exceed any
  // radius. The added 2^-120 makes the length at least |q|. Its effect on other
  // sums is negligible.
  return {Sqrt(Dot(q, q) + F(0x1p-120f)),
          Min(Min(Dot(q, r.a), Dot(q, r.b)), Dot(q, r.c))};
}

HWY_INLINE PointLengths8 GuessLengths(const V8& p, const T8& t) {
  return LengthsFromOrigin(t - p);
}

// The error of a vector is at most sqrt(3) times that of a coordinate, and a
// difference adds one u. A dot product of q with a vertex v has an error of at
// most 3 u |q| |v|, with |v| <= sqrt(3) reach. The division and the square root
// add 3 u of a quotient that is at most |v|. The sum is 11 u.
inline constexpr float kErrorsInSlack = 1.75f;
inline constexpr float kReachInSlack = 11 * kUnit;
// q = a + v ab + w ac, with 0 <= v, w and v + w <= 1 up to a few u. Each term
// is rounded. So the distance of q from the triangle is at most 16 u reach in
// each coordinate.
inline constexpr float kReachInUpperSlack = 28 * kUnit;

template <typename F>
HWY_INLINE PointGuessOf<F> GuessDistances(
    const Vec3Of<F>& p, const TriangleOf<F>& t,
    const std::type_identity_t<F>& error) {
  const TriangleOf<F> r = t - p;
  const F reach = Max(Max(Reach(r.a), Reach(r.b)), Reach(r.c));
  const F slack = error * kErrorsInSlack + reach * kReachInSlack;
  return {LengthsFromOrigin(r), slack, slack + reach * kReachInUpperSlack};
}

HWY_INLINE void RadiusLimits::Set(float certain, float radius, float error,
                                  float reach) {
  const float slack = kErrorsInSlack * error + reach * kReachInSlack;
  const float upper_slack = slack + reach * kReachInUpperSlack;
  // The last term covers two roundings.
  inside = certain - upper_slack - certain * 0x1p-22f;
  // The lane is outside if shadow / length > radius + slack. The factor covers
  // three roundings.
  outside = (radius + slack) * (1 + 0x1p-20f);
}

HWY_INLINE M8 RadiusLimits::IsWithin(const PointLengths8& guess) const {
  return guess.length <= Set8(inside);
}

HWY_INLINE M8 RadiusLimits::IsBeyond(const PointLengths8& guess) const {
  return guess.shadow > Set8(outside) * guess.length;
}

template <typename F>
HWY_INLINE F PointGuessOf<F>::Lower() const {
  const auto usable = this->length > F(0.0f);
  return SelectOrZero(
      usable, this->shadow / Select(usable, this->length, F(1.0f)) - slack);
}

template <typename F>
HWY_INLINE F PointGuessOf<F>::Upper() const {
  const F upper = this->length + upper_slack;
  return Select(upper >= F(0.0f), upper,
                F(std::numeric_limits<float>::infinity()));
}

template <typename F>
HWY_INLINE MaskOf<F> PointGuessOf<F>::IsBeyond(const F& radius) const {
  // The condition is shadow / length > radius + slack. The factor covers three
  // roundings.
  return this->shadow > (radius + slack) * (this->length * F(1 + 0x1p-20f));
}

HWY_INLINE DistanceBounds PointToTriangles(const V8& p, const T8& t,
                                           float error) {
  const PointGuess8 guess = GuessDistances(p, t, error);
  return {guess.Lower(), guess.Upper()};
}

HWY_INLINE void TriangleRow::Fill(const T8& t) {
  FillCorners(t);
  FillNormals(t);
}

HWY_INLINE void TriangleRow::FillCorners(const T8& t) {
  const F8 a[3] = {t.a.x, t.a.y, t.a.z};
  const F8 b[3] = {t.b.x, t.b.y, t.b.z};
  const F8 c[3] = {t.c.x, t.c.y, t.c.z};
  for (int k = 0; k < 3; ++k) {
    Store8(a[k], corners[k]);
    Store8(b[k], corners[3 + k]);
    Store8(c[k], corners[6 + k]);
    Store8(Min(Min(a[k], b[k]), c[k]), lo[k]);
    Store8(Max(Max(a[k], b[k]), c[k]), hi[k]);
  }
}

HWY_INLINE void TriangleRow::FillNormals(const T8& t) {
  V8 n = Cross(t.b - t.a, t.c - t.a);
  const F8 squared = Dot(n, n);
  const M8 usable = squared >= Set8(kShortestSquared);
  const F8 scale = Select(
      usable, Set8(1.0f) / Sqrt(Select(usable, squared, Set8(1.0f))), Zero8());
  n = n * scale;
  Store8(n.x, normal[0]);
  Store8(n.y, normal[1]);
  Store8(n.z, normal[2]);
  const F8 sa = Dot(n, t.a);
  const F8 sb = Dot(n, t.b);
  const F8 sc = Dot(n, t.c);
  Store8(Min(Min(sa, sb), sc), shadow_lo);
  Store8(Max(Max(sa, sb), sc), shadow_hi);
}

// Returns the gap between the intervals [a.lo, a.hi] and [b.lo, b.hi]; negative
// if they overlap.
template <typename V>
HWY_INLINE V IntervalGap(const V& a_lo, const V& a_hi, const V& b_lo,
                         const V& b_hi) {
  return Max(b_lo - a_hi, a_lo - b_hi);
}

HWY_INLINE F8 TrianglesLowerBound(const TriangleRow& s, int lane,
                                  const TriangleRow& t, float limit) {
  F8 squared = Zero8();
  for (int k = 0; k < 3; ++k) {
    const F8 gap = Max(IntervalGap(Set8(s.lo[k][lane]), Set8(s.hi[k][lane]),
                                   Load8(t.lo[k]), Load8(t.hi[k])),
                       Zero8());
    squared = squared + gap * gap;
  }
  F8 lower = Sqrt(squared);
  const F8 limits = Set8(limit);
  if (Bits(lower <= limits) == 0) return lower;

  V8 sv[3];
  V8 tv[3];
  for (int c = 0; c < 3; ++c) {
    sv[c] = {Set8(s.corners[3 * c][lane]), Set8(s.corners[3 * c + 1][lane]),
             Set8(s.corners[3 * c + 2][lane])};
    tv[c] = Load8x3(t.corners + 3 * c);
  }
  const V8 sn = {Set8(s.normal[0][lane]), Set8(s.normal[1][lane]),
                 Set8(s.normal[2][lane])};
  const F8 t0 = Dot(sn, tv[0]);
  const F8 t1 = Dot(sn, tv[1]);
  const F8 t2 = Dot(sn, tv[2]);
  lower =
      Max(lower, IntervalGap(Set8(s.shadow_lo[lane]), Set8(s.shadow_hi[lane]),
                             Min(Min(t0, t1), t2), Max(Max(t0, t1), t2)));
  const V8 tn = Load8x3(t.normal);
  const F8 s0 = Dot(tn, sv[0]);
  const F8 s1 = Dot(tn, sv[1]);
  const F8 s2 = Dot(tn, sv[2]);
  lower = Max(lower, IntervalGap(Min(Min(s0, s1), s2), Max(Max(s0, s1), s2),
                                 Load8(t.shadow_lo), Load8(t.shadow_hi)));
  if (Bits(lower <= limits) == 0) return lower;

  V8 d = (tv[0] + tv[1] + tv[2]) - (sv[0] + sv[1] + sv[2]);
  const F8 length = Dot(d, d);
  const M8 usable = length >= Set8(kShortestSquared);
  d = d * Select(usable, Set8(1.0f) / Sqrt(Select(usable, length, Set8(1.0f))),
                 Zero8());
  const F8 s_end = Max(Max(Dot(d, sv[0]), Dot(d, sv[1])), Dot(d, sv[2]));
  const F8 t_end = Min(Min(Dot(d, tv[0]), Dot(d, tv[1])), Dot(d, tv[2]));
  return Max(lower, t_end - s_end);
}

HWY_INLINE BoxMasks BoxAgainstTriangles(const float center[3],
                                        const float half[3], const T8& t_in,
                                        float error) {
  const V8 origin = Set8x3(center);
  const T8 t{t_in.a - origin, t_in.b - origin, t_in.c - origin};
  const F8 rx = Set8(half[0]);
  const F8 ry = Set8(half[1]);
  const F8 rz = Set8(half[2]);
  const F8 reach =
      Max(Max(Max(Reach(t.a), Reach(t.b)), Reach(t.c)), Max(Max(rx, ry), rz));
  const F8 slack = Set8(1.75f * error) + reach * Set8(11 * kUnit);

  const auto beyond = [&](const F8& a, const F8& b, const F8& c,
                          const F8& r) HWY_ATTR {
    const F8 zero = Zero8();
    return Max(Min(Min(a, b), c), zero - Max(Max(a, b), c)) > r + slack;
  };
  M8 outside = beyond(t.a.x, t.b.x, t.c.x, rx) |
               beyond(t.a.y, t.b.y, t.c.y, ry) |
               beyond(t.a.z, t.b.z, t.c.z, rz);
  // Tests the plane of the triangle: the box overlaps it if |n.a| <= sum of h
  // |n|. A rounded normal is sufficient, because any direction may separate.
  // The error of both sides is at most the slack times |n|, and |n| <= |nx| +
  // |ny| + |nz|. The bound must be far above 2^-150, the largest error of a
  // product that underflows.
  const V8 n = Cross(t.b - t.a, t.c - t.a);
  const F8 an = Dot(n, t.a);
  const F8 bn = Dot(n, t.b);
  const F8 cn = Dot(n, t.c);
  const F8 nearest = Max(Min(Min(an, bn), cn), Zero8() - Max(Max(an, bn), cn));
  const F8 sum = Abs(n.x) + Abs(n.y) + Abs(n.z);
  const F8 shadow = Abs(n.x) * rx + Abs(n.y) * ry + Abs(n.z) * rz;
  const F8 error_bound = sum * slack * Set8(2.0f);
  outside = outside | ((nearest > shadow + error_bound) &
                       (error_bound >= Set8(kShortestSquared)));

  const auto holds = [&](const V8& v) HWY_ATTR {
    return (Abs(v.x) + slack <= rx) & (Abs(v.y) + slack <= ry) &
           (Abs(v.z) + slack <= rz);
  };
  return {outside, holds(t.a) | holds(t.b) | holds(t.c)};
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_LANES_INL_H_
