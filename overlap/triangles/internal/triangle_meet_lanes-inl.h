// SPDX-License-Identifier: Apache-2.0

// Tests in float if one triangle overlaps each of eight. The result is yes, no
// or undecided.
//
//   OverlapLanes m = TrianglesOverlap(s_row, lane, t_row, error, lanes);
//   // m.yes: certainly overlap; m.maybe: undecided; others: certainly apart.
//
// `error` bounds the sum of the errors of a coordinate in both triangles.
// Certain results hold for the exact triangles. Triangles that touch, are
// coplanar or are degenerate always remain undecided. Private; compiled once
// per instruction set (lanes-inl.h).
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_MEET_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_MEET_LANES_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_MEET_LANES_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_MEET_LANES_INL_H_
#endif

#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

struct OverlapLanes {
  uint32_t yes;
  uint32_t maybe;
};

// Tests triangle `lane` of s against the triangles of t among `lanes`.
OverlapLanes TrianglesOverlap(const TriangleRow& s, int lane,
                              const TriangleRow& t, float error,
                              uint32_t lanes);

// The first step of TrianglesOverlap: returns the lanes whose boxes may
// overlap.
uint32_t BoxesOverlap(const TriangleRow& s, int lane, const TriangleRow& t,
                      float error, uint32_t lanes);

// The other steps of TrianglesOverlap for eight pairs at once, in any
// combination of lanes, whose boxes may overlap. Pair k, if it is in `pairs`,
// is triangle codes[k] / 8 of s and triangle codes[k] % 8 of t. Implemented for
// registers that contain a whole row; on other machines, all pairs remain
// undecided.
inline constexpr bool kTestsPairs = kParts == 1;
OverlapLanes PairsOverlap(const TriangleRow& s, const TriangleRow& t,
                          const uint32_t* codes, float error, uint32_t pairs);

// Implementation.

// For three corners, the side of a plane on which each certainly is.
template <typename V>
struct PlaneSides {
  using Mask = MaskOf<V>;
  Mask above[3];
  Mask below[3];

  HWY_INLINE Mask AreOneSide() const {
    return (above[0] & above[1] & above[2]) | (below[0] & below[1] & below[2]);
  }
  HWY_INLINE Mask AreKnown() const {
    return (above[0] | below[0]) & (above[1] | below[1]) &
           (above[2] | below[2]);
  }
  // Returns true if corner i is the only one on its side. Requires corners on
  // both sides.
  HWY_INLINE Mask IsAlone(int i) const {
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    return (above[j] & above[k]) | (below[j] & below[k]);
  }
  // Returns true if one corner is above and two are below.
  HWY_INLINE Mask LoneIsAbove() const {
    return (below[1] & below[2]) | (below[0] & (below[1] | below[2]));
  }
};

// Returns the sides of corners at heights a, b, c with errors of at most
// `error_bound`.
template <typename V>
HWY_INLINE PlaneSides<V> SidesOf(const V& a, const V& b, const V& c,
                                 const V& error_bound) {
  const V minus = V(0) - error_bound;
  return {{a > error_bound, b > error_bound, c > error_bound},
          {a < minus, b < minus, c < minus}};
}

// Two triangles, relative to the first corner of s. `error_bound` bounds the
// error of determinants of three differences of their corners.
template <typename V>
struct TrianglePairLanes {
  TriangleOf<V> s, t;
  V error_bound;

  // Return the sides of the plane of t on which the corners of s are, and the
  // reverse.
  HWY_INLINE PlaneSides<V> SidesOfS() const {
    const Vec3Of<V> n = Cross(t.b - t.a, t.c - t.a);
    return SidesOf(V(0) - Dot(n, t.a), Dot(n, s.b - t.a), Dot(n, s.c - t.a),
                   error_bound);
  }
  HWY_INLINE PlaneSides<V> SidesOfT() const {
    const Vec3Of<V> m = Cross(s.b, s.c);
    return SidesOf(Dot(m, t.a), Dot(m, t.b), Dot(m, t.c), error_bound);
  }
};

