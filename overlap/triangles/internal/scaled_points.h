// SPDX-License-Identifier: Apache-2.0

// Points in a unit, a power of two, in which their products neither underflow
// nor overflow. The ladder's rungs below integers require this. Private.
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

  // Scales the largest coordinate to about 2^size, unless it has about that
  // size. With the usual size, sums of products of twelve coordinates stay
  // below 2^900. Products underflow only if the binary exponents of coordinates
  // differ by thousands in total.
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

  // Returns true if no coordinate lost digits, and no argument of Scaled.
  bool is_exact() const { return is_exact_; }

  // Returns a length in this unit.
  double Scaled(double x) {
    if (first_ == 1 && second_ == 1) return x;
    const double scaled = x * first_ * second_;
    if (x != 0 && !(std::abs(scaled) >= std::numeric_limits<double>::min() &&
                    std::abs(scaled) <= std::numeric_limits<double>::max())) {
      is_exact_ = false;
    }
    return scaled;
  }

  // Converts *x back to the points' own unit. Returns false if this may round.
  bool Unscale(double* x) const {
    if (*x == 0) return true;
    *x = *x / first_ / second_;
    return std::abs(*x) >= std::numeric_limits<double>::min() &&
           std::abs(*x) <= std::numeric_limits<double>::max();
  }
  bool Unscale(Vec3* p) const {
    return Unscale(&p->x) && Unscale(&p->y) && Unscale(&p->z);
  }

  // Converts the double nearest to a length to the double nearest to the length
  // in the points' own unit, also among the denormals. Only a length of 0
  // becomes 0. Returns false if two doubles are equally near, which *x cannot
  // decide, and outside the range.
  bool UnscaleLength(double* x) const {
    // *x may be denormal in this unit, too.
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
  // Converts a point, with rounding: coordinates may become denormal.
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

// Returns the points in such a unit if they are so small or so large that it
// pays to decide again in the same arithmetic. Returns nullopt if they are not,
// or if they would lose digits. The scaled points are in range and are not
// scaled again.
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

// Returns the decision of the formula returned by `make(points)`, with the
// points in a unit that suits each rung. `unscale(points, &answer)` converts an
// answer back to the points' own unit, and returns false if it cannot.
template <size_t kCount, typename Make, typename Unscale>
auto DecideScaled(const std::array<Vec3, kCount>& points, const Make& make,
                  const Unscale& unscale, Arithmetic* used,
                  int size = ScaledPoints<kCount>::kUsualSize) {
  const ScaledPoints<kCount> scaled(points, size);
  if (scaled.is_exact()) {
    Arithmetic lower = Arithmetic::kDouble;
    auto answer = Settle<LongBounded, Expansion>(make(scaled), &lower);
    if (answer.has_value() && unscale(scaled, &*answer)) {
      Raise(used, lower);
      return *answer;
    }
  }
  const auto whole = ScaledPoints<kCount>::Unscaled(points);
  return *Settle<Exact>(make(whole), used);
}

// DecideScaled for an answer without a unit.
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
