// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/internal/sort_pairs.h"

#include "orbox/bvh/base/internal/radix_sort.h"

namespace orbox {

void SortPairs(std::vector<TrianglePair>* pairs, const Workers& workers) {
  std::vector<TrianglePair> scratch;
  RadixSortPairs(
      pairs, &scratch,
      [](const TrianglePair& pair) -> const TrianglePair& { return pair; },
      workers);
}

void SortPairs(std::vector<PairDistance>* pairs, const Workers& workers) {
  std::vector<PairDistance> scratch;
  RadixSortPairs(
      pairs, &scratch,
      [](const PairDistance& pair) -> const TrianglePair& {
        return pair.triangles;
      },
      workers);
}

}  // namespace orbox
