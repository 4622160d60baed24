#include "orbox/bvh/query/internal/interleaved_nearest.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "orbox/overlap/triangles/triangle_distance.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/internal/interleaved_nearest.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/point_query-inl.h"
#include "orbox/bvh/traverse/internal/tree_memory-inl.h"
#include "orbox/overlap/triangles/internal/point_distances-inl.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Queries under way at a time: what is in use of their stacks fits the first
// cache, and the loops over them are long enough to be predicted.
inline constexpr size_t kSlots = 16;

// Some of the slots, in any order.
struct SlotList {
  uint8_t slots[kSlots];
  size_t count = 0;

  void Add(size_t slot) { slots[count++] = static_cast<uint8_t>(slot); }
};

// Triangles that may be the closest ones of their queries, on their way to be
// measured, and the results.
class Measuring {
 public:
  Measuring(const Tree& tree, std::span<const Vec3> points, double max_distance,
            std::span<std::optional<SurfacePoint>> results)
      : memory_(tree),
        points_(points),
        max_distance_(max_distance),
        results_(results) {}

  // Those `lanes` of eight slots: a slot is a lane of a leaf.
  HWY_INLINE void Add(uint32_t query, const U8& slots, uint32_t lanes) {
    if (count_ > kCapacity) MeasureAll();
    CompressStore8(slots, lanes, slots_ + count_);
    CompressStore8(Set8(query), lanes, queries_ + count_);
    count_ += static_cast<size_t>(std::popcount(lanes));
  }

  void MeasureAll() {
    for (size_t i = 0; i < count_; ++i) {
      memory_.PrefetchTriangle(slots_[i]);
    }
    for (size_t i = 0; i < count_; i += kColumns) {
      Measure(i, std::min(kColumns, count_ - i));
    }
    count_ = 0;
  }

 private:
  void Measure(size_t first, size_t count) {
    TriangleColumns columns;
    PointColumns points;
    for (size_t i = 0; i < count || i % kDoubleLanes != 0; ++i) {
      const size_t k = first + (i < count ? i : 0);
      columns.Set(i, memory_.TriangleOf(slots_[k]));
      points.Set(i, points_[queries_[k]]);
    }
    DistanceColumns distances;
    const uint32_t certified =
        CertifiedDistances(points, columns, count, &distances);
    for (size_t i = 0; i < count; ++i) {
      const uint32_t query = queries_[first + i];
      const uint32_t slot = slots_[first + i];
      Keep(query, slot,
           (certified >> i & 1) != 0
               ? distances.Get(i)
               : Distance(points_[query], memory_.TriangleOf(slot)));
    }
  }

  HWY_INLINE void Keep(uint32_t query, uint32_t slot,
                       const PointTriangleDistance& d) {
    const uint32_t triangle = memory_.IdOf(slot);
    std::optional<SurfacePoint>& best = results_[query];
    if (!(d.distance <= max_distance_)) return;
    // Some that are further round to it.
    if (d.distance == max_distance_ &&
        !WithinDistance(points_[query], memory_.TriangleOf(slot),
                        max_distance_)) {
      return;
    }
    if (best.has_value() &&
        (d.distance > best->distance ||
         (d.distance == best->distance && triangle > best->triangle))) {
      return;
    }
    best = {triangle, d.distance, d.closest};
  }

  // Many registers full, and so few that all they need stays in the cache.
  static constexpr size_t kCapacity = 64;

  const TreeMemory memory_;
  const std::span<const Vec3> points_;
  const double max_distance_;
  const std::span<std::optional<SurfacePoint>> results_;
  uint32_t queries_[kCapacity + 2 * kLanes];
  uint32_t slots_[kCapacity + 2 * kLanes];
  size_t count_ = 0;
};

// A query under way; TraverseNearestFirst, cut into steps.
class alignas(64) Slot {
 public:
  explicit Slot(const TreeSpace& space) : point_(space, {}) {
    Store8(Set8(std::numeric_limits<float>::quiet_NaN()), key_row_);
  }

  void Start(const PointInTree& point, uint32_t query) {
    point_ = point;
    query_ = query;
    child_ = Tree::kRoot;
    top_ = 0;
    pending_count_ = 0;
  }

  uint32_t child() const { return child_; }

  // Opens the node that is the child; false where nothing of it is near enough.
  HWY_INLINE bool Open(const TreeMemory& memory) {
    Node room;
    const Node& node = memory.ReadNode(child_, room);
    const LaneTest test =
        point_.template Test<VolumeTest::kExact, VolumeTest::kExact>(node);
    const uint32_t accepted = test.accepted & LanesBelow(node.count);
    const uint32_t next = LowestLaneRoughly(test.key, accepted) & 7;
    const uint32_t rest = accepted & ~(1u << next);
    float* const keys = key_row_ + kLanes;
    CompressStore8(test.key, rest, keys + top_);
    CompressStore8(ChildrenOf(node, kLeafBit), rest, children_ + top_);
    top_ += std::popcount(rest);
    child_ = ChildOf(node, next, kLeafBit);
    memory.PrefetchChild(child_, kLeafBit);
    return accepted != 0;
  }

  // Looks at the triangles of the leaf that is the child.
  HWY_INLINE void Look(const TreeMemory& memory, Measuring& measuring) {
    Leaf room;
    const Leaf& leaf = memory.ReadLeaf(child_ & ~kLeafBit, room);
    const PointGuess8 guess = GuessDistances(
        point_.lanes(), LoadTriangles(leaf.rows), point_.error());
    point_.ShrinkToLowest(LowestValue(guess.Upper()));
    const uint32_t maybe =
        UsedLanes(leaf) & ~Bits(guess.IsBeyond(point_.radius()));
    if (pending_count_ > kPending) Hand(measuring);
    CompressStore8(guess.Lower(), maybe, lowers_ + pending_count_);
    const uint32_t first = (child_ & ~kLeafBit) * kLanes;
    CompressStore8(Iota8() + Set8(first), maybe, slots_ + pending_count_);
    pending_count_ += static_cast<size_t>(std::popcount(maybe));
  }

