// SPDX-License-Identifier: Apache-2.0

// How far is one point from several triangles, and where? What Distance
// (triangle_distance.h) says of each, four at a time.
//
//   TriangleColumns columns;
//   for (i ...) columns.Set(i, triangle);
//   DistanceColumns results;
//   uint32_t done = CertifiedDistances(p, columns, count, &results);
//
// A guess by Voronoi regions is evaluated in double-double and certified
// (distance_certificate-inl.h). Where the guess is in doubt (a point on the
// border of two regions, a needle, a point on the triangle, numbers near the
// ends of double's range), a lane is given up, and the caller asks Distance.
// Private; compiled once per instruction set.
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
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/distance_certificate-inl.h"
#include "orbox/overlap/triangles/internal/point_near_face-inl.h"
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

  void Set(size_t column, const PointTriangleDistance& d) {
    distance[column] = d.distance;
    for (size_t k = 0; k < 3; ++k) closest[k][column] = d.closest[k];
  }

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

// Distances that are a little too large: by 2^-48 of themselves and of the
// largest coordinate, or twice that, but 0 at vertices. Where the guess may be
// wrong, lanes are given up, too, but not where distances are tiny.
uint32_t NearDistances(const PointColumns& points,
                       const TriangleColumns& columns, size_t count,
                       DistanceColumns* results);

// Implementation.

// The closest point of each triangle as far as double tells: base + v e + w f
// with e and f the edges from a corner `base` to the corners e_head and f_head.
struct PointGuessLanes {
  D3 base, e_head, f_head;
  D v, w;
  DMask at_vertex;  // v = w = 0
  DMask on_edge;    // 0 < v < 1, w = 0
  DMask on_face;    // 0 < v, 0 < w, v + w < 1
};

// Ericson, "Real-Time Collision Detection", 5.1.5, with selections for
// branches. Lanes that fit nowhere have no bit in any mask.
HWY_INLINE PointGuessLanes GuessClosest(const D3& p, const TriangleOf<D>& t) {
  const auto& [a, b, c] = t;
  const D3 ab = b - a;
  const D3 ac = c - a;
  const D3 ap = p - a;
  const D3 bp = p - b;
  const D3 cp = p - c;
  const D d1 = Dot(ab, ap);
  const D d2 = Dot(ac, ap);
  const D d3 = Dot(ab, bp);
  const D d4 = Dot(ac, bp);
  const D d5 = Dot(ab, cp);
  const D d6 = Dot(ac, cp);
  const D va = d3 * d6 - d5 * d4;
  const D vb = d5 * d2 - d1 * d6;
  const D vc = d1 * d4 - d3 * d2;
  const D bc1 = d4 - d3;
  const D bc2 = d5 - d6;

  const DMask at_a = (d1 <= 0) & (d2 <= 0);
  const DMask at_b = (d3 >= 0) & (d4 <= d3);
  const DMask at_c = (d6 >= 0) & (d5 <= d6);
  const DMask on_ab = (vc <= 0) & (d1 >= 0) & (d3 <= 0);
  const DMask on_ac = (vb <= 0) & (d2 >= 0) & (d6 <= 0);
  const DMask on_bc = (va <= 0) & (bc1 >= 0) & (bc2 >= 0);

  // Rounded as GuessClosest (closest_guess.h) rounds, so that the same point
  // comes out.
  D top = vb;
  D bottom = va + vb + vc;
  top = Select(on_bc, bc1, top);
  bottom = Select(on_bc, bc1 + bc2, bottom);
  top = Select(on_ac, d2, top);
  bottom = Select(on_ac, d2 - d6, bottom);
  top = Select(on_ab, d1, top);
  bottom = Select(on_ab, d1 - d3, bottom);
  const D scale = 1 / bottom;

  PointGuessLanes g;
  g.at_vertex = at_a | at_b | at_c;
  const DMask edge = AndNot(g.at_vertex, on_ab | on_ac | on_bc);
  g.v = Select(edge, top / bottom, top * scale);
  g.w = vc * scale;
  const DMask inside = (g.v > 0) & (g.v < 1);
  g.on_edge = edge & inside;
  g.on_face = AndNot(g.at_vertex | edge, inside) & (g.w > 0) & (g.v + g.w < 1);
  g.v = ZeroOrSelect(g.at_vertex, g.v);
  g.w = SelectOrZero(g.on_face, g.w);

  // From b where the point is there or on bc, from c where it is there; edges
  // in front. What comes first in Ericson's order wins.
  const DMask b_first =
      AndNot(at_a, at_b | AndNot(on_ab | on_ac | at_c, on_bc));
  const DMask c_first = AndNot(at_a | at_b | on_ab, at_c);
  g.base = Select(c_first, c, Select(b_first, b, a));
  const DMask along_ac = AndNot(on_ab | b_first, on_ac);
  const D3 second = Select(b_first | along_ac, c, b);
  const D3 third = Select(c_first, b, Select(along_ac, b, c));
  g.e_head = Select(c_first, a, second);
  g.f_head = Select(b_first, a, third);
  return g;
}

