// How far are two triangles from each other, for a few pairs at once? What
// DistanceBetween (triangle_distance.h) says of each.
//
//   PairColumns columns;
//   for (i ...) columns.Set(i, s, t, feature);     // ClosestFeature, guessed
//   uint32_t done = CertifiedDistances(columns, count, distances);
//
// The closest points of the two features are found in double, evaluated in
// double-double and certified as in closest_range.cc. Where the guess of the
// features was wrong or is in doubt (triangles that meet, edges that are nearly
// parallel, needles, numbers near the ends of double's range), a lane is given
// up, and the caller asks DistanceBetween. Private; compiled once per
// instruction set (lanes-inl.h).
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_PAIR_DISTANCES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_PAIR_DISTANCES_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_PAIR_DISTANCES_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_PAIR_DISTANCES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/double_lanes-inl.h"
#include "orbox/overlap/triangles/internal/closest_feature.h"
#include "orbox/overlap/triangles/internal/distance_certificate-inl.h"
#include "orbox/overlap/triangles/internal/pair_columns-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Writes the distances of the first `count` pairs that could be certified, and
// returns these as bits. Requires 0 < count <= kRoom.
uint32_t CertifiedDistances(const PairColumns& columns, size_t count,
                            double (&distances)[PairColumns::kRoom]);

// Implementation.

// Two points: s0 + u d + v f and t0 + w e, where d and e are the first edges of
// the triangles and f is the edge from s0 to s2. Of v and w, one is 0.
struct DPairGuess {
  D u, v, w;
};

// Of two edges, as ClosestOnEdges (closest_guess.cc) has it: in [0, 1]. The
// edges are d and e, and r goes from the start of d to that of e.
HWY_INLINE DPairGuess DGuessOnEdges(const D3& r, const D3& d, const D3& e) {
  const D zero = hn::Zero(DoubleTag());
  const D one = DSet(1);
  const auto clamp = [&](D x)
                         HWY_ATTR { return hn::Min(hn::Max(x, zero), one); };
  const D dd = DDot(d, d);
  const D ee = DDot(e, e);
  const D de = DDot(d, e);
  const D dr = DDot(d, r);
  const D er = DDot(e, r);
  const D area = hn::Sub(hn::Mul(dd, ee), hn::Mul(de, de));
  const D on_line = hn::IfThenElseZero(
      hn::Gt(area, zero),
      clamp(hn::Div(hn::Sub(hn::Mul(dr, ee), hn::Mul(de, er)), area)));
  const D w = hn::Div(hn::Sub(hn::Mul(on_line, de), er), ee);
  const DMask below = hn::Lt(w, zero);
  const DMask above = hn::Gt(w, one);
  const D top = DSelect(above, hn::Add(dr, de), dr);
  const D u = DSelect(hn::Or(below, above), clamp(hn::Div(top, dd)), on_line);
  return {u, zero, clamp(w)};
}

// Of a face with edges d and f from a corner, and a point r seen from there.
// Not in [0, 1] where the point is not over the face.
HWY_INLINE DPairGuess DGuessOnFace(const D3& r, const D3& d, const D3& f) {
  const D3 n = DCross(d, f);
  const D scale = hn::Div(DSet(1), DDot(n, n));
  return {hn::Mul(DDot(DCross(r, f), n), scale),
          hn::Mul(DDot(DCross(d, r), n), scale), hn::Zero(DoubleTag())};
}

struct DTriangle {
  D3 a, b, c;

  // From b on where `second`, from c on where `third`.
  HWY_INLINE DTriangle From(DMask second, DMask third) const {
    return {DSelect(third, c, DSelect(second, b, a)),
            DSelect(third, a, DSelect(second, c, b)),
            DSelect(third, b, DSelect(second, a, c))};
  }
};

// Pairs of triangles with the features in front: a face and the other's corner
// a, or the edges from a to b.
struct DPairs {
  DTriangle s, t;
  DMask is_face;  // of s
};

