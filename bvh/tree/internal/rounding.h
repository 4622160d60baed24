// SPDX-License-Identifier: Apache-2.0

// Rounding that preserves certified bounds. Private.
#ifndef ORBOX_BVH_TREE_INTERNAL_ROUNDING_H_
#define ORBOX_BVH_TREE_INTERNAL_ROUNDING_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace orbox {

// RoundUp returns the smallest float that is not below x. RoundDown returns the
// largest float that is not above x. NaN stays NaN.
inline float RoundUp(double x) {
  const float f = static_cast<float>(x);
  if (!(static_cast<double>(f) < x)) return f;
  // Computes the next larger float without the call and the branches of
  // std::nextafter. Except for the sign, floats have the order of their bits.
  if (f == 0) return std::numeric_limits<float>::denorm_min();
  const auto bits = std::bit_cast<int32_t>(f);
  return std::bit_cast<float>(bits > 0 ? bits + 1 : bits - 1);
}
inline float RoundDown(double x) { return -RoundUp(-x); }

// Returns an upper bound of all numbers that round to this distance. Returns 0
// for 0, because only the distance 0 is rounded to 0.
inline double AboveRounded(double distance) {
  return distance == 0 ? 0
                       : std::nextafter(
                             distance, std::numeric_limits<double>::infinity());
}

}  // namespace orbox

#endif  // ORBOX_BVH_TREE_INTERNAL_ROUNDING_H_
