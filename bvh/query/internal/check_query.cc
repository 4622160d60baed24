// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/check_query.h"

#include <cmath>
#include <variant>

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

}  // namespace

absl::Status CheckQuery(const Ray& ray) {
  if (absl::Status s = CheckPoint("origin of the ray", ray.origin); !s.ok()) {
    return s;
  }
  if (absl::Status s = CheckPoint("direction of the ray", ray.direction);
      !s.ok()) {
    return s;
  }
  if (ray.direction != Vec3{}) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "the direction of the ray is zero; give one that is not");
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
