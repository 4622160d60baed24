// SPDX-License-Identifier: Apache-2.0

// How many come before? Where there are few, counting is quicker than sorting:
// there is nothing to mispredict. Private.
//
//   double distances[kMostRanked] = {2, 1, 2};
//   double ids[kMostRanked] = {8, 9, 7};
//   int64_t ranks[kMostRanked];
//   RankFew(distances, ids, 3, ranks);  // 2, 0, 1
//   SortIds(ids);
#ifndef ORBOX_BVH_QUERY_INTERNAL_RANK_FEW_H_
#define ORBOX_BVH_QUERY_INTERNAL_RANK_FEW_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace orbox {

// A multiple of the lanes of any two registers, as the next one.
inline constexpr size_t kMostRanked = 32;

// Up to so many ids are sorted by counting, which takes the square of their
// number: with AVX2, as long as by comparing where there are twice as many.
inline constexpr size_t kMostIdsCounted = 256;

// Sets ranks[i] to the number of distances that are below distances[i], or
// equal to it with an id below ids[i]: no two ranks are equal where no two ids
// are. Requires count <= kMostRanked; what is beyond count may have any values,
// and is overwritten.
void RankFew(double (&distances)[kMostRanked], double (&ids)[kMostRanked],
             size_t count, int64_t (&ranks)[kMostRanked]);

// Sorts ids, no two of which are equal.
void SortIds(std::span<uint32_t> ids);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_RANK_FEW_H_
