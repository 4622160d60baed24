// SPDX-License-Identifier: Apache-2.0

// Lower bounds of the times at which the front of a large moving ball touches
// volumes and triangles.
//
//   BallFront front;
//   front.Set(start, direction, radius, error);
//   if (front.is_on()) soonest = front.Soonest(node);
//
// Let the point x be at distance `across` from the path, and its projection at
// `along` on the path. Then the ball first touches x at along - sqrt(radius^2 -
// across^2). This is a convex function of x. So its tangent plane at the centre
// of a volume is a lower bound for the whole volume. The usual bound, a ray
// test of boxes enlarged by the radius, fails for balls larger than the mesh,
// because most of the enlarged boxes have the same front corner. Private;
// compiled once per instruction set. Errors are in units of u = 2^-24.
#if defined(ORBOX_BVH_QUERY_RAYS_INTERNAL_BALL_FRONT_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_QUERY_RAYS_INTERNAL_BALL_FRONT_INL_H_
#undef ORBOX_BVH_QUERY_RAYS_INTERNAL_BALL_FRONT_INL_H_
#else
#define ORBOX_BVH_QUERY_RAYS_INTERNAL_BALL_FRONT_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "hwy/highway.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/shapes/vec3.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

class BallFront {
 public:
  // Sets the ball, in tree space. The centre is at start + s * direction.
  // `error` is an error bound of each coordinate of the centre and of a leaf's
  // corner.
  void Set(const Vec3& start, const Vec3& direction, double radius,
           double error);

  // Returns true if the bounds are useful. They are useless for small balls,
  // for which enlarged boxes are as good, and for very large balls that touch
  // the tree only with their rim.
  bool is_on() const { return is_on_; }

  // Returns lower bounds of s at the first touch of each child, or of each
  // triangle; minus infinity for children without a bound.
  F8 Soonest(const Node& node) const;
  F8 Soonest(const Leaf& leaf) const;

 private:
  // The path in a frame.
  struct Path {
    float unit[3];    // direction of the path
    float across[3];  // from the path to 0, at right angles to the path
  };
  // Value of s at a point, relative to base_, and its slope there.
  struct Tangent {
    F8 value;
    V8 slope;
    M8 is_known;
  };
  Tangent At(const Path& path, const V8& point) const {
    return is_vast_ ? AtVast(path, point) : AtLarge(path, point);
  }
  Tangent AtLarge(const Path& path, const V8& point) const;
  Tangent AtVast(const Path& path, const V8& point) const;
  // Returns a lower bound of s around the point, if s is lower there by at most
  // `lower`.
  F8 Below(const Tangent& tangent, const F8& lower) const;

  // Set up the bound for a range of radii. Return false if there is no such
  // front. *slack is a bound of all errors. *base is the time of the first
  // touch of 0.
  bool SetLarge(double radius, double offset, double* slack);
  bool SetVast(double radius, double offset, double* base, double* slack);

  static constexpr double kLeastRadius = 0.0625;
  // From this radius on, floats are too imprecise for its square.
  static constexpr double kVast = 16;

  bool is_on_ = false;
  bool is_vast_ = false;
  Path path_;
  // S is half the length of a chord: the intersection of the ball with the line
  // through a point parallel to the path.
  float squared_radius_ = 0;
  float least_half_ = 1;     // least S at which tangents are used
  float at_least_half_ = 0;  // distance from the path at that S
  float half_chord_ = 1;     // W: S at 0
  float squared_half_chord_ = 1;
  float base_ = 0;  // bound of the time of the first touch of 0
  float inverse_ = 1;
};

// Implementation.

HWY_INLINE void BallFront::Set(const Vec3& start, const Vec3& direction,
                               double radius, double error) {
  if (!(radius >= kLeastRadius)) return;
  const double length = Norm(direction);
  const Vec3 unit = direction * (1 / length);
  double base = -Dot(start, unit);
  const Vec3 across = -start - unit * base;
  double slack = 0;
  is_vast_ = radius >= kVast;
  is_on_ = is_vast_ ? SetVast(radius, Norm(across), &base, &slack)
                    : SetLarge(radius, Norm(across), &slack);
  if (!is_on_) return;
  for (size_t k = 0; k < 3; ++k) {
    path_.unit[k] = static_cast<float>(unit[k]);
    path_.across[k] = static_cast<float>(across[k]);
  }
  inverse_ = static_cast<float>(1 / length);
  // Covers the displacement of a centre or corner for slopes up to `steep`, and
  // rounding in double.
  const double steep = 1 + radius / least_half_;
  base -= slack + steep * (64 * double{kFloatRoundoff} + 1.75 * error +
                           0x1p-48 * (Norm(start) + radius));
  base_ = static_cast<float>(base - std::abs(base) * 0x1p-20);
}