  // Takes the next child from the stack; false where none is near enough.
  HWY_INLINE bool Pop(const TreeMemory& memory) {
    const F8 limit = Set8(point_.squared_limit());
    const float* const keys = key_row_ + kLanes;
    uint32_t near = 0;
    while (near == 0 && top_ > 0) {
      near = Bits(LoadU8(keys + top_ - kLanes) <= limit);
      top_ -= kLanes;
    }
    if (near == 0) return false;
    top_ += std::bit_width(near) - 1;
    child_ = children_[top_];
    memory.PrefetchChild(child_, kLeafBit);
    return true;
  }

  // Hands on what may be closest.
  HWY_INLINE void Hand(Measuring& measuring) {
    const F8 radius = Set8(point_.radius());
    for (size_t i = 0; i < pending_count_; i += kLanes) {
      const size_t count = std::min<size_t>(pending_count_ - i, kLanes);
      const uint32_t lanes = Bits(LoadU8(lowers_ + i) <= radius) &
                             LanesBelow(static_cast<uint32_t>(count));
      measuring.Add(query_, LoadU8(slots_ + i), lanes);
    }
    pending_count_ = 0;
  }

  static constexpr uint32_t kLeafBit = uint32_t{1} << 31;

 private:
  static constexpr size_t kPending = 64;

  PointInTree point_;
  uint32_t query_ = 0;
  uint32_t child_ = 0;
  int top_ = 0;
  size_t pending_count_ = 0;
  alignas(32) float key_row_[kLanes + kStackCapacity];
  uint32_t children_[kStackCapacity];
  float lowers_[kPending + 2 * kLanes];
  uint32_t slots_[kPending + 2 * kLanes];
};

// All slots that are about to do the same do it one after another, so that the
// loops run straight on; what a slot does next is a list to go to, no branch.
class Interleaved {
 public:
  Interleaved(const Tree& tree, std::span<const Vec3> points,
              std::span<const uint32_t> order, double max_distance,
              std::span<std::optional<SurfacePoint>> results)
      : tree_(tree),
        points_(points),
        order_(order),
        max_distance_(max_distance),
        results_(results),
        measuring_(tree, points, max_distance, results) {
    // Not copied: most of a slot is room that is not in use yet.
    slots_.reserve(kSlots);
    for (size_t i = 0; i < kSlots; ++i) slots_.emplace_back(tree.space());
  }

  HWY_INLINE void Run() {
    const TreeMemory memory(tree_);
    for (size_t slot = 0; slot < kSlots; ++slot) StartNext(slot);
    while (lists_[kOpen].count + lists_[kLook].count != 0) {
      const SlotList open = std::exchange(lists_[kOpen], {});
      const SlotList look = std::exchange(lists_[kLook], {});
      for (size_t i = 0; i < open.count; ++i) {
        const size_t slot = open.slots[i];
        const bool goes_on = slots_[slot].Open(memory);
        const size_t step = size_t{goes_on} * StepOf(slot);
        lists_[step + size_t{!goes_on} * kPop].Add(slot);
      }
      for (size_t i = 0; i < look.count; ++i) {
        slots_[look.slots[i]].Look(memory, measuring_);
        lists_[kPop].Add(look.slots[i]);
      }
      const SlotList pop = std::exchange(lists_[kPop], {});
      for (size_t i = 0; i < pop.count; ++i) {
        const size_t slot = pop.slots[i];
        if (slots_[slot].Pop(memory)) {
          lists_[StepOf(slot)].Add(slot);
        } else {
          slots_[slot].Hand(measuring_);
          StartNext(slot);
        }
      }
    }
    measuring_.MeasureAll();
  }

 private:
  enum : size_t { kOpen = 0, kLook = 1, kPop = 2 };

  size_t StepOf(size_t slot) const {
    return slots_[slot].child() / Slot::kLeafBit;
  }

  void StartNext(size_t slot) {
    while (next_ < order_.size()) {
      const uint32_t query = order_[next_++];
      const Vec3& p = points_[query];
      PointInTree point(tree_.space(), p);
      if (!IsFinite(p) || point.is_far()) {
        results_[query] = ClosestPoint(tree_, p, max_distance_);
        continue;
      }
      point.SetRadius(max_distance_);
      slots_[slot].Start(point, query);
      lists_[kOpen].Add(slot);
      return;
    }
  }

  const Tree& tree_;
  const std::span<const Vec3> points_;
  const std::span<const uint32_t> order_;
  const double max_distance_;
  const std::span<std::optional<SurfacePoint>> results_;
  Measuring measuring_;
  std::vector<Slot> slots_;
  SlotList lists_[3];
  size_t next_ = 0;
};

void InterleavedLoop(const Tree& tree, std::span<const Vec3> points,
                     std::span<const uint32_t> order, double max_distance,
                     std::span<std::optional<SurfacePoint>> results) {
  Interleaved(tree, points, order, max_distance, results).Run();
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(InterleavedLoop);

void ClosestPointsInterleaved(const Tree& tree, std::span<const Vec3> points,
                              std::span<const uint32_t> order,
                              double max_distance,
                              std::span<std::optional<SurfacePoint>> results) {
  if (!(max_distance >= 0)) return;
  ORBOX_DYNAMIC_DISPATCH(InterleavedLoop)
  (tree, points, order, max_distance, results);
}

}  // namespace orbox
#endif  // HWY_ONCE
