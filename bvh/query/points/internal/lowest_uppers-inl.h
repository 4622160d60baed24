// SPDX-License-Identifier: Apache-2.0

// The lowest upper bounds of a search for nearest triangles, as many as are
// wanted. The highest of them bounds the search.
//
//   LowestUppers<16, false> uppers(wanted);
//   bound = uppers.Add(row, lanes);
//
// Private; compiled once per instruction set.
#if defined(ORBOX_BVH_QUERY_POINTS_INTERNAL_LOWEST_UPPERS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_QUERY_POINTS_INTERNAL_LOWEST_UPPERS_INL_H_
#undef ORBOX_BVH_QUERY_POINTS_INTERNAL_LOWEST_UPPERS_INL_H_
#else
#define ORBOX_BVH_QUERY_POINTS_INTERNAL_LOWEST_UPPERS_INL_H_
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <queue>

#include "hwy/highway.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Up to kListed bounds may be wanted, or any number if kMayBeMany.
template <size_t kListed, bool kMayBeMany>
class LowestUppers {
 public:
  explicit LowestUppers(size_t wanted) : wanted_(wanted) {
    if (!IsMany() && wanted > 1) Clear();
  }

  // Removes all bounds, to start again. Requires that at most kListed are
  // wanted.
  HWY_INLINE void Clear() {
    const F8 none = Set8(std::numeric_limits<float>::infinity());
    Store8(Zero8() - none, few_);
    for (size_t i = 0; i < wanted_ + kLanes; i += kLanes) {
      Store8(none, few_ + kLanes + i);
    }
  }

  // Adds the upper bounds of `lanes`. Returns the highest of the kept bounds,
  // or infinity if there are fewer than wanted.
  HWY_INLINE float Add(const F8& upper, uint32_t lanes);

 private:
  bool IsMany() const { return kMayBeMany && wanted_ > kListed; }

  float AddToQueue(const float* values, uint32_t lanes);

  const size_t wanted_;
  // Ascending bounds. The row before them is below everything. The row after
  // them is never read.
  alignas(32) float few_[kLanes + kListed + 2 * kLanes];
  std::priority_queue<float> many_;  // for more than registers serve well
};

// Implementation.

template <size_t kListed, bool kMayBeMany>
HWY_INLINE float LowestUppers<kListed, kMayBeMany>::Add(const F8& upper,
                                                        uint32_t lanes) {
  alignas(32) float values[kLanes];
  Store8(upper, values);
  if (IsMany()) return AddToQueue(values, lanes);
  float* const best = few_ + kLanes;
  lanes &= Bits(upper < Set8(best[wanted_ - 1]));
  if (wanted_ <= 2 * kLanes) {
    // These bounds fit into two registers.
    const F8 lowest = Load8(few_);
    F8 low = Load8(best);
    F8 high = Load8(best + kLanes);
    for (; lanes != 0; lanes &= lanes - 1) {
      const F8 value = Set8(values[std::countr_zero(lanes)]);
      high = Max(ShiftIn8(low, high), Min(high, value));
      low = Max(ShiftIn8(lowest, low), Min(low, value));
    }
    Store8(low, best);
    Store8(high, best + kLanes);
  }
  for (; lanes != 0; lanes &= lanes - 1) {
    // In an ascending list, the elements after an inserted value move up by
    // one.
    const F8 value = Set8(values[std::countr_zero(lanes)]);
    F8 below = LoadU8(best - 1);
    for (size_t i = 0; i < wanted_; i += kLanes) {
      const F8 row = Load8(best + i);
      const F8 next = LoadU8(best + i + kLanes - 1);
      Store8(Max(below, Min(row, value)), best + i);
      below = next;
    }
  }
  return best[wanted_ - 1];
}

// Not inlined, so that the loop keeps its registers.
template <size_t kListed, bool kMayBeMany>
HWY_NOINLINE float LowestUppers<kListed, kMayBeMany>::AddToQueue(
    const float* values, uint32_t lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const float value = values[std::countr_zero(lanes)];
    if (many_.size() == wanted_) {
      if (value >= many_.top()) continue;
      many_.pop();
    }
    many_.push(value);
  }
  return many_.size() == wanted_ ? many_.top()
                                 : std::numeric_limits<float>::infinity();
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_QUERY_POINTS_INTERNAL_LOWEST_UPPERS_INL_H_
