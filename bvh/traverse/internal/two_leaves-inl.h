// What the loop over two trees (two_trees-inl.h) does with two leaves: offers
// the query the pairs of their triangles that may interest. Private; compiled
// once per instruction set.
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_TWO_LEAVES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_TWO_LEAVES_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_TWO_LEAVES_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_TWO_LEAVES_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "hwy/highway.h"
#include "orbox/bvh/traverse/internal/leaf_pair-inl.h"
#include "orbox/bvh/traverse/internal/step.h"
#include "orbox/bvh/traverse/internal/two_trees-inl.h"

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
  // Counters have to hear at once which subtree a pair came from, and a bound
  // that shrinks helps at once.
  constexpr bool kShrinks = Query::kOrder == Order::kBestFirst;
  if constexpr (kBatches && (Counters::kCounting || kShrinks)) {
    if (step == Step::kContinue) step = OfferWaiting();
    if (kShrinks) SetLimit();
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
      const Step step = OfferOpen(i, j);
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
  uint32_t seen = 0;
  const int b_count = std::popcount(leaves_.b_lanes());
  for (uint32_t rest = leaves_.a_lanes(); rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    near[i] = leaves_.NearByBounds(i, near_limit_, lower[i], &upper_,
                                   kBatches ? closest[i] : nullptr);
    if (near[i] != 0) leaves_.a().Prefetch(i);
    for (uint32_t fresh = near[i] & ~seen; fresh != 0; fresh &= fresh - 1) {
      leaves_.b().Prefetch(std::countr_zero(fresh));
    }
    seen |= near[i];
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
      if constexpr (kBatches) {
        step = OfferClosest(i, j, closest[i][j]);
      } else {
        step = Offer(i, j);
      }
      if (step == Step::kStop) return step;
      if (kNarrows) SetLimit();
    }
  }
  return Step::kContinue;
}

template <typename Query, typename Counters>
HWY_INLINE Step TwoTrees<Query, Counters>::OfferClosest(int i, int j,
                                                        float code) {
  ClosestFeature feature{static_cast<int>(code)};
  const Triangle* first = &leaves_.a_triangle(i);
  const Triangle* second = &leaves_.b_triangle(j);
  if (swapped_) {
    std::swap(first, second);
    feature = feature.Swapped();
  }
  const bool is_full =
      batches_.batch.Add(IdsOf(i, j), *first, *second, feature);
  return is_full ? OfferWaiting() : Step::kContinue;
}

template <typename Query, typename Counters>
HWY_INLINE Step TwoTrees<Query, Counters>::OfferOpen(int i, int j) {
  if constexpr (kBatches) {
    if (query_.may_wait()) {
      leaves_.a().Prefetch(i);
      leaves_.b().Prefetch(j);
      batches_.waiting[batches_.waiting_count++] = {
          IdsOf(i, j), leaves_.a().slot(i), leaves_.b().slot(j)};
      const bool is_full = batches_.waiting_count == batches_.waiting.size();
      return is_full ? OfferWaiting() : Step::kContinue;
    }
  }
  return Offer(i, j);
}

template <typename Query, typename Counters>
Step TwoTrees<Query, Counters>::OfferWaiting() {
  if constexpr (kBatches) {
    PairBatch& batch = batches_.batch;
    const auto offer = [&]() HWY_ATTR {
      const Step step = query_.OfferBatch(batch, counters_);
      batch.Clear();
      return step;
    };
    for (size_t i = 0; i < batches_.waiting_count; ++i) {
      const Waiting& pair = batches_.waiting[i];
      const Triangle a = leaves_.a().TriangleOf(pair.a);
      const Triangle b = leaves_.b().TriangleOf(pair.b);
      const bool is_full =
          swapped_ ? batch.Add(pair.ids, b, a) : batch.Add(pair.ids, a, b);
      if (is_full && offer() == Step::kStop) return Step::kStop;
    }
    batches_.waiting_count = 0;
    if (batch.size() != 0) return offer();
  }
  return Step::kContinue;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_TWO_LEAVES_INL_H_
