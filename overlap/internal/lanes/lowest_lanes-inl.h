// SPDX-License-Identifier: Apache-2.0

// The lowest value of each of three rows at once.
//
//   const V8 lo = LowestValues(Load8x3(node.rows));  // of all eight boxes
//
// Private; compiled once per instruction set (lanes-inl.h).
#if defined(ORBOX_OVERLAP_INTERNAL_LANES_LOWEST_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_INTERNAL_LANES_LOWEST_LANES_INL_H_
#undef ORBOX_OVERLAP_INTERNAL_LANES_LOWEST_LANES_INL_H_
#else
#define ORBOX_OVERLAP_INTERNAL_LANES_LOWEST_LANES_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Returns the lowest value of each row, in all lanes. No value may be NaN.
// Takes half the steps of three calls of LowestValue.
V8 LowestValues(const V8& rows);

// Implementation.

#if HWY_TARGET == HWY_SCALAR
HWY_INLINE V8 LowestValues(const V8& rows) {
  return {Set8(LowestValue(rows.x)), Set8(LowestValue(rows.y)),
          Set8(LowestValue(rows.z))};
}
#else
HWY_INLINE V8 LowestValues(const V8& rows) {
  const Part d;
  const hn::Repartition<double, Part> pairs;
  // Returns the minima of neighbouring lanes: those of a in even lanes, those
  // of b in odd lanes, within each block of four.
  const auto in_turns = [d](const F8& a, const F8& b) HWY_ATTR {
    auto least = hn::Min(hn::InterleaveLower(d, a.part[0], b.part[0]),
                         hn::InterleaveUpper(d, a.part[0], b.part[0]));
    for (size_t i = 1; i < kParts; ++i) {
      least =
          hn::Min(least, hn::Min(hn::InterleaveLower(d, a.part[i], b.part[i]),
                                 hn::InterleaveUpper(d, a.part[i], b.part[i])));
    }
    return hn::BitCast(hn::Repartition<double, Part>(), least);
  };
  const auto xy = in_turns(rows.x, rows.y);
  const auto zz = in_turns(rows.z, rows.z);
  // The lanes are x y z z.
  auto least = hn::Min(hn::BitCast(d, hn::InterleaveLower(pairs, xy, zz)),
                       hn::BitCast(d, hn::InterleaveUpper(pairs, xy, zz)));
  if constexpr (kParts == 1) {
    least = hn::Min(least, hn::SwapAdjacentBlocks(least));
  }
  return {Map([&](size_t) HWY_ATTR { return hn::Broadcast<0>(least); }),
          Map([&](size_t) HWY_ATTR { return hn::Broadcast<1>(least); }),
          Map([&](size_t) HWY_ATTR { return hn::Broadcast<2>(least); })};
}
#endif

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_INTERNAL_LANES_LOWEST_LANES_INL_H_
