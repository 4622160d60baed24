// SPDX-License-Identifier: Apache-2.0

// Finds the boxes of a tree that overlap a box, or each other.
#include <algorithm>
#include <bit>
#include <cstdint>

#include "orbox/bvh/broad_phase/internal/box_tree.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/broad_phase/box_tree_meeting.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

inline constexpr uint32_t kBoxes = BoxBlock::kLanes;

// Returns the lanes that overlap the box, lane i as bit i.
HWY_INLINE uint32_t OverlappingLanes(const BoxBlock& block, const Aabb& box) {
  const hn::CappedTag<double, kBoxes> d;
  uint32_t bits = 0;
  for (size_t k = 0; k < kBoxes; k += hn::Lanes(d)) {
    auto overlap = hn::Le(hn::Load(d, block.lo[0] + k), hn::Set(d, box.hi.x));
    for (size_t axis = 1; axis < 3; ++axis) {
      overlap = hn::And(overlap, hn::Le(hn::Load(d, block.lo[axis] + k),
                                        hn::Set(d, box.hi[axis])));
    }
    for (size_t axis = 0; axis < 3; ++axis) {
      overlap = hn::And(overlap, hn::Ge(hn::Load(d, block.hi[axis] + k),
                                        hn::Set(d, box.lo[axis])));
    }
    uint8_t bytes[8] = {0};
    hn::StoreMaskBits(d, overlap, bytes);
    bits |= static_cast<uint32_t>(bytes[0]) << k;
  }
  return bits;
}

// Calls leaf(block, bits) for each block of bodies, from block `first` on, in
// which some bodies overlap the box. Returns the number of blocks compared.
template <typename VisitBlock>
HWY_INLINE size_t ForEachBlock(const BoxLevels& boxes, const Aabb& box,
                               uint32_t first, VisitBlock leaf) {
  struct BlockIndex {
    uint32_t level;
    uint32_t index;
  };
  // Each of at most eleven levels leaves at most seven siblings on the stack.
  BlockIndex waiting[7 * 11 + 1];
  size_t count = 0;
  waiting[count++] = {static_cast<uint32_t>(boxes.levels.size()) - 1, 0};
  size_t steps = 0;
  while (count > 0) {
    ++steps;
    const BlockIndex at = waiting[--count];
    uint32_t bits = OverlappingLanes(boxes.levels[at.level][at.index], box);
    if (at.level == 0) {
      if (bits != 0) leaf(at.index, bits);
      continue;
    }
    const uint32_t least = first >> (3 * (at.level - 1));
    for (; bits != 0; bits &= bits - 1) {
      const uint32_t child =
          at.index * kBoxes + static_cast<uint32_t>(std::countr_zero(bits));
      if (child >= least) waiting[count++] = {at.level - 1, child};
    }
  }
  return steps;
}

void FindLoop(const BoxLevels& boxes, const Aabb& box,
              absl::FunctionRef<void(BodyId)> visit) {
  ForEachBlock(boxes, box, 0, [&](uint32_t block, uint32_t bits) HWY_ATTR {
    for (; bits != 0; bits &= bits - 1) {
      visit(boxes.ids[block * kBoxes +
                      static_cast<uint32_t>(std::countr_zero(bits))]);
    }
  });
}

// Compares each block of bodies with itself and with later blocks, found by the
// box around its eight bodies.
size_t PairsLoop(const BoxLevels& boxes, std::vector<BodyPair>* pairs) {
  const std::vector<BoxBlock>& bodies = boxes.levels[0];
  size_t steps = 0;
  for (uint32_t own = 0; own < bodies.size(); ++own) {
    steps += ForEachBlock(
        boxes, bodies[own].BoxAround(), own,
        [&](uint32_t other, uint32_t lanes) HWY_ATTR {
          steps += static_cast<size_t>(std::popcount(lanes));
          for (; lanes != 0; lanes &= lanes - 1) {
            const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
            const BodyId b = boxes.ids[other * kBoxes + lane];
            uint32_t overlapping =
                OverlappingLanes(bodies[own], bodies[other].Box(lane));
            if (own == other) overlapping &= (1u << lane) - 1;
            for (; overlapping != 0; overlapping &= overlapping - 1) {
              const BodyId a =
                  boxes.ids[own * kBoxes + static_cast<uint32_t>(
                                               std::countr_zero(overlapping))];
              pairs->push_back({std::min(a, b), std::max(a, b)});
            }
          }
        });
  }
  return steps;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(FindLoop);
HWY_EXPORT(PairsLoop);

void BoxTree::FindBodies(const Aabb& box,
                         absl::FunctionRef<void(BodyId)> visit) const {
  if (boxes_.levels.empty()) return;
  ORBOX_DYNAMIC_DISPATCH(FindLoop)(boxes_, box, visit);
}

size_t BoxTree::AppendPairs(std::vector<BodyPair>* pairs) const {
  if (boxes_.levels.empty()) return 0;
  return ORBOX_DYNAMIC_DISPATCH(PairsLoop)(boxes_, pairs);
}

}  // namespace orbox
#endif  // HWY_ONCE