// The same vertices in ascending order, so that results do not depend on
// theirs.
HWY_INLINE void Sort(D3* a, D3* b) {
  const DMask before =
      (b->x < a->x) |
      ((b->x == a->x) & ((b->y < a->y) | ((b->y == a->y) & (b->z < a->z))));
  const D3 low = Select(before, *b, *a);
  *b = Select(before, *a, *b);
  *a = low;
}

// A guess, evaluated and found in doubt: which generators may lead nearer, and
// what is left of the square without the part in their span. What RangeOf
// (closest_range.h) says of one triangle.
HWY_INLINE DMask CertifyByRange(const PointGuessLanes& g, const Evaluated<D>& r,
                                const SquareOf<D>& square, const D3& e,
                                const D3& f, D* distance) {
  const Bounded<D> re = BoundedDot(r, e);
  const Bounded<D> rf = BoundedDot(r, f);
  // At a vertex, the first of the edges that leads nearer; f, if e does not.
  const DMask e_leads_away = LeadsAway(re, D(0), Dot(e, e));
  const DMask f_leads_away = LeadsAway(rf, D(0), Dot(f, f));
  const DMask is_no_part = g.at_vertex & e_leads_away & f_leads_away;
  const DMask is_f = g.at_vertex & e_leads_away;
  const D3 first = Select(is_f, f, e);
  const D3 second = Select(is_f, e, f);
  const Bounded<D> x = {Select(is_f, rf.value, re.value),
                        Select(is_f, rf.error, re.error)};
  const Bounded<D> y = {Select(is_f, re.value, rf.value),
                        Select(is_f, re.error, rf.error)};
  const ProjectionOf<D> line = ProjectOnLine(x, Dot(first, first), g.v);
  const DMask on_line =
      AndNot(g.on_face, LeadsAway(y, line.largest_square, Dot(second, second)));
  const D beyond = 1 - Select(g.on_face, g.v + g.w, Max(g.v, g.w));
  const ProjectionOf<D> plane =
      ProjectOnPlane(x, y, first, second, g.v, g.w, beyond);
  const auto choose = [&](const D& of_line, const D& of_plane) HWY_ATTR {
    return ZeroOrSelect(is_no_part, Select(on_line, of_line, of_plane));
  };
  const ProjectionOf<D> part = {
      {choose(line.squared.value, plane.squared.value),
       choose(line.squared.error, plane.squared.error)},
      D(0),
      is_no_part | (on_line & line.is_inside) |
          AndNot(on_line, plane.is_inside),
      is_no_part | (on_line & line.is_certified) |
          AndNot(on_line, plane.is_certified)};
  const RangeOfSquare<D> range = WithoutPart(square, part);
  return (g.at_vertex | g.on_edge | g.on_face) & part.is_certified &
         IsInRange(square.value.hi) & IsInRange(range.value.hi) &
         RoundSqrt(range.value, range.below, range.above, distance);
}

