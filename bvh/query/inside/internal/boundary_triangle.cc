// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/internal/boundary_triangle.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {
namespace {

// Smallest ratio of height to length for which a normal is used. Its error is
// at most 2^-26 then.
constexpr double kLeastHeight = 0x1p-22;

double LongestSide(const Triangle& t) {
  return std::sqrt(std::max({SquaredNorm(t.b - t.a), SquaredNorm(t.c - t.b),
                             SquaredNorm(t.a - t.c)}));
}

}  // namespace

Vec3 NormalOf(const Triangle& t) {
  const Vec3 cross = Cross(t.b - t.a, t.c - t.b);
  const double area = Norm(cross);
  const double length = LongestSide(t);
  if (!(area > kLeastHeight * length * length)) return {};
  return cross * (1 / area);
}

BoundaryTriangle::BoundaryTriangle(const Triangle& t)
    : corners(t), box(BoundsOf(t)), sides{t.b - t.a, t.c - t.b, t.a - t.c} {
  double longest = 0;
  for (size_t k = 0; k < 3; ++k) {
    const double squared = SquaredNorm(sides[k]);
    longest = std::max(longest, squared);
    by_squared_length[k] = squared > 0 ? 1 / squared : 0;
  }
  const double length = std::sqrt(longest);
  error = kSolidRounding * MagnitudeOf(box);
  if (length == 0) return;
  const double height = Norm(Cross(sides[0], sides[1])) / length;
  normal = NormalOf(t);
  for (size_t k = 0; k < 3; ++k) inward[k] = Cross(normal, sides[k]);
  // A triangle without a normal is measured by its sides alone. This adds at
  // most its height to the error.
  error += normal == Vec3{} ? height : 0x1p-48 * length * (length / height);
}

Vec3 BoundaryTriangle::ClosestTo(const Vec3& p) const {
  const bool is_face = normal != Vec3{};
  bool is_above = is_face;
  double squared = kInfinity;
  Vec3 closest;
  for (size_t k = 0; k < 3; ++k) {
    const Vec3 d = p - corners[k];
    const Vec3& side = sides[k];
    if (is_face && Dot(inward[k], d) >= 0) continue;
    is_above = false;
    const double at = std::clamp(Dot(d, side) * by_squared_length[k], 0.0, 1.0);
    const double q = SquaredNorm(d - side * at);
    if (q < squared) {
      squared = q;
      closest = corners[k] + side * at;
    }
  }
  return is_above ? p - normal * Dot(normal, p - corners.a) : closest;
}

double BoundaryTriangle::DistanceFrom(const Vec3& p) const {
  const bool has_face = normal != Vec3{};
  bool is_above = has_face;
  double squared = kInfinity;
  for (size_t k = 0; k < 3; ++k) {
    const Vec3 d = p - corners[k];
    const Vec3& side = sides[k];
    if (has_face && Dot(inward[k], d) >= 0) continue;
    is_above = false;
    const double at = std::clamp(Dot(d, side) * by_squared_length[k], 0.0, 1.0);
    squared = std::min(squared, SquaredNorm(d - side * at));
  }
  return is_above ? std::abs(Dot(normal, p - corners.a)) : std::sqrt(squared);
}

}  // namespace orbox
