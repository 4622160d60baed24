// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/internal/ray_through_corner.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/internal/numbers/expansion.h"
#include "orbox/overlap/internal/numbers/ladder.h"
#include "orbox/overlap/triangles/internal/cross_magnitude.h"

namespace orbox {
namespace {

// Products of larger numbers may overflow.
constexpr double kLargest = 0x1p400;

size_t LongestAxis(const Vec3& d) {
  const Vec3 size = Abs(d);
  const size_t axis = size.y > size.x ? 1 : 0;
  return size.z > size[axis] ? 2 : axis;
}

// Returns true if a b = c d is certain.
bool AreEqual(double a, const DoubleDouble& b, double c,
              const DoubleDouble& d) {
  if (b.lo == 0 && d.lo == 0) return AreEqualProducts(a, b.hi, c, d.hi);
  const Expansion difference =
      (Expansion(b.hi) + b.lo) * a - (Expansion(d.hi) + d.lo) * c;
  return difference.CertainSign() == 0;
}

using LongVec3 = std::array<DoubleDouble, 3>;

// Returns false if the line in the direction d certainly does not pass through
// the point with the approximate offset w from its origin. Rounded products of
// equal numbers differ by less than 4 u. This test decides most corners.
bool MayPass(const Vec3& d, const Vec3& w, size_t axis) {
  const size_t u = (axis + 1) % 3;
  const size_t v = (axis + 2) % 3;
  const auto may_be_equal = [](double x, double y) {
    return std::abs(x - y) <= 0x1p-50 * (std::abs(x) + std::abs(y));
  };
  return may_be_equal(d[axis] * w[u], d[u] * w[axis]) &&
         may_be_equal(d[axis] * w[v], d[v] * w[axis]);
}

// Returns true if the line in the direction d passes through the point with the
// offset w from its origin. Requires that d is longest along `axis`.
bool Passes(const Vec3& d, const LongVec3& w, size_t axis) {
  const size_t u = (axis + 1) % 3;
  const size_t v = (axis + 2) % 3;
  return AreEqual(d[axis], w[u], d[u], w[axis]) &&
         AreEqual(d[axis], w[v], d[v], w[axis]);
}

// The result is not known if the quotient cannot be rounded with certainty.
CornerCrossing CrossingAt(size_t corner, const DoubleDouble& way,
                          double direction) {
  if (way.lo == 0) {
    const double t = way.hi == 0 ? 0 : way.hi / direction;
    return {true, corner, way, direction, t};
  }
  Judge<LongBounded> judge;
  const double t = judge.RoundedQuotient({way.hi, way.lo, 0, 0}, direction);
  return {!judge.is_undecided(), corner, way, direction, t};
}

// Returns true if the triangle certainly has area. The test is that of
// CertainlyCrosses, with six roundings.
bool HasArea(const Triangle& t) {
  const Vec3 e = t.b - t.a;
  const Vec3 f = t.c - t.a;
  const double error = 0x1p-49 * MaxCoordinate(CrossMagnitude(e, f));
  return MaxCoordinate(Abs(Cross(e, f))) > error && error > 0x1p-800;
}

}  // namespace

CornerCrossing CrossingOfPoint(const Ray& ray, const Vec3& p) {
  const size_t axis = LongestAxis(ray.direction);
  const DoubleDouble way = TwoDifference(p[axis], ray.origin[axis]);
  if (!(std::abs(ray.direction[axis]) < kLargest &&
        std::abs(way.hi) < kLargest)) {
    return {};
  }
  return CrossingAt(0, way, ray.direction[axis]);
}

CornerCrossing CornerCrossingOf(const Ray& ray, const Triangle& triangle) {
  const Vec3& d = ray.direction;
  const size_t axis = LongestAxis(d);
  if (!(std::abs(d[axis]) < kLargest)) return {};
  // The corners that are on the line, in the order of their indices.
  size_t count = 0;
  std::array<size_t, 3> corners;
  std::array<DoubleDouble, 3> ways;
  for (size_t i = 0; i < 3; ++i) {
    if (!MayPass(d, triangle[i] - ray.origin, axis)) continue;
    LongVec3 w;
    double largest = 0;
    for (size_t k = 0; k < 3; ++k) {
      w[k] = TwoDifference(triangle[i][k], ray.origin[k]);
      largest = std::max(largest, std::abs(w[k].hi));
    }
    if (!(largest < kLargest) || !Passes(d, w, axis)) continue;
    corners[count] = i;
    ways[count++] = w[axis];
  }
  if (count == 1 && CertainlyCrosses(ray, triangle)) {
    return CrossingAt(corners[0], ways[0], d[axis]);
  }
  if (count != 2 || CompareWays(ways[0], ways[1]) == 0 || !HasArea(triangle)) {
    return {};
  }
  const size_t first =
      (CompareWays(ways[0], ways[1]) < 0) == (d[axis] > 0) ? 0 : 1;
  const CornerCrossing near = CrossingAt(corners[first], ways[first], d[axis]);
  const CornerCrossing far =
      CrossingAt(corners[1 - first], ways[1 - first], d[axis]);
  // The edge begins behind the origin and ends in front of it.
  if (near.is_behind() && !far.is_behind()) return {};
  return near;
}

// Edges, products and sums round nine times, by 2^-53 of the magnitudes. The
// limits keep underflow far below this bound.
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