template <typename V>
struct OverlapMasks {
  MaskOf<V> yes;
  MaskOf<V> no;
};

// Requires that each triangle certainly crosses the plane of the other. They
// overlap if and only if two edges of one pass two edges of the other on the
// correct sides: Guigue, Devillers, "Fast and robust triangle-triangle overlap
// test using orientation predicates", 2003. The lone corners come first. b and
// c of t are exchanged if one lone corner is above the other's plane and the
// other one below. Then two orientations decide.
template <typename V>
HWY_INLINE OverlapMasks<V> CrossingTrianglesOverlap(
    const TrianglePairLanes<V>& pair, const PlaneSides<V>& s_sides,
    const PlaneSides<V>& t_sides) {
  const TriangleOf<V> e =
      Turned(pair.s, s_sides.IsAlone(1), s_sides.IsAlone(2));
  const TriangleOf<V> f =
      Turned(pair.t, t_sides.IsAlone(1), t_sides.IsAlone(2));
  const MaskOf<V> t_above = t_sides.LoneIsAbove();
  const MaskOf<V> exchanged = s_sides.LoneIsAbove() ^ t_above;
  const Vec3Of<V> f_b = Select(exchanged, f.c, f.b);
  const Vec3Of<V> f_c = Select(exchanged, f.b, f.c);
  const Vec3Of<V> way = f.a - e.a;
  const V x = Dot(Cross(e.b - e.a, way), f_b - e.a);
  const V y = Dot(Cross(e.c - e.a, way), f_c - e.a);
  const V first = Select(t_above, x, V(0) - x);
  const V second = Select(t_above, y, V(0) - y);
  const V minus = V(0) - pair.error_bound;
  return {(first < minus) & (second > pair.error_bound),
          (first > pair.error_bound) | (second < minus)};
}

// The shortest length, and 1 / the longest one. Products of three such lengths
// are far from overflow and underflow.
template <typename T>
inline constexpr T kShortest = T{0x1p-300};
template <>
inline constexpr float kShortest<float> = 0x1p-32f;

// Error bound of a determinant of three differences of corners, given the
// common box of the triangles. If differences have errors of d in each
// coordinate, and none is longer than m, the error is 3 sqrt(3) d (m + sqrt(3)
// d)^2. Here d is 2 `error` and three roundings of up to m. Six roundings of
// each term and of the sum add 28 u m^3. Let m' = m + 4 error, which is above m
// + sqrt(3) d except for roundings. Then the bound is below m'^2 (10.4 error +
// 44 u m'), and 4 u m'^3 more covers the roundings of this expression. Infinite
// if products might overflow or underflow.
template <typename T, size_t N>
HWY_INLINE Lanes<T, N> DeterminantError(const Lanes<T, N>& squared_diagonal,
                                        T error) {
  using V = Lanes<T, N>;
  const V longest = Sqrt(squared_diagonal) + 4 * error;
  const V error_bound =
      (longest * longest) * 12 * (error + longest * (4 * kRoundoffOf<T>));
  return Select((longest >= kShortest<T>)&(longest <= 1 / kShortest<T>),
                error_bound, V(std::numeric_limits<T>::infinity()));
}

// Long, thin triangles, described by their longest edges.
struct Slivers {
  V8 end;    // an end of the longest edge
  V8 edge;   // from `end` to the other end
  V8 width;  // from `end` to the third corner

  static HWY_INLINE Slivers Of(const T8& t);
};

HWY_INLINE Slivers Slivers::Of(const T8& t) {
  const V8 ab = t.b - t.a;
  const V8 bc = t.c - t.b;
  const V8 ca = t.a - t.c;
  const F8 ab_length = Dot(ab, ab);
  const F8 bc_length = Dot(bc, bc);
  const F8 ca_length = Dot(ca, ca);
  const M8 is_ca = ca_length > Max(ab_length, bc_length);
  const T8 turned = Turned(t, bc_length > ab_length, is_ca);
  return {turned.a, turned.b - turned.a, turned.c - turned.a};
}

