// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>

#include "orbox/bvh/query/rays/internal/ray_search.h"
#include "orbox/overlap/triangles/ray_triangle.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/rays/internal/first_hit.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/rays/internal/first_hit_query-inl.h"
#include "orbox/bvh/query/rays/internal/ray_leaf-inl.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/interleaved-inl.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/ray_in_tree-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

std::optional<RayHit> FirstHitLoop(const TreeAtPose& tree, const Ray& ray,
                                   double max_t, const Watch& watch) {
  std::optional<RayHit> first;
  RunCounted(watch, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    FirstHitQuery<Counters, /*kIsAlone=*/true> query(tree, ray, max_t, counters,
                                                     first);
    TraverseTree(tree.tree(), query, counters);
    query.MeasurePending();
  });
  return first;
}

// Traces several rays interleaved, so that the memory of one ray is loaded
// while others compute. Rays are grouped into lists by their next step. All
// rays of a list run the same code with few branches. In a single ray,
// mispredicted branches take as long as the arithmetic.
class FirstHitsWalk {
 public:
  FirstHitsWalk(TreeAtPose tree, const FirstHitsBatch& batch,
                std::span<std::optional<RayHit>> results, const Watch& watch)
      : tree_(tree),
        memory_(tree.tree()),
        batch_(batch),
        results_(results),
        counters_(watch) {}

  void Run() {
    size_t turn = 0;
    for (size_t slot = 0; slot < kSlots; ++slot) {
      if (StartNext(slot)) at_[turn][kNode].Add(slot);
    }
    while (at_[turn][kNode].count + at_[turn][kLeaf].count != 0) {
      // Counts the leaf once for all rays.
      counters_.VisitLeaf();
      const List& leaves_now = at_[turn][kLeaf];
      List boxes_last[2];
      List details;
      Divide(at_[turn][kNode], &boxes_last, &details);
      const List& others = boxes_last[0];
      const List& boxes = boxes_last[1];
      for (size_t i = 0; i < boxes.count; ++i) Expand(slots_[boxes.slots[i]]);
      for (size_t i = 0; i < others.count; ++i) Expand(slots_[others.slots[i]]);
      for (size_t i = 0; i < leaves_now.count; ++i)
        VisitLeaf(slots_[leaves_now.slots[i]]);
      turn = 1 - turn;
      PopAll({&boxes, &others, &leaves_now, &details}, &at_[turn]);
    }
  }

 private:
  // Number of rays in progress. Enough to hide memory latency, few enough to
  // leave the first-level cache to the tree.
  static constexpr size_t kSlots = 16;
  static constexpr uint32_t kLeafBit = TreePosition::kLeafBit;
  // Next step of a ray.
  enum : size_t { kNode = 0, kLeaf = 1, kEnd = 2, kWays = 3 };

  using List = SlotList<kSlots>;

  // State of one ray; contains the fields of ChildStack and TreePosition.
  struct Slot {
    std::optional<FirstHitQuery<NoCounters, false>> query;
    uint32_t child;
    int top;
    // Two rows before the first key, which fail every comparison.
    alignas(32) float keys[2 * kLanes + kStackCapacity];
    uint32_t children[kStackCapacity];
  };

  // Returns false if no ray is left.
  HWY_INLINE bool StartNext(size_t slot) {
    const std::span<const uint32_t> order = batch_.order;
    if (next_ == order.size()) return false;
    const size_t n = next_++;
    const size_t ahead = std::min(n + kSlots, order.size() - 1);
    hwy::Prefetch(&batch_.rays[order[ahead]].origin.x);
    hwy::Prefetch(&batch_.rays[order[ahead]].direction.z);
    // Prefetches the result, too, because the loop checks if it is set.
    const std::optional<RayHit>* const result = &results_[order[ahead]];
    hwy::Prefetch(result);
    hwy::Prefetch(result + 1);
    const uint32_t ray = order[n];
    results_[ray].reset();
    Slot& s = slots_[slot];
    s.query.emplace(tree_, batch_.rays[ray],
                    batch_.bounds.empty()
                        ? batch_.rays[ray].max_t
                        : std::min(batch_.bounds[n], batch_.rays[ray].max_t),
                    counters_, results_[ray]);
    s.child = Tree::kRoot;
    s.top = 0;
    const F8 none = Set8(std::numeric_limits<float>::quiet_NaN());
    Store8(none, s.keys);
    Store8(none, s.keys + kLanes);
    return true;
  }

