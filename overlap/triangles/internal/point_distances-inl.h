// How far is one point from several triangles, and where? What Distance
// (triangle_distance.h) says of each, four at a time.
//
//   TriangleColumns columns;
//   for (i ...) columns.Set(i, triangle);
//   DistanceColumns results;
//   uint32_t done = CertifiedDistances(p, columns, count, &results);
//
// A guess by Voronoi regions is evaluated in double-double and certified as in
// closest_range.cc, whose bounds these are, but for what is left out: where the
// guess is in doubt (a point on the border of two regions, a needle, a point on
// the triangle, numbers near the ends of double's range), a lane is given up,
// and the caller asks Distance. Private; compiled once per instruction set.
// Fused multiply-add is used for errors of products only, which are exact, so
// that all sets give the same bits.
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_POINT_DISTANCES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_POINT_DISTANCES_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_POINT_DISTANCES_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_POINT_DISTANCES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/double_lanes-inl.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/distance_certificate-inl.h"
#include "orbox/overlap/triangles/triangle_distance.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Up to eight triangles as rows a.x, a.y, a.z, b.x, ..., c.z.
inline constexpr size_t kColumns = 8;
struct TriangleColumns {
  alignas(64) double rows[9][kColumns];

  void Set(size_t column, const Triangle& t) {
    for (size_t k = 0; k < 3; ++k) {
      rows[k][column] = t.a[k];
      rows[3 + k][column] = t.b[k];
      rows[6 + k][column] = t.c[k];
    }
  }
};

// A point for each of them.
struct PointColumns {
  alignas(64) double rows[3][kColumns];

  void Set(size_t column, const Vec3& p) {
    for (size_t k = 0; k < 3; ++k) rows[k][column] = p[k];
  }
};

struct DistanceColumns {
  alignas(64) double distance[kColumns];
  alignas(64) double closest[3][kColumns];

  PointTriangleDistance Get(size_t column) const {
    return {distance[column],
            {closest[0][column], closest[1][column], closest[2][column]}};
  }
};

// Writes the results of the first `count` columns that could be certified, and
// returns these as bits. Columns up to the next multiple of kDoubleLanes have
// to hold triangles, too. Requires 0 < count <= kColumns.
uint32_t CertifiedDistances(const Vec3& p, const TriangleColumns& columns,
                            size_t count, DistanceColumns* results);

// The same for points of their own.
uint32_t CertifiedDistances(const PointColumns& points,
                            const TriangleColumns& columns, size_t count,
                            DistanceColumns* results);

// Implementation.

// The closest point of each triangle as far as double tells: base + v e + w f
// with e and f the edges from a corner `base`.
struct DGuess {
  D3 base, e, f;
  D v, w;
  DMask at_vertex;  // v = w = 0
  DMask on_edge;    // 0 < v < 1, w = 0
  DMask on_face;    // 0 < v, 0 < w, v + w < 1
};

