// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/internal/layout.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/build/internal/leaf_ids.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/internal/lanes/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// The ids of eight leaves, one leaf per column.
struct EightLeaves {
  alignas(32) uint32_t row[kLanes][kLanes];

  // Sorts each column by Batcher's sorting network for eight numbers. Branches
  // on comparisons would mostly be mispredicted.
  void Sort() {
    static_assert(kLanes == 8);
    U8 a[kLanes];
    for (size_t i = 0; i < kLanes; ++i) a[i] = Load8(row[i]);
    const auto order = [&a](size_t low, size_t high) HWY_ATTR {
      const U8 least = Min(a[low], a[high]);
      a[high] = Max(a[low], a[high]);
      a[low] = least;
    };
    order(0, 1), order(2, 3), order(4, 5), order(6, 7);
    order(0, 2), order(1, 3), order(4, 6), order(5, 7);
    order(1, 2), order(5, 6);
    order(0, 4), order(1, 5), order(2, 6), order(3, 7);
    order(2, 4), order(3, 5);
    order(1, 2), order(3, 4), order(5, 6);
    for (size_t i = 0; i < kLanes; ++i) a[i].Store(row[i]);
  }
};

void LeafIdsLoop(std::span<const PrimitiveRange> ranges,
                 std::span<const Primitive> primitives,
                 std::span<Leaf> leaves) {
  EightLeaves eight;
  for (size_t first = 0; first < ranges.size(); first += kLanes) {
    const size_t count = std::min<size_t>(kLanes, ranges.size() - first);
    for (size_t i = 0; i < kLanes; ++i) {
      const PrimitiveRange range = ranges[first + std::min(i, count - 1)];
      for (uint32_t k = 0; k < kLanes; ++k) {
        const uint32_t id =
            primitives[std::min(range.begin + k, range.end - 1)].id();
        // Missing ids are the largest number, so they are sorted to the end.
        eight.row[k][i] = k < range.size() ? id : kNoTriangle;
      }
    }
    eight.Sort();
    for (size_t i = 0; i < count; ++i) {
      for (size_t k = 0; k < kLanes; ++k) {
        leaves[first + i].ids[k] = eight.row[k][i];
      }
    }
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(LeafIdsLoop);

void WriteLeafIds(std::span<const PrimitiveRange> ranges,
                  std::span<const Primitive> primitives,
                  std::span<Leaf> leaves) {
  ORBOX_DYNAMIC_DISPATCH(LeafIdsLoop)(ranges, primitives, leaves);
}

}  // namespace orbox
#endif  // HWY_ONCE
