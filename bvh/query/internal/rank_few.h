// SPDX-License-Identifier: Apache-2.0

// How many are nearer? Where there are few, counting is quicker than sorting:
// there is nothing to mispredict. Private.
//
//   double distances[kMostRanked] = {2, 1, 2};
//   uint32_t ranks[kMostRanked];
//   RankFew(distances, 3, ranks);  // 1, 0, 1
#ifndef ORBOX_BVH_QUERY_INTERNAL_RANK_FEW_H_
#define ORBOX_BVH_QUERY_INTERNAL_RANK_FEW_H_

#include <cstddef>
#include <cstdint>

namespace orbox {

// A multiple of any register's lanes.
inline constexpr size_t kMostRanked = 32;

// Sets ranks[i] to the number of distances that are below distances[i].
// Requires count <= kMostRanked; distances beyond count may have any values,
// and are overwritten.
void RankFew(double (&distances)[kMostRanked], size_t count,
             uint32_t (&ranks)[kMostRanked]);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_RANK_FEW_H_
