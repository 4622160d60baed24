// SPDX-License-Identifier: Apache-2.0

// Query of two_trees-inl.h that tests two leaves in the search for overlapping
// pairs (overlap_search.cc).
//
//   OverlapQuery query(scope, found);
//   SearchPairs(scope, query, counters);
//
// Private; compiled once per instruction set.
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_OVERLAP_QUERY_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_OVERLAP_QUERY_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_OVERLAP_QUERY_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_OVERLAP_QUERY_INL_H_
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "hwy/highway.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/traverse/internal/leaf_pair-inl.h"
#include "orbox/bvh/traverse/internal/pair_batch-inl.h"
#include "orbox/bvh/traverse/internal/pair_limits.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/traverse/internal/self_pairs.h"
#include "orbox/bvh/traverse/internal/step.h"
#include "orbox/overlap/triangles/internal/triangle_meet_double-inl.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Passes the overlapping pairs to a sink, or stops at the first one. Pairs that
// float leaves undecided are decided several at a time. If only the first pair
// is wanted, all pairs of such a batch are of the same two leaves, because the
// result depends on the order.
class OverlapQuery {
 public:
  static constexpr Order kOrder = Order::kDeepestFirst;
  static constexpr bool kTouching = true;

  // `found` is null if the first pair suffices.
  OverlapQuery(const PairScope& scope, FoundPairs<TrianglePair>* found)
      : self_(scope.self),
        overlapping_(self_ != nullptr ? self_->overlapping() : nullptr),
        neighbours_count_(scope.neighbours_count),
        only_whether_(scope.only_whether && self_ == nullptr &&
                      found == nullptr),
        found_(found) {}

  static constexpr double bound() { return 0; }
  bool wants_normals() const { return self_ != nullptr; }
  bool wants_one() const { return found_ == nullptr; }
  bool only_whether() const { return only_whether_; }

  template <typename Counters>
  HWY_INLINE Step VisitLeaves(LeafPairs& leaves, const PairLimits& limits,
                              Counters& counters);

  // Decides the pairs that are still waiting.
  template <typename Counters>
  HWY_NOINLINE Step Finish(const LeafPairs& leaves, Counters& counters);

  const FirstFound& found() const { return first_found_; }

 private:
  // Returns the lanes of b whose triangles certainly overlap a's triangle in
  // `lane`, and those that may. Floats cannot decide neighbours.
  HWY_INLINE OverlapLanes Test(const LeafPairs& leaves, int lane,
                               const PairLimits& limits) const {
    if (self_ == nullptr) return leaves.TestOverlap(lane);
    return {0, leaves.Near(lane, limits.near()) & leaves.LanesOnce(lane)};
  }

  template <typename Counters>
  Step Add(TrianglePair ids, Counters& counters) {
    counters.Contribute();
    if (self_ != nullptr) {
      if (ids.a > ids.b) std::swap(ids.a, ids.b);
      if (overlapping_ != nullptr) overlapping_->Add(ids);
    }
    if (found_ != nullptr) return found_->Add(ids);
    first_found_.overlap = ids;
    return Step::kStop;
  }

  // Decides the waiting pairs of these leaves, before later pairs.
  template <typename Counters>
  HWY_INLINE Step DecideWaiting(Counters& counters) {
    return batch_.size() != 0 ? Decide(batch_, counters) : Step::kContinue;
  }

  // Decides one pair that float leaves undecided, or adds it to the waiting
  // pairs if this is allowed.
  template <typename Counters>
  HWY_INLINE Step Offer(LeafPairs& leaves, int i, int j, Counters& counters) {
    if (self_ == nullptr && found_ == nullptr) {
      const PairCorners t = leaves.Corners(i, j);
      return batch_.Add(leaves.Ids(i, j), t.first, t.second)
                 ? Decide(batch_, counters)
                 : Step::kContinue;
    }
    if (self_ == nullptr) {
      waiting_[waiting_count_++] = {leaves.Ids(i, j), leaves.Prefetch(i, j)};
      return waiting_count_ == waiting_.size() ? Finish(leaves, counters)
                                               : Step::kContinue;
    }
    return OfferSelf(leaves, i, j, counters);
  }

  // Like Offer, for one tree: strangers wait, neighbours are decided at once.
  template <typename Counters>
  HWY_INLINE Step OfferSelf(LeafPairs& leaves, int i, int j,
                            Counters& counters) {
    const TrianglePair ids = leaves.Ids(i, j);
    if (self_->AreKnownApart(ids)) {
      Count(Arithmetic::kDouble, counters.arithmetic());
      return Step::kContinue;
    }
    if (overlapping_ != nullptr && overlapping_->Skips(ids)) {
      counters.TestTriangles(0, 1);
      return overlapping_->HasSkippedTooMany() ? Step::kStop : Step::kContinue;
    }
    const PairCorners t = leaves.Corners(i, j);
    if (!neighbours_count_ && self_->AreNeighbours(ids, t.first, t.second)) {
      // They share corners exactly, so comparing corners decides.
      counters.TestTriangles(0, 1);
      return Step::kContinue;
    }
    const SelfPairs::Kind kind =
        neighbours_count_
            ? self_->KindOf(ids, t.first, t.second, counters.arithmetic())
            : SelfPairs::Kind::kStrangers;
    if (kind == SelfPairs::Kind::kStrangers) {
      return batch_.Add(ids, t.first, t.second) ? Decide(batch_, counters)
                                                : Step::kContinue;
    }
    return kind == SelfPairs::Kind::kNeighboursOverlap ? Add(ids, counters)
                                                       : Step::kContinue;
  }

