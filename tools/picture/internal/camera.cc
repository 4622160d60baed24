// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/camera.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orbox::picture {
namespace {

// Half the shorter side of the viewport, at depth 1. The angle is 14 degrees.
constexpr double kHalfField = 0.25;

// Constraints along one axis of the picture. All points must be between two
// planes through the eye, whose slopes are `slope` to both sides of the axis of
// view.
struct Wedge {
  double slope;
  double high = -std::numeric_limits<double>::infinity();
  double low = -std::numeric_limits<double>::infinity();

  void Add(double across, double back) {
    high = std::max(high, back + across / slope);
    low = std::max(low, back - across / slope);
  }
  double Center() const { return slope * (high - low) / 2; }
  double Back() const { return (high + low) / 2; }
};

Vec3 UprightFor(const Vec3& back) {
  const Vec3 z{0, 0, 1};
  return SquaredNorm(Cross(z, back)) > 1e-12 ? z : Vec3{0, 1, 0};
}

// Returns the distance along `side` by which the eye has to move for equal
// margins on both sides of the picture. Iterates from an initial guess.
double Centered(std::span<const Vec3> points, const Vec3& eye, const Vec3& side,
                const Vec3& back, double guess) {
  constexpr int kTurns = 4;
  double shift = guess;
  for (int turn = 0; turn < kTurns; ++turn) {
    double high = -std::numeric_limits<double>::infinity(), low = -high;
    double depth_high = 0, depth_low = 0;
    for (const Vec3& p : points) {
      const double depth = Dot(eye - p, back);
      const double slope = (Dot(p - eye, side) - shift) / depth;
      if (slope > high) high = slope, depth_high = depth;
      if (slope < low) low = slope, depth_low = depth;
    }
    // With this shift, the outermost points on both sides have equal margins.
    shift += (high + low) / (1 / depth_high + 1 / depth_low);
  }
  return shift;
}

}  // namespace

Camera Camera::Framing(std::span<const Vec3> points, const Vec3& towards_viewer,
                       const Viewport& viewport) {
  Camera camera;
  // In two steps, so that the squared norm does not overflow.
  camera.back_ =
      Normalized(towards_viewer * (1 / MaxCoordinate(Abs(towards_viewer))));
  camera.right_ = Normalized(Cross(UprightFor(camera.back_), camera.back_));
  camera.up_ = Cross(camera.back_, camera.right_);
  const double shorter = std::min(viewport.width, viewport.height);
  camera.focal_ = shorter / 2 / kHalfField;
  camera.center_ = {viewport.left + viewport.width / 2,
                    viewport.top + viewport.height / 2};

  // Uses coordinates relative to one of the points, because a model may be far
  // from the origin.
  const Vec3 base = points.front();
  Wedge wide{.slope = viewport.width / 2 / camera.focal_};
  Wedge high{.slope = viewport.height / 2 / camera.focal_};
  double nearest = -std::numeric_limits<double>::infinity();
  double farthest = std::numeric_limits<double>::infinity();
  for (const Vec3& p : points) {
    const Vec3 d = p - base;
    const double back = Dot(d, camera.back_);
    wide.Add(Dot(d, camera.right_), back);
    high.Add(Dot(d, camera.up_), back);
    nearest = std::max(nearest, back);
    farthest = std::min(farthest, back);
  }
  const double size = std::max(
      {wide.high - nearest, high.high - nearest, nearest - farthest,
       0x1p-20 * MaxCoordinate(Abs(base)), std::numeric_limits<double>::min()});
  const double back = std::max({wide.Back(), high.Back(),
                                // A single point, or a line along the axis of
                                // view, has no extent.
                                nearest + size * 0x1p-10});
  const Vec3 axis = base + camera.back_ * back;
  camera.eye_ = axis +
                camera.right_ * Centered(points, axis, camera.right_,
                                         camera.back_, wide.Center()) +
                camera.up_ * Centered(points, axis, camera.up_, camera.back_,
                                      high.Center());
  return camera;
}

Ray Camera::RayThrough(const Point2& pixel) const {
  const double x = (pixel.x - center_.x) / focal_;
  const double y = (center_.y - pixel.y) / focal_;
  return {eye_, right_ * x + up_ * y - back_};
}

Projected Camera::Project(const Vec3& p) const {
  const Vec3 d = p - eye_;
  const double depth = -Dot(d, back_);
  return {{center_.x + focal_ * Dot(d, right_) / depth,
           center_.y - focal_ * Dot(d, up_) / depth},
          depth};
}

}  // namespace orbox::picture
