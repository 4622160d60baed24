// SPDX-License-Identifier: Apache-2.0

// Distances and closest points of several triangles to one point, four at a
// time. Each result is equal, bit for bit, to Distance (triangle_distance.h).
//
//   TriangleColumns columns;
//   for (i ...) columns.Set(i, triangle);
//   DistanceColumns results;
//   uint32_t done = CertifiedDistances(p, columns, count, &results);
//
// The closest point is guessed by Voronoi regions, evaluated in double-double
// and certified (distance_certificate-inl.h). A lane is not certified if the
// guess is uncertain: for a point on the border of two regions, a needle, a
// point on the triangle, or numbers near the limits of double. The caller then
// calls Distance for this lane. Private; compiled once per instruction set.
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
#include "orbox/overlap/triangles/internal/point_columns-inl.h"
#include "orbox/overlap/triangles/internal/point_guess-inl.h"
#include "orbox/overlap/triangles/internal/point_near_face-inl.h"
#include "orbox/overlap/triangles/triangle_distance.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Returns the mask of the certified columns among the first `count`, and writes
// their results. Columns up to the next multiple of kDoubleLanes must also
// contain triangles. Requires 0 < count <= kColumns.
uint32_t CertifiedDistances(const Vec3& p, const TriangleColumns& columns,
                            size_t count, DistanceColumns* results);

// CertifiedDistances with one point per triangle.
uint32_t CertifiedDistances(const PointColumns& points,
                            const TriangleColumns& columns, size_t count,
                            DistanceColumns* results);

// Writes upper bounds of the distances. They exceed the distance by 2^-48 of
// the distance and of the largest coordinate, or twice that, and are exactly 0
// at vertices. Returns the mask of the columns with a valid bound. A column has
// none if its guess may be wrong; a tiny distance is no such reason.
uint32_t NearDistances(const PointColumns& points,
                       const TriangleColumns& columns, size_t count,
                       DistanceColumns* results);

// Implementation.

