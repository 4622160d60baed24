// SPDX-License-Identifier: Apache-2.0

// Points in a unit, a power of two, in which neither their products underflow
// nor overflow: what the ladder's rungs below integers ask for. Private.
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

  // The largest coordinate becomes about 2^size, unless it is so already. Sums
  // of products of twelve coordinates stay below 2^900 with the usual size;
  // products underflow only where coordinates are thousands of binary orders
  // apart altogether.
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
    // In two steps: the power of two itself may be beyond double.
    first_ = std::ldexp(1.0, exponent / 2);
    second_ = std::ldexp(1.0, exponent - exponent / 2);
    for (Vec3& p : points_) p = {Scaled(p.x), Scaled(p.y), Scaled(p.z)};
  }

  // The points as they are.
  static ScaledPoints Unscaled(const std::array<Vec3, kCount>& points = {}) {
    ScaledPoints result{std::array<Vec3, kCount>{}};
    result.points_ = points;
    return result;
  }

  const Vec3& operator[](size_t i) const { return points_[i]; }
  Triangle At(size_t i) const {
    return {points_[i], points_[i + 1], points_[i + 2]};
  }

  // Whether no coordinate lost digits, nor what Scaled was asked of.
  bool is_exact() const { return is_exact_; }

  // A length in the same unit.
  double Scaled(double x) {
    if (first_ == 1 && second_ == 1) return x;
    const double scaled = x * first_ * second_;
    if (x != 0 && !(std::abs(scaled) >= std::numeric_limits<double>::min() &&
                    std::abs(scaled) <= std::numeric_limits<double>::max())) {
      is_exact_ = false;
    }
    return scaled;
  }

  // Takes *x back to the points' own unit; false where that may round.
  bool Unscale(double* x) const {
    if (*x == 0) return true;
    *x = *x / first_ / second_;
    return std::abs(*x) >= std::numeric_limits<double>::min() &&
           std::abs(*x) <= std::numeric_limits<double>::max();
  }
  bool Unscale(Vec3* p) const {
    return Unscale(&p->x) && Unscale(&p->y) && Unscale(&p->z);
  }

  // The same of the double nearest to a length, which becomes what is nearest
  // to the length, also among the denormals; no length but 0 becomes 0. False
  // where two are as near, so that the double says too little, and beyond the
  // range.
  bool UnscaleLength(double* x) const {
    // It may be denormal where it is, too.
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
  // The same of a point, which rounds: coordinates become denormal.
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

// The points in such a unit where they are so small or so large that it pays to
// decide anew, in the same arithmetic; nothing where they are not, or would
// lose digits. What is decided of them is in range, and is not scaled again.
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

// What the formula that `make(points)` makes decides, of points in whatever
// unit suits each rung. `unscale(points, &answer)` takes an answer back to the
// points' own unit, and returns whether it could.
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

// The same where the answer has no unit.
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
