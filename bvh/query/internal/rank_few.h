// SPDX-License-Identifier: Apache-2.0

// Ranks of a few values, by counting the smaller ones. For few values this is
// faster than sorting, because there are no branches to mispredict. Private.
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

// A multiple of twice the lanes of every instruction set, as kMostIdsCounted
// is.
inline constexpr size_t kMostRanked = 32;

// Largest number of ids that are sorted by counting, in quadratic time. With
// AVX2, counting is faster than comparing up to twice as many.
inline constexpr size_t kMostIdsCounted = 256;

// Sets ranks[i] to the number of distances that are below distances[i], or
// equal to it with an id below ids[i]. If no two ids are equal, no two ranks
// are. Requires count <= kMostRanked. Elements beyond count may have any
// values, and are overwritten.
void RankFew(double (&distances)[kMostRanked], double (&ids)[kMostRanked],
             size_t count, int64_t (&ranks)[kMostRanked]);

// Sorts ids. Requires that no two are equal.
void SortIds(std::span<uint32_t> ids);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_RANK_FEW_H_
