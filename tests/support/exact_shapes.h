// SPDX-License-Identifier: Apache-2.0

// Oracles for tests between spheres and boxes: slow, plain and independent of
// what they check. They decide in long double where that is certain, and in
// rational arithmetic (boost::multiprecision::cpp_rational) where it is not.
//
//   EXPECT_EQ(Overlaps(ball, box), exact::Overlaps(ball, box));
#ifndef ORBOX_TESTS_SUPPORT_EXACT_SHAPES_H_
#define ORBOX_TESTS_SUPPORT_EXACT_SHAPES_H_

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "orbox/overlap/shapes/shapes.h"

namespace orbox::exact {

using Rational = boost::multiprecision::cpp_rational;
using Vec = std::array<Rational, 3>;

template <typename T>
Vec ToVec(const BasicVec3<T>& v) {
  return {Rational(v.x), Rational(v.y), Rational(v.z)};
}
inline Vec operator+(const Vec& a, const Vec& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Vec operator-(const Vec& a, const Vec& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Vec operator*(const Vec& a, const Rational& s) {
  return {a[0] * s, a[1] * s, a[2] * s};
}
inline Rational Dot(const Vec& a, const Vec& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Vec Cross(const Vec& a, const Vec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
          a[0] * b[1] - a[1] * b[0]};
}

// The error that a handful of long double operations may have added up,
// relative to the largest value among them; several times more than they can.
inline constexpr long double kSlop =
    64 * std::numeric_limits<long double>::epsilon();

// The distance from a point to an AABB, within kSlop of it (relatively).
template <typename T>
long double Distance(const BasicVec3<T>& p, const BasicAabb<T>& b) {
  long double sum = 0;
  for (size_t i = 0; i < 3; ++i) {
    const long double c = p[i];
    const long double e = std::max({b.lo[i] - c, c - b.hi[i], 0.0L});
    sum += e * e;
  }
  return std::sqrt(sum);
}

template <typename T>
bool OverlapsRationally(const BasicSphere<T>& s, const BasicAabb<T>& b) {
  Rational sum = 0;
  for (size_t i = 0; i < 3; ++i) {
    const Rational c(s.center[i]);
    if (s.center[i] < b.lo[i]) {
      const Rational e = Rational(b.lo[i]) - c;
      sum += e * e;
    } else if (s.center[i] > b.hi[i]) {
      const Rational e = c - Rational(b.hi[i]);
      sum += e * e;
    }
  }
  const Rational r(s.radius);
  return sum <= r * r;
}

template <typename T>
bool Overlaps(const BasicSphere<T>& s, const BasicAabb<T>& b) {
  const long double d = Distance(s.center, b);
  const long double r = s.radius;
  if (d > r * (1 + kSlop)) return false;
  if (d < r * (1 - kSlop)) return true;
  return OverlapsRationally(s, b);
}

// |a_i . (p - center)|, within kSlop of the 1-norm of p - center, with a_i not
// normalised.
template <typename T>
std::array<long double, 3> FoldedIntoFrame(const BasicVec3<T>& p,
                                           const BasicObb<T>& b) {
  std::array<long double, 3> e;
  for (size_t i = 0; i < 3; ++i) {
    long double sum = 0;
    for (size_t k = 0; k < 3; ++k) {
      sum += (static_cast<long double>(p[k]) - b.center[k]) * b.axes[i][k];
    }
    e[i] = std::abs(sum);
  }
  return e;
}

template <typename T>
long double DistanceBetweenCentres1(const BasicSphere<T>& s,
                                    const BasicObb<T>& b) {
  long double sum = 0;
  for (size_t k = 0; k < 3; ++k) {
    sum += std::abs(static_cast<long double>(s.center[k]) - b.center[k]);
  }
  return sum;
}

// The distance from a point to an OBB, measured along its axes as if they were
// orthonormal; within kSlop of the 1-norm of p - center.
template <typename T>
long double DistanceInFrame(const BasicVec3<T>& p, const BasicObb<T>& b) {
  const auto e = FoldedIntoFrame(p, b);
  long double sum = 0;
  for (size_t i = 0; i < 3; ++i) {
    const long double out = std::max(e[i] - b.half_extents[i], 0.0L);
    sum += out * out;
  }
  return std::sqrt(sum);
}

// An OBB as the solid that its three slabs bound: a parallelepiped, the centre
// plus sums of t_i * edges[i], |t_i| <= 1.
struct Solid {
  Vec center;
  std::array<Vec, 3> normals;
  std::array<Rational, 3> half_extents;
  std::array<Vec, 3> edges;
};

template <typename T>
Solid ToSolid(const BasicObb<T>& b) {
  Solid s;
  s.center = ToVec(b.center);
  for (size_t i = 0; i < 3; ++i) {
    s.normals[i] = ToVec(b.axes[i]);
    s.half_extents[i] = Rational(b.half_extents[i]);
  }
  for (size_t i = 0; i < 3; ++i) {
    const Vec d = Cross(s.normals[(i + 1) % 3], s.normals[(i + 2) % 3]);
    s.edges[i] = d * Rational(s.half_extents[i] / Dot(s.normals[i], d));
  }
  return s;
}

template <typename T>
Solid ToSolid(const BasicAabb<T>& b) {
  Solid s;
  s.center = (ToVec(b.lo) + ToVec(b.hi)) * Rational(1, 2);
  for (size_t i = 0; i < 3; ++i) {
    s.normals[i][i] = 1;
    s.half_extents[i] = (Rational(b.hi[i]) - Rational(b.lo[i])) / 2;
    s.edges[i][i] = s.half_extents[i];
  }
  return s;
}

// The squared distance from p to the parallelogram q + s u + t v, |s|, |t| <=
// 1, by its interior and its four edges.
inline Rational SquaredDistanceToSegment(const Vec& p, const Vec& middle,
                                         const Vec& u) {
  const Vec to = p - middle;
  const Rational uu = Dot(u, u);
  Rational t = uu == 0 ? Rational(0) : Rational(Dot(to, u) / uu);
  if (t > 1) t = 1;
  if (t < -1) t = -1;
  const Vec rest = to - u * t;
  return Dot(rest, rest);
}

inline Rational SquaredDistanceToParallelogram(const Vec& p, const Vec& middle,
                                               const Vec& u, const Vec& v) {
  const Vec to = p - middle;
  const Rational uu = Dot(u, u), uv = Dot(u, v), vv = Dot(v, v);
  const Rational det = uu * vv - uv * uv;
  if (det != 0) {
    const Rational s = (Dot(to, u) * vv - Dot(to, v) * uv) / det;
    const Rational t = (Dot(to, v) * uu - Dot(to, u) * uv) / det;
    if (abs(s) <= 1 && abs(t) <= 1) {
      const Vec rest = to - u * s - v * t;
      return Dot(rest, rest);
    }
  }
  return std::min({SquaredDistanceToSegment(p, middle + v, u),
                   SquaredDistanceToSegment(p, middle - v, u),
                   SquaredDistanceToSegment(p, middle + u, v),
                   SquaredDistanceToSegment(p, middle - u, v)});
}

inline Rational SquaredDistance(const Vec& p, const Solid& s) {
  bool inside = true;
  for (size_t i = 0; i < 3; ++i) {
    if (abs(Dot(s.normals[i], p - s.center)) > s.half_extents[i]) {
      inside = false;
    }
  }
  if (inside) return 0;
  std::optional<Rational> best;
  for (size_t i = 0; i < 3; ++i) {
    for (int sign : {-1, 1}) {
      const Rational d = SquaredDistanceToParallelogram(
          p, s.center + s.edges[i] * Rational(sign), s.edges[(i + 1) % 3],
          s.edges[(i + 2) % 3]);
      if (!best.has_value() || d < *best) best = d;
    }
  }
  return *best;
}

template <typename T>
bool OverlapsRationally(const BasicSphere<T>& s, const BasicObb<T>& b) {
  const Rational r(s.radius);
  return SquaredDistance(ToVec(s.center), ToSolid(b)) <= r * r;
}

// With the box as its three slabs bound it. The two distances differ by less
// than 40u d, since the axes of a valid box are orthonormal to within 19u.
template <typename T>
bool Overlaps(const BasicSphere<T>& s, const BasicObb<T>& b) {
  const long double slop = kSlop * DistanceBetweenCentres1(s, b) +
                           std::numeric_limits<T>::denorm_min();
  const long double skew = 20 * std::numeric_limits<T>::epsilon();
  const auto e = FoldedIntoFrame(s.center, b);
  // One slab is farther than r: certain, for any of the other two.
  for (size_t i = 0; i < 3; ++i) {
    const long double length =
        std::sqrt(static_cast<long double>(b.axes[i].x) * b.axes[i].x +
                  static_cast<long double>(b.axes[i].y) * b.axes[i].y +
                  static_cast<long double>(b.axes[i].z) * b.axes[i].z);
    if (e[i] - slop > b.half_extents[i] + s.radius * length * (1 + kSlop)) {
      return false;
    }
  }
  const long double d = DistanceInFrame(s.center, b);
  const long double r = s.radius;
  if ((d - slop) * (1 - skew) > r) return false;
  if ((d + slop) * (1 + skew) < r) return true;
  return OverlapsRationally(s, b);
}

// Two convex solids are apart if and only if a normal of either, or a product
// of two edges, separates them. Edges of zero length keep their directions
// (cross products of normals), so that flat solids need no more.
inline bool Overlaps(const Solid& a, const Solid& b) {
  std::vector<Vec> directions(a.normals.begin(), a.normals.end());
  directions.insert(directions.end(), b.normals.begin(), b.normals.end());
  for (size_t i = 0; i < 3; ++i) {
    const Vec u = Cross(a.normals[i], a.normals[(i + 1) % 3]);
    for (size_t j = 0; j < 3; ++j) {
      const Vec v = Cross(b.normals[j], b.normals[(j + 1) % 3]);
      directions.push_back(Cross(u, v));
    }
  }
  const Vec between = b.center - a.center;
  for (const Vec& direction : directions) {
    Rational reach = 0;
    for (size_t i = 0; i < 3; ++i) {
      reach +=
          abs(Dot(direction, a.edges[i])) + abs(Dot(direction, b.edges[i]));
    }
    if (abs(Dot(direction, between)) > reach) return false;
  }
  return true;
}

}  // namespace orbox::exact

#endif  // ORBOX_TESTS_SUPPORT_EXACT_SHAPES_H_