HWY_INLINE DPairs DFeaturesFirst(const PairColumns& columns, size_t i) {
  const D code = columns.Features(i);
  const auto at_least = [&](int least)
                            HWY_ATTR { return hn::Ge(code, DSet(least)); };
  const DMask is_face = at_least(ClosestFeature::kFaceOfFirst);
  const DMask is_turned = at_least(ClosestFeature::kFaceOfSecond);
  const DMask third = hn::AndNot(is_face, at_least(6));
  const DMask second = hn::AndNot(hn::Or(is_face, third), at_least(3));
  D first_code = hn::IfThenElseZero(second, DSet(3));
  first_code = DSelect(third, DSet(6), first_code);
  first_code = DSelect(is_face, DSet(ClosestFeature::kFaceOfFirst), first_code);
  first_code =
      DSelect(is_turned, DSet(ClosestFeature::kFaceOfSecond), first_code);
  const D rest = hn::Sub(code, first_code);
  const DTriangle s = {columns.Corner(0, i), columns.Corner(1, i),
                       columns.Corner(2, i)};
  const DTriangle t = {columns.Corner(3, i), columns.Corner(4, i),
                       columns.Corner(5, i)};
  const auto select = [&](const DTriangle& yes, const DTriangle& no) HWY_ATTR {
    return DTriangle{DSelect(is_turned, yes.a, no.a),
                     DSelect(is_turned, yes.b, no.b),
                     DSelect(is_turned, yes.c, no.c)};
  };
  return {select(t, s).From(second, third),
          select(s, t).From(hn::Eq(rest, DSet(1)), hn::Eq(rest, DSet(2))),
          is_face};
}

