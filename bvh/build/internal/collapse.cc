// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/internal/collapse.h"

#include <algorithm>
#include <cstddef>

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/build/internal/collapse.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/internal/lanes/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Computes the costs of one node from those of its children. Each lane is a
// number of slots. The nodes below must be done.
HWY_INLINE void WeighNode(const CollapseWeights& weights, size_t i) {
  const std::span<const BinaryNode> tree = weights.tree;
  float* const costs = weights.costs[i].in_slots;
  if (tree[i].is_leaf()) {
    Store8(Zero8(), costs);
    weights.heights[i] = 0;
    return;
  }
  const size_t left = i + 1;
  const size_t right = i + tree[i].right;
  weights.heights[i] = static_cast<uint8_t>(
      1 + std::max(weights.heights[left], weights.heights[right]));
  F8 of_left = Load8(weights.costs[left].in_slots);
  F8 of_right = Load8(weights.costs[right].in_slots);
  if (weights.KeepsWhole(i, left)) {
    of_left = Set8(weights.costs[left].in_slots[0]);
  }
  if (weights.KeepsWhole(i, right)) {
    of_right = Set8(weights.costs[right].in_slots[0]);
  }
  // A child needs at least one slot, so the cost of no slots is infinite.
  alignas(32) float right_costs[2 * kLanes];
  Store8(Set8(kFloatInfinity), right_costs);
  Store8(of_right, right_costs + kLanes);
  alignas(32) float left_costs[kLanes];
  Store8(of_left, left_costs);
  F8 least = Set8(kFloatInfinity);
  for (size_t k = 1; k < kLanes; ++k) {
    least =
        Min(least, Set8(left_costs[k - 1]) + LoadU8(right_costs + kLanes - k));
  }
  Store8(least, costs);
  // Slots that a node cannot use do not raise its cost.
  costs[0] = tree[i].half_area + costs[kLanes - 1];
  for (size_t slots = 2; slots < kLanes; ++slots) {
    costs[slots - 1] = std::min(costs[slots - 2], costs[slots - 1]);
  }
}

void WeighLoop(const CollapseWeights& weights, size_t begin, size_t end) {
  for (size_t i = end; i-- > begin;) WeighNode(weights, i);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(WeighLoop);

Collapse::Collapse(std::span<const BinaryNode> tree, const Workers& workers)
    : heights_(FreshInLargePages<uint8_t>(tree.size())),
      costs_(FreshInLargePages<CollapseCosts>(tree.size())),
      weights_{tree, heights_.values(), costs_.values()} {
  Weigh(0, tree.size(), workers);
}

void Collapse::Weigh(size_t begin, size_t end, const Workers& workers) {
  // Below this number of nodes, passing work to another thread costs more than
  // it saves.
  constexpr size_t kTask = 8192;
  workers.Poll();
  if (end - begin < kTask) {
    ORBOX_DYNAMIC_DISPATCH(WeighLoop)(weights_, begin, end);
    return;
  }
  const size_t right = begin + weights_.tree[begin].right;
  workers.Invoke([&] { Weigh(begin + 1, right, workers); },
                 [&] { Weigh(right, end, workers); });
  ORBOX_DYNAMIC_DISPATCH(WeighLoop)(weights_, begin, begin + 1);
}

Collapse::SlotSplit Collapse::SplitOf(uint32_t index, uint32_t slots) const {
  const float* const costs = weights_.costs[index].in_slots;
  while (slots > 1 && slots < kLanes && costs[slots - 1] == costs[slots - 2]) {
    --slots;
  }
  const uint32_t left = index + 1;
  const uint32_t right = index + weights_.tree[index].right;
  const bool keeps_left = weights_.KeepsWhole(index, left);
  const bool keeps_right = weights_.KeepsWhole(index, right);
  for (uint32_t k = 1; k < slots; ++k) {
    const float sum =
        weights_.costs[left].in_slots[keeps_left ? 0 : k - 1] +
        weights_.costs[right].in_slots[keeps_right ? 0 : slots - k - 1];
    if (sum == costs[slots - 1]) return {k, slots - k};
  }
  return {0, 0};
}

ChildList Collapse::ChildrenOf(uint32_t index, int depth) const {
  // Returns the depth of the tree if each wide node from here on replaces three
  // binary levels.
  const auto depth_by_height = [](int depth_there, int height) {
    return depth_there + (height + 2) / 3 - 1;
  };
  ChildList children;
  Gather(index, kLanes, &children);
  for (uint32_t child : children) {
    if (depth_by_height(depth + 1, weights_.heights[child]) > kMaxTreeDepth) {
      children.clear();
      GatherBelow(index, 3, &children);
      break;
    }
  }
  return children;
}

void Collapse::Gather(uint32_t index, uint32_t slots,
                      ChildList* children) const {
  if (slots == 1 || weights_.tree[index].is_leaf()) {
    children->push_back(index);
    return;
  }
  const SlotSplit split = SplitOf(index, slots);
  if (split.left == 0) {
    children->push_back(index);
    return;
  }
  const auto gather = [&](uint32_t child, uint32_t slots_of_child) {
    if (weights_.KeepsWhole(index, child)) {
      children->push_back(child);
    } else {
      Gather(child, slots_of_child, children);
    }
  };
  gather(index + 1, split.left);
  gather(index + weights_.tree[index].right, split.right);
}

void Collapse::GatherBelow(uint32_t index, int levels,
                           ChildList* children) const {
  if (weights_.tree[index].is_leaf() || levels == 0) {
    children->push_back(index);
    return;
  }
  GatherBelow(index + 1, levels - 1, children);
  GatherBelow(index + weights_.tree[index].right, levels - 1, children);
}

}  // namespace orbox
#endif  // HWY_ONCE
