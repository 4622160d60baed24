// SPDX-License-Identifier: Apache-2.0

// Oracles for tests between spheres and boxes: slow, plain and independent of
// what they check. They decide in long double where that is certain, and in
// rational arithmetic (boost::multiprecision::cpp_rational) where it is not.
//
//   EXPECT_EQ(Overlaps(ball, box), exact::Overlaps(ball, box));
//   for (ShapeGenerator<float> g(seed); ...) { auto [ball, box] = g.NextAabb();
//   }
#ifndef ORBOX_TESTS_SUPPORT_EXACT_SHAPES_H_
#define ORBOX_TESTS_SUPPORT_EXACT_SHAPES_H_

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <utility>
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

// |a_i . (p - center)|, within kSlop of the 1-norm of p - center, with a_i
// taken as it is.
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
  // One slab is farther than r: certain, whatever the other two are.
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

namespace orbox {

// Pairs of shapes to test: ordinary ones at every frequency of overlap, and the
// ones that go wrong. The same for a seed on every machine.
template <typename T>
class ShapeGenerator {
 public:
  explicit ShapeGenerator(uint64_t seed) : bits_(seed) {}

  std::pair<BasicSphere<T>, BasicAabb<T>> NextAabb();
  std::pair<BasicSphere<T>, BasicObb<T>> NextObb();
  std::pair<BasicObb<T>, BasicObb<T>> NextPair();
  BasicAabb<T> NextBox();

  // In [lo, hi), in double and then rounded.
  double Uniform(double lo, double hi) {
    return lo + (hi - lo) * static_cast<double>(bits_() >> 11) * 0x1p-53;
  }
  uint64_t Below(uint64_t n) { return bits_() % n; }

 private:
  // The magnitude of this pair, as a power of two: mostly 1, at times where
  // squares are near the ends of the range or denormal.
  double NextScale();
  T NextHalfExtent(double scale);
  BasicVec3<T> NextPoint(double reach);
  std::array<BasicVec3<T>, 3> NextAxes();
  // A radius with which a sphere at `distance` is tangent or nearly so, or any.
  T NextRadius(long double distance, double scale);

