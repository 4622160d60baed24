// SPDX-License-Identifier: Apache-2.0

// Arithmetic on the box rows of primitives.h. Private; compiled once per
// instruction set (overlap/internal/lanes/lanes-inl.h).
#if defined(ORBOX_BVH_BUILD_INTERNAL_BOX_ROW_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_BUILD_INTERNAL_BOX_ROW_INL_H_
#undef ORBOX_BVH_BUILD_INTERNAL_BOX_ROW_INL_H_
#else
#define ORBOX_BVH_BUILD_INTERNAL_BOX_ROW_INL_H_
#endif

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Returns lanes 4 to 7, then 0 to 3.
F8 SwapHalves(const F8& a);

// Return, within each half: a0 b0 a1 b1, and a2 b2 a3 b3.
F8 InterleaveLow(const F8& a, const F8& b);
F8 InterleaveHigh(const F8& a, const F8& b);

// Return, within each half: a0 a1 b0 b1, and a2 a3 b2 b3.
F8 PairsLow(const F8& a, const F8& b);
F8 PairsHigh(const F8& a, const F8& b);

// Returns the doubled centre c of a box, as the box row of a point: c, -c.
F8 DoubledCenters(const F8& box);

// Returns the negated edges of eight boxes, one per lane. Products of two of
// them have the correct sign.
V8 NegativeEdges(const F8 (&boxes)[8]);

// Returns lanes 0 to 3 of a, then lanes 0 to 3 of b.
F8 LowerHalves(const F8& a, const F8& b);

// Returns the sum of the two halves of a, then that of b.
F8 SumsOfHalves(const F8& a, const F8& b);

// Returns eight points, one per lane. Points i and i + 4 are the halves of
// points[i]: x, y, z and a spare lane.
V8 RowsOf(const F8 (&points)[4]);

// Return the least, or the largest, lane of rows[i] in lane i.
F8 LeastLanes(const F8 (&rows)[8]);
F8 LargestLanes(const F8 (&rows)[8]);

// Returns the numbers, rounded to float. Requires numbers below 2^31.
F8 ToFloat(const U8& a);

// Rounds towards zero.
F8 Truncated(const F8& a);

// Implementation.

HWY_INLINE F8 ToFloat(const U8& a) {
  const hn::RebindToSigned<IntPart> d;
  return Map([&](size_t i) HWY_ATTR {
    return hn::ConvertTo(Part(), hn::BitCast(d, a.part[i]));
  });
}

HWY_INLINE F8 Truncated(const F8& a) {
  return Map([&](size_t i) HWY_ATTR { return hn::Trunc(a.part[i]); });
}

#if HWY_TARGET == HWY_SCALAR

// Returns lane from[i] of a and b in lane i. The lanes of b are 8 to 15.
HWY_INLINE F8 Permute(const F8& a, const F8& b, const int (&from)[8]) {
  return Map([&](size_t i) { return (from[i] < 8 ? a : b).part[from[i] % 8]; });
}
HWY_INLINE F8 SwapHalves(const F8& a) {
  return Permute(a, a, {4, 5, 6, 7, 0, 1, 2, 3});
}
HWY_INLINE F8 LowerHalves(const F8& a, const F8& b) {
  return Permute(a, b, {0, 1, 2, 3, 8, 9, 10, 11});
}
HWY_INLINE F8 SumsOfHalves(const F8& a, const F8& b) {
  return LowerHalves(a, b) + Permute(a, b, {4, 5, 6, 7, 12, 13, 14, 15});
}
HWY_INLINE F8 InterleaveLow(const F8& a, const F8& b) {
  return Permute(a, b, {0, 8, 1, 9, 4, 12, 5, 13});
}
HWY_INLINE F8 InterleaveHigh(const F8& a, const F8& b) {
  return Permute(a, b, {2, 10, 3, 11, 6, 14, 7, 15});
}
HWY_INLINE F8 PairsLow(const F8& a, const F8& b) {
  return Permute(a, b, {0, 1, 8, 9, 4, 5, 12, 13});
}
HWY_INLINE F8 PairsHigh(const F8& a, const F8& b) {
  return Permute(a, b, {2, 3, 10, 11, 6, 7, 14, 15});
}

#else

HWY_INLINE F8 SwapHalves(const F8& a) {
  if constexpr (kParts == 1) {
    return Map([&](size_t i) HWY_ATTR {
      return hn::ConcatLowerUpper(Part(), a.part[i], a.part[i]);
    });
  } else {
    return Map([&](size_t i)
                   HWY_ATTR { return a.part[(i + kParts / 2) % kParts]; });
  }
}

