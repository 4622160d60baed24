// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/check_query.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "orbox/overlap/shapes/range.h"

namespace orbox {
namespace {

bool IsLength(double x) { return x >= 0; }  // false for NaN

// Infinite radii and sides are valid, NaN is not.
bool IsRegion(const Sphere& ball) {
  return IsFinite(ball.center) && IsLength(ball.radius);
}
bool IsRegion(const Aabb& box) {
  for (int k = 0; k < 3; ++k) {
    if (std::isnan(box.lo[k]) || std::isnan(box.hi[k])) return false;
  }
  return true;
}
bool IsRegion(const Obb& box) {
  for (int i = 0; i < 3; ++i) {
    if (!IsFinite(box.axes[i]) || !IsLength(box.half_extents[i])) return false;
  }
  return IsFinite(box.center) && IsFinite(box.half_extents);
}
bool IsRegion(HalfSpaces set) {
  for (const HalfSpace& h : set) {
    if (!IsFinite(h.normal) || std::isnan(h.offset)) return false;
  }
  return true;
}

double LargestOf(const Vec3& v) {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

// Fraction of the origin, and of the largest coordinate of a mesh, below which
// the direction of a ray is too short. A ray reaches a point of a mesh at a t
// of at most twice the inverse, which is in the range of double.
constexpr double kShortest = 0x1p-1000;

absl::Status CheckOneByOne(const Ray& ray) {
  if (absl::Status s = CheckPoint("origin of the ray", ray.origin); !s.ok()) {
    return s;
  }
  if (absl::Status s = CheckPoint("direction of the ray", ray.direction);
      !s.ok()) {
    return s;
  }
  if (ray.direction == Vec3{}) {
    return absl::InvalidArgumentError(
        "the direction of the ray is zero; give one that is not");
  }
  if (LargestOf(ray.direction) <
      kShortest * std::max(LargestOf(ray.origin), kLargestCoordinate)) {
    return absl::InvalidArgumentError(
        "the direction of the ray is so short that the t of its hits may be "
        "above the range of double; give a longer one, such as one of length "
        "1");
  }
  if (!IsLength(ray.min_t) || !std::isfinite(ray.min_t)) {
    return absl::InvalidArgumentError(
        "min_t of the ray is not valid; give a finite number of 0 or more");
  }
  return CheckDistance("max_t of the ray", ray.max_t);
}

}  // namespace

absl::Status CheckQuery(const Ray& ray) {
  constexpr double kMost = std::numeric_limits<double>::max();
  const auto size_of = [](const Vec3& v) {
    return std::abs(v.x) + std::abs(v.y) + std::abs(v.z);
  };
  // False for NaN, for sums above the range of double, and for directions that
  // are almost too short, which are checked one by one. Takes half the
  // instructions of that. A sum is at most three times the largest component.
  const double length = size_of(ray.direction);
  const double size = size_of(ray.origin) + ray.min_t;
  const bool is_certainly_valid =
      length >= 4 * kShortest * kLargestCoordinate && length <= kMost &&
      ray.min_t >= 0 && ray.max_t >= 0 && size <= length * (0.25 / kShortest) &&
      size <= kMost;
  return is_certainly_valid ? absl::OkStatus() : CheckOneByOne(ray);
}

absl::Status CheckQuery(const SweptSphere& ball) {
  if (IsValid(ball)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "the ball that moves is not valid; give a path with finite coordinates "
      "and a finite radius of 0 or more");
}

absl::Status CheckQuery(const Region& region) {
  const bool is_valid = std::visit(
      [](const auto& shape) { return IsRegion(shape); }, region.shape());
  if (is_valid) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "the region is not valid; give no NaN, no negative radius or half "
      "extent, and finite centers, axes, normals and half extents");
}

}  // namespace orbox
