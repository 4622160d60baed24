// Does each of a few pairs of triangles meet? Yes, no, or too close to tell in
// double.
//
//   PairColumns columns;
//   for (i ...) columns.Set(i, s, t);
//   MeetLanes m = TrianglesMeet(columns, count);
//   // m.yes certainly meet; m.maybe are left to Overlaps; the others do not.
//
// The test of triangle_meet_lanes-inl.h, on the triangles themselves. Touching
// and coplanar triangles and degenerate ones are always left open, and so are
// those near the ends of double's range. Private; compiled once per instruction
// set (lanes-inl.h).
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_MEET_DOUBLE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_MEET_DOUBLE_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_MEET_DOUBLE_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_MEET_DOUBLE_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/double_lanes-inl.h"
#include "orbox/overlap/triangles/internal/pair_columns-inl.h"
#include "orbox/overlap/triangles/internal/triangle_meet_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// The first `count` pairs. Requires 0 < count <= kRoom.
MeetLanes TrianglesMeet(const PairColumns& columns, size_t count);

// Implementation.

// PlaneSides of triangle_meet_lanes-inl.h.
struct DPlaneSides {
  DMask above[3];
  DMask below[3];

  DMask AreOneSide() const {
    return hn::Or(hn::And(above[0], hn::And(above[1], above[2])),
                  hn::And(below[0], hn::And(below[1], below[2])));
  }
  DMask AreKnown() const {
    return hn::And(
        hn::Or(above[0], below[0]),
        hn::And(hn::Or(above[1], below[1]), hn::Or(above[2], below[2])));
  }
  DMask IsAlone(int i) const {
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    return hn::Or(hn::And(above[j], above[k]), hn::And(below[j], below[k]));
  }
  // Whether the lone corner is above. Of sides that are known.
  DMask LoneIsAbove() const {
    return hn::Or(hn::And(below[1], below[2]),
                  hn::And(below[0], hn::Or(below[1], below[2])));
  }
};

HWY_INLINE DPlaneSides DSidesOf(D a, D b, D c, D doubt) {
  const D minus = hn::Neg(doubt);
  return {{hn::Gt(a, doubt), hn::Gt(b, doubt), hn::Gt(c, doubt)},
          {hn::Lt(a, minus), hn::Lt(b, minus), hn::Lt(c, minus)}};
}

struct DCorners {
  D3 a, b, c;

  // Rotated until the lone one comes first.
  HWY_INLINE DCorners LoneFirst(const DPlaneSides& sides) const {
    const DMask b_alone = sides.IsAlone(1);
    const DMask c_alone = sides.IsAlone(2);
    return {DSelect(c_alone, c, DSelect(b_alone, b, a)),
            DSelect(c_alone, a, DSelect(b_alone, c, b)),
            DSelect(c_alone, b, DSelect(b_alone, a, c))};
  }
};

// The gap between two intervals, or less than 0, and the length of both
// together.
struct DExtents {
  D gap, length;
};
HWY_INLINE DExtents DExtentsOf(D s0, D s1, D s2, D t0, D t1, D t2) {
  const D s_lo = hn::Min(hn::Min(s0, s1), s2);
  const D s_hi = hn::Max(hn::Max(s0, s1), s2);
  const D t_lo = hn::Min(hn::Min(t0, t1), t2);
  const D t_hi = hn::Max(hn::Max(t0, t1), t2);
  return {hn::Max(hn::Sub(s_lo, t_hi), hn::Sub(t_lo, s_hi)),
          hn::Sub(hn::Max(s_hi, t_hi), hn::Min(s_lo, t_lo))};
}

// What a determinant of three differences of corners is off by at most
// (DeterminantDoubt of triangle_meet_lanes-inl.h), for corners that are not off
// themselves, and u = 2^-53: 44 u m^3 where none of the differences is longer
// than m, and 4 u m^3 more for the roundings of m and of this. Infinite where
// products would leave the middle of double's range.
HWY_INLINE D DDeterminantDoubt(D squared_diagonal) {
  const D longest = hn::Sqrt(squared_diagonal);
  const D doubt =
      hn::Mul(hn::Mul(longest, longest), hn::Mul(longest, DSet(48 * 0x1p-53)));
  return DSelect(
      hn::And(hn::Ge(longest, DSet(0x1p-300)), hn::Le(longest, DSet(0x1p300))),
      doubt, DSet(std::numeric_limits<double>::infinity()));
}

