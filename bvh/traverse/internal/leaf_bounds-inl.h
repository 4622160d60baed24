// SPDX-License-Identifier: Apache-2.0

// Finds the pairs of triangles of two leaves that may be within a limit, by
// bounds of all pairs. Used by queries of distances.
//
//   LeafBounds bounds;
//   for (i in leaves.a_lanes()) bounds.FillRow<kNarrows>(leaves, i, limits);
//   return bounds.Offer<kNarrows>(leaves, limits, counters,
//                                 [&](int i, int j) { return ...; });
//
// With kNarrows, each bound may lower the limits, and a pair that is above them
// when it is its turn is skipped. Private; compiled once per instruction set.
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_LEAF_BOUNDS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_LEAF_BOUNDS_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_LEAF_BOUNDS_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_LEAF_BOUNDS_INL_H_
#endif

#include <bit>
#include <cstdint>

#include "hwy/highway.h"
#include "orbox/bvh/traverse/internal/leaf_pair-inl.h"
#include "orbox/bvh/traverse/internal/pair_limits.h"
#include "orbox/bvh/traverse/internal/step.h"
#include "orbox/overlap/triangles/internal/closest_feature.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

class LeafBounds {
 public:
  // Bounds the distances between a's triangle in `lane` and all of b's.
  template <bool kNarrows>
  HWY_INLINE void FillRow(const LeafPairs& leaves, int lane,
                          PairLimits& limits) {
    near_[lane] = leaves.NearByBounds(lane, limits.near(), lower_[lane],
                                      limits.upper(), closest_[lane]);
    if (near_[lane] != 0) leaves.PrefetchA(lane);
    for (uint32_t fresh = near_[lane] & ~seen_; fresh != 0;
         fresh &= fresh - 1) {
      leaves.PrefetchB(std::countr_zero(fresh));
    }
    seen_ |= near_[lane];
    if (kNarrows) limits.Narrow();
  }

  // Removes the lanes of b that are not in `lanes`.
  void Keep(int lane, uint32_t lanes) { near_[lane] &= lanes; }

  // Returns the features that seem to be closest.
  ClosestFeature Feature(const LeafPairs& leaves, int i, int j) const {
    return leaves.Feature(closest_[i][j]);
  }

  // Calls offer(i, j) for the remaining pairs, until a call returns kStop.
  // Requires a previous FillRow of all lanes of a that are near.
  template <bool kNarrows, typename Counters, typename OfferPair>
  HWY_INLINE Step Offer(const LeafPairs& leaves, const PairLimits& limits,
                        Counters& counters, OfferPair offer) {
    const int b_count = std::popcount(leaves.b_lanes());
    for (uint32_t rest = leaves.a_lanes(); rest != 0; rest &= rest - 1) {
      const int i = std::countr_zero(rest);
      int offered = 0;
      Step step = Step::kContinue;
      for (uint32_t near = near_[i]; near != 0 && step == Step::kContinue;
           near &= near - 1) {
        const int j = std::countr_zero(near);
        if (kNarrows && lower_[i][j] > limits.near()) continue;
        ++offered;
        step = offer(i, j);
      }
      counters.TestTriangles(b_count, b_count - offered);
      if (step == Step::kStop) return step;
    }
    return Step::kContinue;
  }

 private:
  alignas(32) float lower_[kLanes][kLanes];
  alignas(32) float closest_[kLanes][kLanes];
  uint32_t near_[kLanes];
  uint32_t seen_ = 0;  // lanes of b that have been prefetched
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_LEAF_BOUNDS_INL_H_
