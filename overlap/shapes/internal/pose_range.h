// SPDX-License-Identifier: Apache-2.0

// Numbers that a pose can be applied to in doubles without underflow. Private.
//
//   if (IsPoseFactor(row.x) && IsPoseFactor(p.x) && IsPoseOffset(t)) ...
//
// With factors and offsets that are zero or in these ranges, no step of
// SumOfProducts (error_free.h) underflows or overflows: products stay between
// 2^-600 and 2^600, and what roundings drop is a multiple of 2^-704.
#ifndef ORBOX_OVERLAP_SHAPES_INTERNAL_POSE_RANGE_H_
#define ORBOX_OVERLAP_SHAPES_INTERNAL_POSE_RANGE_H_

#include <cmath>

namespace orbox {

inline constexpr double kLeastPoseFactor = 0x1p-300;
inline constexpr double kMostPoseFactor = 0x1p300;

inline bool IsPoseFactor(double value) {
  const double size = std::abs(value);
  return size == 0 || (size >= kLeastPoseFactor && size <= kMostPoseFactor);
}

inline bool IsPoseOffset(double value) {
  const double size = std::abs(value);
  return size == 0 || (size >= 0x1p-600 && size <= 0x1p600);
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_SHAPES_INTERNAL_POSE_RANGE_H_