// One register of pairs, from column i on; returns the lanes that are
// certified. All is seen from M, the second triangle minus the first, as in
// closest_range.h: its corner t0 - s0, and the edges out of it.
HWY_INLINE DMask DCertifyPairs(const PairColumns& columns, size_t i,
                               D* distance) {
  const D zero = hn::Zero(DoubleTag());
  const D one = DSet(1);
  const auto [s, t, is_face] = DFeaturesFirst(columns, i);
  D3 s0 = s.a;
  D3 s1 = s.b;
  const D3 s2 = s.c;
  D3 t0 = t.a;
  D3 t1 = t.b;
  const D3 t2 = t.c;

  const DPairGuess edges = DGuessOnEdges(t0 - s0, s1 - s0, t1 - t0);
  const DPairGuess face = DGuessOnFace(t0 - s0, s1 - s0, s2 - s0);
  // What ends at an edge's other end starts there.
  const DMask s_turned = hn::AndNot(is_face, hn::Ge(edges.u, one));
  const DMask t_turned = hn::AndNot(is_face, hn::Ge(edges.w, one));
  const D3 s_start = DSelect(s_turned, s1, s0);
  s1 = DSelect(s_turned, s0, s1);
  s0 = s_start;
  const D3 t_start = DSelect(t_turned, t1, t0);
  t1 = DSelect(t_turned, t0, t1);
  t0 = t_start;
  const D c = DSelect(is_face, face.u, hn::IfThenZeroElse(s_turned, edges.u));
  const D d = DSelect(is_face, face.v, hn::IfThenZeroElse(t_turned, edges.w));

  // r = t0 - s0 + c e + d f, which is a point of M: e leads along the first
  // edge of s, reversed, and f along the first of t, or the last of s.
  const D3 f_head = DSelect(is_face, s0, t1);
  const D3 f_tail = DSelect(is_face, s2, t0);
  const LongD ex = DTwoDifference(s0.x, s1.x);
  const LongD ey = DTwoDifference(s0.y, s1.y);
  const LongD ez = DTwoDifference(s0.z, s1.z);
  const LongD fx = DTwoDifference(f_head.x, f_tail.x);
  const LongD fy = DTwoDifference(f_head.y, f_tail.y);
  const LongD fz = DTwoDifference(f_head.z, f_tail.z);
  D3 error;
  const LongD x = DEvaluate(DTwoDifference(t0.x, s0.x), c, ex, d, fx, &error.x);
  const LongD y = DEvaluate(DTwoDifference(t0.y, s0.y), c, ey, d, fy, &error.y);
  const LongD z = DEvaluate(DTwoDifference(t0.z, s0.z), c, ez, d, fz, &error.z);
  const D3 r = {x.hi, y.hi, z.hi};
  const DSquared square = DSquaredLength(x, y, z, error);

  // Which of e and f are active, that is, lead both ways from r in M.
  const DMask e_active = hn::Gt(c, zero);
  const DMask f_active = hn::Gt(d, zero);
  const DMask both = hn::And(e_active, f_active);
  const DMask is_guess = hn::Or(
      hn::And(both, hn::Lt(hn::Add(c, d), one)),
      hn::AndNot(is_face, hn::And(hn::And(hn::Ge(c, zero), hn::Lt(c, one)),
                                  hn::And(hn::Ge(d, zero), hn::Lt(d, one)))));

  // By how much the true minimum may be below |r|^2: the square of r's part g
  // in the span of the active ones (|g|^2 |e x f|^2 = |(r.e) f' - (r.f) e'|^2
  // for both, (r.e)^2 / |e|^2 for one).
  const D3 e = {ex.hi, ey.hi, ez.hi};
  const D3 f = {fx.hi, fy.hi, fz.hi};
  const D ee = DDot(e, e);
  const D ff = DDot(f, f);
  const DBounded re = DDotProduct(r, error, e);
  const DBounded rf = DDotProduct(r, error, f);
  const D most_e = hn::Add(hn::Abs(re.value), re.error);
  const D most_f = hn::Add(hn::Abs(rf.value), rf.error);
  const D3 n = DCross(e, f);
  const D area = DDot(n, n);
  const D in_e = hn::Mul(most_e, most_e);
  const D in_f = hn::Mul(most_f, most_f);
  const D in_both =
      hn::Mul(DSet(4), hn::Add(hn::Mul(in_e, ff), hn::Mul(in_f, ee)));
  D top = hn::IfThenElseZero(e_active, in_e);
  D bottom = DSelect(e_active, ee, one);
  top = DSelect(f_active, in_f, top);
  bottom = DSelect(f_active, ff, bottom);
  top = DSelect(both, in_both, top);
  bottom = DSelect(both, area, bottom);
  const D below = hn::Mul(DSet(kDAbove), hn::Div(top, bottom));

  // All others have to lead away, seen from r without g.
  const auto leads_away = [&](const DBounded& product, D squared) HWY_ATTR {
    return DLeadsAway(product, below, squared);
  };
  const D3 third_of_edges = s0 - s2;
  const D3 third = DSelect(is_face, t1 - t0, third_of_edges);
  const D3 last = t2 - t0;
  const DMask others_lead_away = hn::And(
      hn::And(leads_away(DDotProduct(r, error, third), DDot(third, third)),
              leads_away(DDotProduct(r, error, last), DDot(last, last))),
      hn::And(hn::Or(e_active, leads_away(re, ee)),
              hn::Or(f_active, leads_away(rf, ff))));

  // The area is wide enough to be known (closest_range.cc).
  const DMask is_wide = hn::Ge(area, hn::Mul(DSet(0x1p-40), hn::Mul(ee, ff)));
  const auto unless = [](DMask active, DMask condition) HWY_ATTR {
    return hn::Or(hn::Not(active), condition);
  };
  const DMask spans =
      hn::And(unless(both, is_wide), hn::And(unless(e_active, DIsInRange(ee)),
                                             unless(f_active, DIsInRange(ff))));
  const DMask holds =
      hn::And(hn::And(is_guess, spans),
              hn::And(others_lead_away, DIsInRange(square.value.hi)));
  return hn::And(holds, DRoundSqrt(square, below, distance));
}

HWY_INLINE uint32_t
CertifiedDistances(const PairColumns& columns, size_t count,
                   double (&distances)[PairColumns::kRoom]) {
  uint32_t certified = 0;
  for (size_t i = 0; i < count; i += kDoubleLanes) {
    D distance;
    const DMask holds = DCertifyPairs(columns, i, &distance);
    hn::StoreU(distance, DoubleTag(), distances + i);
    certified |= DBits(holds) << i;
  }
  return certified & ((1u << count) - 1);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_PAIR_DISTANCES_INL_H_
