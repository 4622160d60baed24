// SPDX-License-Identifier: Apache-2.0

// Sorts pairs of triangles.
//
//   SortPairs(&pairs, run.workers());
//
// Private.
#ifndef ORBOX_BVH_QUERY_PAIRS_INTERNAL_SORT_PAIRS_H_
#define ORBOX_BVH_QUERY_PAIRS_INTERNAL_SORT_PAIRS_H_

#include <vector>

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"

namespace orbox {

// Sorts by a, then by b, and polls the workers. O(n), because ids have 32 bits.
// Allocates as much memory as the pairs have.
void SortPairs(std::vector<TrianglePair>* pairs, const Workers& workers);
// Sorts stably: equal pairs keep their order.
void SortPairs(std::vector<PairDistance>* pairs, const Workers& workers);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_PAIRS_INTERNAL_SORT_PAIRS_H_