// Certifies a guess as RangeOf does (closest_range.h): finds the generators
// that may lead nearer, and subtracts the square of r's part in their span from
// the squared distance.
HWY_INLINE DMask CertifyByRange(const PointGuessLanes& g, const Evaluated<D>& r,
                                const SquareOf<D>& square, const D3& e,
                                const D3& f, D* distance) {
  const BoundedLanes<D> re = BoundedDot(r, e);
  const BoundedLanes<D> rf = BoundedDot(r, f);
  // At a vertex, the first edge that leads nearer: e, or else f.
  const DMask e_leads_away = LeadsAway(re, D(0), Dot(e, e));
  const DMask f_leads_away = LeadsAway(rf, D(0), Dot(f, f));
  const DMask is_no_part = g.at_vertex & e_leads_away & f_leads_away;
  const DMask is_f = g.at_vertex & e_leads_away;
  const D3 first = Select(is_f, f, e);
  const D3 second = Select(is_f, e, f);
  const BoundedLanes<D> x = {Select(is_f, rf.value, re.value),
                             Select(is_f, rf.error, re.error)};
  const BoundedLanes<D> y = {Select(is_f, re.value, rf.value),
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

// Certifies lanes among `undecided` by more arithmetic. It decides if the point
// is a corner, if a guess is uncertain, or if the point is so near to the
// surface that pairs of doubles have too few digits. Returns the certified
// lanes.
HWY_NOINLINE inline DMask CertifyUndecided(
    const D3& p, const PointGuessLanes& g, const Evaluated<D>& r,
    const SquareOf<D>& square, DMask undecided, D* distance, D3* closest) {
  const DMask wanted = undecided;
  const auto settle = [&](const DMask& lanes, const D& root) HWY_ATTR {
    const DMask done = undecided & lanes;
    *distance = Select(done, root, *distance);
    undecided = AndNot(done, undecided);
    return done;
  };
  // If an edge is longer than the largest double, *closest is not finite here.
  settle(g.at_vertex & (p.x == closest->x) & (p.y == closest->y) &
             (p.z == closest->z),
         D(0));
  const D3 e = g.e_head - g.base;
  const D3 f = g.f_head - g.base;
  const DMask is_near = square.value.hi <= Dot(e, e) * 0x1p-70;
  if (Bits(undecided & is_near & g.on_edge) != 0) {
    // For example, midpoints of edges of meshes that were given in floats.
    const DMask done =
        settle(is_near & g.on_edge & IsOnSegment(p, g.base, g.e_head), D(0));
    // p, except that -0 becomes +0, as rounding does.
    *closest = Select(done, p + D3{D(0), D(0), D(0)}, *closest);
  }
  D root = *distance;
  if (Bits(undecided) != 0) {
    const DMask done = CertifyByRange(g, r, square, e, f, &root);
    settle(done, root);
  }
  const DMask near = undecided & (g.on_face | (is_near & g.on_edge));
  if (Bits(near) != 0) {
    D3 foot = *closest;
    const DMask done =
        CertifyNearFace(p, {g.base, g.e_head, g.f_head}, near, &root, &foot);
    settle(done, root);
    *closest = Select(done, foot, *closest);
  }
  return AndNot(undecided, wanted);
}

// Evaluates a guess with a separate bound for each error. Returns the certified
// lanes.
HWY_NOINLINE inline DMask CertifyClosely(const D3& p, const PointGuessLanes& g,
                                         D* distance, D3* closest) {
  // r = base - p + v e + w f is a point of the triangle relative to p.
  const LongVec3Of<D> long_e = LongDifference(g.e_head, g.base);
  const LongVec3Of<D> long_f = LongDifference(g.f_head, g.base);
  const Evaluated<D> r =
      Evaluate(LongDifference(g.base, p), g.v, long_e, g.w, long_f);
  const SquareOf<D> square = SquaredLength(r);
  const D3 e = long_e.Hi();
  const D3 f = long_f.Hi();
  *closest = g.base + (e * g.v + f * g.w);

  // Bound of the difference between |r|^2 and the minimum: the square of r's
  // part in the span of the active edges. These are both edges for a face, and
  // e for an edge. All other edges must lead away from the point.
  const D ee = Dot(e, e);
  const D ff = Dot(f, f);
  const BoundedLanes<D> re = BoundedDot(r, e);
  const BoundedLanes<D> rf = BoundedDot(r, f);
  const D most_e = re.Largest();
  const D3 n = Cross(e, f);
  const D area = Dot(n, n);
  const D on_face = kAboveCertificate *
                    LargestSquareInPlane(most_e, ee, rf.Largest(), ff) / area;
  const D on_edge = kAboveCertificate * (most_e * most_e) / ee;
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
  return holds | CertifyUndecided(p, g, r, square, !holds, distance, closest);
}

// Returns one coordinate of base - p + v e + w f. Like AddMultiples without its
// last step, so hi may be smaller than lo.
HWY_INLINE LongOf<D> AddLoosely(const LongOf<D>& from, const D& v,
                                const LongOf<D>& e, const D& w,
                                const LongOf<D>& f) {
  const LongOf<D> p = TwoProduct(v, e.hi);
  const LongOf<D> q = TwoProduct(w, f.hi);
  const LongOf<D> s = TwoSum(from.hi, p.hi);
  const LongOf<D> t = TwoSum(s.hi, q.hi);
  return {t.hi,
          ((from.lo + s.lo) + (p.lo + v * e.lo)) + (t.lo + (q.lo + w * f.lo))};
}

// Returns the squared length of a vector from AddLoosely.
HWY_INLINE LongOf<D> LooseSquaredLength(const LongVec3Of<D>& r) {
  const LongOf<D> xx = TwoProduct(r.x.hi, r.x.hi);
  const LongOf<D> yy = TwoProduct(r.y.hi, r.y.hi);
  const LongOf<D> zz = TwoProduct(r.z.hi, r.z.hi);
  const LongOf<D> xy = TwoSum(xx.hi, yy.hi);
  const LongOf<D> xyz = TwoSum(xy.hi, zz.hi);
  const D mixed = r.x.hi * r.x.lo + r.y.hi * r.y.lo + r.z.hi * r.z.lo;
  return FastTwoSum(
      xyz.hi, ((xx.lo + yy.lo) + zz.lo) + (xy.lo + xyz.lo) + (mixed + mixed));
}

// Certifies one register of triangles. Returns the certified lanes.
//
// Like CertifyClosely, but with one bound for all errors, which is cheaper and
// suffices for nearly all lanes. Let u = 2^-53. Let M be the sum of the
// magnitudes of base - p, v e and w f, coordinate by coordinate, and T the sum
// of the squared lengths of base - p, e and f. Because v and w are at most 1,
// |M|^2 <= 3 T.
//  - r has an error of 32 u^2 M (AddMultiples), and its trailing parts are
//    below 6 u M. So the error of its square has these parts: 64 u^2 |r| |M|;
//    36 u^2 |M|^2, the squares of the trailing parts, which are left out;
//    72 u^2 |M|^2 for the roundings of their products; and 12 u^2 |M|^2 for
//    those of the other trailing parts (SquaredLength). Together, this is less
//    than 600 u^2 T. 2048 u^2 T is more than the bounds of CertifyClosely and
//    the difference between its square and this one.
//  - If |r|^2 >= 2^-34 T, the error of r . e is less than 9 u |r| |e|, because
//    the error of r itself is below 2^-25 u |r|. So the sum
//    (r . e)^2 + (16 u)^2 r^2 e^2 is at least half of the square of the largest
//    possible r . e, and r . e is certainly positive if it is at least
//    32 u |r| |e|.
// Each of these bounds is above that of CertifyClosely. So every lane certified
// here would also be certified there, with an equal point.
HWY_INLINE DMask Certify(const D3& p, TriangleOf<D> t, D* distance,
                         D3* closest) {
  Sort(&t);
  const PointGuessLanes g = GuessClosest(p, t);

  const LongVec3Of<D> from = LongDifference(g.base, p);
  const LongVec3Of<D> long_e = LongDifference(g.e_head, g.base);
  const LongVec3Of<D> long_f = LongDifference(g.f_head, g.base);
  const D3 e = long_e.Hi();
  const D3 f = long_f.Hi();
  *closest = g.base + (e * g.v + f * g.w);
  const LongVec3Of<D> r = {AddLoosely(from.x, g.v, long_e.x, g.w, long_f.x),
                           AddLoosely(from.y, g.v, long_e.y, g.w, long_f.y),
                           AddLoosely(from.z, g.v, long_e.z, g.w, long_f.z)};
  const LongOf<D> square = LooseSquaredLength(r);
  const D rr = square.hi;
  const D ee = Dot(e, e);
  const D ff = Dot(f, f);
  const D all = Dot(from.Hi(), from.Hi()) + (ee + ff);
  const D error = D(2048 * 0x1p-106) * all;

  const D3 rounded = {r.x.hi + r.x.lo, r.y.hi + r.y.lo, r.z.hi + r.z.lo};
  const D re = Dot(rounded, e);
  const D rf = Dot(rounded, f);
  const D error_bound = D(0x1p-98) * rr;
  const D3 n = Cross(e, f);
  const D area = Dot(n, n);
  const D ee_ff = ee * ff;
  const D re_re = re * re;
  const D rf_rf = rf * rf;
  // Bound of the difference between |r|^2 and the minimum, as in
  // CertifyClosely: the square of r's part in the span of the active edges. All
  // other edges must lead away from the point.
  const D in_plane =
      8 * ((re_re * ff + rf_rf * ee) + 2 * (error_bound * ee_ff));
  const D on_line = 2 * (re_re + error_bound * ee);
  const D below = ZeroOrSelect(
      g.at_vertex, kAboveCertificate * Select(g.on_face, in_plane, on_line) /
                       Select(g.on_face, area, ee));
  const DMask f_leads_away =
      (rf >= 0) & (rf_rf >= 4 * ((error_bound + below) * ff));
  const DMask e_leads_away = (re >= 0) & (re_re >= 4 * (error_bound * ee));
  const DMask holds =
      ((g.on_face & (area >= kSmallestSquaredSine * ee_ff)) |
       ((g.on_edge | (g.at_vertex & e_leads_away)) & f_leads_away)) &
      IsInRange(rr) & IsInRange(ee) & IsInRange(ff) & (rr >= 0x1p-34 * all) &
      RoundSqrt(square, error + below, error, distance);
  if (HWY_LIKELY(AllTrue(holds))) return holds;
  return CertifyClosely(p, g, distance, closest);
}

HWY_INLINE D LargestOf(const D3& a) { return Max(Max(a.x, a.y), a.z); }

// Computes upper bounds for one register of triangles. Returns the lanes in
// which they are valid.
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
  // Covers about ten roundings of 2^-53 each. The guessed point is off the
  // triangle by a few units in the last place of its coordinates.
  *distance = Sqrt(square) * (1 + 0x1p-49) + 0x1p-48 * reach;
  // Triangles of a mesh share vertices, and the distance from p to a vertex at
  // p must be exactly 0.
  *distance = ZeroOrSelect(
      g.at_vertex & (way.x == 0) & (way.y == 0) & (way.z == 0), *distance);

  // No corner should be on p's side of the plane through the closest point.
  // This test proves that no corner is far on that side.
  const D much = 0x1p-30 * Sqrt(square) + 0x1p-48 * reach;
  DMask holds = square >= 0;
  for (const D3& corner : {t.a, t.b, t.c}) {
    const D3 to_corner = corner - *closest;
    holds = holds & (Dot(way, to_corner) <= much * LargestOf(Abs(to_corner)));
  }
  // No product of these numbers is out of the range of double.
  const D3 from_base = p - g.base;
  const D size = Dot(e, e) + Dot(f, f) + Dot(from_base, from_base);
  const DMask in_range =
      (size > 0x1p-250) & (size < 0x1p250) & (reach < 0x1p250);
  return in_range & holds & (g.at_vertex | g.on_edge | g.on_face);
}

// Computes all columns, a register at a time, with `one(points, triangles,
// &distance, &closest)`. `point_at(i)` returns the points of the register from
// column i on.
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