HWY_INLINE F8 LowerHalves(const F8& a, const F8& b) {
  if constexpr (kParts == 1) {
    return Map([&](size_t i) HWY_ATTR {
      return hn::ConcatLowerLower(Part(), b.part[i], a.part[i]);
    });
  } else {
    const F8 upper = SwapHalves(b);
    return Map([&](size_t i) HWY_ATTR {
      return i < kParts / 2 ? a.part[i] : upper.part[i];
    });
  }
}

HWY_INLINE F8 SumsOfHalves(const F8& a, const F8& b) {
  if constexpr (kParts == 1) {
    return Map([&](size_t i) HWY_ATTR {
      return hn::Add(hn::ConcatLowerLower(Part(), b.part[i], a.part[i]),
                     hn::ConcatUpperUpper(Part(), b.part[i], a.part[i]));
    });
  } else {
    const F8 of_a = a + SwapHalves(a);
    const F8 of_b = b + SwapHalves(b);
    return Map([&](size_t i) HWY_ATTR {
      return i < kParts / 2 ? of_a.part[i] : of_b.part[i];
    });
  }
}

HWY_INLINE F8 InterleaveLow(const F8& a, const F8& b) {
  return Map([&](size_t i) HWY_ATTR {
    return hn::InterleaveLower(Part(), a.part[i], b.part[i]);
  });
}
HWY_INLINE F8 InterleaveHigh(const F8& a, const F8& b) {
  return Map([&](size_t i) HWY_ATTR {
    return hn::InterleaveUpper(Part(), a.part[i], b.part[i]);
  });
}

// A vector whose lanes are pairs of float lanes.
using WidePart = hn::Repartition<uint64_t, Part>;

HWY_INLINE F8 PairsLow(const F8& a, const F8& b) {
  return Map([&](size_t i) HWY_ATTR {
    return hn::BitCast(
        Part(),
        hn::InterleaveLower(WidePart(), hn::BitCast(WidePart(), a.part[i]),
                            hn::BitCast(WidePart(), b.part[i])));
  });
}
HWY_INLINE F8 PairsHigh(const F8& a, const F8& b) {
  return Map([&](size_t i) HWY_ATTR {
    return hn::BitCast(
        Part(),
        hn::InterleaveUpper(WidePart(), hn::BitCast(WidePart(), a.part[i]),
                            hn::BitCast(WidePart(), b.part[i])));
  });
}

#endif

// Returns, in lane i, all lanes of rows[i] combined by `join`.
template <typename Join>
HWY_INLINE F8 JoinedLanes(const F8 (&rows)[8], Join join) {
  // Combines pairs of interleaved rows, then groups of four, then of eight.
  F8 pairs[4];
  for (size_t i = 0; i < 4; ++i) {
    const F8& a = rows[2 * i];
    const F8& b = rows[2 * i + 1];
    pairs[i] = join(InterleaveLow(a, b), InterleaveHigh(a, b));
  }
  F8 fours[2];
  for (size_t i = 0; i < 2; ++i) {
    const F8& a = pairs[2 * i];
    const F8& b = pairs[2 * i + 1];
    fours[i] = join(PairsLow(a, b), PairsHigh(a, b));
    fours[i] = join(fours[i], SwapHalves(fours[i]));
  }
  alignas(32) static constexpr float kIndex[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  return Select(Load8(kIndex) < Set8(4.0f), fours[0], fours[1]);
}
HWY_INLINE F8 LeastLanes(const F8 (&rows)[8]) {
  return JoinedLanes(
      rows, [](const F8& a, const F8& b) HWY_ATTR { return Min(a, b); });
}
HWY_INLINE F8 LargestLanes(const F8 (&rows)[8]) {
  return JoinedLanes(
      rows, [](const F8& a, const F8& b) HWY_ATTR { return Max(a, b); });
}

HWY_INLINE V8 RowsOf(const F8 (&points)[4]) {
  const F8 xy01 = InterleaveLow(points[0], points[1]);
  const F8 xy23 = InterleaveLow(points[2], points[3]);
  return {PairsLow(xy01, xy23), PairsHigh(xy01, xy23),
          PairsLow(InterleaveHigh(points[0], points[1]),
                   InterleaveHigh(points[2], points[3]))};
}

HWY_INLINE V8 NegativeEdges(const F8 (&boxes)[8]) {
  F8 edges[4];
  for (size_t i = 0; i < 4; ++i) {
    edges[i] = SumsOfHalves(boxes[i], boxes[i + 4]);
  }
  return RowsOf(edges);
}

HWY_INLINE F8 DoubledCenters(const F8& box) { return box - SwapHalves(box); }

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_BUILD_INTERNAL_BOX_ROW_INL_H_