// Those of the lanes `open` of which more arithmetic tells: where the point is
// a corner, where a guess is in doubt, or where it is so near the surface that
// pairs of doubles have too few digits.
HWY_NOINLINE inline DMask CertifyOpen(const D3& p, const PointGuessLanes& g,
                                      const Evaluated<D>& r,
                                      const SquareOf<D>& square, DMask open,
                                      D* distance, D3* closest) {
  const DMask wanted = open;
  const auto settle = [&](const DMask& lanes, const D& root) HWY_ATTR {
    const DMask done = open & lanes;
    *distance = Select(done, root, *distance);
    open = AndNot(done, open);
    return done;
  };
  // Where an edge is longer than any double, this has no number.
  settle(g.at_vertex & (p.x == closest->x) & (p.y == closest->y) &
             (p.z == closest->z),
         D(0));
  const D3 e = g.e_head - g.base;
  const D3 f = g.f_head - g.base;
  const DMask is_near = square.value.hi <= Dot(e, e) * 0x1p-70;
  if (Bits(open & is_near & g.on_edge) != 0) {
    // Middles of edges of meshes that were floats, say.
    const DMask done =
        settle(is_near & g.on_edge & IsOnSegment(p, g.base, g.e_head), D(0));
    // But for the signs of zeros, which rounding drops.
    *closest = Select(done, p + D3{D(0), D(0), D(0)}, *closest);
  }
  D root = *distance;
  if (Bits(open) != 0) {
    const DMask done = CertifyByRange(g, r, square, e, f, &root);
    settle(done, root);
  }
  const DMask near = open & (g.on_face | (is_near & g.on_edge));
  if (Bits(near) != 0) {
    D3 foot = *closest;
    const DMask done =
        CertifyNearFace(p, {g.base, g.e_head, g.f_head}, near, &root, &foot);
    settle(done, root);
    *closest = Select(done, foot, *closest);
  }
  return AndNot(open, wanted);
}

// One register of triangles; returns the lanes that are certified.
HWY_INLINE DMask Certify(const D3& p, TriangleOf<D> t, D* distance,
                         D3* closest) {
  Sort(&t.a, &t.b);
  Sort(&t.b, &t.c);
  Sort(&t.a, &t.b);
  const PointGuessLanes g = GuessClosest(p, t);

  // r = base - p + v e + w f, which is a point of the triangle seen from p.
  const LongVec3Of<D> long_e = LongDifference(g.e_head, g.base);
  const LongVec3Of<D> long_f = LongDifference(g.f_head, g.base);
  const Evaluated<D> r =
      Evaluate(LongDifference(g.base, p), g.v, long_e, g.w, long_f);
  const SquareOf<D> square = SquaredLength(r);
  const D3 e = long_e.Hi();
  const D3 f = long_f.Hi();
  *closest = g.base + (e * g.v + f * g.w);

  // By how much the true minimum may be below |r|^2: the square of r's part in
  // the span of the edges that are active there, both for a face, e for an
  // edge. All others have to lead away.
  const D ee = Dot(e, e);
  const D ff = Dot(f, f);
  const Bounded<D> re = BoundedDot(r, e);
  const Bounded<D> rf = BoundedDot(r, f);
  const D most_e = re.Largest();
  const D3 n = Cross(e, f);
  const D area = Dot(n, n);
  const D on_face =
      kAbove * LargestSquareInPlane(most_e, ee, rf.Largest(), ff) / area;
  const D on_edge = kAbove * (most_e * most_e) / ee;
  const D below = Select(g.on_face, on_face, SelectOrZero(g.on_edge, on_edge));

  const DMask f_leads_away = LeadsAway(rf, below, ff);
  const DMask vertex_holds =
      g.at_vertex & (re.value - re.error >= 0) & f_leads_away;
  const DMask edge_holds = g.on_edge & IsInRange(ee) & f_leads_away;
  const DMask face_holds = g.on_face & IsInRange(ee) & IsInRange(ff) &
                           (area >= kSmallestSquaredSine * (ee * ff));
  const DMask holds =
      IsInRange(square.value.hi) & (vertex_holds | edge_holds | face_holds) &
      RoundSqrt(square.value, square.error + below, square.error, distance);
  if (HWY_LIKELY(AllTrue(holds))) return holds;
  return holds | CertifyOpen(p, g, r, square, !holds, distance, closest);
}

HWY_INLINE D LargestOf(const D3& a) { return Max(Max(a.x, a.y), a.z); }

