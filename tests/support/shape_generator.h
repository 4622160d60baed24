// SPDX-License-Identifier: Apache-2.0

// Pairs of shapes to test: ordinary ones at every frequency of overlap, and the
// ones that go wrong. A seed gives equal shapes on every machine.
//
//   ShapeGenerator<float> generator(seed);
//   const auto [ball, box] = generator.NextAabb();
#ifndef ORBOX_TESTS_SUPPORT_SHAPE_GENERATOR_H_
#define ORBOX_TESTS_SUPPORT_SHAPE_GENERATOR_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>

#include "orbox/overlap/shapes/shapes.h"
#include "tests/support/exact_shapes.h"

namespace orbox {

template <typename T>
class ShapeGenerator {
 public:
  explicit ShapeGenerator(uint64_t seed) : bits_(seed) {}

  std::pair<BasicSphere<T>, BasicAabb<T>> NextAabb();
  std::pair<BasicSphere<T>, BasicObb<T>> NextObb();
  std::pair<BasicObb<T>, BasicObb<T>> NextPair();
  BasicAabb<T> NextBox();

  // In [lo, hi), in double and then rounded.
  double Uniform(double lo, double hi) {
    return lo + (hi - lo) * static_cast<double>(bits_() >> 11) * 0x1p-53;
  }
  uint64_t Below(uint64_t n) { return bits_() % n; }

 private:
  // The magnitude of this pair, as a power of two: mostly 1, at times where
  // squares are near the ends of the range or denormal.
  double NextScale();
  T NextHalfExtent(double scale);
  BasicVec3<T> NextPoint(double reach);
  std::array<BasicVec3<T>, 3> NextAxes();
  // A radius with which a sphere at `distance` is tangent or nearly so, or any.
  T NextRadius(long double distance, double scale);

