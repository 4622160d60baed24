// Rounding without losing a certified bound. Private.
#ifndef ORBOX_BVH_TREE_INTERNAL_ROUNDING_H_
#define ORBOX_BVH_TREE_INTERNAL_ROUNDING_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace orbox {

// The least float that is not below x; the greatest that is not above it. A NaN
// stays one.
inline float RoundUp(double x) {
  const float f = static_cast<float>(x);
  if (!(static_cast<double>(f) < x)) return f;
  // The next float up, which std::nextafter takes a call and branches for:
  // floats are ordered as their bits are, but for the sign.
  if (f == 0) return std::numeric_limits<float>::denorm_min();
  const auto bits = std::bit_cast<int32_t>(f);
  return std::bit_cast<float>(bits > 0 ? bits + 1 : bits - 1);
}
inline float RoundDown(double x) { return -RoundUp(-x); }

// A bound for all distances that round to this one, of which some are above it.
// None is where it is 0: that is never rounded.
inline double AboveRounded(double distance) {
  return distance == 0 ? 0
                       : std::nextafter(
                             distance, std::numeric_limits<double>::infinity());
}

}  // namespace orbox

#endif  // ORBOX_BVH_TREE_INTERNAL_ROUNDING_H_