// One register of triangles; returns the lanes that are not given up.
HWY_INLINE DMask Nearly(const D3& p, const TriangleOf<D>& t, D* distance,
                        D3* closest) {
  const PointGuessLanes g = GuessClosest(p, t);
  const D3 e = g.e_head - g.base;
  const D3 f = g.f_head - g.base;
  *closest = g.base + (e * g.v + f * g.w);
  const D3 way = p - *closest;
  const D square = Dot(way, way);
  const D reach = Max(Max(LargestOf(Abs(t.a)), LargestOf(Abs(t.b))),
                      Max(LargestOf(Abs(t.c)), LargestOf(Abs(p))));
  // Some ten roundings of 2^-53 each; the point is off the triangle by a few
  // units of its coordinates.
  *distance = Sqrt(square) * (1 + 0x1p-49) + 0x1p-48 * reach;
  // Meshes have vertices in common, whose distance is to be 0.
  *distance = ZeroOrSelect(
      g.at_vertex & (way.x == 0) & (way.y == 0) & (way.z == 0), *distance);

  // At the closest point, no corner is on this side of it; what is told here is
  // that none is so by much.
  const D much = 0x1p-30 * Sqrt(square) + 0x1p-48 * reach;
  DMask holds = square >= 0;
  for (const D3& corner : {t.a, t.b, t.c}) {
    const D3 to_corner = corner - *closest;
    holds = holds & (Dot(way, to_corner) <= much * LargestOf(Abs(to_corner)));
  }
  // No product of these is beyond the range of double.
  const D3 from_base = p - g.base;
  const D size = Dot(e, e) + Dot(f, f) + Dot(from_base, from_base);
  const DMask in_range =
      (size > 0x1p-250) & (size < 0x1p250) & (reach < 0x1p250);
  return in_range & holds & (g.at_vertex | g.on_edge | g.on_face);
}

// A register of points, from column i on.
HWY_INLINE D3 LoadLanes(const double (*HWY_RESTRICT rows)[kColumns], size_t i) {
  return {D::Load(rows[0] + i), D::Load(rows[1] + i), D::Load(rows[2] + i)};
}

// `one(points, triangles, &distance, &closest)` does a register, from column i
// on, of which `point_at(i)` has the points.
template <typename PointAt, typename One>
HWY_INLINE uint32_t ColumnsOf(PointAt point_at, const TriangleColumns& columns,
                              size_t count, DistanceColumns* results, One one) {
  uint32_t done = 0;
  for (size_t i = 0; i < count; i += kDoubleLanes) {
    const auto vertex = [&](size_t row) HWY_ATTR {
      return LoadLanes(columns.rows + row, i);
    };
    D distance;
    D3 closest;
    const DMask holds =
        one(point_at(i), TriangleOf<D>{vertex(0), vertex(3), vertex(6)},
            &distance, &closest);
    distance.Store(results->distance + i);
    closest.x.Store(results->closest[0] + i);
    closest.y.Store(results->closest[1] + i);
    closest.z.Store(results->closest[2] + i);
    done |= Bits(holds) << i;
  }
  return done & ((1u << count) - 1);
}

HWY_INLINE uint32_t CertifiedDistances(const Vec3& p,
                                       const TriangleColumns& columns,
                                       size_t count, DistanceColumns* results) {
  const D3 point = D3::Of(p);
  return ColumnsOf([&](size_t) HWY_ATTR { return point; }, columns, count,
                   results,
                   [](auto&&... of) HWY_ATTR { return Certify(of...); });
}

HWY_INLINE uint32_t CertifiedDistances(const PointColumns& points,
                                       const TriangleColumns& columns,
                                       size_t count, DistanceColumns* results) {
  const auto point_at = [&](size_t i)
                            HWY_ATTR { return LoadLanes(points.rows, i); };
  return ColumnsOf(point_at, columns, count, results,
                   [](auto&&... of) HWY_ATTR { return Certify(of...); });
}

HWY_INLINE uint32_t NearDistances(const PointColumns& points,
                                  const TriangleColumns& columns, size_t count,
                                  DistanceColumns* results) {
  const auto point_at = [&](size_t i)
                            HWY_ATTR { return LoadLanes(points.rows, i); };
  return ColumnsOf(point_at, columns, count, results,
                   [](auto&&... of) HWY_ATTR { return Nearly(of...); });
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_POINT_DISTANCES_INL_H_
