// Does one triangle meet each of eight? Yes, no, or too close to tell in float.
//
//   MeetLanes m = TrianglesMeet(s_row, lane, t_row, error, lanes);
//   // m.yes certainly meet; m.maybe are left to Overlaps; the others do not.
//
// `error` bounds how far each coordinate of the two triangles together may be
// from the truth; what is certain holds for the true triangles. Touching and
// coplanar triangles and degenerate ones are always left open. Private;
// compiled once per instruction set (lanes-inl.h).
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
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

struct MeetLanes {
  uint32_t yes;
  uint32_t maybe;
};

// Triangle `lane` of s against those of t among `lanes`.
MeetLanes TrianglesMeet(const TriangleRow& s, int lane, const TriangleRow& t,
                        float error, uint32_t lanes);

// Implementation.

// On which side of a plane three corners are, where that is certain.
struct PlaneSides {
  M8 above[3];
  M8 below[3];

  M8 AreOneSide() const {
    return (above[0] & above[1] & above[2]) | (below[0] & below[1] & below[2]);
  }
  M8 AreKnown() const {
    return (above[0] | below[0]) & (above[1] | below[1]) &
           (above[2] | below[2]);
  }
  // Of corners on both sides, which is alone on its own.
  M8 IsAlone(int i) const {
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    return (above[j] & above[k]) | (below[j] & below[k]);
  }
};

HWY_INLINE PlaneSides SidesOf(const F8 (&heights)[3], const F8& doubt) {
  const F8 minus = Zero8() - doubt;
  PlaneSides sides;
  for (int i = 0; i < 3; ++i) {
    sides.above[i] = heights[i] > doubt;
    sides.below[i] = heights[i] < minus;
  }
  return sides;
}

// The corners, rotated until the lone one comes first.
HWY_INLINE T8 LoneFirst(const T8& t, const M8& b_alone, const M8& c_alone) {
  return {Select(c_alone, t.c, Select(b_alone, t.b, t.a)),
          Select(c_alone, t.a, Select(b_alone, t.c, t.b)),
          Select(c_alone, t.b, Select(b_alone, t.a, t.c))};
}

// What a determinant of three differences of corners is off by at most, given
// the triangles' common box. With differences off by d in each coordinate, and
// none longer than m, it is 3 sqrt(3) d (m + sqrt(3) d)^2; here d is 2 `error`
// and three roundings of up to m. Six roundings on the way to each of its terms
// and their sum add 28 u m^3. With m' = m + 4 error, which is above m + sqrt(3)
// d but for roundings, that is below m'^2 (10.4 error + 44 u m'). Infinite
// where products would leave the middle of float's range.
HWY_INLINE F8 DeterminantDoubt(const F8& squared_diagonal, float error) {
  const F8 longest = Sqrt(squared_diagonal) + Set8(4 * error);
  const F8 doubt = (longest * longest) * Set8(12.0f) *
                   (Set8(error) + longest * Set8(2 * kUnit));
  return Select((longest >= Set8(0x1p-32f)) & (longest <= Set8(0x1p32f)), doubt,
                Set8(std::numeric_limits<float>::infinity()));
}

HWY_INLINE MeetLanes TrianglesMeet(const TriangleRow& s, int lane,
                                   const TriangleRow& t, float error,
                                   uint32_t lanes) {
  F8 apart = Set8(std::numeric_limits<float>::lowest());
  F8 squared = Zero8();
  for (int k = 0; k < 3; ++k) {
    const F8 s_lo = Set8(s.lo[k][lane]);
    const F8 s_hi = Set8(s.hi[k][lane]);
    const F8 t_lo = Load8(t.lo[k]);
    const F8 t_hi = Load8(t.hi[k]);
    apart = Max(apart, IntervalGap(s_lo, s_hi, t_lo, t_hi));
    const F8 edge = Max(s_hi, t_hi) - Min(s_lo, t_lo);
    squared = squared + edge * edge;
  }
  // A gap is rounded once, which a thousandth holds many times over.
  lanes &= ~Bits(apart > Set8(1.001f * error));
  if (lanes == 0) return {0, 0};

  // Seen from the first corner of s. The planes first: heights of the corners
  // of s over the plane of t, and the reverse.
  const F8 doubt = DeterminantDoubt(squared, error);
  const V8 origin = {Set8(s.corners[0][lane]), Set8(s.corners[1][lane]),
                     Set8(s.corners[2][lane])};
  const V8 zero = {Zero8(), Zero8(), Zero8()};
  const V8 p = V8{Set8(s.corners[3][lane]), Set8(s.corners[4][lane]),
                  Set8(s.corners[5][lane])} -
               origin;
  const V8 q = V8{Set8(s.corners[6][lane]), Set8(s.corners[7][lane]),
                  Set8(s.corners[8][lane])} -
               origin;
  const V8 a = Load8x3(t.corners) - origin;
  const V8 b = Load8x3(t.corners + 3) - origin;
  const V8 c = Load8x3(t.corners + 6) - origin;
  const V8 n = Cross(b - a, c - a);
  const F8 s_heights[3] = {Dot(n, zero - a), Dot(n, p - a), Dot(n, q - a)};
  const PlaneSides s_sides = SidesOf(s_heights, doubt);
  lanes &= ~Bits(s_sides.AreOneSide());
  if (lanes == 0) return {0, 0};
  const V8 m = Cross(p, q);
  const F8 t_heights[3] = {Dot(m, a), Dot(m, b), Dot(m, c)};
  const PlaneSides t_sides = SidesOf(t_heights, doubt);
  lanes &= ~Bits(t_sides.AreOneSide());
  const uint32_t crossing =
      lanes & Bits(s_sides.AreKnown() & t_sides.AreKnown());
  if (crossing == 0) return {0, lanes};

  // Each crosses the other's plane. Then they meet if and only if two edges of
  // one pass the two of the other on the right sides: Guigue, Devillers, "Fast
  // and robust triangle-triangle overlap test using orientation predicates",
  // 2003. With the lone corners first, and b and c of t exchanged where one
  // lone corner is above the other's plane and one below, two orientations
  // decide.
  const T8 e = LoneFirst({zero, p, q}, s_sides.IsAlone(1), s_sides.IsAlone(2));
  const T8 f = LoneFirst({a, b, c}, t_sides.IsAlone(1), t_sides.IsAlone(2));
  const auto lone_is_above = [](const PlaneSides& sides) HWY_ATTR {
    // One corner above and two below.
    return (sides.below[1] & sides.below[2]) |
           (sides.below[0] & (sides.below[1] | sides.below[2]));
  };
  const M8 s_above = lone_is_above(s_sides);
  const M8 t_above = lone_is_above(t_sides);
  const V8 f_b =
      Select(s_above, Select(t_above, f.b, f.c), Select(t_above, f.c, f.b));
  const V8 f_c =
      Select(s_above, Select(t_above, f.c, f.b), Select(t_above, f.b, f.c));
  const V8 way = f.a - e.a;
  const F8 x = Dot(Cross(e.b - e.a, way), f_b - e.a);
  const F8 y = Dot(Cross(e.c - e.a, way), f_c - e.a);
  const F8 first = Select(t_above, x, Zero8() - x);
  const F8 second = Select(t_above, y, Zero8() - y);
  const F8 minus = Zero8() - doubt;
  const uint32_t yes = crossing & Bits((first < minus) & (second > doubt));
  const uint32_t no = crossing & Bits((first > doubt) | (second < minus));
  return {yes, lanes & ~(yes | no)};
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_MEET_LANES_INL_H_
