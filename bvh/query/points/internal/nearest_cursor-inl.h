// SPDX-License-Identifier: Apache-2.0

// Search for nearest triangles that can be interrupted after any step and
// continued later. Visits the nearest child first and pushes its siblings on a
// stack.
//
//   NearestCursor<Pace::kAlone, NoCounters> cursor(space, p, max_distance,
//                                                  query, wanted);
//   SearchPosition at;
//   do {
//     while (!at.is_leaf() && cursor.Expand(at, memory, counters)) {}
//     if (at.is_leaf()) cursor.VisitLeaf(at, memory, counters);
//   } while (cursor.Pop(at, memory, counters));
//   cursor.PassCandidates(at, measuring, counters);
//
// A leaf's float row bounds each distance from both sides. Only the upper
// bounds shrink the search, to the lowest or to the k-th lowest of them.
// Candidates are stored in a list. PassCandidates measures those that are still
// within the bound, in double and eight at a time, and passes them to a sink.
// It includes triangles exactly at the bound. It excludes triangles beyond the
// largest distance, even if their distance rounds to it. Private; compiled once
// per instruction set.
#if defined(ORBOX_BVH_QUERY_POINTS_INTERNAL_NEAREST_CURSOR_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_QUERY_POINTS_INTERNAL_NEAREST_CURSOR_INL_H_
#undef ORBOX_BVH_QUERY_POINTS_INTERNAL_NEAREST_CURSOR_INL_H_
#else
#define ORBOX_BVH_QUERY_POINTS_INTERNAL_NEAREST_CURSOR_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "hwy/highway.h"
#include "orbox/bvh/query/points/internal/lowest_uppers-inl.h"
#include "orbox/bvh/query/points/internal/nearest_measuring-inl.h"
#include "orbox/bvh/query/points/internal/nearest_search.h"
#include "orbox/bvh/traverse/internal/child_stack-inl.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/point_in_tree-inl.h"
#include "orbox/bvh/traverse/internal/tree_memory-inl.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Position of a search in the tree. Separate from the cursor, so that a search
// that runs alone keeps it in registers.
struct SearchPosition : TreePosition {
  size_t pending = 0;  // number of candidates in the list
};

// Up to this many nearest triangles, the cursor contains the lists. Only a
// search that runs alone may want more.
inline constexpr size_t kFewWanted = 64;

template <Pace kPace, typename Counters, size_t kListed = kFewWanted>
class alignas(64) NearestCursor {
 public:
  // `error` is that of the tree's contents (point_in_tree-inl.h).
  NearestCursor(const TreeSpace& space, const Vec3& p, double max_distance,
                uint32_t query, size_t wanted, double error = 0);
  // Not copyable: it has pointers to itself.
  NearestCursor(const NearestCursor&) = delete;
  NearestCursor& operator=(const NearestCursor&) = delete;

  // Starts a new search. Requires that at most kListed triangles are wanted.
  HWY_INLINE void Start(const PointInTree& point, uint32_t query) {
    point_ = point;
    query_ = query;
    if constexpr (kListed > 1) uppers_.Clear();
  }

  uint32_t query() const { return query_; }

  // Returns true if the list is full. Then PassCandidates or DropFar has to be
  // called before the next leaf.
  bool is_full(const SearchPosition& at) const {
    return at.pending + kLanes > capacity_;
  }

  // Test computes the keys of a node's children, which Expand needs in a search
  // that runs among others. Expand moves to the nearest child. It returns false
  // if none is near enough.
  void Test(const SearchPosition& at, const TreeMemory& memory);
  bool Expand(SearchPosition& at, const TreeMemory& memory, Counters& counters);

  // Tests the triangles of the leaf.
  void VisitLeaf(SearchPosition& at, const TreeMemory& memory,
                 Counters& counters);
  // Runs VisitLeaf for two searches, in alternating steps.
  static void VisitTwoLeaves(NearestCursor& x, SearchPosition& at_x,
                             NearestCursor& y, SearchPosition& at_y,
                             const TreeMemory& memory, Counters& counters);

  // Pops the next child from the stack and moves to it. Returns false if none
  // is near enough.
  bool Pop(SearchPosition& at, const TreeMemory& memory, Counters& counters);

  // Passes the remaining candidates on. A search that runs alone measures them
  // immediately.
  void PassCandidates(SearchPosition& at, Measuring<kPace>& measuring,
                      Counters& counters);

  // Removes candidates that are too far away. Afterwards, a search that runs
  // alone may only call PassCandidates.
  void DropFar(SearchPosition& at, Counters& counters);

  // Shrinks the search to this distance.
  void ShrinkToDistance(double distance) { point_.ShrinkToDistance(distance); }

 private:
  static constexpr bool kAlone = kPace == Pace::kAlone;
  static constexpr uint32_t kLeafBit = SearchPosition::kLeafBit;
  // Far more than the number of triangles around most vertices.
  static constexpr size_t kFewPending = kAlone ? 256 : 64;
  // Limit of the list for a very large k, so that the list fits into a cache.
  static constexpr size_t kManyPending = 16'384;

