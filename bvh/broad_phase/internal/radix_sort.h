// Sorting in linear time, digit by digit, the lowest first (Knuth, "The Art of
// Computer Programming", volume 3, 5.2.5). Private.
#ifndef ORBOX_BVH_BROAD_PHASE_INTERNAL_RADIX_SORT_H_
#define ORBOX_BVH_BROAD_PHASE_INTERNAL_RADIX_SORT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orbox/bvh/broad_phase/broad_phase.h"

namespace orbox {

// What is sorted by `key`, and which it is.
struct KeyedIndex {
  uint32_t key = 0;
  uint32_t index = 0;
};

// By key; equal ones stay in their order. `scratch` is memory that a caller
// keeps for the next time.
void RadixSort(std::vector<KeyedIndex>* items,
               std::vector<KeyedIndex>* scratch);

// By a, then by b. `scratch` as above.
void SortBodyPairs(std::vector<BodyPair>* pairs,
                   std::vector<BodyPair>* scratch);

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_INTERNAL_RADIX_SORT_H_
