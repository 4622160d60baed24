// What the loop over two trees (two_trees-inl.h) does with two leaves: offers
// the query the pairs of their triangles that may interest. Private; compiled
// once per instruction set.
#if defined(ORBOX_BVH_TRAVERSE_TWO_LEAVES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_TWO_LEAVES_INL_H_
#undef ORBOX_BVH_TRAVERSE_TWO_LEAVES_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_TWO_LEAVES_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstdint>

#include "hwy/highway.h"
#include "orbox/bvh/traverse/leaf_pair-inl.h"
#include "orbox/bvh/traverse/step.h"
#include "orbox/bvh/traverse/two_trees-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

template <typename Query, typename Counters>
HWY_INLINE Step TwoTrees<Query, Counters>::VisitLeaves(const Entry& entry) {
  counters_.VisitLeaf();
  leaves_.Load<!kMeeting>(a_.LeafBelow(entry.a), b_.LeafBelow(entry.b),
                          near_limit_);
  const int skipped =
      leaves_.pair_count() -
      std::popcount(leaves_.a_lanes()) * std::popcount(leaves_.b_lanes());
  counters_.TestTriangles(skipped, skipped);
  Step step = Step::kContinue;
  if constexpr (kSharp) {
    step = OfferByBounds();
  } else {
    step = OfferRows();
  }
  if constexpr (kCollects) {
    if (step == Step::kContinue) step = query_.FinishLeaves(counters_);
    if (Query::kOrder == Order::kBestFirst) SetLimit();
  }
  return step;
}

template <typename Query, typename Counters>
HWY_INLINE Step TwoTrees<Query, Counters>::OfferRows() {
  const int b_count = std::popcount(leaves_.b_lanes());
  for (uint32_t rest = leaves_.a_lanes(); rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    uint32_t near = 0;
    if constexpr (kMeeting) {
      const MeetLanes meet = leaves_.Meet(i);
      near = meet.maybe;
      counters_.TestTriangles(b_count, b_count - std::popcount(near));
      for (uint32_t yes = meet.yes; yes != 0; yes &= yes - 1) {
        const int j = std::countr_zero(yes);
        const Step step = query_.OfferMeeting(IdsOf(i, j), counters_);
        if (step == Step::kStop) return StopBefore(near);
      }
    } else {
      near = leaves_.Near(i, near_limit_);
      counters_.TestTriangles(b_count, b_count - std::popcount(near));
    }
    for (; near != 0; near &= near - 1) {
      const int j = std::countr_zero(near);
      const Step step = Offer(i, j);
      if (step == Step::kStop) return StopBefore(near & (near - 1));
    }
    if constexpr (Query::kOrder == Order::kBestFirst) SetLimit();
  }
  return Step::kContinue;
}

template <typename Query, typename Counters>
HWY_INLINE Step TwoTrees<Query, Counters>::OfferByBounds() {
  constexpr bool kNarrows = Query::kOrder == Order::kBestFirst;
  alignas(32) float lower[kLanes][kLanes];
  alignas(32) float closest[kLanes][kLanes];
  uint32_t near[kLanes];
  const int b_count = std::popcount(leaves_.b_lanes());
  for (uint32_t rest = leaves_.a_lanes(); rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    near[i] = leaves_.NearByBounds(i, near_limit_, lower[i], &upper_,
                                   kCollects ? closest[i] : nullptr);
    if (kNarrows) near_limit_ = std::min(near_limit_, upper_ * stretch_);
    if constexpr (kStopsWithin) {
      if (upper_ <= certain_limit_) {
        const int rows = std::popcount(leaves_.a_lanes() & LanesBelow(i + 1));
        counters_.TestTriangles(rows * b_count, rows * b_count);
        return query_.OfferWithin(counters_);
      }
    }
  }
  if (kNarrows) SetLimit();
  for (uint32_t rest = leaves_.a_lanes(); rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    counters_.TestTriangles(b_count, b_count);
    for (; near[i] != 0; near[i] &= near[i] - 1) {
      const int j = std::countr_zero(near[i]);
      if (kNarrows && lower[i][j] > near_limit_) continue;
      counters_.TestTriangles(0, -1);
      Step step = Step::kContinue;
      if constexpr (kCollects) {
        step = OfferClosest(i, j, static_cast<int>(closest[i][j]));
      } else {
        step = Offer(i, j);
      }
      if (step == Step::kStop) return step;
      if (kNarrows) SetLimit();
    }
  }
  return Step::kContinue;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_TWO_LEAVES_INL_H_