  template <typename Counters>
  Step Decide(const PairBatch& batch, Counters& counters);

  // From this many undecided pairs on, testing planes for all at once is faster
  // than an exact test of each.
  static constexpr int kSeveral = 2;

  // VisitLeaves for searches that may report pairs in any order. Tests pairs
  // whose boxes may overlap, from all lanes of a, eight at a time.
  template <typename Counters>
  HWY_INLINE Step VisitPairs(LeafPairs& leaves, Counters& counters);
  template <typename Counters>
  HWY_NOINLINE Step VisitEight(LeafPairs& leaves, const uint32_t* codes,
                               uint32_t pairs, Counters& counters);

  // Like VisitPairs, but first tries separating planes in double. Used if
  // floats have recently left most pairs undecided, as for surfaces that are
  // close to each other.
  template <typename Counters>
  HWY_NOINLINE Step VisitByPlanes(LeafPairs& leaves, Counters& counters);

  // Decides if the next two leaves are tested by planes first, from the results
  // for two leaves with `near` near pairs.
  void ChooseFirst(int near);

  // Fewer pairs do not change the order of the tests.
  static constexpr int kMany = 8;
  static constexpr int kLongestPause = 63;

  // Pairs that wait until their corners arrive from memory.
  struct Waiting {
    TrianglePair ids;
    PairSlots slots;
  };

  const SelfPairs* const self_;
  OverlappingTriangles* const overlapping_;
  const bool neighbours_count_;
  const bool only_whether_;
  FoundPairs<TrianglePair>* const found_;
  FirstFound first_found_;
  union {  // not constructed in advance
    std::array<Waiting, 2 * PairColumns::kRoom> waiting_;
  };
  size_t waiting_count_ = 0;
  PairBatch batch_;
  // True if planes are tested before floats.
  bool planes_first_ = false;
  int undecided_ = 0;   // pairs of two leaves that floats leave undecided
  int pause_ = 0;       // pairs of leaves until planes are tried again
  int next_pause_ = 0;  // after planes have separated too few
};

template <typename Counters>
HWY_INLINE Step OverlapQuery::VisitLeaves(LeafPairs& leaves,
                                          const PairLimits& limits,
                                          Counters& counters) {
  const int b_count = std::popcount(leaves.b_lanes());
  if (wants_one() && leaves.a_lanes() != 0 && b_count != 0) {
    first_found_.near = leaves.Ids(std::countr_zero(leaves.a_lanes()),
                                   std::countr_zero(leaves.b_lanes()));
    first_found_.nodes = leaves.nodes();
  }
  if constexpr (kTestsPairs && !Counters::kCounting) {
    if (self_ == nullptr && (only_whether_ || found_ != nullptr)) {
      return VisitPairs(leaves, counters);
    }
  }
  for (uint32_t rest = leaves.a_lanes(); rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    const OverlapLanes overlap = Test(leaves, i, limits);
    uint32_t undecided = overlap.maybe;
    counters.TestTriangles(b_count, b_count - std::popcount(undecided));
    Step step = Step::kContinue;
    if (found_ == nullptr && overlap.yes != 0) step = DecideWaiting(counters);
    for (uint32_t yes = overlap.yes; yes != 0 && step == Step::kContinue;
         yes &= yes - 1) {
      step = Add(leaves.Ids(i, std::countr_zero(yes)), counters);
    }
    for (; undecided != 0 && step == Step::kContinue;
         undecided &= undecided - 1) {
      step = Offer(leaves, i, std::countr_zero(undecided), counters);
    }
    if (step == Step::kStop) {
      // The remaining lanes need no more arithmetic.
      counters.TestTriangles(0, std::popcount(undecided));
      return step;
    }
  }
  if (found_ == nullptr) return DecideWaiting(counters);
  // Counters must know at once which subtree a pair came from.
  return Counters::kCounting ? Finish(leaves, counters) : Step::kContinue;
}