// Computes in float. All points are within 2 of 0. Points and their products
// with unit vectors have errors of about 8 u. Slopes have an error of 16 u of
// their length, and the frame has kFrameError, 4 u. 64 u times the steepest
// slope covers all of them.
HWY_INLINE bool BallFront::SetLarge(double radius, double offset,
                                    double* slack) {
  const double farthest = offset + 2;
  least_half_ = static_cast<float>(radius / 4);
  at_least_half_ = static_cast<float>(radius * 0.9682458365518543);
  squared_radius_ = static_cast<float>(radius * radius);
  // The squares of `across`, and their difference from the squared radius, have
  // errors of 16 u of the squares. S has that error divided by S, and S is at
  // least radius / 4. Beyond the border, the bound grows by four times the
  // distance from the border, which has a relative error of 8 u.
  *slack = double{kFloatRoundoff} *
           (64 * (radius + farthest * farthest / radius) + 64 * farthest);
  return offset <= radius + 4;
}

HWY_INLINE bool BallFront::SetVast(double radius, double offset, double* base,
                                   double* slack) {
  const double half_chord =
      std::sqrt(std::max(0.0, (radius - offset) * (radius + offset)));
  if (!(half_chord >= radius / 16)) return false;
  half_chord_ = static_cast<float>(half_chord);
  squared_half_chord_ = half_chord_ * half_chord_;
  least_half_ = half_chord_ / 2;
  *base -= half_chord;
  // Products with `across` have errors of 8 u of 2 offset. W - S has that error
  // divided by W, and a relative error of 8 u.
  *slack = double{kFloatRoundoff} * 64 * (offset + 1) / half_chord;
  return true;
}

HWY_INLINE BallFront::Tangent BallFront::AtLarge(const Path& path,
                                                 const V8& point) const {
  const V8 unit = Set8x3(path.unit);
  const F8 along = Dot(point, unit);
  const V8 across = Set8x3(path.across) + (point - unit * along);
  const F8 square = Dot(across, across);
  const F8 least = Set8(least_half_);
  const F8 squared = Set8(squared_radius_) - square;
  // Beyond the border, uses the tangent at the border, in the direction of the
  // path.
  const M8 is_beyond = squared < least * least;
  const F8 half = Sqrt(Max(squared, least * least));
  const F8 distance = Sqrt(square);
  const F8 border = Set8(at_least_half_);
  const F8 beyond = (distance - border) * (border / least);
  const F8 share = Select(is_beyond, border / distance, Set8(1.0f));
  return {along - half + SelectOrZero(is_beyond, beyond),
          unit + across * (share / half), half == half};
}

HWY_INLINE BallFront::Tangent BallFront::AtVast(const Path& path,
                                                const V8& point) const {
  const V8 unit = Set8x3(path.unit);
  const V8 across = Set8x3(path.across);
  const F8 along = Dot(point, unit);
  const V8 aside = point - unit * along;
  // Computes W - S, with S^2 = W^2 - lost, without cancellation.
  const F8 twice = Dot(point, across);
  const F8 lost = twice + twice + Dot(aside, aside);
  const F8 whole = Set8(squared_half_chord_);
  const F8 squared = whole - lost;
  const M8 is_known = squared >= Set8(0.25f) * whole;
  const F8 half = Sqrt(Select(is_known, squared, whole));
  const F8 behind = lost / (Set8(half_chord_) + half);
  const F8 inverse = Set8(1.0f) / half;
  return {along + behind, unit + (across + aside) * inverse, is_known};
}

HWY_INLINE F8 BallFront::Below(const Tangent& tangent, const F8& lower) const {
  const F8 s = (tangent.value - lower + Set8(base_)) * Set8(inverse_);
  // Covers the rounding of the two sums and the product. These may be large
  // compared with the tree.
  const F8 rounded = s - Abs(s) * Set8(0x1p-20f);
  return Select(tangent.is_known, rounded,
                Set8(-std::numeric_limits<float>::infinity()));
}

HWY_INLINE F8 BallFront::Soonest(const Node& node) const {
  if (node.kind == VolumeKind::kSphere) {
    const Tangent tangent = At(path_, Load8x3(node.rows));
    return Below(tangent,
                 Sqrt(Dot(tangent.slope, tangent.slope)) * Load8(node.rows[3]));
  }
  const V8 lo = Load8x3(node.rows);
  const V8 hi = Load8x3(node.rows + 3);
  const V8 center = (lo + hi) * Set8(0.5f);
  const V8 half = (hi - lo) * Set8(0.5f);
  const auto bound = [&](const Path& path) HWY_ATTR {
    const Tangent tangent = At(path, center);
    const V8& n = tangent.slope;
    return Below(tangent,
                 Abs(n.x) * half.x + Abs(n.y) * half.y + Abs(n.z) * half.z);
  };
  if (node.kind == VolumeKind::kAabb) return bound(path_);
  Path turned;
  Multiply(node.frame, path_.unit, turned.unit);
  Multiply(node.frame, path_.across, turned.across);
  return bound(turned);
}

HWY_INLINE F8 BallFront::Soonest(const Leaf& leaf) const {
  const V8 a = Load8x3(leaf.rows);
  const V8 b = Load8x3(leaf.rows + 3);
  const V8 c = Load8x3(leaf.rows + 6);
  const V8 center = (a + b + c) * Set8(1.0f / 3);
  const Tangent tangent = At(path_, center);
  const auto down = [&](const V8& corner) HWY_ATTR {
    return Dot(tangent.slope, center - corner);
  };
  return Below(tangent, Max(Max(down(a), down(b)), down(c)));
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_QUERY_RAYS_INTERNAL_BALL_FRONT_INL_H_
