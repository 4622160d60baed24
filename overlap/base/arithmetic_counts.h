// SPDX-License-Identifier: Apache-2.0

// Counts of the arithmetic that decided exact tests.
#ifndef ORBOX_OVERLAP_BASE_ARITHMETIC_COUNTS_H_
#define ORBOX_OVERLAP_BASE_ARITHMETIC_COUNTS_H_

#include <cstdint>

#include "orbox/overlap/base/language.h"

namespace orbox {

// Stages of an exact test. A test begins with double and a derived error bound,
// and stops at the first stage that decides.
enum class Arithmetic {
  kDouble,     // doubles, or pairs of doubles, with an error bound
  kExpansion,  // sums of doubles without rounding error
  kExact,      // integers of any length
};

// Raises *used to the stage of one more decision. Does nothing if `used` is
// null.
inline void Raise(Arithmetic* used, Arithmetic to) {
  if (used != nullptr && *used < to) *used = to;
}

// Number of decisions by each kind of arithmetic. A test adds to the counts
// that a caller passes, and never resets them.
struct ArithmeticCounts {
  uint64_t by_double = 0;
  uint64_t by_expansion = 0;
  uint64_t by_exact = 0;

  // Returns the highest stage that has made a decision; kDouble if none has.
  Arithmetic Highest() const {
    if (by_exact != 0) return Arithmetic::kExact;
    return by_expansion != 0 ? Arithmetic::kExpansion : Arithmetic::kDouble;
  }

  friend bool operator==(const ArithmeticCounts&,
                         const ArithmeticCounts&) = default;
};

// Adds one decision by `used`. Does nothing if `counts` is null.
inline void Count(Arithmetic used, ArithmeticCounts* counts) {
  if (counts == nullptr) return;
  if (used == Arithmetic::kDouble) ++counts->by_double;
  if (used == Arithmetic::kExpansion) ++counts->by_expansion;
  if (used == Arithmetic::kExact) ++counts->by_exact;
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BASE_ARITHMETIC_COUNTS_H_
