// SPDX-License-Identifier: Apache-2.0

// Checks that a range of squared distances contains the exact one.
#ifndef ORBOX_TESTS_SUPPORT_RANGE_ENCLOSES_H_
#define ORBOX_TESTS_SUPPORT_RANGE_ENCLOSES_H_

#include "orbox/overlap/triangles/internal/closest_range.h"
#include "tests/support/exact_triangles.h"

namespace orbox {

inline bool Encloses(const SquaredRange& range,
                     const oracle::Rational& squared) {
  const oracle::Rational value =
      oracle::Rational(range.value.hi) + range.value.lo;
  return value - oracle::Rational(range.below) <= squared &&
         squared <= value + oracle::Rational(range.above);
}

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_RANGE_ENCLOSES_H_
