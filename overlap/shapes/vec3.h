// SPDX-License-Identifier: Apache-2.0

// Vectors of three coordinates, in double (Vec3) and in float (Vec3f).
//
//   Vec3 n = Normalized(Cross(b - a, c - a));
//   double height = Dot(n, p - a);
//
// Plain values without invariants; every function is pure, constexpr where the
// language allows it, and safe to call from any thread. Units are the model's.
#ifndef ORBOX_OVERLAP_SHAPES_VEC3_H_
#define ORBOX_OVERLAP_SHAPES_VEC3_H_

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/text.h"

namespace orbox {

// A point or a direction. Comparison is exact, coordinate by coordinate.
template <typename T>
struct BasicVec3 {
  T x{};
  T y{};
  T z{};

  constexpr T& operator[](size_t axis) {
    return axis == 0 ? x : (axis == 1 ? y : z);
  }
  constexpr const T& operator[](size_t axis) const {
    return axis == 0 ? x : (axis == 1 ? y : z);
  }

  constexpr BasicVec3& operator+=(const BasicVec3& v) {
    return *this = *this + v;
  }
  constexpr BasicVec3& operator-=(const BasicVec3& v) {
    return *this = *this - v;
  }
  constexpr BasicVec3& operator*=(T s) { return *this = *this * s; }

  friend constexpr BasicVec3 operator+(const BasicVec3& a, const BasicVec3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend constexpr BasicVec3 operator-(const BasicVec3& a, const BasicVec3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend constexpr BasicVec3 operator-(const BasicVec3& a) {
    return {-a.x, -a.y, -a.z};
  }
  friend constexpr BasicVec3 operator*(const BasicVec3& a, T s) {
    return {a.x * s, a.y * s, a.z * s};
  }
  friend constexpr BasicVec3 operator*(T s, const BasicVec3& a) {
    return a * s;
  }
  // Defaulted without `constexpr`: it is constexpr if the comparison of T is.
  // The keyword would exclude other types T.
  friend bool operator==(const BasicVec3&, const BasicVec3&) = default;
};

using Vec3 = BasicVec3<double>;
using Vec3f = BasicVec3<float>;

template <typename T>
constexpr T Dot(const BasicVec3<T>& a, const BasicVec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <typename T>
constexpr BasicVec3<T> Cross(const BasicVec3<T>& a, const BasicVec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <typename T>
constexpr T SquaredNorm(const BasicVec3<T>& a) {
  return Dot(a, a);
}

template <typename T>
T Norm(const BasicVec3<T>& a) {
  return std::sqrt(SquaredNorm(a));
}

// Requires a vector whose squared norm is not zero and does not overflow.
template <typename T>
BasicVec3<T> Normalized(const BasicVec3<T>& a) {
  return a * (T{1} / Norm(a));
}

// Returns the smaller (Min) or the larger (Max) coordinate on each axis.
template <typename T>
constexpr BasicVec3<T> Min(const BasicVec3<T>& a, const BasicVec3<T>& b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
template <typename T>
constexpr BasicVec3<T> Max(const BasicVec3<T>& a, const BasicVec3<T>& b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

template <typename T>
BasicVec3<T> Abs(const BasicVec3<T>& a) {
  return {std::abs(a.x), std::abs(a.y), std::abs(a.z)};
}

template <typename T>
constexpr T MaxCoordinate(const BasicVec3<T>& a) {
  return std::max(a.x, std::max(a.y, a.z));
}

// Returns the norm of a vector whose squared norm may be out of range. The
// vector is scaled by a power of two before squaring, and the norm is scaled
// back. Returns 0 only for the zero vector, and infinity for an infinite
// coordinate.
inline double SafeNorm(const Vec3& a) {
  const double largest = MaxCoordinate(Abs(a));
  if (largest > 0x1p-400 && largest < 0x1p400) return Norm(a);
  if (!(largest > 0) || std::isinf(largest)) return largest;
  const double unit = std::ldexp(1.0, std::ilogb(largest));
  return unit * Norm(Vec3{a.x / unit, a.y / unit, a.z / unit});
}

// Returns the unit vector along a finite vector of any length; zero for the
// zero vector.
inline Vec3 DirectionOf(const Vec3& a) {
  const double largest = MaxCoordinate(Abs(a));
  if (!(largest > 0) || std::isinf(largest)) return {};
  return Normalized(Vec3{a.x / largest, a.y / largest, a.z / largest});
}

template <typename T>
bool IsFinite(const BasicVec3<T>& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

// Returns (x, y, z). See text.h for the uses of a text.
ORBOX_EXPORT ShapeText TextOf(const Vec3& v);
ORBOX_EXPORT ShapeText TextOf(const Vec3f& v);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_SHAPES_VEC3_H_
