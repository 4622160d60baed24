// SPDX-License-Identifier: Apache-2.0

// Points, scaled by a power of two so that their products neither underflow nor
// overflow. All stages of the ladder except integers require this. Private.
//
//   int sign = DecideScaled<2>({a, b}, [&](const auto& points) {
//     return [&]<typename Number>(Judge<Number>& judge) {
//       return judge.Sign(Dot(Lift<Number>(points[0]), ...));
//     };
//   }, &used);
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_SCALED_POINTS_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_SCALED_POINTS_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

#include "orbox/overlap/internal/numbers/ladder.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

template <size_t kCount>
class ScaledPoints {
 public:
  static constexpr int kUsualSize = 64;

  // Scales the largest coordinate to about 2^size, unless it already has about
  // this magnitude. With the usual size, sums of products of twelve coordinates
  // stay below 2^900. Products underflow only if the binary exponents of
  // coordinates differ by thousands in total.
  explicit ScaledPoints(const std::array<Vec3, kCount>& points,
                        int size = kUsualSize)
      : points_(points) {
    double largest = 0;
    for (const Vec3& p : points) {
      largest = std::max(largest, MaxCoordinate(Abs(p)));
    }
    if (!(largest > 0)) return;
    const int exponent = size - std::ilogb(largest);
    if (exponent >= -6 && exponent <= 24) return;
    // Scaled in two steps, because the power of two itself may be out of range.
    first_ = std::ldexp(1.0, exponent / 2);
    second_ = std::ldexp(1.0, exponent - exponent / 2);
    for (Vec3& p : points_) p = {Scaled(p.x), Scaled(p.y), Scaled(p.z)};
  }

  // Returns the points without scaling.
  static ScaledPoints Unscaled(const std::array<Vec3, kCount>& points = {}) {
    ScaledPoints result{std::array<Vec3, kCount>{}};
    result.points_ = points;
    return result;
  }

  const Vec3& operator[](size_t i) const { return points_[i]; }
  Triangle At(size_t i) const {
    return {points_[i], points_[i + 1], points_[i + 2]};
  }

  // Returns true if scaling was exact for all coordinates and all arguments of
  // Scaled.
  bool is_exact() const { return is_exact_; }

  // Returns a length, converted to this unit.
  double Scaled(double x) {
    if (first_ == 1 && second_ == 1) return x;
    const double scaled = x * first_ * second_;
    if (x != 0 && !(std::abs(scaled) >= std::numeric_limits<double>::min() &&
                    std::abs(scaled) <= std::numeric_limits<double>::max())) {
      is_exact_ = false;
    }
    return scaled;
  }

  // Converts *x back to the original unit. Returns false if this may round.
  bool Unscale(double* x) const {
    if (*x == 0) return true;
    *x = *x / first_ / second_;
    return std::abs(*x) >= std::numeric_limits<double>::min() &&
           std::abs(*x) <= std::numeric_limits<double>::max();
  }
  bool Unscale(Vec3* p) const {
    return Unscale(&p->x) && Unscale(&p->y) && Unscale(&p->z);
  }

  // Converts the double nearest to a length to the double nearest to this
  // length in the original unit, also for denormals. Only a length of 0 becomes
  // 0. Returns false outside the range, and if two doubles are equally near,
  // because *x does not determine the result then.
  bool UnscaleLength(double* x) const {
    // *x may also be denormal in this unit.
    if (*x != 0 && *x < std::numeric_limits<double>::min()) return false;
    double unscaled = *x;
    if (Unscale(&unscaled)) {
      *x = unscaled;
      return true;
    }
    constexpr double kLeast = std::numeric_limits<double>::denorm_min();
    const double half_step = kLeast * first_ * second_ * 0.5;
    const double rest = std::abs(*x - unscaled * first_ * second_);
    if (!(unscaled < 1) || rest == half_step) return false;
    *x = std::max(unscaled, kLeast);
    return true;
  }
  // Converts a point to the original unit, with rounding: coordinates may
  // become denormal.
  bool UnscalePoint(Vec3* p) const {
    *p = {p->x / first_ / second_, p->y / first_ / second_,
          p->z / first_ / second_};
    return IsFinite(*p);
  }

 private:
  std::array<Vec3, kCount> points_;
  double first_ = 1;
  double second_ = 1;
  bool is_exact_ = true;
};

// Returns the points in a better unit, if they are so small or so large that
// deciding again in the same arithmetic is worthwhile. Returns nullopt if they
// are not, or if scaling would not be exact. The scaled points are in range and
// are not scaled again.
template <size_t kCount>
std::optional<ScaledPoints<kCount>> Rescaled(
    const std::array<Vec3, kCount>& points) {
  constexpr double kSmall = 0x1p-80;
  constexpr double kLarge = 0x1p100;
  double largest = 0;
  for (const Vec3& p : points) {
    largest = std::max(largest, MaxCoordinate(Abs(p)));
  }
  if ((largest >= kSmall && largest <= kLarge) || !(largest > 0) ||
      std::isinf(largest)) {
    return std::nullopt;
  }
  const ScaledPoints<kCount> scaled(points);
  if (!scaled.is_exact()) return std::nullopt;
  return scaled;
}

// Returns the decision of the formula that `make(points)` returns, with the
// points in a unit that suits each stage. `unscale(points, &answer)` converts
// an answer back to the original unit, and returns false if it cannot.
template <size_t kCount, typename Make, typename Unscale>
auto DecideScaled(const std::array<Vec3, kCount>& points, const Make& make,
                  const Unscale& unscale, Arithmetic* used,
                  int size = ScaledPoints<kCount>::kUsualSize) {
  const ScaledPoints<kCount> scaled(points, size);
  if (scaled.is_exact()) {
    Arithmetic lower = Arithmetic::kDouble;
    auto answer = TryDecide<LongBounded, Expansion>(make(scaled), &lower);
    if (answer.has_value() && unscale(scaled, &*answer)) {
      Raise(used, lower);
      return *answer;
    }
  }
  const auto whole = ScaledPoints<kCount>::Unscaled(points);
  return *TryDecide<Exact>(make(whole), used);
}

// DecideScaled for an answer that has no unit.
template <size_t kCount, typename Make>
auto DecideScaled(const std::array<Vec3, kCount>& points, const Make& make,
                  Arithmetic* used,
                  int size = ScaledPoints<kCount>::kUsualSize) {
  return DecideScaled(
      points, make,
      [](const auto& /*scaled*/, auto* /*answer*/) { return true; }, used,
      size);
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_SCALED_POINTS_H_
