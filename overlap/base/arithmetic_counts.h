// Counts of the arithmetic that decided exact tests.
#ifndef ORBOX_OVERLAP_BASE_ARITHMETIC_COUNTS_H_
#define ORBOX_OVERLAP_BASE_ARITHMETIC_COUNTS_H_

#include <cstdint>

namespace orbox {

// Each exact test begins with double and a derived error bound, goes on to sums
// of doubles and to integers of any length, and stops at the first that
// decides. A test adds to the counts that a caller passes, and never resets
// them.
struct ArithmeticCounts {
  uint64_t by_double = 0;
  uint64_t by_exact = 0;

  friend bool operator==(const ArithmeticCounts&,
                         const ArithmeticCounts&) = default;
};

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BASE_ARITHMETIC_COUNTS_H_
