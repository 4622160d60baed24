// SPDX-License-Identifier: Apache-2.0

// Tests in double if the triangles of a few pairs overlap. The result is yes,
// no or undecided.
//
//   PairColumns columns;
//   for (i ...) columns.Set(i, s, t);
//   OverlapLanes m = TrianglesOverlap(columns, count);
//   // m.yes: certainly overlap; m.maybe: undecided; others: certainly apart.
//   uint32_t apart = ApartByLongPlanes(columns, m.maybe);
//
// This is the test of triangle_meet_lanes-inl.h, on the unrounded triangles.
// Triangles that touch, are coplanar or are degenerate always remain undecided.
// So do triangles with coordinates near the limits of double. Private; compiled
// once per instruction set (lanes-inl.h).
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
#include "orbox/overlap/internal/numbers/error_free-inl.h"
#include "orbox/overlap/triangles/internal/distance_certificate-inl.h"
#include "orbox/overlap/triangles/internal/pair_columns-inl.h"
#include "orbox/overlap/triangles/internal/triangle_meet_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Tests the first `count` pairs. Requires 0 < count <= kRoom.
OverlapLanes TrianglesOverlap(const PairColumns& columns, size_t count);

// Returns the mask of those `undecided` pairs that are certainly apart because
// one triangle is on one side of the other's plane, in pairs of doubles. This
// decides most pairs of nearly coincident surfaces that double leaves
// undecided, in a fraction of the time of Overlaps.
uint32_t ApartByLongPlanes(const PairColumns& columns, uint32_t undecided);

// Implementation.

// The gap between the bounds of two triangles along an axis, and the length of
// the union of both intervals. The gap is negative if the intervals overlap.
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

// Tests one register of pairs, from column i on.
HWY_INLINE OverlapMasks<D> RegisterOverlaps(const PairColumns& columns,
                                            size_t i) {
  const TriangleOf<D> s = columns.FirstLanes(i);
  const TriangleOf<D> t = columns.SecondLanes(i);
  const ExtentLanes x = ExtentsOf(s.a.x, s.b.x, s.c.x, t.a.x, t.b.x, t.c.x);
  const ExtentLanes y = ExtentsOf(s.a.y, s.b.y, s.c.y, t.a.y, t.b.y, t.c.y);
  const ExtentLanes z = ExtentsOf(s.a.z, s.b.z, s.c.z, t.a.z, t.b.z, t.c.z);
  // The rounded difference of two doubles has the sign of the exact one.
  const DMask apart = Largest(x.gap, y.gap, z.gap) > 0;
  const D3 lengths = {x.length, y.length, z.length};
  const TrianglePairLanes<D> pair = {
      {{0, 0, 0}, s.b - s.a, s.c - s.a},
      t - s.a,
      DeterminantError(Dot(lengths, lengths), 0.0)};
  const PlaneSides<D> s_sides = pair.SidesOfS();
  const PlaneSides<D> t_sides = pair.SidesOfT();
  const DMask crossing = s_sides.AreKnown() & t_sides.AreKnown();
  const OverlapMasks<D> overlap =
      CrossingTrianglesOverlap(pair, s_sides, t_sides);
  const DMask no = apart | s_sides.AreOneSide() | t_sides.AreOneSide() |
                   (crossing & overlap.no);
  return {AndNot(no, crossing & overlap.yes), no};
}

HWY_INLINE OverlapLanes TrianglesOverlap(const PairColumns& columns,
                                         size_t count) {
  const uint32_t all = (1u << count) - 1;
  uint32_t yes = 0;
  uint32_t no = 0;
  for (size_t i = 0; i < count; i += kDoubleLanes) {
    const OverlapMasks<D> overlap = RegisterOverlaps(columns, i);
    yes |= Bits(overlap.yes) << i;
    no |= Bits(overlap.no) << i;
  }
  return {yes & all, all & ~(yes | no)};
}

HWY_INLINE LongOf<D> LongDot(const LongVec3Of<D>& u, const LongVec3Of<D>& v) {
  return Sum(Sum(Product(u.x, v.x), Product(u.y, v.y)), Product(u.z, v.z));
}
HWY_INLINE LongOf<D> LongTurn(const LongOf<D>& a, const LongOf<D>& b,
                              const LongOf<D>& c, const LongOf<D>& d) {
  return Sum(Product(a, b), Negated(Product(c, d)));
}

// Returns true if t is certainly on one side of the plane of s.
HWY_INLINE DMask IsOnOneSide(const TriangleOf<D>& s, const TriangleOf<D>& t,
                             const D& error_bound) {
  const LongVec3Of<D> e = LongDifference(s.b, s.a);
  const LongVec3Of<D> f = LongDifference(s.c, s.a);
  const LongVec3Of<D> n = {LongTurn(e.y, f.z, e.z, f.y),
                           LongTurn(e.z, f.x, e.x, f.z),
                           LongTurn(e.x, f.y, e.y, f.x)};
  return SidesOf(LongDot(n, LongDifference(t.a, s.a)).hi,
                 LongDot(n, LongDifference(t.b, s.a)).hi,
                 LongDot(n, LongDifference(t.c, s.a)).hi, error_bound)
      .AreOneSide();
}

// Error bound of volumes, as in long_volume.h: 2^-100 times the magnitudes of
// six products of three differences, none of them longer than `longest`. Within
// these limits, underflow is far below the bound.
HWY_INLINE D LongVolumeError(const D& longest) {
  const DMask in_range = (longest >= 0x1p-190) & (longest <= 0x1p300);
  return Select(in_range, D(0x1p-97) * longest * longest * longest,
                std::numeric_limits<double>::infinity());
}

HWY_INLINE uint32_t ApartByLongPlanes(const PairColumns& columns,
                                      uint32_t undecided) {
  uint32_t apart = 0;
  for (size_t i = 0; undecided >> i != 0; i += kDoubleLanes) {
    if ((undecided >> i & ((1u << kDoubleLanes) - 1)) == 0) continue;
    const TriangleOf<D> s = columns.FirstLanes(i);
    const TriangleOf<D> t = columns.SecondLanes(i);
    const D error_bound = LongVolumeError(
        Largest(ExtentsOf(s.a.x, s.b.x, s.c.x, t.a.x, t.b.x, t.c.x).length,
                ExtentsOf(s.a.y, s.b.y, s.c.y, t.a.y, t.b.y, t.c.y).length,
                ExtentsOf(s.a.z, s.b.z, s.c.z, t.a.z, t.b.z, t.c.z).length));
    // Both planes are tested, because testing the second one only if the first
    // does not decide is not faster.
    apart |=
        Bits(IsOnOneSide(s, t, error_bound) | IsOnOneSide(t, s, error_bound))
        << i;
  }
  return apart & undecided;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_TRIANGLE_MEET_DOUBLE_INL_H_
