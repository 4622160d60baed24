// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/broad_phase/internal/sort_body_pairs.h"

#include "orbox/bvh/base/internal/radix_sort.h"

namespace orbox {

void SortBodyPairs(std::vector<BodyPair>* pairs,
                   std::vector<BodyPair>* scratch) {
  RadixSortPairs(pairs, scratch,
                 [](const BodyPair& pair) -> const BodyPair& { return pair; });
}

}  // namespace orbox