// Returns the mask of the triangles that an axis n, at right angles to both
// longest edges, certainly separates. Floats do not determine the plane of a
// long, thin triangle. They do determine the distance at which one such
// triangle passes another. Let u = 2^-24. No vector between corners is longer
// than `longest`. Let |n| be the sum of the coordinates of n = e x f. The error
// of each product of n with a vector is 4 u |n| longest; three products and two
// sums give 16 u. Along n, edges have length 0 except for roundings. Roundings
// of n, 2 u |e| |f| in each coordinate, give 4 u longest^3, and those of the
// edges u |n| longest. Both count twice. `error` adds |n| times `error`. If
// products of three might overflow or underflow, nothing is certain.
HWY_INLINE uint32_t SeparatedBySliverAxes(const Slivers& s, const Slivers& t,
                                          const F8& longest, float error) {
  const V8 n = Cross(s.edge, t.edge);
  const F8 size = Abs(n.x) + Abs(n.y) + Abs(n.z);
  const F8 between = Dot(n, t.end - s.end);
  const F8 s_width = Dot(n, s.width);
  const F8 t_width = Dot(n, t.width);
  const F8 zero = Zero8();
  const F8 gap =
      IntervalGap(Min(s_width, zero), Max(s_width, zero),
                  between + Min(t_width, zero), between + Max(t_width, zero));
  const F8 error_bound =
      size * (Set8(1.01f * error) + longest * Set8(20 * 0x1p-24f)) +
      longest * longest * longest * Set8(9 * 0x1p-24f);
  return Bits((gap > error_bound) & (longest >= Set8(kShortest<float>)) &
              (longest <= Set8(1 / kShortest<float>)));
}

HWY_INLINE uint32_t BoxesOverlap(const TriangleRow& s, int lane,
                                 const TriangleRow& t, float error,
                                 uint32_t lanes) {
  F8 apart = Set8(std::numeric_limits<float>::lowest());
  for (int k = 0; k < 3; ++k) {
    apart = Max(apart, IntervalGap(Set8(s.lo[k][lane]), Set8(s.hi[k][lane]),
                                   Load8(t.lo[k]), Load8(t.hi[k])));
  }
  // A gap is rounded once. The factor 1.001 is more than enough for this.
  return lanes & ~Bits(apart > Set8(1.001f * error));
}

// Returns the results of `pick` for each of three rows.
template <typename Pick>
HWY_INLINE V8 Picked(const float (*HWY_RESTRICT rows)[8], const Pick& pick) {
  return {pick(rows[0]), pick(rows[1]), pick(rows[2])};
}
template <typename Pick>
HWY_INLINE T8 PickedTriangles(const float (*HWY_RESTRICT rows)[8],
                              const Pick& pick) {
  return {Picked(rows, pick), Picked(rows + 3, pick), Picked(rows + 6, pick)};
}

// Returns the squared diagonal of the common boxes of the triangles chosen by
// the two picks, lane by lane.
template <typename PickS, typename PickT>
HWY_INLINE F8 SquaredDiagonal(const TriangleRow& s, const PickS& of_s,
                              const TriangleRow& t, const PickT& of_t) {
  const V8 s_lo = Picked(s.lo, of_s);
  const V8 s_hi = Picked(s.hi, of_s);
  const V8 t_lo = Picked(t.lo, of_t);
  const V8 t_hi = Picked(t.hi, of_t);
  const V8 edges = {Max(s_hi.x, t_hi.x) - Min(s_lo.x, t_lo.x),
                    Max(s_hi.y, t_hi.y) - Min(s_lo.y, t_lo.y),
                    Max(s_hi.z, t_hi.z) - Min(s_lo.z, t_lo.z)};
  return Dot(edges, edges);
}

