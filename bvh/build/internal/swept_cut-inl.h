// SPDX-License-Identifier: Apache-2.0

// Parts a few primitives in the order they are in, by the surface area
// heuristic: all places are tried, eight at a time.
//
//   SweptBoxes boxes(primitives);             // at most kMostSwept
//   uint32_t cut = boxes.BestCut(max_leaf, 8);  // so many go to the left
//
// Private; compiled once per instruction set
// (overlap/internal/lanes/lanes-inl.h).
#if defined(ORBOX_BVH_BUILD_INTERNAL_SWEPT_CUT_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_BUILD_INTERNAL_SWEPT_CUT_INL_H_
#undef ORBOX_BVH_BUILD_INTERNAL_SWEPT_CUT_INL_H_
#else
#define ORBOX_BVH_BUILD_INTERNAL_SWEPT_CUT_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "hwy/highway.h"
#include "orbox/bvh/build/internal/binned_sah.h"
#include "orbox/bvh/build/internal/box_row-inl.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// The number of leaves for a count of triangles, to within float: it only
// serves to compare.
HWY_INLINE F8 LeavesFor(const F8& count, uint32_t max_leaf) {
  const auto leaf = static_cast<float>(max_leaf);
  return Truncated((count + Set8(leaf - 0.5f)) * Set8(1 / leaf));
}

class SweptBoxes {
 public:
  // Refers to the primitives, 1 to kMostSwept.
  explicit SweptBoxes(std::span<const Primitive> primitives)
      : primitives_(primitives) {
    F8 box = Set8(kFloatInfinity);
    for (size_t i = primitives.size(); i-- > 0;) {
      box = Min(box, Load8(primitives[i].box.v));
      Store8(box, last_[i]);
    }
    Store8(box, all_.v);
  }

  const BoxRow& all() const { return all_; }

  // At the least cost, which is area times leaves: `middle`, where nothing
  // costs less, as where there are no areas; otherwise the first of several.
  // Requires two primitives.
  uint32_t BestCut(uint32_t max_leaf, uint32_t middle) {
    const size_t cuts = primitives_.size() - 1;
    // Three areas at a time; what follows the last is not asked for.
    float left_areas[kMostSwept + 8] = {};  // [i]: of i + 1 to the left
    float right_areas[kMostSwept + 8] = {};
    const F8 none = Set8(kFloatInfinity);
    Store8(none, last_[cuts + 1]);
    Store8(none, last_[cuts + 2]);
    F8 left = none;
    for (size_t i = 0; i < cuts; i += 3) {
      const auto grown = [&](const F8& box, size_t by) HWY_ATTR {
        return Min(box, Load8(primitives_[std::min(i + by, cuts)].box.v));
      };
      const F8 one = grown(left, 0);
      const F8 two = grown(one, 1);
      left = grown(two, 2);
      HalfAreas(one, two, left).StoreU(left_areas + i);
      HalfAreas(Load8(last_[i + 1]), Load8(last_[i + 2]), Load8(last_[i + 3]))
          .StoreU(right_areas + i);
    }
    const auto leaves = [max_leaf](size_t count) {
      return static_cast<float>((count + max_leaf - 1) / max_leaf);
    };
    uint32_t best = middle;
    float least = left_areas[middle - 1] * leaves(middle) +
                  right_areas[middle - 1] * leaves(cuts + 1 - middle);
    const F8 end = Set8(static_cast<float>(cuts));
    for (uint32_t i = 0; i < cuts; i += kLanesPerRow) {
      const F8 at = ToFloat(Iota8() + Set8(i));
      const F8 cost =
          LoadU8(left_areas + i) * LeavesFor(at + Set8(1.0f), max_leaf) +
          LoadU8(right_areas + i) * LeavesFor(end - at, max_leaf);
      const uint32_t lane = LowestLane(cost, Bits(at < end));
      alignas(32) float costs[8];
      Store8(cost, costs);
      if (costs[lane] < least) {
        least = costs[lane];
        best = i + lane + 1;
      }
    }
    return best;
  }

 private:
  const std::span<const Primitive> primitives_;
  // Boxes around all primitives from i on, and room for BestCut.
  alignas(32) float last_[kMostSwept + 2][8];
  BoxRow all_;
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_BUILD_INTERNAL_SWEPT_CUT_INL_H_
