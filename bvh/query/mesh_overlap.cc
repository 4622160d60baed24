#include "orbox/bvh/query/mesh_overlap.h"

#include <bit>
#include <cstddef>

#include "orbox/bvh/query/internal/pairs_below.h"
#include "orbox/bvh/query/internal/sort_pairs.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/mesh_overlap.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/two_trees-inl.h"
#include "orbox/overlap/triangles/internal/triangle_meet_double-inl.h"

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
  // Which pair is the first depends on the order.
  bool may_wait() const { return after_one_ == Step::kContinue; }

  template <typename Counters>
  Step Offer(TrianglePair ids, const Triangle& a, const Triangle& b,
             Counters& counters) {
    if (!Overlaps(a, b, counters.arithmetic())) return Step::kContinue;
    return OfferMeeting(ids, counters);
  }

  template <typename Counters>
  Step OfferMeeting(TrianglePair ids, Counters& counters) {
    counters.Contribute();
    pairs_.push_back(ids);
    return after_one_;
  }

  template <typename Counters>
  HWY_NOINLINE Step OfferBatch(const PairBatch& batch, Counters& counters) {
    const PairColumns& pairs = batch.columns();
    const MeetLanes meet = TrianglesMeet(pairs, batch.size());
    counters.CountDouble(static_cast<int>(batch.size()) -
                         std::popcount(meet.maybe));
    for (size_t i = 0; i < batch.size(); ++i) {
      const bool maybe = (meet.maybe >> i & 1) != 0;
      if ((meet.yes >> i & 1) != 0 ||
          (maybe &&
           Overlaps(pairs.First(i), pairs.Second(i), counters.arithmetic()))) {
        OfferMeeting(batch.ids(i), counters);
      }
    }
    return Step::kContinue;
  }

 private:
  std::vector<TrianglePair>& pairs_;
  Step after_one_;
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