template <typename Counters>
HWY_INLINE Step OverlapQuery::VisitPairs(LeafPairs& leaves,
                                         Counters& counters) {
  if (HWY_UNLIKELY(planes_first_)) return VisitByPlanes(leaves, counters);
  undecided_ = 0;
  // Storing may write up to a row beyond the last code.
  uint32_t codes[kLanes * kLanes + kLanes];
  int count = 0;
  int tested = 0;
  for (uint32_t rest = leaves.a_lanes(); rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    const uint32_t near = leaves.BoxesOverlap(i);
    CompressStore8(Iota8() + Set8(static_cast<uint32_t>(i * kLanes)), near,
                   codes + count);
    count += std::popcount(near);
    if (count - tested < kLanes) continue;
    if (VisitEight(leaves, codes + tested, 0xff, counters) == Step::kStop) {
      return Step::kStop;
    }
    tested += kLanes;
  }
  if (count != tested) {
    Set8(uint32_t{0}).StoreU(codes + count);
    if (VisitEight(leaves, codes + tested,
                   LanesBelow(static_cast<uint32_t>(count - tested)),
                   counters) == Step::kStop) {
      return Step::kStop;
    }
  }
  if (HWY_UNLIKELY(undecided_ >= kMany)) ChooseFirst(count);
  return found_ == nullptr ? DecideWaiting(counters) : Step::kContinue;
}

HWY_NOINLINE inline void OverlapQuery::ChooseFirst(int near) {
  planes_first_ = 2 * undecided_ > near && --pause_ < 0;
}

template <typename Counters>
HWY_NOINLINE Step OverlapQuery::VisitByPlanes(LeafPairs& leaves,
                                              Counters& counters) {
  leaves.PrefetchCorners();
  uint32_t near[kLanes];
  int count = 0;
  for (uint32_t rest = leaves.a_lanes(); rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    near[i] = leaves.BoxesOverlap(i);
    count += std::popcount(near[i]);
  }
  if (count == 0) return Step::kContinue;
  const int remaining = leaves.RemoveSeparatedByPlanes(near, count);
  if (remaining == 0) {
    next_pause_ = 0;
    return Step::kContinue;
  }
  if (2 * remaining > count) {
    planes_first_ = false;
    pause_ = next_pause_;
    next_pause_ = std::min(2 * next_pause_ + 1, kLongestPause);
  }
  for (uint32_t rest = leaves.a_lanes(); rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    for (uint32_t undecided = near[i]; undecided != 0;
         undecided &= undecided - 1) {
      if (Offer(leaves, i, std::countr_zero(undecided), counters) ==
          Step::kStop) {
        return Step::kStop;
      }
    }
  }
  return found_ == nullptr ? DecideWaiting(counters) : Step::kContinue;
}

template <typename Counters>
HWY_NOINLINE Step OverlapQuery::VisitEight(LeafPairs& leaves,
                                           const uint32_t* codes,
                                           uint32_t pairs, Counters& counters) {
  const OverlapLanes overlap = leaves.PairsOverlap(codes, pairs);
  for (uint32_t yes = overlap.yes; yes != 0; yes &= yes - 1) {
    const auto code = static_cast<int>(codes[std::countr_zero(yes)]);
    if (Add(leaves.Ids(code / kLanes, code % kLanes), counters) ==
        Step::kStop) {
      return Step::kStop;
    }
  }
  undecided_ += std::popcount(overlap.maybe);
  for (uint32_t undecided = overlap.maybe; undecided != 0;
       undecided &= undecided - 1) {
    const auto code = static_cast<int>(codes[std::countr_zero(undecided)]);
    if (Offer(leaves, code / kLanes, code % kLanes, counters) == Step::kStop) {
      return Step::kStop;
    }
  }
  return Step::kContinue;
}

template <typename Counters>
HWY_NOINLINE Step OverlapQuery::Finish(const LeafPairs& leaves,
                                       Counters& counters) {
  const size_t count = waiting_count_;
  waiting_count_ = 0;
  for (size_t i = 0; i < count; ++i) {
    const bool is_full = leaves.WithCorners(
        waiting_[i].slots, [&](const Triangle& s, const Triangle& t) HWY_ATTR {
          return batch_.Add(waiting_[i].ids, s, t);
        });
    if (is_full && Decide(batch_, counters) == Step::kStop) return Step::kStop;
  }
  return DecideWaiting(counters);
}

template <typename Counters>
HWY_NOINLINE Step OverlapQuery::Decide(const PairBatch& batch,
                                       Counters& counters) {
  const PairColumns& pairs = batch.columns();
  const size_t size = batch.size();
  batch_.Clear();
  OverlapLanes overlap = TrianglesOverlap(pairs, size);
  if (std::popcount(overlap.maybe) >= kSeveral) {
    overlap.maybe &= ~ApartByLongPlanes(pairs, overlap.maybe);
  }
  counters.CountDouble(static_cast<int>(size) - std::popcount(overlap.maybe));
  for (size_t i = 0; i < size; ++i) {
    const bool maybe = (overlap.maybe >> i & 1) != 0;
    if ((overlap.yes >> i & 1) == 0 &&
        !(maybe &&
          Overlaps(pairs.First(i), pairs.Second(i), counters.arithmetic()))) {
      continue;
    }
    if (Add(batch.ids(i), counters) == Step::kStop) {
      counters.TestTriangles(0, std::popcount(overlap.maybe >> i >> 1));
      return Step::kStop;
    }
  }
  return Step::kContinue;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_OVERLAP_QUERY_INL_H_