// Ericson, "Real-Time Collision Detection", 5.1.5, with selections for
// branches. Lanes that fit nowhere have no bit in any mask.
HWY_INLINE DGuess DGuessClosest(const D3& p, const D3& a, const D3& b,
                                const D3& c) {
  const D zero = hn::Zero(DoubleTag());
  const D one = DSet(1);
  const D3 ab = b - a;
  const D3 ac = c - a;
  const D3 ap = p - a;
  const D3 bp = p - b;
  const D3 cp = p - c;
  const D d1 = DDot(ab, ap);
  const D d2 = DDot(ac, ap);
  const D d3 = DDot(ab, bp);
  const D d4 = DDot(ac, bp);
  const D d5 = DDot(ab, cp);
  const D d6 = DDot(ac, cp);
  const D va = hn::Sub(hn::Mul(d3, d6), hn::Mul(d5, d4));
  const D vb = hn::Sub(hn::Mul(d5, d2), hn::Mul(d1, d6));
  const D vc = hn::Sub(hn::Mul(d1, d4), hn::Mul(d3, d2));
  const D bc1 = hn::Sub(d4, d3);
  const D bc2 = hn::Sub(d5, d6);

  const DMask at_a = hn::And(hn::Le(d1, zero), hn::Le(d2, zero));
  const DMask at_b = hn::And(hn::Ge(d3, zero), hn::Le(d4, d3));
  const DMask at_c = hn::And(hn::Ge(d6, zero), hn::Le(d5, d6));
  const DMask on_ab =
      hn::And(hn::Le(vc, zero), hn::And(hn::Ge(d1, zero), hn::Le(d3, zero)));
  const DMask on_ac =
      hn::And(hn::Le(vb, zero), hn::And(hn::Ge(d2, zero), hn::Le(d6, zero)));
  const DMask on_bc =
      hn::And(hn::Le(va, zero), hn::And(hn::Ge(bc1, zero), hn::Ge(bc2, zero)));

  // Rounded as GuessClosest rounds, so that the same point comes out.
  D top = vb;
  D bottom = DAdd3(va, vb, vc);
  top = DSelect(on_bc, bc1, top);
  bottom = DSelect(on_bc, hn::Add(bc1, bc2), bottom);
  top = DSelect(on_ac, d2, top);
  bottom = DSelect(on_ac, hn::Sub(d2, d6), bottom);
  top = DSelect(on_ab, d1, top);
  bottom = DSelect(on_ab, hn::Sub(d1, d3), bottom);
  const D scale = hn::Div(one, bottom);

  DGuess g;
  g.at_vertex = hn::Or(at_a, hn::Or(at_b, at_c));
  const DMask edge =
      hn::AndNot(g.at_vertex, hn::Or(on_ab, hn::Or(on_ac, on_bc)));
  g.v = DSelect(edge, hn::Div(top, bottom), hn::Mul(top, scale));
  g.w = hn::Mul(vc, scale);
  const DMask inside = hn::And(hn::Gt(g.v, zero), hn::Lt(g.v, one));
  g.on_edge = hn::And(edge, inside);
  g.on_face =
      hn::And(hn::AndNot(hn::Or(g.at_vertex, edge), inside),
              hn::And(hn::Gt(g.w, zero), hn::Lt(hn::Add(g.v, g.w), one)));
  g.v = DSelect(g.at_vertex, zero, g.v);
  g.w = hn::IfThenElseZero(g.on_face, g.w);

  // From b where the point is there or on bc, from c where it is there; edges
  // in front. What comes first in Ericson's order wins.
  const DMask b_first = hn::AndNot(
      at_a,
      hn::Or(at_b, hn::AndNot(hn::Or(hn::Or(on_ab, on_ac), at_c), on_bc)));
  const DMask c_first = hn::AndNot(hn::Or(at_a, hn::Or(at_b, on_ab)), at_c);
  g.base = DSelect(c_first, c, DSelect(b_first, b, a));
  const DMask along_ac = hn::AndNot(hn::Or(on_ab, b_first), on_ac);
  const D3 second = DSelect(hn::Or(b_first, along_ac), c, b);
  const D3 third = DSelect(c_first, b, DSelect(along_ac, b, c));
  g.e = DSelect(c_first, a, second);
  g.f = DSelect(b_first, a, third);
  return g;
}

// The same vertices in ascending order, so that results do not depend on
// theirs.
HWY_INLINE void DSort(D3* a, D3* b) {
  const DMask before =
      hn::Or(hn::Lt(b->x, a->x),
             hn::And(hn::Eq(b->x, a->x),
                     hn::Or(hn::Lt(b->y, a->y),
                            hn::And(hn::Eq(b->y, a->y), hn::Lt(b->z, a->z)))));
  const D3 low = DSelect(before, *b, *a);
  *b = DSelect(before, *a, *b);
  *a = low;
}

