// SPDX-License-Identifier: Apache-2.0

// The oracle for triangles: rational arithmetic, the definitions written down,
// and nothing shared with the library but its shapes. Slow on purpose.
//
//   Rational d2 = oracle::SquaredDistance(s, t);      // 0 where they meet
//   EXPECT_TRUE(oracle::IsRoundedRoot(Distance(s, t).distance, d2));
#ifndef ORBOX_TESTS_SUPPORT_EXACT_TRIANGLES_H_
#define ORBOX_TESTS_SUPPORT_EXACT_TRIANGLES_H_

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

#include "orbox/overlap/shapes/shapes.h"

namespace orbox::oracle {

using Rational = boost::multiprecision::cpp_rational;
using Point = std::array<Rational, 3>;
using Corners = std::array<Point, 3>;

inline Point Lift(const Vec3& p) {
  return {Rational(p.x), Rational(p.y), Rational(p.z)};
}
inline Corners Lift(const Triangle& t) {
  return {Lift(t.a), Lift(t.b), Lift(t.c)};
}

inline Point Minus(const Point& a, const Point& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
// a + t (b - a)
inline Point Between(const Point& a, const Point& b, const Rational& t) {
  return {a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]),
          a[2] + t * (b[2] - a[2])};
}
inline Rational Product(const Point& a, const Point& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Rational Squared(const Point& a) { return Product(a, a); }

// Squared distances are quotients of whole numbers, once all coordinates are
// multiplied by their common denominator. Such quotients are compared as they
// are: to reduce each would take a hundred times as long where coordinates are
// of all magnitudes.
using Integer = boost::multiprecision::cpp_int;
using WholePoint = std::array<Integer, 3>;
using WholeCorners = std::array<WholePoint, 3>;

struct Quotient {
  Integer numerator = 0;
  Integer denominator = 1;  // positive
};

inline bool operator<(const Quotient& a, const Quotient& b) {
  return a.numerator * b.denominator < b.numerator * a.denominator;
}

inline WholePoint Minus(const WholePoint& a, const WholePoint& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Integer Product(const WholePoint& a, const WholePoint& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Integer Squared(const WholePoint& a) { return Product(a, a); }
inline WholePoint CrossProduct(const WholePoint& a, const WholePoint& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
          a[0] * b[1] - a[1] * b[0]};
}

inline Integer CommonDenominator(std::initializer_list<Point> points) {
  Integer common = 1;
  for (const Point& p : points) {
    for (const Rational& x : p) {
      if (common % denominator(x) != 0) common = lcm(common, denominator(x));
    }
  }
  return common;
}
inline WholePoint Whole(const Point& p, const Integer& common) {
  WholePoint whole;
  for (size_t i = 0; i < 3; ++i) {
    whole[i] = numerator(p[i]) * (common / denominator(p[i]));
  }
  return whole;
}
inline WholeCorners Whole(const Corners& t, const Integer& common) {
  return {Whole(t[0], common), Whole(t[1], common), Whole(t[2], common)};
}
inline Rational Reduced(const Quotient& squared, const Integer& common) {
  return Rational(squared.numerator, squared.denominator * common * common);
}

inline Quotient ToSegment(const WholePoint& p, const WholePoint& a,
                          const WholePoint& b) {
  const WholePoint d = Minus(b, a);
  const WholePoint r = Minus(p, a);
  const Integer dd = Squared(d);
  const Integer along = Product(r, d);
  if (along <= 0) return {Squared(r)};
  if (along >= dd) return {Squared(Minus(p, b))};
  return {Squared(r) * dd - along * along, dd};
}

// Returns true if the foot of the point `r` on the plane that e and f span,
// from their common corner, is in their triangle; false where they span none.
// The point is to be divided by `scale`, which is positive.
inline bool FootIsInside(const WholePoint& r, const Integer& scale,
                         const WholePoint& e, const WholePoint& f) {
  const Integer ee = Squared(e), ef = Product(e, f), ff = Squared(f);
  const Integer er = Product(e, r), fr = Product(f, r);
  const Integer v = er * ff - fr * ef;
  const Integer w = fr * ee - er * ef;
  const Integer all = ee * ff - ef * ef;
  return all != 0 && v >= 0 && w >= 0 && v + w <= all * scale;
}

inline Quotient ToTriangle(const WholePoint& p, const WholeCorners& t) {
  const WholePoint e = Minus(t[1], t[0]);
  const WholePoint f = Minus(t[2], t[0]);
  const WholePoint r = Minus(p, t[0]);
  if (FootIsInside(r, 1, e, f)) {
    const WholePoint n = CrossProduct(e, f);
    const Integer height = Product(n, r);
    return {height * height, Squared(n)};
  }
  return std::min({ToSegment(p, t[0], t[1]), ToSegment(p, t[1], t[2]),
                   ToSegment(p, t[2], t[0])});
}

inline Quotient BetweenSegments(const WholePoint& a, const WholePoint& b,
                                const WholePoint& c, const WholePoint& d) {
  const WholePoint e = Minus(b, a);
  const WholePoint f = Minus(d, c);
  const WholePoint r = Minus(c, a);
  const Integer ee = Squared(e), ef = Product(e, f), ff = Squared(f);
  const Integer er = Product(e, r), fr = Product(f, r);
  // The closest points of the two lines, times `all`.
  const Integer all = ee * ff - ef * ef;
  const Integer s = er * ff - fr * ef;
  const Integer t = er * ef - fr * ee;
  if (all != 0 && s >= 0 && s <= all && t >= 0 && t <= all) {
    const Integer apart = Product(CrossProduct(e, f), r);
    return {apart * apart, all};
  }
  return std::min({ToSegment(a, c, d), ToSegment(b, c, d), ToSegment(c, a, b),
                   ToSegment(d, a, b)});
}

// Returns true if the segment pq crosses the plane of t, from one open side to
// the other, in a point of t.
inline bool Pierces(const WholePoint& p, const WholePoint& q,
                    const WholeCorners& t) {
  const WholePoint e = Minus(t[1], t[0]);
  const WholePoint f = Minus(t[2], t[0]);
  const WholePoint n = CrossProduct(e, f);
  const WholePoint rp = Minus(p, t[0]);
  const WholePoint rq = Minus(q, t[0]);
  const Integer hp = Product(n, rp);
  const Integer hq = Product(n, rq);
  if (!((hp > 0 && hq < 0) || (hp < 0 && hq > 0))) return false;
  // The crossing point, times the sum of the two heights.
  const Integer up = abs(hp), uq = abs(hq);
  WholePoint crossing;
  for (size_t i = 0; i < 3; ++i) crossing[i] = rp[i] * uq + rq[i] * up;
  return FootIsInside(crossing, up + uq, e, f);
}

inline Rational ToSegment(const Point& p, const Point& a, const Point& b) {
  const Integer common = CommonDenominator({p, a, b});
  return Reduced(
      ToSegment(Whole(p, common), Whole(a, common), Whole(b, common)), common);
}

inline Rational ToTriangle(const Point& p, const Corners& t) {
  const Integer common = CommonDenominator({p, t[0], t[1], t[2]});
  return Reduced(ToTriangle(Whole(p, common), Whole(t, common)), common);
}

inline Rational SquaredDistance(const Vec3& p, const Triangle& t) {
  return ToTriangle(Lift(p), Lift(t));
}

inline Rational SquaredDistance(const Corners& first, const Corners& second) {
  const Integer common = CommonDenominator(
      {first[0], first[1], first[2], second[0], second[1], second[2]});
  const WholeCorners s = Whole(first, common);
  const WholeCorners t = Whole(second, common);
  Quotient least = ToTriangle(s[0], t);
  for (size_t i = 0; i < 3; ++i) {
    least = std::min(least, ToTriangle(s[i], t));
    least = std::min(least, ToTriangle(t[i], s));
    for (size_t j = 0; j < 3; ++j) {
      least = std::min(
          least, BetweenSegments(s[i], s[(i + 1) % 3], t[j], t[(j + 1) % 3]));
    }
    if (Pierces(s[i], s[(i + 1) % 3], t)) return 0;
    if (Pierces(t[i], t[(i + 1) % 3], s)) return 0;
  }
  return Reduced(least, common);
}

inline Rational SquaredDistance(const Triangle& first, const Triangle& second) {
  return SquaredDistance(Lift(first), Lift(second));
}

inline bool Overlaps(const Triangle& s, const Triangle& t) {
  return SquaredDistance(s, t) == 0;
}

// The part of a convex polygon where n . p <= limit (Sutherland, Hodgman).
inline std::vector<Point> Clip(const std::vector<Point>& polygon,
                               const Point& n, const Rational& limit) {
  std::vector<Point> kept;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Point& p = polygon[i];
    const Point& q = polygon[(i + 1) % polygon.size()];
    const Rational hp = Product(n, p) - limit;
    const Rational hq = Product(n, q) - limit;
    if (hp <= 0) kept.push_back(p);
    if ((hp < 0 && hq > 0) || (hp > 0 && hq < 0)) {
      kept.push_back(Between(p, q, hp / (hp - hq)));
    }
  }
  return kept;
}

inline bool Overlaps(const Obb& box, const Triangle& t) {
  const Corners corners = Lift(t);
  std::vector<Point> polygon(corners.begin(), corners.end());
  for (size_t i = 0; i < 3; ++i) {
    const Point axis = Lift(box.axes[i]);
    const Point reverse = {-axis[0], -axis[1], -axis[2]};
    const Rational middle = Product(axis, Lift(box.center));
    const Rational extent = box.half_extents[i];
    polygon = Clip(polygon, axis, middle + extent);
    polygon = Clip(polygon, reverse, extent - middle);
  }
  return !polygon.empty();
}

inline bool Overlaps(const Aabb& box, const Triangle& t) {
  const Corners corners = Lift(t);
  std::vector<Point> polygon(corners.begin(), corners.end());
  for (size_t i = 0; i < 3; ++i) {
    Point axis = {0, 0, 0};
    axis[i] = 1;
    polygon = Clip(polygon, axis, box.hi[i]);
    axis[i] = -1;
    polygon = Clip(polygon, axis, -Rational(box.lo[i]));
  }
  return !polygon.empty();
}

inline Point CrossProduct(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
          a[0] * b[1] - a[1] * b[0]};
}

