// SPDX-License-Identifier: Apache-2.0

// Infinities under short names. Private.
#ifndef ORBOX_OVERLAP_BASE_INTERNAL_INFINITY_H_
#define ORBOX_OVERLAP_BASE_INTERNAL_INFINITY_H_

#include <limits>

namespace orbox {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr float kFloatInfinity = std::numeric_limits<float>::infinity();

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BASE_INTERNAL_INFINITY_H_
