// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/rank_few.h"

#include <cstddef>
#include <cstdint>
#include <span>

#include "boost/sort/spreadsort/integer_sort.hpp"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/internal/rank_few.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Sets ranks[i] to the number of values below values[i]; two registers at a
// time, which do not wait for each other. As many values and ranks as fill
// these are overwritten.
template <typename Value, typename Rank>
HWY_INLINE void CountBelow(Value* HWY_RESTRICT values, size_t count,
                           Rank* HWY_RESTRICT ranks) {
  const hn::ScalableTag<Value> d;
  const hn::RebindToSigned<decltype(d)> counts;
  const size_t lanes = hn::Lanes(d);
  for (size_t i = count; i % (2 * lanes) != 0; ++i) values[i] = Value{};
  for (size_t i = 0; i < count; i += 2 * lanes) {
    const auto row = hn::LoadU(d, values + i);
    const auto next_row = hn::LoadU(d, values + i + lanes);
    auto below = hn::Zero(counts);
    auto next_below = below;
    for (size_t j = 0; j < count; ++j) {
      const auto value = hn::Set(d, values[j]);
      // A mask's lanes are 0 or -1.
      below = hn::Sub(
          below, hn::BitCast(counts, hn::VecFromMask(d, hn::Lt(value, row))));
      next_below = hn::Sub(
          next_below,
          hn::BitCast(counts, hn::VecFromMask(d, hn::Lt(value, next_row))));
    }
    hn::StoreU(below, counts, ranks + i);
    hn::StoreU(next_below, counts, ranks + i + lanes);
  }
}

void RankFewLoop(double (&distances)[kMostRanked], size_t count,
                 uint32_t (&ranks)[kMostRanked]) {
  int64_t wide[kMostRanked];
  CountBelow(distances, count, wide);
  for (size_t i = 0; i < count; ++i) ranks[i] = static_cast<uint32_t>(wide[i]);
}

// Requires ids.size() <= kMostIdsCounted.
void SortIdsLoop(std::span<uint32_t> ids) {
  // Signed numbers are what all instruction sets compare.
  constexpr uint32_t kSign = uint32_t{1} << 31;
  int32_t values[kMostIdsCounted];
  int32_t ranks[kMostIdsCounted];
  for (size_t i = 0; i < ids.size(); ++i) {
    values[i] = static_cast<int32_t>(ids[i] ^ kSign);
  }
  CountBelow(values, ids.size(), ranks);
  for (size_t i = 0; i < ids.size(); ++i) {
    ids[static_cast<size_t>(ranks[i])] =
        static_cast<uint32_t>(values[i]) ^ kSign;
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(RankFewLoop);
HWY_EXPORT(SortIdsLoop);

void RankFew(double (&distances)[kMostRanked], size_t count,
             uint32_t (&ranks)[kMostRanked]) {
  ORBOX_DYNAMIC_DISPATCH(RankFewLoop)(distances, count, ranks);
}

void SortIds(std::span<uint32_t> ids) {
  // A call takes as long as comparing eight.
  constexpr size_t kLeast = 9;
  if (ids.size() >= kLeast && ids.size() <= kMostIdsCounted) {
    ORBOX_DYNAMIC_DISPATCH(SortIdsLoop)(ids);
  } else {
    boost::sort::spreadsort::integer_sort(ids.begin(), ids.end());
  }
}

}  // namespace orbox
#endif  // HWY_ONCE
