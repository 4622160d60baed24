// SPDX-License-Identifier: Apache-2.0

// Runs several searches of a tree together. While one search waits for memory,
// the others continue.
//
//   struct Walk {
//     bool StartNext(size_t slot);  // false if no query is left
//     bool IsAtLeaf(size_t slot) const;
//     bool Expand(size_t slot);       // a node; true if a child is next
//     void VisitLeaf(size_t slot);  // a leaf
//     // Optional. Test is called for a node before Expand;
//     // VisitTwoLeaves visits two leaves at once.
//     void Test(size_t slot);
//     void VisitTwoLeaves(size_t slot, size_t other);
//     bool Pop(size_t slot);        // true if any step is left
//     void Finish(size_t slot);
//   };
//   RunInterleaved<16>(walk);
//
// All searches whose next step is of one kind run it one after another, so that
// loops have no unpredictable branches. The kind of the next step of a search
// selects a list instead of a branch. A step waits for its first memory access,
// and the processor looks ahead by little more than one step. So two short
// loops are better than one long loop, and so is a loop that runs two steps at
// a time. Private; compiled once per instruction set.
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_INTERLEAVED_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_INTERLEAVED_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_INTERLEAVED_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_INTERLEAVED_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <utility>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// A set of slots, in any order.
template <size_t kSlots>
struct SlotList {
  uint8_t slots[kSlots];
  size_t count = 0;

  void Add(size_t slot) { slots[count++] = static_cast<uint8_t>(slot); }
};

template <size_t kSlots, typename Walk>
HWY_INLINE void RunInterleaved(Walk& walk) {
  enum : size_t { kExpand = 0, kVisit = 1, kPop = 2, kSteps = 3 };
  // The lists of the current and of the next round. They are swapped after each
  // round.
  SlotList<kSlots> lists[2][kSteps];
  SlotList<kSlots>* now = lists[0];
  SlotList<kSlots>* next = lists[1];
  for (size_t slot = 0; slot < kSlots; ++slot) {
    if (walk.StartNext(slot)) now[kExpand].Add(slot);
  }
  while (now[kExpand].count + now[kVisit].count != 0) {
    for (size_t step = 0; step < kSteps; ++step) next[step].count = 0;
    const SlotList<kSlots>& nodes = now[kExpand];
    if constexpr (requires { walk.Test(size_t{0}); }) {
      for (size_t i = 0; i < nodes.count; ++i) walk.Test(nodes.slots[i]);
    }
    for (size_t i = 0; i < nodes.count; ++i) {
      const size_t slot = nodes.slots[i];
      const bool continues = walk.Expand(slot);
      const size_t step = size_t{continues} * size_t{walk.IsAtLeaf(slot)};
      next[step + size_t{!continues} * kPop].Add(slot);
    }
    const SlotList<kSlots>& leaves = now[kVisit];
    size_t visited = 0;
    if constexpr (requires { walk.VisitTwoLeaves(size_t{0}, size_t{1}); }) {
      for (; visited + 2 <= leaves.count; visited += 2) {
        walk.VisitTwoLeaves(leaves.slots[visited], leaves.slots[visited + 1]);
      }
    }
    for (; visited < leaves.count; ++visited)
      walk.VisitLeaf(leaves.slots[visited]);
    for (size_t i = 0; i < leaves.count; ++i) next[kPop].Add(leaves.slots[i]);
    const SlotList<kSlots>& pop = next[kPop];
    for (size_t i = 0; i < pop.count; ++i) {
      const size_t slot = pop.slots[i];
      if (walk.Pop(slot)) {
        next[size_t{walk.IsAtLeaf(slot)}].Add(slot);
      } else {
        walk.Finish(slot);
        if (walk.StartNext(slot)) next[kExpand].Add(slot);
      }
    }
    std::swap(now, next);
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_INTERLEAVED_INL_H_
