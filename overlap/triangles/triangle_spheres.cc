// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/triangle_spheres.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orbox {
namespace {

// Returns a sphere about `center` that contains the triangle, rounded outward.
// The relative error of each difference is 2^-53, and so are those of squares,
// sums and root.
Sphere Around(const Vec3& center, const Triangle& t) {
  double squared = 0;
  for (size_t i = 0; i < 3; ++i) {
    squared = std::max(squared, SquaredNorm(t[i] - center));
  }
  return {center, std::sqrt(squared) * (1 + 0x1p-50)};
}

Vec3 Centroid(const Triangle& t) {
  return t.a * (1.0 / 3) + t.b * (1.0 / 3) + t.c * (1.0 / 3);
}
Vec3 Midpoint(const Vec3& a, const Vec3& b) { return a * 0.5 + b * 0.5; }

// Returns the vector from corner `a` to the circumcentre; u and v lead from `a`
// to the other corners. Not finite if they are parallel or out of range.
Vec3 CircumcenterFrom(const Vec3& u, const Vec3& v) {
  const Vec3 n = Cross(u, v);
  return (Cross(n, u) * Dot(v, v) + Cross(v, n) * Dot(u, u)) *
         (0.5 / Dot(n, n));
}

}  // namespace

Sphere CentroidSphere(const Triangle& t) {
  // The sphere of a point has the point as its centre. The mean of three equal
  // corners may be rounded.
  if (t.a == t.b && t.a == t.c) return {t.a, 0};
  return Around(Centroid(t), t);
}

Sphere SmallestSphere(const Triangle& t) {
  Sphere best = CentroidSphere(t);
  const auto offer = [&](const Vec3& center) {
    if (!IsFinite(center)) return;
    const Sphere s = Around(center, t);
    if (s.radius < best.radius) best = s;
  };
  offer(Midpoint(t.a, t.b));
  offer(Midpoint(t.b, t.c));
  offer(Midpoint(t.c, t.a));
  // Computes in units of about the triangle's size, so that fourth powers stay
  // in range.
  int exponent = 0;
  std::frexp(best.radius, &exponent);
  const double size = std::ldexp(1.0, std::min(exponent, 1023));
  if (size > 0 && std::isfinite(best.radius)) {
    const Vec3 u = (t.b - t.a) * (1 / size);
    const Vec3 v = (t.c - t.a) * (1 / size);
    offer(t.a + CircumcenterFrom(u, v) * size);
  }
  return best;
}

}  // namespace orbox
