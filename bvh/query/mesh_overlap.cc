#include "orbox/bvh/query/mesh_overlap.h"

#include <bit>
#include <cstddef>
#include <cstdint>

#include "orbox/bvh/query/pairs_below.h"
#include "orbox/bvh/query/sort_pairs.h"
#include "orbox/overlap/triangle_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/mesh_overlap.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/pair_batch-inl.h"
#include "orbox/bvh/traverse/counters.h"
#include "orbox/bvh/traverse/two_trees-inl.h"
#include "orbox/overlap/triangle_meet_double-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Collects the pairs that meet, or stops at the first. Where all are sought,
// those that float leaves open are decided several at a time.
class OverlapQuery {
 public:
  static constexpr Order kOrder = Order::kDeepestFirst;

  OverlapQuery(std::vector<TrianglePair>* pairs, Step after_one)
      : pairs_(*pairs), after_one_(after_one) {}

  double bound() const { return 0; }

  template <typename Counters>
  Step Offer(TrianglePair ids, const Triangle& a, const Triangle& b,
             Counters& counters) {
    if (after_one_ == Step::kContinue) {
      if (open_.Add(ids, a, b)) DecideOpen(counters);
      return Step::kContinue;
    }
    if (!Overlaps(a, b, counters.arithmetic())) return Step::kContinue;
    return OfferMeeting(ids, counters);
  }

  template <typename Counters>
  Step OfferMeeting(TrianglePair ids, Counters& counters) {
    counters.Contribute();
    pairs_.push_back(ids);
    return after_one_;
  }

  // Counters have to hear at once which subtree a pair came from.
  template <typename Counters>
  Step FinishLeaves(Counters& counters) {
    if constexpr (Counters::kCounting) DecideOpen(counters);
    return Step::kContinue;
  }

  // What was left open so far.
  template <typename Counters>
  HWY_NOINLINE void DecideOpen(Counters& counters) {
    if (open_.size() == 0) return;
    const MeetLanes meet = TrianglesMeet(open_.columns(), open_.size());
    counters.CountDouble(static_cast<int>(open_.size()) -
                         std::popcount(meet.maybe));
    for (size_t i = 0; i < open_.size(); ++i) {
      const uint32_t bit = 1u << i;
      if ((meet.yes & bit) != 0 ||
          ((meet.maybe & bit) != 0 &&
           Overlaps(open_.columns().First(i), open_.columns().Second(i),
                    counters.arithmetic()))) {
        OfferMeeting(open_.ids(i), counters);
      }
    }
    open_.Clear();
  }

 private:
  std::vector<TrianglePair>& pairs_;
  Step after_one_;
  PairBatch open_;
};

void OverlapLoop(const PosedTree& a, const PosedTree& b,
                 const SubtreePair& below, Step after_one,
                 std::vector<TrianglePair>* pairs,
                 TraversalStatistics* statistics) {
  OverlapQuery query(pairs, after_one);
  RunCounted(
      statistics,
      [&]<typename Counters>(Counters& counters) HWY_ATTR {
        TwoTrees<OverlapQuery, Counters>(a, b, query, counters)
            .TraverseBelow(below);
        query.DecideOpen(counters);
      },
      below.depth);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(OverlapLoop);

std::optional<TrianglePair> FirstOverlappingPair(
    const PosedTree& a, const PosedTree& b, TraversalStatistics* statistics) {
  std::vector<TrianglePair> first;
  ORBOX_DYNAMIC_DISPATCH(OverlapLoop)
  (a, b, {}, Step::kStop, &first, statistics);
  if (first.empty()) return std::nullopt;
  return first.front();
}

bool MeshesOverlap(const PosedTree& a, const PosedTree& b,
                   TraversalStatistics* statistics) {
  return FirstOverlappingPair(a, b, statistics).has_value();
}

std::vector<TrianglePair> OverlappingPairs(const PosedTree& a,
                                           const PosedTree& b,
                                           TraversalStatistics* statistics) {
  std::vector<TrianglePair> pairs;
  OverlappingPairsBelow(a, b, {}, &pairs, statistics);
  SortPairs(&pairs);
  return pairs;
}

void OverlappingPairsBelow(const PosedTree& a, const PosedTree& b,
                           const SubtreePair& below,
                           std::vector<TrianglePair>* pairs,
                           TraversalStatistics* statistics) {
  ORBOX_DYNAMIC_DISPATCH(OverlapLoop)
  (a, b, below, Step::kContinue, pairs, statistics);
}

}  // namespace orbox
#endif  // HWY_ONCE