  std::mt19937_64 bits_;
};

template <typename T>
double ShapeGenerator<T>::NextScale() {
  constexpr int kMin = std::numeric_limits<T>::min_exponent;
  constexpr int kMax = std::numeric_limits<T>::max_exponent;
  switch (Below(16)) {
    case 0:
      return std::ldexp(1, kMin);  // sizes and distances are denormal
    case 1:
      return std::ldexp(1, kMin / 2);  // their squares are
    case 2:
      return std::ldexp(1, kMax / 2 - 4);  // squares almost overflow
    case 3:
      return std::ldexp(1, static_cast<int>(Below(40)) - 20);
    default:
      return 1;
  }
}

template <typename T>
T ShapeGenerator<T>::NextHalfExtent(double scale) {
  switch (Below(8)) {
    case 0:
      return 0;
    case 1:
      return static_cast<T>(scale * Uniform(0, 0x1p-20));  // needle or sheet
    case 2:
      return static_cast<T>(scale * Uniform(0, 64));
    default:
      return static_cast<T>(scale * Uniform(0, 1));
  }
}

template <typename T>
BasicVec3<T> ShapeGenerator<T>::NextPoint(double reach) {
  return {static_cast<T>(Uniform(-reach, reach)),
          static_cast<T>(Uniform(-reach, reach)),
          static_cast<T>(Uniform(-reach, reach))};
}

template <typename T>
T ShapeGenerator<T>::NextRadius(long double distance, double scale) {
  T r = static_cast<T>(distance);
  switch (Below(4)) {
    case 0:
      return static_cast<T>(scale * Uniform(0, 1));
    case 1:
      return Below(4) == 0 ? T{0} : static_cast<T>(scale * Uniform(0, 4));
    default: {
      if (!std::isfinite(r)) return std::numeric_limits<T>::max();
      for (uint64_t steps = Below(8); steps > 0; --steps) {
        r = std::nextafter(
            r, Below(2) == 0 ? T{0} : std::numeric_limits<T>::max());
      }
      return std::max(r, T{0});
    }
  }
}

template <typename T>
BasicAabb<T> ShapeGenerator<T>::NextBox() {
  const double scale = NextScale();
  // An offset leaves few bits for the shape itself.
  const double offset = Below(4) == 0 ? scale * 0x1p20 : 0;
  BasicAabb<T> b;
  for (size_t i = 0; i < 3; ++i) {
    const double c = offset + scale * Uniform(-1, 1);
    const double h = NextHalfExtent(scale);
    b.lo[i] = static_cast<T>(c - h);
    b.hi[i] = std::max(b.lo[i], static_cast<T>(c + h));
  }
  return b;
}

template <typename T>
std::pair<BasicSphere<T>, BasicAabb<T>> ShapeGenerator<T>::NextAabb() {
  const BasicAabb<T> b = NextBox();
  const BasicVec3<T> size = b.hi - b.lo;
  const double scale =
      std::max<double>(MaxCoordinate(size), std::numeric_limits<T>::min());
  BasicSphere<T> s;
  for (size_t i = 0; i < 3; ++i) {
    // On each axis below, in, above, or level with a face.
    const double c = std::min<double>(
        std::max<double>(static_cast<double>(b.lo[i]) +
                             Uniform(-1.5, 2.5) * static_cast<double>(size[i]) +
                             (size[i] == 0 ? Uniform(-1, 1) * scale : 0),
                         -std::numeric_limits<T>::max() / 8),
        std::numeric_limits<T>::max() / 8);
    s.center[i] = Below(8) == 0   ? b.lo[i]
                  : Below(8) == 0 ? b.hi[i]
                                  : static_cast<T>(c);
  }
  s.radius = NextRadius(exact::Distance(s.center, b), scale);
  return {s, b};
}

template <typename T>
std::array<BasicVec3<T>, 3> ShapeGenerator<T>::NextAxes() {
  // A random unit quaternion; at times a rotation by almost nothing, or none.
  std::array<long double, 4> q;
  long double norm = 0;
  do {
    norm = 0;
    for (long double& x : q) {
      x = Uniform(-1, 1);
      norm += x * x;
    }
  } while (norm > 1 || norm < 0.01);
  const uint64_t kind = Below(8);
  if (kind < 2) {
    const long double tiny = kind == 0 ? 0 : 1e-6;
    q = {1, q[1] * tiny, q[2] * tiny, q[3] * tiny};
    norm = 1 + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  }
  const long double f = 2 / norm;
  const long double w = q[0], x = q[1], y = q[2], z = q[3];
  auto to = [](long double a, long double b, long double c) {
    return BasicVec3<T>{static_cast<T>(a), static_cast<T>(b),
                        static_cast<T>(c)};
  };
  return {
      to(1 - f * (y * y + z * z), f * (x * y - w * z), f * (x * z + w * y)),
      to(f * (x * y + w * z), 1 - f * (x * x + z * z), f * (y * z - w * x)),
      to(f * (x * z - w * y), f * (y * z + w * x), 1 - f * (x * x + y * y))};
}

template <typename T>
std::pair<BasicSphere<T>, BasicObb<T>> ShapeGenerator<T>::NextObb() {
  const double scale = NextScale();
  const double offset = Below(4) == 0 ? scale * 0x1p20 : 0;
  BasicObb<T> b;
  b.axes = NextAxes();
  for (size_t i = 0; i < 3; ++i) {
    b.center[i] = static_cast<T>(offset + scale * Uniform(-1, 1));
    b.half_extents[i] = NextHalfExtent(scale);
  }
  const double largest = std::max<double>(MaxCoordinate(b.half_extents), scale);
  BasicSphere<T> s;
  s.center = b.center;
  for (size_t i = 0; i < 3; ++i) {
    const double step = Below(8) == 0 ? static_cast<double>(b.half_extents[i])
                                      : largest * Uniform(-1.5, 1.5);
    s.center += b.axes[i] * static_cast<T>(step);
  }
  s.radius = NextRadius(exact::DistanceInFrame(s.center, b), largest);
  return {s, b};
}

template <typename T>
std::pair<BasicObb<T>, BasicObb<T>> ShapeGenerator<T>::NextPair() {
  const auto [s, a] = NextObb();
  BasicObb<T> b;
  b.axes = Below(4) == 0 ? a.axes : NextAxes();
  b.center = s.center;
  const double largest = std::max<double>(MaxCoordinate(a.half_extents),
                                          std::numeric_limits<T>::denorm_min());
  for (size_t i = 0; i < 3; ++i) b.half_extents[i] = NextHalfExtent(largest);
  return {a, b};
}

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_EXACT_SHAPES_H_
