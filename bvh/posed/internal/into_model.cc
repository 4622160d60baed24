// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/posed/internal/into_model.h"

#include <cmath>
#include <cstddef>
#include <limits>

#include "orbox/overlap/boxes/internal/box_arithmetic.h"

namespace orbox {
namespace {

// An upper bound of the loss of sums and products by underflow.
constexpr double kTiny = 0x1p-1060;
constexpr double kRootOf3 = 1.7320508075688774;

}  // namespace

Aabb BoundsOf(const PosedTree& posed) {
  const Aabb& box = posed.tree().mesh().bounds();
  return posed.is_moved() ? BoxAround(box, posed.pose()) : box;
}

IntoModel::IntoModel(const PosedTree& posed)
    : pose_(posed.pose()),
      model_bounds_(posed.tree().mesh().bounds()),
      bounds_(BoundsOf(posed)) {
  // Scales rows to a magnitude near 1, so that the determinant stays in range.
  const double unscale = 1 / posed.scale();
  const Vec3 x = pose_.rows[0] * unscale;
  const Vec3 y = pose_.rows[1] * unscale;
  const Vec3 z = pose_.rows[2] * unscale;
  const Vec3 yz = Cross(y, z);
  const Vec3 zx = Cross(z, x);
  const Vec3 xy = Cross(x, y);
  const double factor = unscale / Dot(x, yz);
  for (size_t k = 0; k < 3; ++k) {
    inverse_[k] = Vec3{yz[k], zx[k], xy[k]} * factor;
  }
  // Lower bound of the factor by which the pose multiplies lengths. The
  // eigenvalues of the Gram matrix, divided by scale() squared, differ from 1
  // by at most 3 skew(). The square root and the products here also round.
  const double least =
      posed.scale() * (1 - 3 * (posed.skew() + 0x1p-48)) * (1 - 0x1p-40);
  per_length_ = (1 + 0x1p-50) / least;
  const double most = posed.scale() * posed.stretch() *
                      (1 + 3 * (posed.skew() + 0x1p-48)) * (1 + 0x1p-40);
  least_per_length_ = (1 - 0x1p-50) / most;
  vertex_error_ = kRootOf3 * (MagnitudeOf(bounds_) * 0x1p-52 + kTiny);
}

IntoModel::Point IntoModel::At(const Vec3& p) const {
  const Vec3 d = p - pose_.translation;
  const Vec3 q = {Dot(inverse_[0], d), Dot(inverse_[1], d),
                  Dot(inverse_[2], d)};
  // The image of q under the pose is not exactly p. Each coordinate of the
  // difference has three products, three sums and a difference, and each of
  // these rounds.
  double off = 0;
  for (size_t i = 0; i < 3; ++i) {
    const Vec3& row = pose_.rows[i];
    const double t = pose_.translation[i];
    const double back = Dot(row, q) + (t - p[i]);
    const double magnitude =
        Dot(Abs(row), Abs(q)) + std::abs(t) + std::abs(p[i]);
    const double coordinate = std::abs(back) + magnitude * 0x1p-50 + kTiny;
    // This form of the comparison keeps a NaN.
    off = off > coordinate ? off : coordinate;
  }
  return {q, RadiusOf(kRootOf3 * (off * (1 + 0x1p-48)) +
                      vertex_error_ * (1 + 0x1p-48))};
}

// Consider the linear map that takes the exact direction to the computed one,
// with the computed origin as its fixed point. It preserves parameters and
// barycentric coordinates. It moves a point by the relative error of the
// direction times the distance of the point from the origin.
IntoModel::MovedRay IntoModel::At(const Ray& ray, const Vec3& center,
                                  double reach) const {
  const Point origin = At(ray.origin);
  const Vec3& d = ray.direction;
  const Vec3 direction = {Dot(inverse_[0], d), Dot(inverse_[1], d),
                          Dot(inverse_[2], d)};
  double off = 0;
  for (size_t i = 0; i < 3; ++i) {
    const Vec3& row = pose_.rows[i];
    const double back = Dot(row, direction) - d[i];
    const double magnitude = Dot(Abs(row), Abs(direction)) + std::abs(d[i]);
    const double coordinate = std::abs(back) + magnitude * 0x1p-50 + kTiny;
    // This form of the comparison keeps a NaN.
    off = off > coordinate ? off : coordinate;
  }
  const double length = MaxCoordinate(Abs(direction));
  const double share =
      RadiusOf(kRootOf3 * (off * (1 + 0x1p-48))) / length * (1 + 0x1p-20);
  const double away =
      kRootOf3 * (MaxCoordinate(Abs(origin.at - center)) + reach);
  // A direction with a relative error above 2^-20 is of no use.
  const double error = share < 0x1p-20
                           ? origin.error + share * away * (1 + 0x1p-40)
                           : std::numeric_limits<double>::infinity();
  return {{origin.at, direction, ray.min_t, ray.max_t}, error};
}

IntoModel::MovedHalfSpace IntoModel::At(const HalfSpace& h,
                                        double own_error) const {
  const Vec3 reach = Max(Abs(model_bounds_.lo), Abs(model_bounds_.hi));
  // Writes Dot(normal, R v + t) <= offset as a half-space of v.
  HalfSpace moved;
  double size = std::abs(h.offset);
  for (size_t i = 0; i < 3; ++i) {
    moved.normal += pose_.rows[i] * h.normal[i];
    size += std::abs(h.normal[i]) *
            (Dot(Abs(pose_.rows[i]), reach) + std::abs(pose_.translation[i]));
  }
  moved.offset = h.offset - Dot(h.normal, pose_.translation);
  const Vec3 n = Abs(h.normal);
  const double underflow =
      kTiny * (1 + reach.x + reach.y + reach.z + n.x + n.y + n.z);
  const double error = own_error + 0x1p-48 * size + underflow;
  // Also true if there is a NaN.
  if (!(size < 0x1p1000) || !IsFinite(moved.normal) || moved.normal == Vec3{} ||
      !std::isfinite(moved.offset)) {
    return {{{1, 0, 0}, 0}, std::numeric_limits<double>::infinity()};
  }
  return {moved, error};
}

}  // namespace orbox
