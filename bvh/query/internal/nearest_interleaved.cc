// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "orbox/bvh/query/internal/nearest_search.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/internal/nearest_interleaved.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/internal/nearest_cursor-inl.h"
#include "orbox/bvh/traverse/internal/counters.h"

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

// All cursors that are about to do the same do it one after another, so that
// the loops run straight on; what a cursor does next is a list to go to, no
// branch.
class Interleaved {
 public:
  Interleaved(const Tree& tree, const NearestQuestion& question,
              NearestSink& sink)
      : tree_(tree),
        memory_(tree),
        question_(question),
        measuring_(memory_, question, sink, nullptr) {
    for (std::optional<Slot>& slot : slots_) slot.emplace(tree.space());
  }

  HWY_INLINE void Run() {
    const TreeMemory& memory = memory_;
    for (size_t slot = 0; slot < kSlots; ++slot) StartNext(slot);
    while (lists_[kOpen].count + lists_[kLook].count != 0) {
      const SlotList open = std::exchange(lists_[kOpen], {});
      const SlotList look = std::exchange(lists_[kLook], {});
      for (size_t i = 0; i < open.count; ++i) {
        const size_t slot = open.slots[i];
        const bool goes_on =
            slots_[slot]->cursor.Open(slots_[slot]->at, memory, counters_);
        const size_t step = size_t{goes_on} * StepOf(slot);
        lists_[step + size_t{!goes_on} * kPop].Add(slot);
      }
      for (size_t i = 0; i < look.count; ++i) {
        const size_t slot = look.slots[i];
        Cursor& cursor = slots_[slot]->cursor;
        SearchPlace& at = slots_[slot]->at;
        if (cursor.is_full(at)) cursor.Hand(at, measuring_, counters_);
        cursor.Look(at, memory, counters_);
        lists_[kPop].Add(slot);
      }
      const SlotList pop = std::exchange(lists_[kPop], {});
      for (size_t i = 0; i < pop.count; ++i) {
        const size_t slot = pop.slots[i];
        if (slots_[slot]->cursor.Pop(slots_[slot]->at, memory, counters_)) {
          lists_[StepOf(slot)].Add(slot);
        } else {
          slots_[slot]->cursor.Hand(slots_[slot]->at, measuring_, counters_);
          StartNext(slot);
        }
      }
    }
    measuring_.MeasureAll();
  }

 private:
  using Cursor = NearestCursor<Pace::kAmongOthers, NoCounters>;
  struct Slot {
    explicit Slot(const TreeSpace& space) : cursor(space, {}, 0, 0, 1) {}

    SearchPlace at;
    Cursor cursor;
  };
  enum : size_t { kOpen = 0, kLook = 1, kPop = 2 };

  size_t StepOf(size_t slot) const {
    return size_t{slots_[slot]->at.is_leaf()};
  }

  void StartNext(size_t slot) {
    while (next_ < question_.order.size()) {
      const uint32_t query = question_.order[next_++];
      const Vec3& p = question_.points[query];
      if (!IsFinite(p)) continue;
      PointInTree point(tree_.space(), p);
      point.SetRadius(question_.max_distance);
      slots_[slot]->cursor.Start(point, query);
      slots_[slot]->at = {};
      lists_[kOpen].Add(slot);
      return;
    }
  }

  const Tree& tree_;
  const TreeMemory memory_;
  const NearestQuestion& question_;
  NoCounters counters_;
  Measuring<Pace::kAmongOthers> measuring_;
  std::optional<Slot> slots_[kSlots];
  SlotList lists_[3];
  size_t next_ = 0;
};

void InterleavedLoop(const Tree& tree, const NearestQuestion& question,
                     NearestSink& sink) {
  Interleaved(tree, question, sink).Run();
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(InterleavedLoop);

void SearchInterleaved(const Tree& tree, const NearestQuestion& question,
                       NearestSink& sink) {
  ORBOX_DYNAMIC_DISPATCH(InterleavedLoop)(tree, question, sink);
}

}  // namespace orbox
#endif  // HWY_ONCE
