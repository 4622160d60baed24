// SPDX-License-Identifier: Apache-2.0

// Values that tests pass in place of a finite number.
#ifndef ORBOX_TESTS_SUPPORT_SPECIAL_NUMBERS_H_
#define ORBOX_TESTS_SUPPORT_SPECIAL_NUMBERS_H_

#include <limits>

namespace orbox {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr float kFloatInf = std::numeric_limits<float>::infinity();

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_SPECIAL_NUMBERS_H_