struct DMeet {
  DMask yes, no;
};

// One register of pairs, from column i on.
HWY_INLINE DMeet DTrianglesMeet(const PairColumns& columns, size_t i) {
  const D3 origin = columns.Corner(0, i);
  const D3 s1 = columns.Corner(1, i);
  const D3 s2 = columns.Corner(2, i);
  const D3 t0 = columns.Corner(3, i);
  const D3 t1 = columns.Corner(4, i);
  const D3 t2 = columns.Corner(5, i);
  const DExtents x = DExtentsOf(origin.x, s1.x, s2.x, t0.x, t1.x, t2.x);
  const DExtents y = DExtentsOf(origin.y, s1.y, s2.y, t0.y, t1.y, t2.y);
  const DExtents z = DExtentsOf(origin.z, s1.z, s2.z, t0.z, t1.z, t2.z);
  // A difference of two doubles has the sign of the exact one.
  const DMask apart =
      hn::Gt(hn::Max(hn::Max(x.gap, y.gap), z.gap), hn::Zero(DoubleTag()));
  const D3 lengths = {x.length, y.length, z.length};
  const D doubt = DDeterminantDoubt(DDot(lengths, lengths));

  // As in float, seen from the first corner of s: the planes first.
  const D zero = hn::Zero(DoubleTag());
  const D3 p = s1 - origin;
  const D3 q = s2 - origin;
  const D3 a = t0 - origin;
  const D3 b = t1 - origin;
  const D3 c = t2 - origin;
  const D3 n = DCross(b - a, c - a);
  const DPlaneSides s_sides =
      DSidesOf(hn::Neg(DDot(n, a)), DDot(n, p - a), DDot(n, q - a), doubt);
  const D3 m = DCross(p, q);
  const DPlaneSides t_sides =
      DSidesOf(DDot(m, a), DDot(m, b), DDot(m, c), doubt);
  const DMask crossing = hn::And(s_sides.AreKnown(), t_sides.AreKnown());

  // Then two edges of one against two of the other.
  const D3 none = {zero, zero, zero};
  const DCorners e = DCorners{none, p, q}.LoneFirst(s_sides);
  const DCorners f = DCorners{a, b, c}.LoneFirst(t_sides);
  const DMask s_above = s_sides.LoneIsAbove();
  const DMask t_above = t_sides.LoneIsAbove();
  const DMask turned = hn::Xor(s_above, t_above);
  const D3 f_b = DSelect(turned, f.c, f.b);
  const D3 f_c = DSelect(turned, f.b, f.c);
  const D3 way = f.a - e.a;
  const D first = DDot(DCross(e.b - e.a, way), f_b - e.a);
  const D second = DDot(DCross(e.c - e.a, way), f_c - e.a);
  const D minus = hn::Neg(doubt);
  // Seen from below, both change their signs.
  const DMask first_above = hn::Gt(first, doubt);
  const DMask first_below = hn::Lt(first, minus);
  const DMask second_above = hn::Gt(second, doubt);
  const DMask second_below = hn::Lt(second, minus);
  const DMask meets =
      hn::Or(hn::And(t_above, hn::And(first_below, second_above)),
             hn::AndNot(t_above, hn::And(first_above, second_below)));
  const DMask misses =
      hn::Or(hn::And(t_above, hn::Or(first_above, second_below)),
             hn::AndNot(t_above, hn::Or(first_below, second_above)));
  const DMask one_side = hn::Or(s_sides.AreOneSide(), t_sides.AreOneSide());
  const DMask no = hn::Or(apart, hn::Or(one_side, hn::And(crossing, misses)));
  return {hn::AndNot(no, hn::And(crossing, meets)), no};
}

HWY_INLINE MeetLanes TrianglesMeet(const PairColumns& columns, size_t count) {
  const uint32_t all = (1u << count) - 1;
  uint32_t yes = 0;
  uint32_t no = 0;
  for (size_t i = 0; i < count; i += kDoubleLanes) {
    const DMeet meet = DTrianglesMeet(columns, i);
    yes |= DBits(meet.yes) << i;
    no |= DBits(meet.no) << i;
  }
  return {yes & all, all & ~(yes | no)};
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_MEET_DOUBLE_INL_H_
