// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "orbox/bvh/traverse/internal/box_gap.h"
#include "orbox/bvh/traverse/internal/found_pairs.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/traverse/internal/overlap_search.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/pair_batch-inl.h"
#include "orbox/bvh/traverse/internal/pair_loop-inl.h"
#include "orbox/overlap/triangles/internal/triangle_meet_double-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Hands the pairs that overlap to a sink, or stops at the first. Those that
// float leaves open are decided several at a time: of two leaves, where the
// first is sought, since which it is depends on the order.
class OverlapQuery {
 public:
  static constexpr Order kOrder = Order::kDeepestFirst;
  static constexpr bool kTouching = true;

  // `found` is null where the first will do; `cancelled` may be.
  OverlapQuery(const PairScope& scope, FoundPairs<TrianglePair>* found,
               const std::atomic<bool>* cancelled)
      : self_(scope.self),
        overlapping_(self_ != nullptr ? self_->overlapping() : nullptr),
        neighbours_count_(scope.neighbours_count),
        only_whether_(scope.only_whether && self_ == nullptr &&
                      found == nullptr),
        found_(found),
        cancelled_(cancelled) {}

  static constexpr double bound() { return 0; }
  bool wants_normals() const { return self_ != nullptr; }
  bool wants_one() const { return found_ == nullptr; }
  bool only_whether() const { return only_whether_; }
  bool neighbours_count() const { return neighbours_count_; }

  template <typename Counters>
  HWY_INLINE Step VisitLeaves(LeafPairs& leaves, const PairLimits& limits,
                              Counters& counters);

  // Decides the pairs that still wait.
  template <typename Counters>
  HWY_NOINLINE Step Finish(const LeafPairs& leaves, Counters& counters);

  const FirstFound& found() const { return first_found_; }

