// SPDX-License-Identifier: Apache-2.0

// Distances of a few pairs of triangles at once. Each is equal, bit for bit, to
// DistanceBetween (triangle_distance.h).
//
//   PairColumns columns;
//   for (i ...) columns.Set(i, s, t, feature);     // ClosestFeature, guessed
//   uint32_t done = CertifiedDistances(columns, count, distances);
//
// The closest points of the two features are found in double, evaluated in
// double-double and certified (distance_certificate-inl.h). A lane is not
// certified if the guess of the features is wrong or uncertain (triangles that
// overlap, edges that are nearly parallel, needles, numbers near the ends of
// double's range). The caller then calls DistanceBetween. Private; compiled
// once per instruction set (lanes-inl.h).
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
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
#include "orbox/overlap/triangles/internal/closest_feature.h"
#include "orbox/overlap/triangles/internal/distance_certificate-inl.h"
#include "orbox/overlap/triangles/internal/pair_columns-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Returns the mask of the certified pairs among the first `count`, and writes
// their distances. Requires 0 < count <= kRoom.
uint32_t CertifiedDistances(const PairColumns& columns, size_t count,
                            double (&distances)[PairColumns::kRoom]);

// Implementation.

// Coefficients of two points: s0 + u d + v f and t0 + w e. d and e are the
// first edges of the triangles, and f is the edge from s0 to s2. At least one
// of v and w is 0.
struct PairGuessLanes {
  D u, v, w;
};

// Guess for two edges d and e, as in ClosestOnEdges (closest_guess.cc).
// Coefficients are in [0, 1]. r is the vector from the start of d to the start
// of e.
HWY_INLINE PairGuessLanes GuessOnEdges(const D3& r, const D3& d, const D3& e) {
  const D dd = Dot(d, d);
  const D ee = Dot(e, e);
  const D de = Dot(d, e);
  const D dr = Dot(d, r);
  const D er = Dot(e, r);
  const D area = dd * ee - de * de;
  const D on_line = SelectOrZero(area > 0, Clamp01((dr * ee - de * er) / area));
  const D w = (on_line * de - er) / ee;
  const DMask below = w < 0;
  const DMask above = w > 1;
  const D top = Select(above, dr + de, dr);
  const D u = Select(below | above, Clamp01(top / dd), on_line);
  return {u, 0, Clamp01(w)};
}

// Guess for a face with edges d and f from a corner, and a point r relative to
// that corner. The coefficients are not in [0, 1] if the point is not over the
// face.
HWY_INLINE PairGuessLanes GuessOnFace(const D3& r, const D3& d, const D3& f) {
  const D3 n = Cross(d, f);
  const D scale = 1 / Dot(n, n);
  return {Dot(Cross(r, f), n) * scale, Dot(Cross(d, r), n) * scale, 0};
}

// Pairs of triangles, rotated so that their features come first: the face of s
// and corner a of t, or the edges from a to b.
struct FeaturePairLanes {
  TriangleOf<D> s, t;
  DMask is_face;  // the feature of s is a face
};

HWY_INLINE FeaturePairLanes FeaturesFirst(const PairColumns& columns,
                                          size_t i) {
  const D code = columns.Features(i);
  const DMask is_face = code >= ClosestFeature::kFaceOfFirst;
  const DMask is_turned = code >= ClosestFeature::kFaceOfSecond;
  const DMask third = AndNot(is_face, code >= 6);
  const DMask second = AndNot(is_face | third, code >= 3);
  D first_code = SelectOrZero(second, D(3));
  first_code = Select(third, 6, first_code);
  first_code = Select(is_face, ClosestFeature::kFaceOfFirst, first_code);
  first_code = Select(is_turned, ClosestFeature::kFaceOfSecond, first_code);
  const D rest = code - first_code;
  const TriangleOf<D> s = columns.FirstLanes(i);
  const TriangleOf<D> t = columns.SecondLanes(i);
  return {Turned(Select(is_turned, t, s), second, third),
          Turned(Select(is_turned, s, t), rest == 1, rest == 2), is_face};
}

