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

// Sets ranks[i] to the number of j for which is_below(j, lanes from i on) is
// true. Uses two independent registers at a time. Ranks beyond `count` are
// overwritten, up to whole pairs of registers.
template <typename Value, typename Rank, typename IsBelow>
HWY_INLINE void CountBelow(Value, size_t count, Rank* HWY_RESTRICT ranks,
                           IsBelow is_below) {
  const hn::ScalableTag<Value> d;
  const hn::RebindToSigned<decltype(d)> counts;
  const size_t lanes = hn::Lanes(d);
  for (size_t i = 0; i < count; i += 2 * lanes) {
    auto below = hn::Zero(counts);
    auto next_below = below;
    for (size_t j = 0; j < count; ++j) {
      // A mask's lanes are 0 or -1.
      below = hn::Sub(below,
                      hn::BitCast(counts, hn::VecFromMask(d, is_below(j, i))));
      next_below = hn::Sub(
          next_below,
          hn::BitCast(counts, hn::VecFromMask(d, is_below(j, i + lanes))));
    }
    hn::StoreU(below, counts, ranks + i);
    hn::StoreU(next_below, counts, ranks + i + lanes);
  }
}

// Sets the values beyond count, up to whole pairs of registers, to a number.
template <typename Value>
HWY_INLINE void FillPair(Value* HWY_RESTRICT values, size_t count) {
  const size_t lanes = 2 * hn::Lanes(hn::ScalableTag<Value>());
  for (size_t i = count; i % lanes != 0; ++i) values[i] = Value{};
}

void RankFewLoop(double (&distances)[kMostRanked], double (&ids)[kMostRanked],
                 size_t count, int64_t (&ranks)[kMostRanked]) {
  const hn::ScalableTag<double> d;
  FillPair(distances, count);
  FillPair(ids, count);
  CountBelow(double{}, count, ranks, [&](size_t j, size_t i) HWY_ATTR {
    const auto distance = hn::Set(d, distances[j]);
    const auto row = hn::LoadU(d, distances + i);
    return hn::Or(hn::Lt(distance, row),
                  hn::And(hn::Eq(distance, row),
                          hn::Lt(hn::Set(d, ids[j]), hn::LoadU(d, ids + i))));
  });
}

// Requires ids.size() <= kMostIdsCounted.
void SortIdsLoop(std::span<uint32_t> ids) {
  // All instruction sets compare signed numbers.
  constexpr uint32_t kSign = uint32_t{1} << 31;
  int32_t values[kMostIdsCounted];
  int32_t ranks[kMostIdsCounted];
  for (size_t i = 0; i < ids.size(); ++i) {
    values[i] = static_cast<int32_t>(ids[i] ^ kSign);
  }
  const hn::ScalableTag<int32_t> d;
  FillPair(values, ids.size());
  CountBelow(int32_t{}, ids.size(), ranks, [&](size_t j, size_t i) HWY_ATTR {
    return hn::Lt(hn::Set(d, values[j]), hn::LoadU(d, values + i));
  });
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

void RankFew(double (&distances)[kMostRanked], double (&ids)[kMostRanked],
             size_t count, int64_t (&ranks)[kMostRanked]) {
  ORBOX_DYNAMIC_DISPATCH(RankFewLoop)(distances, ids, count, ranks);
}

void SortIds(std::span<uint32_t> ids) {
  // The overhead of a call equals sorting eight values by comparisons.
  constexpr size_t kLeast = 9;
  if (ids.size() >= kLeast && ids.size() <= kMostIdsCounted) {
    ORBOX_DYNAMIC_DISPATCH(SortIdsLoop)(ids);
  } else {
    boost::sort::spreadsort::integer_sort(ids.begin(), ids.end());
  }
}

}  // namespace orbox
#endif  // HWY_ONCE
