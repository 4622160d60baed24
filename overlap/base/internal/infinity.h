// SPDX-License-Identifier: Apache-2.0

// Infinity under a short name. Private.
#ifndef ORBOX_OVERLAP_BASE_INTERNAL_INFINITY_H_
#define ORBOX_OVERLAP_BASE_INTERNAL_INFINITY_H_

#include <limits>

namespace orbox {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BASE_INTERNAL_INFINITY_H_
