// The query of one_tree-inl.h that looks for nearest triangles, whatever keeps
// them: one best, or k of them.
//
//   struct Keeper {
//     size_t wanted() const;       // how many are sought
//     double bound() const;        // triangles beyond it do not interest
//     // Whether the bound may be lower now.
//     bool Offer(uint32_t id, const PointTriangleDistance& d);
//   };
//
//   TraverseTree(tree, query, counters);
//   query.Settle();
//
// A leaf's float row bounds each distance from both sides. The upper bounds
// alone shrink the search, to the lowest or to the k-th lowest of them, and who
// was in question is written down; only those that still are in the end are
// measured in double. Triangles at exactly the bound are offered, so that the
// keeper can break ties by the id; but none that is beyond the first bound,
// which its distance only rounds to. Private; compiled once per instruction
// set.
#if defined(ORBOX_BVH_QUERY_INTERNAL_NEAREST_LEAF_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_QUERY_INTERNAL_NEAREST_LEAF_INL_H_
#undef ORBOX_BVH_QUERY_INTERNAL_NEAREST_LEAF_INL_H_
#else
#define ORBOX_BVH_QUERY_INTERNAL_NEAREST_LEAF_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "hwy/highway.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/point_query-inl.h"
#include "orbox/bvh/traverse/internal/step.h"
#include "orbox/overlap/triangles/internal/point_distances-inl.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

template <typename Keeper, typename Counters>
class NearestQuery {
 public:
  static constexpr Order kOrder = Order::kNearestFirst;

  NearestQuery(const Tree& tree, const Vec3& p, Keeper& keeper,
               Counters& counters)
      : mesh_(tree.mesh()),
        memory_(tree),
        p_(p),
        point_(tree.space(), p),
        max_distance_(keeper.bound()),
        keeper_(keeper),
        counters_(counters) {
    point_.SetRadius(keeper_.bound());
    const size_t wanted = keeper_.wanted();
    if (wanted > kFewWanted) {
      uppers_.reserve(wanted);
      many_lowers_.resize(std::min(4 * wanted, kManyPending) + kLanes);
      many_slots_.resize(many_lowers_.size());
      lowers_ = many_lowers_.data();
      slots_ = many_slots_.data();
      pending_capacity_ = many_slots_.size() - kLanes;
    } else if (wanted > 1) {
      const F8 none = Set8(std::numeric_limits<float>::infinity());
      Store8(Zero8() - none, few_uppers_);
      for (size_t i = 0; i < wanted + kLanes; i += kLanes) {
        Store8(none, few_uppers_ + kLanes + i);
      }
    }
  }

  float limit() const { return point_.squared_limit(); }

  HWY_INLINE LaneTest Test(const Node& node) const {
    return point_.template Test<VolumeTest::kExact, VolumeTest::kExact>(node);
  }

