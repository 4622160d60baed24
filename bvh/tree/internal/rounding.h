// SPDX-License-Identifier: Apache-2.0

// Rounding without losing a certified bound. Private.
#ifndef ORBOX_BVH_TREE_INTERNAL_ROUNDING_H_
#define ORBOX_BVH_TREE_INTERNAL_ROUNDING_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace orbox {

// The least float that is not below x; the greatest that is not above it. NaN
// stays NaN.
inline float RoundUp(double x) {
  const float f = static_cast<float>(x);
  if (!(static_cast<double>(f) < x)) return f;
  // The next float up, without the call and the branches of std::nextafter:
  // except for the sign, floats are ordered as their bits.
  if (f == 0) return std::numeric_limits<float>::denorm_min();
  const auto bits = std::bit_cast<int32_t>(f);
  return std::bit_cast<float>(bits > 0 ? bits + 1 : bits - 1);
}
inline float RoundDown(double x) { return -RoundUp(-x); }

// An upper bound of all distances that round to this one. It is 0 for 0, to
// which only 0 rounds.
inline double AboveRounded(double distance) {
  return distance == 0 ? 0
                       : std::nextafter(
                             distance, std::numeric_limits<double>::infinity());
}

}  // namespace orbox

#endif  // ORBOX_BVH_TREE_INTERNAL_ROUNDING_H_
