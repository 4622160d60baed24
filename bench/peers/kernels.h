// SPDX-License-Identifier: Apache-2.0

// Triangle tests in plain floating point, for libraries that bring a hierarchy
// but leave the triangles to their user.
#ifndef ORBOX_BENCH_PEERS_KERNELS_H_
#define ORBOX_BENCH_PEERS_KERNELS_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox::peers {

// By Voronoi regions: Ericson, "Real-Time Collision Detection", 5.1.5.
template <typename T>
T SquaredDistance(const BasicVec3<T>& p, const BasicTriangle<T>& t) {
  const BasicVec3<T> ab = t.b - t.a;
  const BasicVec3<T> ac = t.c - t.a;
  const BasicVec3<T> ap = p - t.a;
  const T d1 = Dot(ab, ap);
  const T d2 = Dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return SquaredNorm(ap);
  const BasicVec3<T> bp = p - t.b;
  const T d3 = Dot(ab, bp);
  const T d4 = Dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return SquaredNorm(bp);
  const T vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    return SquaredNorm(ap - ab * (d1 / (d1 - d3)));
  }
  const BasicVec3<T> cp = p - t.c;
  const T d5 = Dot(ab, cp);
  const T d6 = Dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return SquaredNorm(cp);
  const T vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    return SquaredNorm(ap - ac * (d2 / (d2 - d6)));
  }
  const T va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6) {
    const T along = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return SquaredNorm(bp - (t.c - t.b) * along);
  }
  const T scale = T{1} / (va + vb + vc);
  return SquaredNorm(ap - ab * (vb * scale) - ac * (vc * scale));
}

namespace internal {

struct Interval {
  double lo;
  double hi;
};

inline Interval Project(const Triangle& t, const Vec3& axis) {
  const double a = Dot(t.a, axis);
  const double b = Dot(t.b, axis);
  const double c = Dot(t.c, axis);
  return {std::min(a, std::min(b, c)), std::max(a, std::max(b, c))};
}

inline bool Separates(const Vec3& axis, const Triangle& s, const Triangle& t) {
  const Interval i = Project(s, axis);
  const Interval j = Project(t, axis);
  return i.hi < j.lo || j.hi < i.lo;
}

}  // namespace internal

// By separating axes; the planes first, which decide most pairs.
inline bool MeetBySeparatingAxes(const Triangle& s, const Triangle& t) {
  const std::array<Vec3, 3> e = {s.b - s.a, s.c - s.b, s.a - s.c};
  const std::array<Vec3, 3> f = {t.b - t.a, t.c - t.b, t.a - t.c};
  const Vec3 n = Cross(e[0], e[1]);
  const Vec3 m = Cross(f[0], f[1]);
  if (internal::Separates(n, s, t) || internal::Separates(m, s, t)) {
    return false;
  }
  for (const Vec3& u : e) {
    for (const Vec3& v : f) {
      if (internal::Separates(Cross(u, v), s, t)) return false;
    }
  }
  // The products above vanish for triangles in one plane.
  for (size_t i = 0; i < 3; ++i) {
    if (internal::Separates(Cross(n, e[i]), s, t)) return false;
    if (internal::Separates(Cross(m, f[i]), s, t)) return false;
  }
  return true;
}

// By separating axes: Akenine-Moller, "Fast 3D triangle-box overlap testing",
// JGT 6(1), 2001.
inline bool MeetBySeparatingAxes(const Aabb& box, const Triangle& t) {
  for (size_t k = 0; k < 3; ++k) {
    if (std::min(t.a[k], std::min(t.b[k], t.c[k])) > box.hi[k]) return false;
    if (std::max(t.a[k], std::max(t.b[k], t.c[k])) < box.lo[k]) return false;
  }
  const Vec3 center = box.Center();
  const Vec3 half = box.HalfExtents();
  const Triangle moved = {t.a - center, t.b - center, t.c - center};
  const auto separates = [&](const Vec3& axis) {
    const internal::Interval i = internal::Project(moved, axis);
    const double reach = Dot(half, Abs(axis));
    return i.lo > reach || i.hi < -reach;
  };
  const std::array<Vec3, 3> e = {t.b - t.a, t.c - t.b, t.a - t.c};
  if (separates(Cross(e[0], e[1]))) return false;
  for (const Vec3& u : e) {
    if (separates({0, -u.z, u.y}) || separates({u.z, 0, -u.x}) ||
        separates({-u.y, u.x, 0})) {
      return false;
    }
  }
  return true;
}

}  // namespace orbox::peers

#endif  // ORBOX_BENCH_PEERS_KERNELS_H_
