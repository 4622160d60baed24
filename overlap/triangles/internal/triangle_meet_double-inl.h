// SPDX-License-Identifier: Apache-2.0

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
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
#include "orbox/overlap/triangles/internal/pair_columns-inl.h"
#include "orbox/overlap/triangles/internal/triangle_meet_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// The first `count` pairs. Requires 0 < count <= kRoom.
MeetLanes TrianglesMeet(const PairColumns& columns, size_t count);

// Implementation.

// The gap between two triangles' bounds along an axis, or less than 0, and the
// length of both together.
struct ExtentLanes {
  D gap, length;
};
HWY_INLINE ExtentLanes ExtentsOf(const D& s0, const D& s1, const D& s2,
                                 const D& t0, const D& t1, const D& t2) {
  const D s_lo = Least(s0, s1, s2);
  const D s_hi = Largest(s0, s1, s2);
  const D t_lo = Least(t0, t1, t2);
  const D t_hi = Largest(t0, t1, t2);
  return {IntervalGap(s_lo, s_hi, t_lo, t_hi),
          Max(s_hi, t_hi) - Min(s_lo, t_lo)};
}

// One register of pairs, from column i on.
HWY_INLINE MeetMasks<D> RegisterMeets(const PairColumns& columns, size_t i) {
  const TriangleOf<D> s = columns.FirstLanes(i);
  const TriangleOf<D> t = columns.SecondLanes(i);
  const ExtentLanes x = ExtentsOf(s.a.x, s.b.x, s.c.x, t.a.x, t.b.x, t.c.x);
  const ExtentLanes y = ExtentsOf(s.a.y, s.b.y, s.c.y, t.a.y, t.b.y, t.c.y);
  const ExtentLanes z = ExtentsOf(s.a.z, s.b.z, s.c.z, t.a.z, t.b.z, t.c.z);
  // A difference of two doubles has the sign of the exact one.
  const DMask apart = Largest(x.gap, y.gap, z.gap) > 0;
  const D3 lengths = {x.length, y.length, z.length};
  const TrianglePairLanes<D> pair = {
      {{0, 0, 0}, s.b - s.a, s.c - s.a},
      t - s.a,
      DeterminantDoubt(Dot(lengths, lengths), 0.0)};
  const PlaneSides<D> s_sides = pair.SidesOfS();
  const PlaneSides<D> t_sides = pair.SidesOfT();
  const DMask crossing = s_sides.AreKnown() & t_sides.AreKnown();
  const MeetMasks<D> meet = CrossingTrianglesMeet(pair, s_sides, t_sides);
  const DMask no = apart | s_sides.AreOneSide() | t_sides.AreOneSide() |
                   (crossing & meet.no);
  return {AndNot(no, crossing & meet.yes), no};
}

HWY_INLINE MeetLanes TrianglesMeet(const PairColumns& columns, size_t count) {
  const uint32_t all = (1u << count) - 1;
  uint32_t yes = 0;
  uint32_t no = 0;
  for (size_t i = 0; i < count; i += kDoubleLanes) {
    const MeetMasks<D> meet = RegisterMeets(columns, i);
    yes |= Bits(meet.yes) << i;
    no |= Bits(meet.no) << i;
  }
  return {yes & all, all & ~(yes | no)};
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_MEET_DOUBLE_INL_H_
