// How the exact tests reached their decisions.
#ifndef ORBOX_OVERLAP_BASE_ARITHMETIC_COUNTS_H_
#define ORBOX_OVERLAP_BASE_ARITHMETIC_COUNTS_H_

#include <cstdint>

namespace orbox {

// Each exact test climbs from double with a derived error bound (and sums of
// doubles, where that is not enough) to integers of any length, and stops at
// the first that decides. A caller that wants to know passes one of these; it
// is added to, never reset.
struct ArithmeticCounts {
  uint64_t by_double = 0;
  uint64_t by_exact = 0;

  friend bool operator==(const ArithmeticCounts&,
                         const ArithmeticCounts&) = default;
};

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BASE_ARITHMETIC_COUNTS_H_
