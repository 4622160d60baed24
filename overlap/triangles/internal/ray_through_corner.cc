// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/internal/ray_through_corner.h"

#include <array>
#include <cmath>

#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/triangles/internal/cross_magnitude.h"

namespace orbox {
namespace {

// Products of larger numbers may overflow.
constexpr double kLargest = 0x1p400;

// Whether the line in the direction d passes through a point that is w away
// from its origin, where d is longest along the axis.
bool Passes(const Vec3& d, const Vec3& w, size_t axis) {
  const size_t u = (axis + 1) % 3;
  const size_t v = (axis + 2) % 3;
  return AreEqualProducts(d[axis], w[u], d[u], w[axis]) &&
         AreEqualProducts(d[axis], w[v], d[v], w[axis]);
}

// Whether the triangle certainly has area: as below, with six roundings.
bool HasArea(const Triangle& t) {
  const Vec3 e = t.b - t.a;
  const Vec3 f = t.c - t.a;
  const double error = 0x1p-49 * MaxCoordinate(CrossMagnitude(e, f));
  return MaxCoordinate(Abs(Cross(e, f))) > error && error > 0x1p-800;
}

}  // namespace

CornerCrossing CornerCrossingOf(const Ray& ray, const Triangle& triangle) {
  const Vec3& d = ray.direction;
  const Vec3 size = Abs(d);
  size_t axis = size.y > size.x ? 1 : 0;
  if (size.z > size[axis]) axis = 2;
  if (!(size[axis] < kLargest)) return {};
  // The corners on the line, in order.
  size_t count = 0;
  std::array<size_t, 3> corners;
  std::array<double, 3> ways;
  for (size_t i = 0; i < 3; ++i) {
    const Vec3 w = triangle[i] - ray.origin;
    if (!(MaxCoordinate(Abs(w)) < kLargest) || !Passes(d, w, axis)) continue;
    bool is_exact = true;
    for (size_t k = 0; k < 3; ++k) {
      is_exact =
          is_exact && TwoDifference(triangle[i][k], ray.origin[k]).lo == 0;
    }
    if (!is_exact) continue;
    corners[count] = i;
    ways[count++] = w[axis];
  }
  if (count == 1 && CertainlyCrosses(ray, triangle)) {
    return {true, corners[0], ways[0], d[axis]};
  }
  if (count != 2 || ways[0] == ways[1] || !HasArea(triangle)) return {};
  const size_t first = (ways[0] < ways[1]) == (d[axis] > 0) ? 0 : 1;
  const auto is_behind = [&](size_t i) {
    return ways[i] != 0 && (ways[i] < 0) == (d[axis] > 0);
  };
  if (is_behind(first) && !is_behind(1 - first)) return {};
  return {true, corners[first], ways[first], d[axis]};
}

// Edges, products and sums make nine roundings of 2^-53 of the magnitudes; the
// limits keep what underflows far below the bound.
bool CertainlyCrosses(const Ray& ray, const Triangle& t) {
  const Vec3 e = t.b - t.a;
  const Vec3 f = t.c - t.a;
  const Vec3& d = ray.direction;
  const double rise = Dot(Cross(e, f), d);
  const double error = 0x1p-49 * Dot(CrossMagnitude(e, f), Abs(d));
  return std::abs(rise) > error && error > 0x1p-800 &&
         MaxCoordinate(Abs(d)) < 0x1p100;
}

}  // namespace orbox
