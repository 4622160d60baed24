// SPDX-License-Identifier: Apache-2.0

// Splits a few primitives in their current order, by the surface area
// heuristic. All cuts are tried, eight at a time.
//
//   SweptAreas areas(primitives, range);      // at most kMostSwept
//   uint32_t cut = areas.BestCut(range, max_leaf, middle);
//   areas.SweepBack({range.begin, cut});      // to part the left ones further
//
// After a cut, the left side can use the forward sweep of the whole range, and
// the right side its backward sweep. So each side needs a sweep in the other
// direction only.
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
#include "orbox/bvh/build/internal/bins-inl.h"
#include "orbox/bvh/build/internal/box_row-inl.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

class SweptAreas {
 public:
  // Keeps a reference to the primitives. Requires a range of 1 to kMostSwept
  // primitives.
  SweptAreas(std::span<const Primitive> primitives, PrimitiveRange range)
      : primitives_(primitives.subspan(range.begin, range.size())),
        first_(range.begin) {
    SweepForth(range);
    SweepBack(range);
  }

  // Half of the surface of the box around [begin, i], if the range was swept
  // forward, and around [i, end), if it was swept backward.
  float UpTo(uint32_t i) const { return up_to_[Place(i)]; }
  float From(uint32_t i) const { return from_[Place(i)]; }

  // Returns the cut with the lowest cost, which is area times leaves; of
  // several, the first. Returns `middle` if no cut costs less than it, also if
  // all areas are zero. Requires at least two primitives, and sweeps in both
  // directions.
  uint32_t BestCut(PrimitiveRange range, uint32_t max_leaf,
                   uint32_t middle) const {
    const float* const up_to = up_to_ + Place(range.begin);
    const float* const from = from_ + Place(range.begin);
    const F8 count = Set8(static_cast<float>(range.size()));
    const F8 none = Set8(kFloatInfinity);
    F8 least = none;
    F8 best = none;  // number of primitives left of the cut
    for (uint32_t i = 1; i < range.size(); i += kLanesPerRow) {
      const F8 left = ToFloat(Iota8() + Set8(i));
      const F8 right = count - left;
      const F8 cost = LoadU8(up_to + i - 1) * LeavesFor(left, max_leaf) +
                      LoadU8(from + i) * LeavesFor(right, max_leaf);
      const M8 better = (cost < least) & (left < count);
      least = Select(better, cost, least);
      best = Select(better, left, best);
    }
    const auto leaves = [max_leaf](uint32_t n) {
      return static_cast<float>((n + max_leaf - 1) / max_leaf);
    };
    const float lowest = LowestValue(least);
    const float of_middle = UpTo(middle - 1) * leaves(middle - range.begin) +
                            From(middle) * leaves(range.end - middle);
    if (!(lowest < of_middle)) return middle;
    const F8 first = Select(least == Set8(lowest), best, none);
    return range.begin + static_cast<uint32_t>(LowestValue(first));
  }

  // Computes UpTo for the range. Values of UpTo beyond the end of the range
  // become invalid.
  void SweepForth(PrimitiveRange range) {
    F8 box = Set8(kFloatInfinity);
    const uint32_t end = range.end - first_;
    for (uint32_t i = range.begin - first_; i < end; i += kRoom) {
      float* const areas = up_to_ + kRoom + i;
      const Primitive* const first = primitives_.data() + i;
      const size_t last = primitives_.size() - 1 - i;
      if (last >= kRoom - 1) {
        Grow(box, [=](size_t k) { return first + k; }).StoreU(areas);
      } else {
        Grow(box, [=](size_t k) {
          return first + std::min(k, last);
        }).StoreU(areas);
      }
    }
  }

  // Computes From for the range. Values of From before the range become
  // invalid.
  void SweepBack(PrimitiveRange range) {
    F8 box = Set8(kFloatInfinity);
    const uint32_t begin = range.begin - first_;
    for (uint32_t end = range.end - first_;; end -= kRoom) {
      float* const areas = from_ + end;
      const Primitive* const last = primitives_.data() + end - 1;
      if (end >= kRoom) {
        Grow<true>(box, [=](size_t k) { return last - k; }).StoreU(areas);
      } else {
        const size_t most = end - 1;
        Grow<true>(box, [=](size_t k) {
          return last - std::min(k, most);
        }).StoreU(areas);
      }
      if (end - begin <= kRoom) return;
    }
  }

 private:
  // Adds primitives at(0), at(1), ..., at(7) to the box. Returns half of its
  // surface after each, equal to BoxRow::HalfArea bit for bit. If kBackwards,
  // the results are in reverse order.
  template <bool kBackwards = false, typename At>
  static HWY_INLINE F8 Grow(F8& box, At at) {
    F8 boxes[8];
    for (size_t k = 0; k < 8; ++k) {
      box = Min(box, Load8(at(k)->box.v));
      boxes[kBackwards ? 7 - k : k] = box;
    }
    const V8 e = NegativeEdges(boxes);
    return e.x * e.y + e.y * e.z + e.z * e.x;
  }

  // Areas are written eight at a time. The area of primitive i is at Place(i).
  static constexpr uint32_t kRoom = kLanesPerRow;
  uint32_t Place(uint32_t i) const { return kRoom + i - first_; }

  const std::span<const Primitive> primitives_;
  const uint32_t first_;
  float up_to_[kMostSwept + 2 * kRoom] = {};
  float from_[kMostSwept + 2 * kRoom] = {};
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_BUILD_INTERNAL_SWEPT_CUT_INL_H_
