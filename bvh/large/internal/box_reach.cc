// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/internal/box_reach.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "orbox/overlap/boxes/box_box.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {
namespace {

// Upper bound of fewer than sixteen roundings of terms of this size in total,
// also near 0.
double ErrorOfTerms(double size) { return size * 0x1p-48 + 0x1p-1060; }

// Returns true if a point of the box may be in the half-space.
bool MayReach(const HalfSpace& h, const Aabb& box) {
  double least = 0;
  double size = std::abs(h.offset);
  for (int i = 0; i < 3; ++i) {
    const double lo = h.normal[i] * box.lo[i];
    const double hi = h.normal[i] * box.hi[i];
    least += std::min(lo, hi);
    size += std::max(std::abs(lo), std::abs(hi));
  }
  // NaN, after overflow, also gives true.
  return !(least - ErrorOfTerms(size) > h.offset);
}

bool MayBeIn(const Sphere& ball, const Aabb& box) {
  if (!IsFinite(ball.center) || !(ball.radius >= 0)) return false;
  return GapOf({ball.center, ball.center}, box) <= ball.radius;
}

bool MayBeIn(const Aabb& query, const Aabb& box) {
  return Overlaps(query, box);
}

// Tests the slabs that define the box.
bool MayBeIn(const Obb& query, const Aabb& box) {
  for (size_t i = 0; i < 3; ++i) {
    const Vec3& axis = query.axes[i];
    const double center = Dot(axis, query.center);
    const double slack =
        ErrorOfTerms(Dot(Abs(axis), Abs(query.center)) + query.half_extents[i]);
    const double half = query.half_extents[i] + slack;
    if (!MayReach({axis, center + half}, box) ||
        !MayReach({-axis, half - center}, box)) {
      return false;
    }
  }
  return true;
}

bool MayBeIn(HalfSpaces set, const Aabb& box) {
  return std::all_of(set.begin(), set.end(),
                     [&](const HalfSpace& h) { return MayReach(h, box); });
}

}  // namespace

bool MayOverlap(const Region& region, const Aabb& box) {
  return std::visit([&](const auto& shape) { return MayBeIn(shape, box); },
                    region.shape());
}

}  // namespace orbox