  // Bounds of the distances of a leaf's triangles.
  struct LeafDistances {
    PointGuess8 guess;
    F8 lower;
    F8 upper;
  };

  HWY_INLINE LaneTest Tested(const Node& node) const {
    return point_.template Test<AnswerKind::kExact, AnswerKind::kExact>(node);
  }
  void AddCandidates(SearchPosition& at, const Leaf& leaf,
                     const LeafDistances& bounds, const TreeMemory& memory,
                     Counters& counters);

  // Adds the upper bounds of `lanes`. Returns true if the bound of the search
  // becomes lower.
  HWY_INLINE bool ShrinkTo(const F8& upper, uint32_t lanes) {
    if (kAlone && HWY_LIKELY(wanted_ == 1)) {
      return point_.ShrinkTo(LowestValue(upper));
    }
    return point_.ShrinkTo(uppers_.Add(upper, lanes));
  }

  const size_t wanted_;
  PointInTree point_;
  uint32_t query_;

  // Result of Test for the current node.
  alignas(32) float tested_keys_[kLanes];
  uint32_t tested_ = 0;

  ChildStack<Counters> stack_;

  // Unused if one triangle is wanted.
  LowestUppers<kListed, kAlone> uppers_;

  // Candidates: lower bounds of their distances, and slots. A slot is a lane of
  // a leaf.
  float few_lowers_[kFewPending + kLanes];
  uint32_t few_slots_[kFewPending + kLanes];
  std::vector<float> many_lowers_;
  std::vector<uint32_t> many_slots_;
  float* lowers_ = few_lowers_;
  uint32_t* slots_ = few_slots_;
  size_t capacity_ = kFewPending;
};

// Implementation.

template <Pace kPace, typename Counters, size_t kListed>
NearestCursor<kPace, Counters, kListed>::NearestCursor(
    const TreeSpace& space, const Vec3& p, double max_distance, uint32_t query,
    size_t wanted, double error)
    : wanted_(wanted), point_(space, p, error), query_(query), uppers_(wanted) {
  point_.SetRadius(max_distance);
  if (wanted > kListed) {
    many_lowers_.resize(std::min(4 * wanted, kManyPending) + kLanes);
    many_slots_.resize(many_lowers_.size());
    lowers_ = many_lowers_.data();
    slots_ = many_slots_.data();
    capacity_ = many_slots_.size() - kLanes;
  }
}

template <Pace kPace, typename Counters, size_t kListed>
HWY_INLINE void NearestCursor<kPace, Counters, kListed>::Test(
    const SearchPosition& at, const TreeMemory& memory) {
  Node room;
  const LaneTest test = Tested(memory.ReadNode(at.child, room));
  Store8(test.key, tested_keys_);
  tested_ = test.accepted;
}

template <Pace kPace, typename Counters, size_t kListed>
HWY_INLINE bool NearestCursor<kPace, Counters, kListed>::Expand(
    SearchPosition& at, const TreeMemory& memory, Counters& counters) {
  Node room;
  const Node& node = memory.ReadNode(at.child, room);
  counters.VisitNode(node.kind);
  const LaneTest test =
      kAlone ? Tested(node) : LaneTest{tested_, tested_, Load8(tested_keys_)};
  const uint32_t used = LanesBelow(node.count);
  const uint32_t accepted = test.accepted & used;
  counters.TestVolumes(node.kind, used, accepted, test.exact,
                       used & ~LanesBelow(node.inner_count));
  if (kAlone && accepted == 0) return false;
  const uint32_t next = LowestLaneRoughly(test.key);
  const uint32_t rest =
      stack_.Push(node, test.key, accepted, next, at, counters);
  at.child = ChildOf(node, next, kLeafBit);
  if constexpr (!kAlone) {
    memory.PrefetchChild(at.child, kLeafBit);
  } else if (rest != 0) {
    memory.PrefetchChild(stack_.last(at), kLeafBit);
  }
  return accepted != 0;
}

template <Pace kPace, typename Counters, size_t kListed>
HWY_INLINE void NearestCursor<kPace, Counters, kListed>::VisitLeaf(
    SearchPosition& at, const TreeMemory& memory, Counters& counters) {
  Leaf room;
  const Leaf& leaf = memory.ReadLeaf(at.leaf(), room);
  const PointGuess8 guess =
      GuessDistances(point_.lanes(), LoadTriangles(leaf.rows), point_.error());
  AddCandidates(at, leaf, {guess, guess.Lower(), guess.Upper()}, memory,
                counters);
}