 private:
  // Which of b's triangles overlap a's in `lane`, and which may. What
  // neighbours have in common, floats cannot tell. Slivers are near strangers,
  // of which an axis across them tells nearly all apart: it is asked once two
  // leaves have more of those than of neighbours.
  HWY_INLINE MeetLanes Test(const LeafPairs& leaves, int lane,
                            const PairLimits& limits) {
    if (self_ == nullptr) return leaves.Meet(lane);
    const uint32_t near =
        leaves.Near(lane, limits.near()) & leaves.LanesOnce(lane);
    if (HWY_LIKELY(strangers_ <= neighbours_ + 1) || near == 0) {
      return {0, near};
    }
    const uint32_t open = near & ~leaves.PartedAcross(lane);
    strangers_ += std::popcount(near) - std::popcount(open);
    return {0, open};
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

  // The pairs of the leaves that wait, before what comes after them.
  template <typename Counters>
  HWY_INLINE Step DecideWaiting(Counters& counters) {
    return batch_.size() != 0 ? Decide(batch_, counters) : Step::kContinue;
  }

  // One pair that float leaves open: it waits if it may.
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

  // The same in one tree: strangers wait, neighbours do not.
  template <typename Counters>
  HWY_INLINE Step OfferSelf(LeafPairs& leaves, int i, int j,
                            Counters& counters) {
    const TrianglePair ids = leaves.Ids(i, j);
    if (self_->AreKnownApart(ids)) {
      Count(Arithmetic::kDouble, counters.arithmetic());
      return Step::kContinue;
    }
    if (overlapping_ != nullptr && overlapping_->PassesOver(ids)) {
      counters.TestTriangles(0, 1);
      return overlapping_->IsTired() ? Step::kStop : Step::kContinue;
    }
    const PairCorners t = leaves.Corners(i, j);
    if (!neighbours_count_ && self_->AreNeighbours(ids, t.first, t.second)) {
      // They share corners in either arithmetic: comparing decides.
      counters.TestTriangles(0, 1);
      ++neighbours_;
      return Step::kContinue;
    }
    const SelfPairs::Kind kind =
        neighbours_count_
            ? self_->KindOf(ids, t.first, t.second, counters.arithmetic())
            : SelfPairs::Kind::kStrangers;
    if (kind == SelfPairs::Kind::kStrangers) {
      ++strangers_;
      return batch_.Add(ids, t.first, t.second) ? Decide(batch_, counters)
                                                : Step::kContinue;
    }
    ++neighbours_;
    return kind == SelfPairs::Kind::kNeighboursOverlap ? Add(ids, counters)
                                                       : Step::kContinue;
  }

  template <typename Counters>
  Step Decide(const PairBatch& batch, Counters& counters);

  // So many pairs take no less time at once than one by one.
  static constexpr int kSeveral = 2;

  // VisitLeaves where it does not matter which pair comes first: pairs whose
  // boxes may meet are tested eight at a time, however few a triangle has.
  template <typename Counters>
  HWY_INLINE Step VisitPairs(LeafPairs& leaves, Counters& counters);
  template <typename Counters>
  HWY_NOINLINE Step VisitEight(LeafPairs& leaves, const uint32_t* codes,
                               uint32_t pairs, Counters& counters);

  // Pairs that wait for their corners, which are on their way from memory.
  struct Waiting {
    TrianglePair ids;
    PairSlots slots;
  };

  const SelfPairs* const self_;
  OverlappingTriangles* const overlapping_;
  const bool neighbours_count_;
  const bool only_whether_;
  FoundPairs<TrianglePair>* const found_;
  const std::atomic<bool>* const cancelled_;
  FirstFound first_found_;
  union {  // as they come
    std::array<Waiting, 2 * PairColumns::kRoom> waiting_;
  };
  size_t waiting_count_ = 0;
  PairBatch batch_;
  // Pairs of two leaves that were near: those that share no corner, and those
  // that do.
  int strangers_ = 0;
  int neighbours_ = 0;
};

template <typename Counters>
HWY_INLINE Step OverlapQuery::VisitLeaves(LeafPairs& leaves,
                                          const PairLimits& limits,
                                          Counters& counters) {
  if (cancelled_ != nullptr && cancelled_->load(std::memory_order_relaxed)) {
    return Step::kStop;
  }
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
  strangers_ = neighbours_ = 0;
  for (uint32_t rest = leaves.a_lanes(); rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    const MeetLanes meet = Test(leaves, i, limits);
    uint32_t open = meet.maybe;
    counters.TestTriangles(b_count, b_count - std::popcount(open));
    Step step = Step::kContinue;
    if (found_ == nullptr && meet.yes != 0) step = DecideWaiting(counters);
    for (uint32_t yes = meet.yes; yes != 0 && step == Step::kContinue;
         yes &= yes - 1) {
      step = Add(leaves.Ids(i, std::countr_zero(yes)), counters);
    }
    for (; open != 0 && step == Step::kContinue; open &= open - 1) {
      step = Offer(leaves, i, std::countr_zero(open), counters);
    }
    if (step == Step::kStop) {
      // Those left need no arithmetic any more.
      counters.TestTriangles(0, std::popcount(open));
      return step;
    }
  }
  if (found_ == nullptr) return DecideWaiting(counters);
  // Counters have to hear at once which subtree a pair came from.
  return Counters::kCounting ? Finish(leaves, counters) : Step::kContinue;
}

template <typename Counters>
HWY_INLINE Step OverlapQuery::VisitPairs(LeafPairs& leaves,
                                         Counters& counters) {
  // Storing may write a row too far.
  uint32_t codes[kLanes * kLanes + kLanes];
  int count = 0;
  int tested = 0;
  for (uint32_t rest = leaves.a_lanes(); rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    const uint32_t near = leaves.BoxesMeet(i);
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
  return found_ == nullptr ? DecideWaiting(counters) : Step::kContinue;
}

template <typename Counters>
HWY_NOINLINE Step OverlapQuery::VisitEight(LeafPairs& leaves,
                                           const uint32_t* codes,
                                           uint32_t pairs, Counters& counters) {
  const MeetLanes meet = leaves.PairsMeet(codes, pairs);
  for (uint32_t yes = meet.yes; yes != 0; yes &= yes - 1) {
    const auto code = static_cast<int>(codes[std::countr_zero(yes)]);
    if (Add(leaves.Ids(code / kLanes, code % kLanes), counters) ==
        Step::kStop) {
      return Step::kStop;
    }
  }
  for (uint32_t open = meet.maybe; open != 0; open &= open - 1) {
    const auto code = static_cast<int>(codes[std::countr_zero(open)]);
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
    const bool is_full = leaves.TakeCorners(
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
  MeetLanes meet = TrianglesMeet(pairs, size);
  if (std::popcount(meet.maybe) >= kSeveral) {
    meet.maybe &= ~ApartByLongPlanes(pairs, meet.maybe);
  }
  counters.CountDouble(static_cast<int>(size) - std::popcount(meet.maybe));
  for (size_t i = 0; i < size; ++i) {
    const bool maybe = (meet.maybe >> i & 1) != 0;
    if ((meet.yes >> i & 1) == 0 &&
        !(maybe &&
          Overlaps(pairs.First(i), pairs.Second(i), counters.arithmetic()))) {
      continue;
    }
    if (Add(batch.ids(i), counters) == Step::kStop) {
      counters.TestTriangles(0, std::popcount(meet.maybe >> i >> 1));
      return Step::kStop;
    }
  }
  return Step::kContinue;
}

template <typename Counters>
Step RunOverlap(const PairScope& scope, FoundPairs<TrianglePair>* found,
                const std::atomic<bool>* cancelled, FirstFound* first,
                Counters& counters) {
  OverlapQuery query(scope, found, cancelled);
  const Step step = SearchPairs(scope, query, counters);
  *first = query.found();
  if (scope.a.tree().parts() != nullptr || scope.b.tree().parts() != nullptr) {
    first->nodes = {};
  }
  return step;
}

Step OverlapLoop(const PairScope& scope, FoundPairs<TrianglePair>* found,
                 const std::atomic<bool>* cancelled, FirstFound* first) {
  NoCounters none;
  return RunOverlap(scope, found, cancelled, first, none);
}

#if HWY_ONCE
Step CountedOverlapLoop(const PairScope& scope, FoundPairs<TrianglePair>* found,
                        const std::atomic<bool>* cancelled, FirstFound* first,
                        Counters& counters) {
  return RunOverlap(scope, found, cancelled, first, counters);
}
#endif

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(OverlapLoop);

namespace {

Step Search(const PairScope& scope, FoundPairs<TrianglePair>* found,
            const std::atomic<bool>* cancelled, FirstFound* first,
            TraversalStatistics* statistics) {
  if (scope.self == nullptr && BoxGap(scope.a, scope.b) > 0) {
    return Step::kContinue;
  }
  if (statistics == nullptr) {
    return ORBOX_DYNAMIC_DISPATCH(OverlapLoop)(scope, found, cancelled, first);
  }
  Counters counters(statistics, scope.part.below.depth);
  const Step step = HWY_NAMESPACE::CountedOverlapLoop(scope, found, cancelled,
                                                      first, counters);
  counters.Finish();
  return step;
}

}  // namespace

FirstFound FindFirstOverlap(const PairScope& scope,
                            TraversalStatistics* statistics,
                            const std::atomic<bool>* cancelled) {
  FirstFound first;
  Search(scope, nullptr, cancelled, &first, statistics);
  return first;
}

Step FindOverlaps(const PairScope& scope, PairSink<TrianglePair>& sink,
                  TraversalStatistics* statistics) {
  FoundPairs<TrianglePair> found(sink);
  FirstFound unused;
  const Step step = Search(scope, &found, nullptr, &unused, statistics);
  return step == Step::kStop ? step : found.Flush();
}

}  // namespace orbox
#endif  // HWY_ONCE
