// SPDX-License-Identifier: Apache-2.0

// Roundoff: the largest relative error of one rounding to nearest.
//
//   double error = 4 * kRoundoff;  // of a sum of five numbers of one sign
#ifndef ORBOX_OVERLAP_BASE_ROUNDOFF_H_
#define ORBOX_OVERLAP_BASE_ROUNDOFF_H_

#include <limits>

#include "orbox/overlap/base/language.h"

namespace orbox {

template <typename T>
inline constexpr T kRoundoffOf = std::numeric_limits<T>::epsilon() / 2;

inline constexpr double kRoundoff = kRoundoffOf<double>;     // 2^-53
inline constexpr float kFloatRoundoff = kRoundoffOf<float>;  // 2^-24

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BASE_ROUNDOFF_H_