  // Groups the rays at nodes by the kind of the node. A list of nodes with
  // axis-aligned boxes continues immediately. Detail trees are searched
  // immediately, too.
  HWY_INLINE void Divide(const List& nodes, List (*boxes_last)[2],
                         List* details) {
    for (size_t i = 0; i < nodes.count; ++i) {
      const size_t slot = nodes.slots[i];
      Slot& s = slots_[slot];
      if (const Tree* const detail = memory_.DetailAt(s.child);
          HWY_UNLIKELY(detail != nullptr)) {
        s.query->VisitDetail(*detail);
        details->Add(slot);
      } else {
        (*boxes_last)[memory_.KindOf(s.child) == VolumeKind::kAabb].Add(slot);
      }
    }
  }

  HWY_INLINE void Expand(Slot& s) {
    Node room;
    const Node& node = memory_.ReadNode(s.child, room);
    const LaneTest test = s.query->Test(node);
    const uint32_t accepted = test.accepted & LanesBelow(node.count);
    const uint32_t next = accepted & 1u << LowestLaneRoughly(test.key);
    const uint32_t rest = accepted & ~next;
    const U8 children = ChildrenOf(node, kLeafBit);
    const int top = s.top + std::popcount(rest);
    CompressStore8(test.key, rest, s.keys + 2 * kLanes + s.top);
    CompressStore8(children, rest, s.children + s.top);
    // The nearest child is popped next, for any key.
    s.keys[2 * kLanes + top] = 0;
    CompressStore8(children, next, s.children + top);
    s.top = top + (accepted != 0 ? 1 : 0);
  }

  HWY_INLINE void VisitLeaf(Slot& s) {
    Leaf room;
    const uint32_t index = s.child & ~kLeafBit;
    s.query->Visit(memory_.ReadLeaf(index, room), index);
  }

  // All rays pop the top of their stacks. A ray with an empty stack ends.
  HWY_INLINE void PopAll(std::initializer_list<const List*> lists,
                         List (*next)[kWays]) {
    for (List& list : *next) list.count = 0;
    for (const List* list : lists) {
      for (size_t i = 0; i < list->count; ++i) {
        (*next)[Pop(slots_[list->slots[i]])].Add(list->slots[i]);
      }
    }
    List& nodes = (*next)[kNode];
    const List& leaves = (*next)[kLeaf];
    const List& ended = (*next)[kEnd];
    for (size_t i = 0; i < ended.count; ++i) {
      const size_t slot = ended.slots[i];
      slots_[slot].query->MeasurePending();
      if (StartNext(slot)) nodes.Add(slot);
    }
    for (size_t i = 0; i < nodes.count; ++i) {
      memory_.PrefetchNode(slots_[nodes.slots[i]].child);
    }
    for (size_t i = 0; i < leaves.count; ++i) {
      memory_.PrefetchLeaf(slots_[leaves.slots[i]].child & ~kLeafBit);
    }
  }

  // Pops the next child that is still near enough, and returns its kind.
  HWY_INLINE size_t Pop(Slot& s) {
    const F8 limit = Set8(s.query->limit());
    int top = s.top;
    // Tests two rows at a time, because both rarely fail.
    uint32_t near = NearAt(s, top, limit);
    while (HWY_UNLIKELY(near == 0 && top > 2 * kLanes)) {
      top -= 2 * kLanes;
      near = NearAt(s, top, limit);
    }
    s.top = std::max(
        top + static_cast<int>(std::bit_width(near)) - 2 * kLanes - 1, 0);
    s.child = s.children[s.top];
    return near != 0 ? s.child / kLeafBit : size_t{kEnd};
  }
  HWY_INLINE static uint32_t NearAt(const Slot& s, int top, const F8& limit) {
    return Bits(LoadU8(s.keys + top) <= limit) |
           Bits(LoadU8(s.keys + kLanes + top) <= limit) << kLanes;
  }

  const TreeAtPose tree_;
  const TreeMemory memory_;
  const FirstHitsBatch& batch_;
  const std::span<std::optional<RayHit>> results_;
  NoCounters counters_;
  Slot slots_[kSlots];
  List at_[2][kWays];  // for this turn and the next one
  size_t next_ = 0;
};

void FirstHitsLoop(const TreeAtPose& tree, const FirstHitsBatch& batch,
                   std::span<std::optional<RayHit>> results,
                   const Watch& watch) {
  FirstHitsWalk(tree, batch, results, watch).Run();
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(FirstHitLoop);
HWY_EXPORT(FirstHitsLoop);

std::optional<RayHit> FirstHit(TreeAtPose tree, const Ray& ray, double max_t,
                               const Watch& watch) {
  return ORBOX_DYNAMIC_DISPATCH(FirstHitLoop)(
      tree, ray, std::min(max_t, ray.max_t), watch);
}

void FirstHits(TreeAtPose tree, const FirstHitsBatch& batch,
               std::span<std::optional<RayHit>> results, const Watch& watch) {
  ORBOX_DYNAMIC_DISPATCH(FirstHitsLoop)(tree, batch, results, watch);
}

}  // namespace orbox
#endif  // HWY_ONCE
