// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/local_solid.h"

#include <algorithm>
#include <cmath>

#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/triangles/axis_crossing.h"

namespace orbox {
namespace {

// More than what a dozen roundings in a row change in coordinates up to 1.
constexpr double kRounding = 0x1p-46;

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

namespace {

// Tells which boxes certainly are beside a box of a frame and all that is
// beyond it along the frame's first axis. Others may be, too.
class RayPrism {
 public:
  RayPrism(const Frame& frame, const Aabb& box)
      : frame_(frame),
        absolute_{Abs(frame.axes[0]), Abs(frame.axes[1]), Abs(frame.axes[2])},
        error_(kRounding *
               (MagnitudeOf(box) + 2 * MaxCoordinate(Abs(frame.origin)))),
        center_(box.Center()),
        half_(box.HalfExtents() + Vec3{error_, error_, error_}) {}

  bool IsOutside(const Aabb& other) const {
    const Vec3 d = other.Center() - frame_.origin;
    const Vec3 h = other.HalfExtents();
    if (!frame_.is_turned) {
      return std::abs(d.y - center_.y) - h.y - Slack(d.y) > half_.y ||
             std::abs(d.z - center_.z) - h.z - Slack(d.z) > half_.z ||
             center_.x - d.x - h.x - Slack(d.x) > half_.x;
    }
    const double slack = 8 * Slack(MaxCoordinate(Abs(d) + h));
    const auto gap = [&](size_t axis) {
      return Dot(frame_.axes[axis], d) - center_[axis];
    };
    const auto reach = [&](size_t axis) {
      return Dot(absolute_[axis], h) + slack + half_[axis];
    };
    return std::abs(gap(1)) > reach(1) || std::abs(gap(2)) > reach(2) ||
           -gap(0) > reach(0);
  }

 private:
  static double Slack(double coordinate) {
    return kRounding * std::abs(coordinate);
  }

  const Frame& frame_;
  std::array<Vec3, 3> absolute_;
  double error_;
  Vec3 center_;
  Vec3 half_;
};

}  // namespace

LocalSolid::LocalSolid(const Frame& frame, const BoxedTriangles& boundary,
                       const Aabb& box, Sense sense)
    : sense_(sense) {
  const RayPrism prism(frame, box);
  for (size_t i = 0; i < boundary.boxes.size(); ++i) {
    if (prism.IsOutside(boundary.boxes[i])) continue;
    const Triangle& t = boundary.triangles[i];
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

template <typename Height>
void Polygon::Cut(Height height_of) {
  if (size_ == 0) return;
  double heights[kMostCorners];
  double highest = -kInfinity;
  for (size_t i = 0; i < size_; ++i) {
    heights[i] = height_of(corners_[i]);
    highest = std::max(highest, heights[i]);
  }
  if (!(highest > 0)) return;
  Polygon kept;
  size_t last = size_ - 1;
  for (size_t i = 0; i < size_; last = i++) {
    if ((heights[i] > 0) != (heights[last] > 0)) {
      const double at = heights[last] / (heights[last] - heights[i]);
      kept.Add(corners_[last] + (corners_[i] - corners_[last]) * at);
    }
    if (heights[i] <= 0) kept.Add(corners_[i]);
  }
  *this = kept;
}

void Polygon::Clip(const Vec3& n, double offset) {
  Cut([&](const Vec3& p) { return Dot(n, p) - offset; });
}

void Polygon::ClipAxis(size_t axis, double sign, double offset) {
  Cut([&](const Vec3& p) { return sign * p[axis] - offset; });
}

Polygon PartInBox(const Triangle& t, const Aabb& box) {
  Polygon part(t);
  const Aabb bounds = BoundsOf(t);
  for (size_t axis = 0; axis < 3; ++axis) {
    if (bounds.hi[axis] > box.hi[axis]) part.ClipAxis(axis, 1, box.hi[axis]);
    if (bounds.lo[axis] < box.lo[axis]) part.ClipAxis(axis, -1, -box.lo[axis]);
    if (part.size() == 0) break;
  }
  return part;
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
  const double error = kRounding * MagnitudeOf(t.box);
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