  std::mt19937_64 bits_;
};

template <typename T>
double ShapeGenerator<T>::NextScale() {
  constexpr int kMin = std::numeric_limits<T>::min_exponent;
  constexpr int kMax = std::numeric_limits<T>::max_exponent;
  switch (Below(16)) {
    case 0:
      return std::ldexp(1, kMin);  // sizes and distances are denormal
    case 1:
      return std::ldexp(1, kMin / 2);  // their squares are
    case 2:
      return std::ldexp(1, kMax / 2 - 4);  // squares almost overflow
    case 3:
      return std::ldexp(1, static_cast<int>(Below(40)) - 20);
    default:
      return 1;
  }
}

template <typename T>
T ShapeGenerator<T>::NextHalfExtent(double scale) {
  switch (Below(8)) {
    case 0:
      return 0;
    case 1:
      return static_cast<T>(scale * Uniform(0, 0x1p-20));  // needle or sheet
    case 2:
      return static_cast<T>(scale * Uniform(0, 64));
    default:
      return static_cast<T>(scale * Uniform(0, 1));
  }
}

template <typename T>
BasicVec3<T> ShapeGenerator<T>::NextPoint(double reach) {
  return {static_cast<T>(Uniform(-reach, reach)),
          static_cast<T>(Uniform(-reach, reach)),
          static_cast<T>(Uniform(-reach, reach))};
}

template <typename T>
T ShapeGenerator<T>::NextRadius(long double distance, double scale) {
  T r = static_cast<T>(distance);
  switch (Below(4)) {
    case 0:
      return static_cast<T>(scale * Uniform(0, 1));
    case 1:
      return Below(4) == 0 ? T{0} : static_cast<T>(scale * Uniform(0, 4));
    default: {
      if (!std::isfinite(r)) return std::numeric_limits<T>::max();
      for (uint64_t steps = Below(8); steps > 0; --steps) {
        r = std::nextafter(
            r, Below(2) == 0 ? T{0} : std::numeric_limits<T>::max());
      }
      return std::max(r, T{0});
    }
  }
}

template <typename T>
BasicAabb<T> ShapeGenerator<T>::NextBox() {
  const double scale = NextScale();
  // An offset leaves few bits for the shape itself.
  const double offset = Below(4) == 0 ? scale * 0x1p20 : 0;
  BasicAabb<T> b;
  for (size_t i = 0; i < 3; ++i) {
    const double c = offset + scale * Uniform(-1, 1);
    const double h = NextHalfExtent(scale);
    b.lo[i] = static_cast<T>(c - h);
    b.hi[i] = std::max(b.lo[i], static_cast<T>(c + h));
  }
  return b;
}

template <typename T>
std::pair<BasicSphere<T>, BasicAabb<T>> ShapeGenerator<T>::NextAabb() {
  const BasicAabb<T> b = NextBox();
  const BasicVec3<T> size = b.hi - b.lo;
  const double scale =
      std::max<double>(MaxCoordinate(size), std::numeric_limits<T>::min());
  BasicSphere<T> s;
  for (size_t i = 0; i < 3; ++i) {
    // On each axis below, in, above, or level with a face.
    const double c = std::min<double>(
        std::max<double>(static_cast<double>(b.lo[i]) +
                             Uniform(-1.5, 2.5) * static_cast<double>(size[i]) +
                             (size[i] == 0 ? Uniform(-1, 1) * scale : 0),
                         -std::numeric_limits<T>::max() / 8),
        std::numeric_limits<T>::max() / 8);
    s.center[i] = Below(8) == 0   ? b.lo[i]
                  : Below(8) == 0 ? b.hi[i]
                                  : static_cast<T>(c);
  }
  s.radius = NextRadius(exact::Distance(s.center, b), scale);
  return {s, b};
}

template <typename T>
std::array<BasicVec3<T>, 3> ShapeGenerator<T>::NextAxes() {
  // A random unit quaternion; at times a rotation by almost nothing, or none.
  std::array<long double, 4> q;
  long double norm = 0;
  do {
    norm = 0;
    for (long double& x : q) {
      x = Uniform(-1, 1);
      norm += x * x;
    }
  } while (norm > 1 || norm < 0.01);
  const uint64_t kind = Below(8);
  if (kind < 2) {
    const long double tiny = kind == 0 ? 0 : 1e-6;
    q = {1, q[1] * tiny, q[2] * tiny, q[3] * tiny};
    norm = 1 + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  }
  const long double f = 2 / norm;
  const long double w = q[0], x = q[1], y = q[2], z = q[3];
  auto to = [](long double a, long double b, long double c) {
    return BasicVec3<T>{static_cast<T>(a), static_cast<T>(b),
                        static_cast<T>(c)};
  };
  return {
      to(1 - f * (y * y + z * z), f * (x * y - w * z), f * (x * z + w * y)),
      to(f * (x * y + w * z), 1 - f * (x * x + z * z), f * (y * z - w * x)),
      to(f * (x * z - w * y), f * (y * z + w * x), 1 - f * (x * x + y * y))};
}

template <typename T>
std::pair<BasicSphere<T>, BasicObb<T>> ShapeGenerator<T>::NextObb() {
  const double scale = NextScale();
  const double offset = Below(4) == 0 ? scale * 0x1p20 : 0;
  BasicObb<T> b;
  b.axes = NextAxes();
  for (size_t i = 0; i < 3; ++i) {
    b.center[i] = static_cast<T>(offset + scale * Uniform(-1, 1));
    b.half_extents[i] = NextHalfExtent(scale);
  }
  const double largest = std::max<double>(MaxCoordinate(b.half_extents), scale);
  BasicSphere<T> s;
  s.center = b.center;
  for (size_t i = 0; i < 3; ++i) {
    const double step = Below(8) == 0 ? static_cast<double>(b.half_extents[i])
                                      : largest * Uniform(-1.5, 1.5);
    s.center += b.axes[i] * static_cast<T>(step);
  }
  s.radius = NextRadius(exact::DistanceInFrame(s.center, b), largest);
  return {s, b};
}

template <typename T>
std::pair<BasicObb<T>, BasicObb<T>> ShapeGenerator<T>::NextPair() {
  const auto [s, a] = NextObb();
  BasicObb<T> b;
  b.axes = Below(4) == 0 ? a.axes : NextAxes();
  b.center = s.center;
  const double largest = std::max<double>(MaxCoordinate(a.half_extents),
                                          std::numeric_limits<T>::denorm_min());
  for (size_t i = 0; i < 3; ++i) b.half_extents[i] = NextHalfExtent(largest);
  return {a, b};
}

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_SHAPE_GENERATOR_H_