// Certifies one register of pairs, from column i on. Returns the certified
// lanes. Computes in the Minkowski difference M, the second triangle minus the
// first (closest_range.h). Uses its corner t0 - s0, and the edges that leave
// this corner.
HWY_INLINE DMask CertifyPairs(const PairColumns& columns, size_t i,
                              D* distance) {
  const auto [s, t, is_face] = FeaturesFirst(columns, i);
  const PairGuessLanes edges = GuessOnEdges(t.a - s.a, s.b - s.a, t.b - t.a);
  const PairGuessLanes face = GuessOnFace(t.a - s.a, s.b - s.a, s.c - s.a);
  // If the closest point of an edge is its end, the edge is reversed so that it
  // starts there.
  const DMask s_turned = AndNot(is_face, edges.u >= 1);
  const DMask t_turned = AndNot(is_face, edges.w >= 1);
  const D3 s0 = Select(s_turned, s.b, s.a);
  const D3 s1 = Select(s_turned, s.a, s.b);
  const D3 s2 = s.c;
  const D3 t0 = Select(t_turned, t.b, t.a);
  const D3 t1 = Select(t_turned, t.a, t.b);
  const D3 t2 = t.c;
  const D c = Select(is_face, face.u, ZeroOrSelect(s_turned, edges.u));
  const D d = Select(is_face, face.v, ZeroOrSelect(t_turned, edges.w));

  // r = t0 - s0 + c e + d f is a point of M. e leads along the first edge of s,
  // reversed. f leads along the first edge of t, or the last edge of s.
  const LongVec3Of<D> long_e = LongDifference(s0, s1);
  const LongVec3Of<D> long_f =
      LongDifference(Select(is_face, s0, t1), Select(is_face, s2, t0));
  const Evaluated<D> r = Evaluate(LongDifference(t0, s0), c, long_e, d, long_f);
  const SquareOf<D> square = SquaredLength(r);

  // e or f is active if M extends in both directions along it from r.
  const DMask e_active = c > 0;
  const DMask f_active = d > 0;
  const DMask both = e_active & f_active;
  const DMask is_guess =
      (both & (c + d < 1)) |
      AndNot(is_face, (c >= 0) & (c < 1) & ((d >= 0) & (d < 1)));

  // Bound of how far the minimum may be below |r|^2: the square of r's part in
  // the span of the active generators.
  const D3 e = long_e.Hi();
  const D3 f = long_f.Hi();
  const D ee = Dot(e, e);
  const D ff = Dot(f, f);
  const BoundedLanes<D> re = BoundedDot(r, e);
  const BoundedLanes<D> rf = BoundedDot(r, f);
  const D most_e = re.Largest();
  const D most_f = rf.Largest();
  const D3 n = Cross(e, f);
  const D area = Dot(n, n);
  D top = SelectOrZero(e_active, most_e * most_e);
  D bottom = Select(e_active, ee, 1);
  top = Select(f_active, most_f * most_f, top);
  bottom = Select(f_active, ff, bottom);
  top = Select(both, LargestSquareInPlane(most_e, ee, most_f, ff), top);
  bottom = Select(both, area, bottom);
  const D below = kAboveCertificate * (top / bottom);

  // All other generators must lead away from the origin, seen from r without
  // its part in that span.
  const D3 third = Select(is_face, t1 - t0, s0 - s2);
  const D3 last = t2 - t0;
  const DMask others_lead_away =
      LeadsAway(BoundedDot(r, third), below, Dot(third, third)) &
      LeadsAway(BoundedDot(r, last), below, Dot(last, last)) &
      (e_active | LeadsAway(re, below, ee)) &
      (f_active | LeadsAway(rf, below, ff));

  const DMask is_wide = area >= kSmallestSquaredSine * (ee * ff);
  const DMask spans = Implies(both, is_wide) &
                      Implies(e_active, IsInRange(ee)) &
                      Implies(f_active, IsInRange(ff));
  return is_guess & spans & others_lead_away & IsInRange(square.value.hi) &
         RoundSqrt(square.value, square.error + below, square.error, distance);
}

HWY_INLINE uint32_t
CertifiedDistances(const PairColumns& columns, size_t count,
                   double (&distances)[PairColumns::kRoom]) {
  uint32_t certified = 0;
  for (size_t i = 0; i < count; i += kDoubleLanes) {
    D distance;
    const DMask holds = CertifyPairs(columns, i, &distance);
    distance.StoreU(distances + i);
    certified |= Bits(holds) << i;
  }
  return certified & ((1u << count) - 1);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_PAIR_DISTANCES_INL_H_