// Returns the pairs of triangles chosen by the two picks.
template <typename PickS, typename PickT>
HWY_INLINE TrianglePairLanes<F8> PickedPair(const TriangleRow& s,
                                            const PickS& of_s,
                                            const TriangleRow& t,
                                            const PickT& of_t,
                                            const F8& error_bound) {
  const T8 s_corners = PickedTriangles(s.corners, of_s);
  const V8& origin = s_corners.a;
  const T8 from_origin = {
      {0, 0, 0}, s_corners.b - origin, s_corners.c - origin};
  return {from_origin, PickedTriangles(t.corners, of_t) - origin, error_bound};
}

template <typename PickS, typename PickT>
HWY_INLINE OverlapLanes PickedOverlap(const TriangleRow& s, const PickS& of_s,
                                      const TriangleRow& t, const PickT& of_t,
                                      float error, uint32_t lanes) {
  const F8 squared = SquaredDiagonal(s, of_s, t, of_t);
  const TrianglePairLanes<F8> pair =
      PickedPair(s, of_s, t, of_t, DeterminantError(squared, error));
  const PlaneSides<F8> s_sides = pair.SidesOfS();
  lanes &= ~Bits(s_sides.AreOneSide());
  if (lanes == 0) return {0, 0};
  const PlaneSides<F8> t_sides = pair.SidesOfT();
  lanes &= ~Bits(t_sides.AreOneSide());
  const uint32_t crossing =
      lanes & Bits(s_sides.AreKnown() & t_sides.AreKnown());
  uint32_t yes = 0;
  if (crossing != 0) {
    const OverlapMasks<F8> overlap =
        CrossingTrianglesOverlap(pair, s_sides, t_sides);
    yes = crossing & Bits(overlap.yes);
    lanes &= ~(yes | (crossing & Bits(overlap.no)));
  }
  if (lanes != 0) {
    lanes &= ~SeparatedBySliverAxes(Slivers::Of(pair.s), Slivers::Of(pair.t),
                                    Sqrt(squared), error);
  }
  return {yes, lanes};
}

HWY_INLINE OverlapLanes TrianglesOverlap(const TriangleRow& s, int lane,
                                         const TriangleRow& t, float error,
                                         uint32_t lanes) {
  lanes = BoxesOverlap(s, lane, t, error, lanes);
  if (lanes == 0) return {0, 0};
  return PickedOverlap(
      s, [lane](const float* row) HWY_ATTR { return Set8(row[lane]); }, t,
      [](const float* row) HWY_ATTR { return Load8(row); }, error, lanes);
}

HWY_INLINE OverlapLanes PairsOverlap([[maybe_unused]] const TriangleRow& s,
                                     [[maybe_unused]] const TriangleRow& t,
                                     [[maybe_unused]] const uint32_t* codes,
                                     [[maybe_unused]] float error,
                                     uint32_t pairs) {
  if constexpr (kTestsPairs) {
    const IntPart d;
    const auto code = hn::LoadU(d, codes);
    const auto s_lanes = hn::IndicesFromVec(Part(), hn::ShiftRight<3>(code));
    const auto t_lanes = hn::IndicesFromVec(
        Part(), hn::And(code, hn::Set(d, uint32_t{kLanesPerRow - 1})));
    const auto look_up = [](const float* row, const auto& lanes) HWY_ATTR {
      F8 result;
      result.part[0] = hn::TableLookupLanes(Load8(row).part[0], lanes);
      return result;
    };
    return PickedOverlap(
        s, [&](const float* row) HWY_ATTR { return look_up(row, s_lanes); }, t,
        [&](const float* row) HWY_ATTR { return look_up(row, t_lanes); }, error,
        pairs);
  }
  return {0, pairs};
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_MEET_LANES_INL_H_