template <Pace kPace, typename Counters, size_t kListed>
HWY_INLINE void NearestCursor<kPace, Counters, kListed>::VisitTwoLeaves(
    NearestCursor& x, SearchPosition& at_x, NearestCursor& y,
    SearchPosition& at_y, const TreeMemory& memory, Counters& counters) {
  Leaf room_x;
  Leaf room_y;
  const Leaf& leaf_x = memory.ReadLeaf(at_x.leaf(), room_x);
  const Leaf& leaf_y = memory.ReadLeaf(at_y.leaf(), room_y);
  const PointGuessOf<F16> guess = GuessDistances(
      Joined(x.point_.lanes(), y.point_.lanes()),
      Joined(LoadTriangles(leaf_x.rows), LoadTriangles(leaf_y.rows)),
      Joined(Set8(x.point_.error()), Set8(y.point_.error())));
  const F16 lower = guess.Lower();
  const F16 upper = guess.Upper();
  const auto bounds_of = [&]<size_t kRow>() HWY_ATTR {
    return LeafDistances{
        {{RowOf<kRow>(guess.length), RowOf<kRow>(guess.shadow)},
         RowOf<kRow>(guess.slack),
         RowOf<kRow>(guess.upper_slack)},
        RowOf<kRow>(lower),
        RowOf<kRow>(upper)};
  };
  x.AddCandidates(at_x, leaf_x, bounds_of.template operator()<0>(), memory,
                  counters);
  y.AddCandidates(at_y, leaf_y, bounds_of.template operator()<1>(), memory,
                  counters);
}

template <Pace kPace, typename Counters, size_t kListed>
HWY_INLINE void NearestCursor<kPace, Counters, kListed>::AddCandidates(
    SearchPosition& at, const Leaf& leaf, const LeafDistances& bounds,
    const TreeMemory& memory, Counters& counters) {
  const uint32_t index = at.leaf();
  counters.VisitLeaf();
  const uint32_t used = UsedLanes(leaf);
  uint32_t maybe = used;
  F8 lower = Zero8();
  // From far away, float bounds are useless.
  if (HWY_LIKELY(!point_.is_far())) {
    lower = bounds.lower;
    if constexpr (kListed == 1) {
      point_.ShrinkToLowest(LowestValue(bounds.upper));
    }
    maybe &= ~Bits(bounds.guess.IsBeyond(point_.radius()));
    if (kListed > 1 && maybe != 0 && ShrinkTo(bounds.upper, maybe)) {
      counters.Contribute();
      maybe &= ~Bits(bounds.guess.IsBeyond(point_.radius()));
    }
  }
  counters.TestTriangles(std::popcount(used),
                         std::popcount(used) - std::popcount(maybe));
  if (kAlone && maybe == 0) return;
  const size_t pending = at.pending;
  CompressStore8(lower, maybe, lowers_ + pending);
  CompressStore8(Iota8() + Set8(index * kLanes), maybe, slots_ + pending);
  if constexpr (kAlone && HWY_TARGET != HWY_EMU128) {
    // Usually there are one or two candidates. Except on that target, whole
    // registers are stored, so the slots behind the candidates are valid memory
    // to prefetch.
    memory.PrefetchTriangle(slots_[pending]);
    memory.PrefetchTriangle(slots_[pending + 1]);
  }
  at.pending = pending + static_cast<size_t>(std::popcount(maybe));
}

template <Pace kPace, typename Counters, size_t kListed>
HWY_INLINE bool NearestCursor<kPace, Counters, kListed>::Pop(
    SearchPosition& at, const TreeMemory& memory, Counters& counters) {
  const float limit = point_.squared_limit();
  // The k-th bound takes long to compute.
  const bool is_near = kAlone && wanted_ > 1
                           ? stack_.PopOneByOne(limit, at, counters)
                           : stack_.PopWithin(limit, at, counters);
  if (!is_near) return false;
  if constexpr (!kAlone) memory.PrefetchChild(at.child, kLeafBit);
  return true;
}

template <Pace kPace, typename Counters, size_t kListed>
HWY_INLINE void NearestCursor<kPace, Counters, kListed>::DropFar(
    SearchPosition& at, Counters& counters) {
  size_t kept = 0;
  for (size_t i = 0; i < at.pending; ++i) {
    // In place: `kept` is at most i.
    slots_[kept] = slots_[i];
    const float lower = lowers_[i];
    if constexpr (!kAlone) lowers_[kept] = lower;
    kept += lower > point_.radius() ? 0 : 1;
  }
  counters.TestTriangles(0, static_cast<int>(at.pending - kept));
  at.pending = kept;
}

template <Pace kPace, typename Counters, size_t kListed>
HWY_INLINE void NearestCursor<kPace, Counters, kListed>::PassCandidates(
    SearchPosition& at, Measuring<kPace>& measuring, Counters& counters) {
  if constexpr (kAlone) {
    DropFar(at, counters);
    measuring.MeasureAlone(query_, slots_, at.pending);
    at.pending = 0;
    return;
  }
  const F8 radius = Set8(point_.radius());
  for (size_t i = 0; i < at.pending; i += kLanes) {
    const auto count =
        static_cast<uint32_t>(std::min<size_t>(at.pending - i, kLanes));
    const uint32_t lanes =
        ~Bits(radius < LoadU8(lowers_ + i)) & LanesBelow(count);
    counters.TestTriangles(0, static_cast<int>(count) - std::popcount(lanes));
    measuring.Add(query_, LoadU8(slots_ + i), lanes);
  }
  at.pending = 0;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_QUERY_POINTS_INTERNAL_NEAREST_CURSOR_INL_H_