// One register of triangles; returns the lanes that are certified.
HWY_INLINE DMask DCertify(const D3& p, D3 a, D3 b, D3 c, D* distance,
                          D3* closest) {
  DSort(&a, &b);
  DSort(&b, &c);
  DSort(&a, &b);
  const D zero = hn::Zero(DoubleTag());
  const DGuess g = DGuessClosest(p, a, b, c);

  // r = base - p + v e + w f, which is a point of the triangle seen from p.
  D3 error;
  const LongD ex = DTwoDifference(g.e.x, g.base.x);
  const LongD ey = DTwoDifference(g.e.y, g.base.y);
  const LongD ez = DTwoDifference(g.e.z, g.base.z);
  const LongD fx = DTwoDifference(g.f.x, g.base.x);
  const LongD fy = DTwoDifference(g.f.y, g.base.y);
  const LongD fz = DTwoDifference(g.f.z, g.base.z);
  const LongD x =
      DEvaluate(DTwoDifference(g.base.x, p.x), g.v, ex, g.w, fx, &error.x);
  const LongD y =
      DEvaluate(DTwoDifference(g.base.y, p.y), g.v, ey, g.w, fy, &error.y);
  const LongD z =
      DEvaluate(DTwoDifference(g.base.z, p.z), g.v, ez, g.w, fz, &error.z);
  const D3 r = {x.hi, y.hi, z.hi};
  const D3 e = {ex.hi, ey.hi, ez.hi};
  const D3 f = {fx.hi, fy.hi, fz.hi};
  *closest = {hn::Add(g.base.x, hn::Add(hn::Mul(g.v, e.x), hn::Mul(g.w, f.x))),
              hn::Add(g.base.y, hn::Add(hn::Mul(g.v, e.y), hn::Mul(g.w, f.y))),
              hn::Add(g.base.z, hn::Add(hn::Mul(g.v, e.z), hn::Mul(g.w, f.z)))};

  const DSquared square = DSquaredLength(x, y, z, error);

  // By how much the true minimum may be below |r|^2: the square of r's part in
  // the span of the generators that are active there, of e and f both for a
  // face (|g|^2 |e x f|^2 = |(r.e) f' - (r.f) e'|^2), of e for an edge. All
  // others have to lead away.
  const D ee = DDot(e, e);
  const D ff = DDot(f, f);
  const DBounded re = DDotProduct(r, error, e);
  const DBounded rf = DDotProduct(r, error, f);
  const D most_e = hn::Add(hn::Abs(re.value), re.error);
  const D most_f = hn::Add(hn::Abs(rf.value), rf.error);
  const D3 n = DCross(e, f);
  const D area = DDot(n, n);
  const D on_face = hn::Div(
      hn::Mul(DSet(4 * kDAbove), hn::Add(hn::Mul(hn::Mul(most_e, most_e), ff),
                                         hn::Mul(hn::Mul(most_f, most_f), ee))),
      area);
  const D on_edge =
      hn::Div(hn::Mul(DSet(kDAbove), hn::Mul(most_e, most_e)), ee);
  const D below =
      DSelect(g.on_face, on_face, hn::IfThenElseZero(g.on_edge, on_edge));

  const D least_e = hn::Sub(re.value, re.error);
  const DMask f_leads_away = DLeadsAway(rf, below, ff);
  const DMask vertex_holds =
      hn::And(g.at_vertex, hn::And(hn::Ge(least_e, zero), f_leads_away));
  const DMask edge_holds =
      hn::And(g.on_edge, hn::And(DIsInRange(ee), f_leads_away));
  const DMask face_holds =
      hn::And(hn::And(g.on_face, hn::And(DIsInRange(ee), DIsInRange(ff))),
              hn::Ge(area, hn::Mul(DSet(0x1p-40), hn::Mul(ee, ff))));
  const DMask holds =
      hn::And(DIsInRange(square.value.hi),
              hn::Or(vertex_holds, hn::Or(edge_holds, face_holds)));

  return hn::And(holds, DRoundSqrt(square, below, distance));
}

// `point_at(i)` is a register of points, from column i on.
template <typename PointAt>
HWY_INLINE uint32_t CertifyColumns(PointAt point_at,
                                   const TriangleColumns& columns, size_t count,
                                   DistanceColumns* results) {
  const DoubleTag d;
  uint32_t certified = 0;
  for (size_t i = 0; i < count; i += kDoubleLanes) {
    const auto vertex = [&](size_t row) HWY_ATTR {
      return D3{hn::Load(d, columns.rows[row] + i),
                hn::Load(d, columns.rows[row + 1] + i),
                hn::Load(d, columns.rows[row + 2] + i)};
    };
    D distance;
    D3 closest;
    const DMask holds = DCertify(point_at(i), vertex(0), vertex(3), vertex(6),
                                 &distance, &closest);
    hn::Store(distance, d, results->distance + i);
    hn::Store(closest.x, d, results->closest[0] + i);
    hn::Store(closest.y, d, results->closest[1] + i);
    hn::Store(closest.z, d, results->closest[2] + i);
    certified |= DBits(holds) << i;
  }
  return certified & ((1u << count) - 1);
}

HWY_INLINE uint32_t CertifiedDistances(const Vec3& p,
                                       const TriangleColumns& columns,
                                       size_t count, DistanceColumns* results) {
  const D3 point = {DSet(p.x), DSet(p.y), DSet(p.z)};
  return CertifyColumns([&](size_t) HWY_ATTR { return point; }, columns, count,
                        results);
}

HWY_INLINE uint32_t CertifiedDistances(const PointColumns& points,
                                       const TriangleColumns& columns,
                                       size_t count, DistanceColumns* results) {
  const DoubleTag d;
  const auto point_at = [&](size_t i) HWY_ATTR {
    return D3{hn::Load(d, points.rows[0] + i), hn::Load(d, points.rows[1] + i),
              hn::Load(d, points.rows[2] + i)};
  };
  return CertifyColumns(point_at, columns, count, results);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_POINT_DISTANCES_INL_H_
