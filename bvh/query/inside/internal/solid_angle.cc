// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/internal/solid_angle.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace orbox {
namespace {

// Beyond this distance, the solid angle of the whole tree is smaller than
// 2^-190.
constexpr double kBeyondAngles = 0x1p100;

// Returns v times a power of two, so that the largest absolute coordinate is
// near 1. Returns 0 for 0.
Vec3 NearUnit(const Vec3& v) {
  const double largest = MaxCoordinate(Abs(v));
  if (largest == 0) return v;
  // Scales in two steps, because the power for a denormal is beyond the range
  // of double.
  const int half = -std::ilogb(largest) / 2;
  const double power = std::ldexp(1.0, half);
  return v * power * power;
}

// Returns (rest, volume), multiplied by the same positive number. Requires a
// point that is not far away.
std::pair<double, double> NumberOf(const Vec3& p, const Triangle& t) {
  Vec3 a = t.a - p;
  Vec3 b = t.b - p;
  Vec3 c = t.c - p;
  // The result does not depend on the lengths. Scaling avoids products that
  // underflow.
  if (std::min({SquaredNorm(a), SquaredNorm(b), SquaredNorm(c)}) <
      kNearCorner * kNearCorner) {
    a = NearUnit(a);
    b = NearUnit(b);
    c = NearUnit(c);
  }
  const double la = Norm(a);
  const double lb = Norm(b);
  const double lc = Norm(c);
  const double volume = Dot(a, Cross(b, c));
  const double rest =
      la * lb * lc + Dot(a, b) * lc + Dot(b, c) * la + Dot(c, a) * lb;
  return {rest, volume};
}

}  // namespace

double SolidAngle(const Vec3& p, const Triangle& t) {
  if (!(MaxCoordinate(Abs(p)) < kBeyondAngles)) return 0;
  const auto [rest, volume] = NumberOf(p, t);
  return volume == 0 ? 0 : 2 * std::atan2(volume, rest);
}

double SolidAngle(const Vec3& p, const Triangle& t, int sign) {
  if (sign == 0 || !(MaxCoordinate(Abs(p)) < kBeyondAngles)) return 0;
  const auto [rest, volume] = NumberOf(p, t);
  return 2 * std::copysign(std::atan2(std::abs(volume), rest), sign);
}

double AngleSum::Sum() const {
  return std::atan2(im_, re_) + 2 * std::numbers::pi * turns_;
}

}  // namespace orbox
