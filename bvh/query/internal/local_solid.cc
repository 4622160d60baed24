#include "orbox/bvh/query/internal/local_solid.h"

#include <algorithm>
#include <cmath>

#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/triangles/axis_crossing.h"

namespace orbox {
namespace {

// Of coordinates up to 1, more than what a dozen roundings in a row change.
constexpr double kRounding = 0x1p-46;

double MagnitudeOf(const Aabb& box) {
  return MaxCoordinate(Max(Abs(box.lo), Abs(box.hi)));
}

}  // namespace

Aabb Frame::Enter(const Aabb& box) const {
  if (!is_turned) return {Enter(box.lo), Enter(box.hi)};
  const Vec3 center = Enter(box.Center());
  const Vec3 half = box.HalfExtents();
  const Vec3 reach{Dot(Abs(axes[0]), half), Dot(Abs(axes[1]), half),
                   Dot(Abs(axes[2]), half)};
  return {center - reach, center + reach};
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
  const Vec3 cross = Cross(sides[0], sides[1]);
  const double area = Norm(cross);
  error = kRounding * MagnitudeOf(box);
  if (length == 0) return;
  const double height = area / length;
  // The normal is off by some 2^-50 of the length over the height: too much
  // for a triangle that is all but a segment, which is taken for its sides.
  if (height > 0x1p-22 * length) {
    normal = cross * (1 / area);
    error += 0x1p-48 * length * (length / height);
  } else {
    error += height;
  }
}

double BoundaryTriangle::DistanceFrom(const Vec3& p) const {
  const Vec3 from_a = p - corners.a;
  const bool has_face = normal != Vec3{};
  const double height = Dot(normal, from_a);
  bool is_above = has_face;
  double squared = kInfinity;
  for (size_t k = 0; k < 3; ++k) {
    const Vec3 d = p - corners[k];
    const Vec3& side = sides[k];
    if (has_face && Dot(Cross(normal, side), d) >= 0) continue;
    is_above = false;
    const double at = std::clamp(Dot(d, side) * by_squared_length[k], 0.0, 1.0);
    squared = std::min(squared, SquaredNorm(d - side * at));
  }
  return is_above ? std::abs(height) : std::sqrt(squared);
}

LocalSolid::LocalSolid(const Frame& frame, std::span<const Triangle> triangles,
                       const Aabb& box, Sense sense)
    : sense_(sense) {
  for (const Triangle& t : triangles) {
    const Triangle entered{frame.Enter(t.a), frame.Enter(t.b),
                           frame.Enter(t.c)};
    const Aabb bounds = BoundsOf(entered);
    // Rays leave along x.
    if (bounds.lo.y > box.hi.y || bounds.hi.y < box.lo.y ||
        bounds.lo.z > box.hi.z || bounds.hi.z < box.lo.z ||
        bounds.hi.x < box.lo.x) {
      continue;
    }
    if (bounds.lo.x <= box.hi.x) {
      near_.emplace_back(entered);
      error_ = std::max(error_, near_.back().error);
    }
    crossed_.push_back({entered, bounds});
  }
  error_ += kRounding * MagnitudeOf(box);
}

bool LocalSolid::IsInside(const Vec3& p) const {
  bool is_inside = sense_ == Sense::kOutside;
  for (const Crossed& t : crossed_) {
    if (p.y < t.box.lo.y || p.y > t.box.hi.y || p.z < t.box.lo.z ||
        p.z > t.box.hi.z || p.x > t.box.hi.x) {
      continue;
    }
    if (CrossingAlongX(p, t.corners).sign != 0) is_inside = !is_inside;
  }
  return is_inside;
}

void ClipPolygon(const Vec3& n, double offset, std::vector<Vec3>* polygon) {
  if (polygon->empty()) return;
  std::vector<Vec3> kept;
  kept.reserve(polygon->size() + 1);
  Vec3 last = polygon->back();
  double last_height = Dot(n, last) - offset;
  for (const Vec3& p : *polygon) {
    const double height = Dot(n, p) - offset;
    if ((height > 0) != (last_height > 0)) {
      const double at = last_height / (last_height - height);
      kept.push_back(last + (p - last) * at);
    }
    if (height <= 0) kept.push_back(p);
    last = p;
    last_height = height;
  }
  *polygon = std::move(kept);
}

Extent ExtentInBox(const Triangle& t, const Aabb& box, const Vec3& n) {
  std::vector<Vec3> polygon{t.a, t.b, t.c};
  for (size_t k = 0; k < 3; ++k) {
    Vec3 axis{};
    axis[k] = 1;
    ClipPolygon(axis, box.hi[k], &polygon);
    ClipPolygon(-axis, -box.lo[k], &polygon);
  }
  Extent extent{kInfinity, -kInfinity};
  for (const Vec3& p : polygon) {
    const double at = Dot(n, p);
    extent.lo = std::min(extent.lo, at);
    extent.hi = std::max(extent.hi, at);
  }
  const double error = kRounding * (MagnitudeOf(BoundsOf(t)));
  return {extent.lo - error, extent.hi + error};
}

}  // namespace orbox