inline bool IsZero(const Point& a) {
  return a[0] == 0 && a[1] == 0 && a[2] == 0;
}

// The part of a polygon where n . p == level.
inline std::vector<Point> Slice(const std::vector<Point>& polygon,
                                const Point& n, const Rational& level) {
  return Clip(Clip(polygon, n, level), {-n[0], -n[1], -n[2]}, -level);
}

// The part of a polygon in a triangle, a segment or a point: equations for its
// span, and inequalities in it.
inline std::vector<Point> ClipToTriangle(std::vector<Point> polygon,
                                         const Corners& t) {
  const Point n = CrossProduct(Minus(t[1], t[0]), Minus(t[2], t[0]));
  if (!IsZero(n)) {
    polygon = Slice(polygon, n, Product(n, t[0]));
    for (size_t i = 0; i < 3; ++i) {
      // Outward in the plane.
      const Point out = CrossProduct(Minus(t[(i + 1) % 3], t[i]), n);
      polygon = Clip(polygon, out, Product(out, t[i]));
    }
    return polygon;
  }
  // The longest side is the whole of it.
  Corners ends = t;
  for (size_t i = 0; i < 3; ++i) {
    const Point& a = t[i];
    const Point& b = t[(i + 1) % 3];
    if (Squared(Minus(b, a)) > Squared(Minus(ends[1], ends[0]))) ends = {a, b};
  }
  const Point d = Minus(ends[1], ends[0]);
  for (size_t i = 0; i < 3; ++i) {
    Point unit = {0, 0, 0};
    unit[i] = 1;
    if (IsZero(d)) {
      polygon = Slice(polygon, unit, ends[0][i]);
    } else {
      const Point across = CrossProduct(d, unit);
      polygon = Slice(polygon, across, Product(across, ends[0]));
    }
  }
  polygon = Clip(polygon, d, Product(d, ends[1]));
  return Clip(polygon, {-d[0], -d[1], -d[2]}, -Product(d, ends[0]));
}

