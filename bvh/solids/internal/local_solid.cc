// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/internal/local_solid.h"

#include <algorithm>
#include <cmath>

#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {
Aabb Frame::Leave(const Aabb& box) const {
  if (!is_turned) return {Leave(box.lo), Leave(box.hi)};
  const Vec3 center = Leave(box.Center());
  const Vec3 half = box.HalfExtents();
  const Vec3 reach =
      Abs(axes[0]) * half.x + Abs(axes[1]) * half.y + Abs(axes[2]) * half.z;
  return {center - reach, center + reach};
}

Aabb Frame::Enter(const Aabb& box) const {
  if (!is_turned) return {Enter(box.lo), Enter(box.hi)};
  const Vec3 center = Enter(box.Center());
  const Vec3 half = box.HalfExtents();
  const Vec3 reach{Dot(Abs(axes[0]), half), Dot(Abs(axes[1]), half),
                   Dot(Abs(axes[2]), half)};
  return {center - reach, center + reach};
}

LocalSolid::LocalSolid(const Frame& frame, const Solid& solid, const Aabb& box)
    : solid_(solid), frame_(frame) {
  std::vector<uint32_t> ids;
  solid.AppendNear(frame.Leave(box), &ids);
  for (const uint32_t id : ids) {
    const Triangle t = solid.triangle(id);
    const Triangle entered{frame.Enter(t.a), frame.Enter(t.b),
                           frame.Enter(t.c)};
    if (!Overlap(BoundsOf(entered), box)) continue;
    near_.emplace_back(entered);
    error_ = std::max(error_, near_.back().error);
  }
  error_ += kSolidRounding * MagnitudeOf(box) + solid.error();
}

namespace {

template <typename Points>
Extent ExtentOfPoints(const BoundaryTriangle& t, const Points& points,
                      const Vec3& n) {
  Extent extent{kInfinity, -kInfinity};
  for (const Vec3& p : points) {
    const double at = Dot(n, p);
    extent.lo = std::min(extent.lo, at);
    extent.hi = std::max(extent.hi, at);
  }
  const double error = kSolidRounding * MagnitudeOf(t.box);
  return {extent.lo - error, extent.hi + error};
}

}  // namespace

Extent ExtentOf(const BoundaryTriangle& t, const Vec3& n) {
  return ExtentOfPoints(
      t, std::array<Vec3, 3>{t.corners.a, t.corners.b, t.corners.c}, n);
}

Extent ExtentInBox(const BoundaryTriangle& t, const Aabb& box, const Vec3& n) {
  if (Min(t.box.lo, box.lo) == box.lo && Max(t.box.hi, box.hi) == box.hi) {
    return ExtentOf(t, n);
  }
  return ExtentOfPoints(t, PartInBox(t.corners, box), n);
}

}  // namespace orbox