  HWY_INLINE Step Visit(const Leaf& leaf, uint32_t index) {
    const uint32_t lanes = UsedLanes(leaf);
    if (point_.is_far()) {
      counters_.TestTriangles(std::popcount(lanes), 0);
      for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        Offer(leaf.ids[std::countr_zero(rest)]);
      }
      return Step::kContinue;
    }
    const PointGuess8 guess = GuessDistances(
        point_.lanes(), LoadTriangles(leaf.rows), point_.error());
    uint32_t maybe = lanes & ~Bits(guess.IsBeyond(point_.radius()));
    if (maybe != 0 && ShrinkTo(guess.Upper(), maybe)) {
      counters_.Contribute();
      maybe &= ~Bits(guess.IsBeyond(point_.radius()));
    }
    counters_.TestTriangles(std::popcount(lanes),
                            std::popcount(lanes) - std::popcount(maybe));
    if (maybe == 0) return Step::kContinue;
    if (pending_count_ + kLanes > pending_capacity_) Settle();
    CompressStore8(guess.Lower(), maybe, lowers_ + pending_count_);
    CompressStore8(Iota8() + Set8(index * kLanes), maybe,
                   slots_ + pending_count_);
    // There are most often one or two. Behind them lies some slot.
    memory_.PrefetchTriangle(slots_[pending_count_]);
    memory_.PrefetchTriangle(slots_[pending_count_ + 1]);
    pending_count_ += static_cast<size_t>(std::popcount(maybe));
    return Step::kContinue;
  }

  // Measures what is still in question.
  void Settle() {
    const size_t count = pending_count_;
    pending_count_ = 0;
    for (size_t i = 0; i < count; ++i) {
      // In place, since what remains is never ahead.
      lowers_[pending_count_] = lowers_[i];
      slots_[pending_count_] = slots_[i];
      pending_count_ += lowers_[i] > point_.radius() ? 0 : 1;
    }
    counters_.TestTriangles(0, static_cast<int>(count - pending_count_));
    for (size_t i = 0; i < pending_count_; ++i) {
      memory_.PrefetchTriangle(slots_[i]);
    }
    for (size_t i = 0; i < pending_count_; i += kColumns) {
      Measure(slots_ + i, std::min(kColumns, pending_count_ - i));
    }
    pending_count_ = 0;
  }

 private:
  // Up to so many, lists lie in the query itself.
  static constexpr size_t kFewWanted = 64;
  // Far more than the triangles around most vertices; where there are more, all
  // are measured, and the list begins anew.
  static constexpr size_t kFewPending = 4 * kFewWanted;
  // Where very many are sought, the list stays below the size of a cache.
  static constexpr size_t kManyPending = 16'384;

  // Takes notice of the upper bounds among `lanes`; tells whether they shrank
  // the search.
  HWY_INLINE bool ShrinkTo(const F8& upper, uint32_t lanes) {
    const size_t wanted = keeper_.wanted();
    if (wanted == 1) return point_.ShrinkTo(LowestValue(upper));
    alignas(32) float values[kLanes];
    Store8(upper, values);
    if (wanted > kFewWanted) return ShrinkToHeap(values, lanes);
    float* const best = few_uppers_ + kLanes;
    lanes &= Bits(upper < Set8(best[wanted - 1]));
    if (wanted <= 2 * kLanes) {
      // Few enough for two registers.
      const F8 lowest = Load8(few_uppers_);
      F8 low = Load8(best);
      F8 high = Load8(best + kLanes);
      for (; lanes != 0; lanes &= lanes - 1) {
        const F8 value = Set8(values[std::countr_zero(lanes)]);
        high = Max(ShiftIn8(low, high), Min(high, value));
        low = Max(ShiftIn8(lowest, low), Min(low, value));
      }
      Store8(low, best);
      Store8(high, best + kLanes);
    }
    for (; lanes != 0; lanes &= lanes - 1) {
      // Of an ascending list, what comes after a value moves up by one.
      const F8 value = Set8(values[std::countr_zero(lanes)]);
      F8 below = LoadU8(best - 1);
      for (size_t i = 0; i < wanted; i += kLanes) {
        const F8 row = Load8(best + i);
        const F8 next = LoadU8(best + i + kLanes - 1);
        Store8(Max(below, Min(row, value)), best + i);
        below = next;
      }
    }
    return point_.ShrinkTo(best[wanted - 1]);
  }

  // The same where the list is long: a heap with the highest on top.
  bool ShrinkToHeap(const float* values, uint32_t lanes) {
    for (; lanes != 0; lanes &= lanes - 1) {
      const float value = values[std::countr_zero(lanes)];
      if (uppers_.size() == keeper_.wanted()) {
        if (value >= uppers_.front()) continue;
        std::pop_heap(uppers_.begin(), uppers_.end());
        uppers_.back() = value;
      } else {
        uppers_.push_back(value);
      }
      std::push_heap(uppers_.begin(), uppers_.end());
    }
    return uppers_.size() == keeper_.wanted() &&
           point_.ShrinkTo(uppers_.front());
  }

  // Measures up to kColumns triangles in double, and one by one those that
  // need more.
  void Measure(const uint32_t* slots, size_t count) {
    TriangleColumns columns;
    for (size_t i = 0; i < count; ++i)
      columns.Set(i, memory_.TriangleOf(slots[i]));
    // Part of the last register is not in use.
    for (size_t i = count; i % kDoubleLanes != 0; ++i) {
      columns.Set(i, memory_.TriangleOf(slots[0]));
    }
    DistanceColumns distances;
    const uint32_t certified =
        CertifiedDistances(p_, columns, count, &distances);
    counters_.CountDouble(std::popcount(certified));
    for (size_t i = 0; i < count; ++i) {
      const uint32_t id = memory_.IdOf(slots[i]);
      if ((certified >> i & 1) != 0) {
        Keep(id, distances.Get(i));
      } else {
        Offer(id);
      }
    }
  }

  void Offer(uint32_t id) {
    Keep(id, Distance(p_, mesh_.triangle(id), counters_.arithmetic()));
  }

  HWY_INLINE void Keep(uint32_t id, const PointTriangleDistance& d) {
    if (d.distance == max_distance_ &&
        !WithinDistance(p_, mesh_.triangle(id), max_distance_,
                        counters_.arithmetic())) {
      return;
    }
    if (keeper_.Offer(id, d)) point_.ShrinkToDistance(keeper_.bound());
  }

  const Mesh& mesh_;
  const TreeMemory memory_;
  const Vec3 p_;
  PointInTree point_;
  const double max_distance_;
  Keeper& keeper_;
  Counters& counters_;

  // The lowest upper bounds so far, as many as are wanted: ascending, after a
  // row that is below everything, and before one that is never looked at; or a
  // heap. Unused where one triangle is wanted.
  alignas(32) float few_uppers_[kLanes + kFewWanted + 2 * kLanes];
  std::vector<float> uppers_;

  // Lower bounds of triangles that may be among those wanted, and which lane
  // of which leaf they are.
  float few_lowers_[kFewPending + kLanes];
  uint32_t few_slots_[kFewPending + kLanes];
  std::vector<float> many_lowers_;
  std::vector<uint32_t> many_slots_;
  float* lowers_ = few_lowers_;
  uint32_t* slots_ = few_slots_;
  size_t pending_count_ = 0;
  size_t pending_capacity_ = kFewPending;
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_QUERY_INTERNAL_NEAREST_LEAF_INL_H_
