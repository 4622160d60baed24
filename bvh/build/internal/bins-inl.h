// SPDX-License-Identifier: Apache-2.0

// Primitives in bins along each axis, and the best cut between two bins.
//
//   Bins bins;
//   bins.Clear(16);
//   ... the box and the count of each primitive's bin, on each axis
//   Cut cut = BestCutOf(bins, 16, primitives, max_leaf);
//
// Private; compiled once per instruction set
// (overlap/internal/lanes/lanes-inl.h).
#if defined(ORBOX_BVH_BUILD_INTERNAL_BINS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_BUILD_INTERNAL_BINS_INL_H_
#undef ORBOX_BVH_BUILD_INTERNAL_BINS_INL_H_
#else
#define ORBOX_BVH_BUILD_INTERNAL_BINS_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "orbox/bvh/build/internal/binned_sah.h"
#include "orbox/bvh/build/internal/box_row-inl.h"
#include "orbox/bvh/build/internal/primitives.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Returns the number of leaves for each count of triangles, up to rounding to
// float. Used only to compare costs.
HWY_INLINE F8 LeavesFor(const F8& count, uint32_t max_leaf) {
  const auto leaf = static_cast<float>(max_leaf);
  return Truncated((count + Set8(leaf - 0.5f)) * Set8(1 / leaf));
}

struct Bin {
  alignas(32) float box[3][8];    // box rows, by axis
  alignas(32) uint32_t count[8];  // by axis, as three lanes
};

struct Bins {
  Bin bin[kMostBins];

  // Bins are read eight at a time. So the bins after the last one are also
  // cleared, up to a multiple of eight.
  static uint32_t InEights(uint32_t bins) { return (bins + 7) / 8 * 8; }
  static_assert(kMostBins % 8 == 0);

  HWY_INLINE void Clear(uint32_t bins) {
    const F8 none = Set8(kFloatInfinity);
    for (uint32_t b = 0; b < InEights(bins); ++b) {
      for (auto& box : bin[b].box) Store8(none, box);
      Set8(uint32_t{0}).Store(bin[b].count);
    }
  }

  // Adds the bins of other primitives. Both have `bins` bins.
  HWY_INLINE void Add(const Bins& others, uint32_t bins) {
    for (uint32_t b = 0; b < bins; ++b) {
      const Bin& other = others.bin[b];
      for (size_t axis = 0; axis < 3; ++axis) {
        float* const box = bin[b].box[axis];
        Store8(Min(Load8(box), Load8(other.box[axis])), box);
      }
      (Load8(bin[b].count) + Load8(other.count)).Store(bin[b].count);
    }
  }

  // Sets `around` to the box around bins [begin, end) of an axis. Returns their
  // count.
  HWY_INLINE uint32_t Around(size_t axis, uint32_t begin, uint32_t end,
                             BoxRow* around) const {
    F8 all = Set8(kFloatInfinity);
    uint32_t sum = 0;
    for (uint32_t b = begin; b < end; ++b) {
      all = Min(all, Load8(bin[b].box[axis]));
      sum += bin[b].count[axis];
    }
    Store8(all, around->v);
    return sum;
  }
};

struct Cut {
  float cost = kFloatInfinity;
  size_t axis = 0;
  uint32_t bin = 0;  // last bin on the left side
};

// Returns the best cut between two bins, by area times leaves.
Cut BestCutOf(const Bins& bins, uint32_t bins_count, uint32_t primitives,
              uint32_t max_leaf);

// Implementation.

namespace bins_internal {

HWY_INLINE F8 HalfAreas(const F8 (&boxes)[8]) {
  const V8 e = NegativeEdges(boxes);
  return e.x * e.y + e.z * (e.x + e.y);
}

// Sets areas[axis][b] to half the surface of the box around bin b and all later
// bins.
HWY_INLINE void AreasAfterEach(const Bins& bins, uint32_t bins_count,
                               float (&areas)[3][kMostBins]) {
  for (size_t axis = 0; axis < 3; ++axis) {
    F8 grown = Set8(kFloatInfinity);
    for (uint32_t end = Bins::InEights(bins_count); end > 0; end -= 8) {
      F8 boxes[8];
      for (uint32_t b = 8; b-- > 0;) {
        boxes[b] = grown;
        grown = Min(grown, Load8(bins.bin[end - 8 + b].box[axis]));
      }
      Store8(HalfAreas(boxes), areas[axis] + end - 8);
    }
  }
}

// Returns, for each of eight bins and each axis, the count of this bin and all
// earlier bins. `before` is the count before the eight bins; it is raised to
// the count up to the last of them.
HWY_INLINE V8 CountsUpToEach(const Bins& bins, uint32_t first, U8& before) {
  U8 sums[8];
  for (uint32_t i = 0; i < 8; ++i) {
    before = before + Load8(bins.bin[first + i].count);
    sums[i] = before;
  }
  F8 points[4];
  for (size_t i = 0; i < 4; ++i) {
    points[i] = LowerHalves(ToFloat(sums[i]), ToFloat(sums[i + 4]));
  }
  return RowsOf(points);
}

}  // namespace bins_internal

inline Cut BestCutOf(const Bins& bins, uint32_t bins_count, uint32_t primitives,
                     uint32_t max_leaf) {
  alignas(32) float areas_after[3][kMostBins];
  bins_internal::AreasAfterEach(bins, bins_count, areas_after);
  const F8 all = Set8(static_cast<float>(primitives));
  const F8 none = Set8(kFloatInfinity);
  F8 grown[3] = {none, none, none};
  F8 least[3] = {none, none, none};
  F8 best[3] = {none, none, none};
  U8 before = Set8(uint32_t{0});
  for (uint32_t first = 0; first < bins_count; first += 8) {
    const V8 counts = bins_internal::CountsUpToEach(bins, first, before);
    const F8 bin = ToFloat(Iota8() + Set8(first));
    for (size_t axis = 0; axis < 3; ++axis) {
      F8 boxes[8];
      for (uint32_t b = 0; b < 8; ++b) {
        grown[axis] = Min(grown[axis], Load8(bins.bin[first + b].box[axis]));
        boxes[b] = grown[axis];
      }
      const F8& left = axis == 0 ? counts.x : axis == 1 ? counts.y : counts.z;
      const F8 cost =
          bins_internal::HalfAreas(boxes) * LeavesFor(left, max_leaf) +
          Load8(areas_after[axis] + first) * LeavesFor(all - left, max_leaf);
      // The empty box has infinite area and no leaves. So a cut with an empty
      // side costs NaN, which does not compare as less.
      const M8 better = cost < least[axis];
      least[axis] = Select(better, cost, least[axis]);
      best[axis] = Select(better, bin, best[axis]);
    }
  }
  Cut cut;
  for (size_t axis = 0; axis < 3; ++axis) {
    const float cost = LowestValue(least[axis]);
    if (cost < cut.cost) {
      const F8 at = Select(least[axis] == Set8(cost), best[axis], none);
      cut = {cost, axis, static_cast<uint32_t>(LowestValue(at))};
    }
  }
  return cut;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_BUILD_INTERNAL_BINS_INL_H_