// The corners of what two triangles have in common, in no order.
inline std::vector<Point> CommonCorners(const Triangle& s, const Triangle& t) {
  const Corners corners = Lift(s);
  std::vector<Point> points;
  for (const Point& p :
       ClipToTriangle({corners.begin(), corners.end()}, Lift(t))) {
    if (std::find(points.begin(), points.end(), p) == points.end()) {
      points.push_back(p);
    }
  }
  // Points between two others are no corners.
  const std::vector<Point> all = points;
  std::erase_if(points, [&all](const Point& p) {
    for (const Point& a : all) {
      for (const Point& b : all) {
        if (a != p && b != p && a != b && ToSegment(p, a, b) == 0) return true;
      }
    }
    return false;
  });
  return points;
}

// Returns true if no double is closer than `root` to the square root of
// `squared`. One exception: a root that is not 0 but would round to 0 is the
// smallest denormal.
inline bool IsRoundedRoot(double root, const Rational& squared) {
  if (squared == 0 || root == 0) return squared == 0 && root == 0;
  constexpr double kLargest = std::numeric_limits<double>::max();
  if (!(root > 0 && root <= kLargest)) {
    return root > kLargest && squared > Rational(kLargest) * kLargest;
  }
  const Rational below = std::nextafter(root, 0.0);
  const Rational lower = (below + root) / 2;
  if (below > 0 && lower * lower > squared) return false;
  if (root == kLargest) return true;
  const Rational upper = (Rational(std::nextafter(root, 2 * root)) + root) / 2;
  return upper * upper >= squared;
}

}  // namespace orbox::oracle

#endif  // ORBOX_TESTS_SUPPORT_EXACT_TRIANGLES_H_
