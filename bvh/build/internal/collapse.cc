// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/internal/collapse.h"

#include <algorithm>
#include <cstddef>

#include "orbox/bvh/base/internal/large_pages.h"
#include "orbox/bvh/build/internal/parts.h"

namespace orbox {
namespace {

// No box with a half diagonal below kDetail (parts.h) has a larger half area.
constexpr float kDetailHalfArea =
    static_cast<float>(4 * kDetail * kDetail * (1 + 0x1p-20));

// What has fewer levels has no part.
constexpr int kDetailHeight = 4;

}  // namespace

Collapse::Collapse(std::span<const BinaryNode> tree, const Workers& workers)
    : tree_(tree),
      partings_(VectorInLargePages<std::array<Parting, kLanes>>(tree.size())),
      heights_(tree.size()) {
  auto costs = VectorInLargePages<Costs>(tree.size());
  Weigh(0, tree.size(), workers, costs);
}

void Collapse::Weigh(size_t begin, size_t end, const Workers& workers,
                     std::span<Costs> costs) {
  // Below this, passing work to another thread costs more than it saves.
  constexpr size_t kTask = 8192;
  if (workers.count() == 1 || end - begin < kTask) {
    for (size_t i = end; i-- > begin;) WeighNode(i, costs);
    return;
  }
  const size_t right = begin + tree_[begin].right;
  workers.Invoke([&] { Weigh(begin + 1, right, workers, costs); },
                 [&] { Weigh(right, end, workers, costs); });
  WeighNode(begin, costs);
}

void Collapse::WeighNode(size_t i, std::span<Costs> costs) {
  if (tree_[i].is_leaf()) {
    costs[i] = {};
    return;
  }
  const size_t left = i + 1;
  const size_t right = i + tree_[i].right;
  heights_[i] =
      static_cast<uint8_t>(1 + std::max(heights_[left], heights_[right]));
  const Costs& l = costs[left];
  const Costs& r = costs[right];
  const bool keeps_left = KeepsWhole(i, left);
  const bool keeps_right = KeepsWhole(i, right);
  const auto part = [&](size_t slots, Parting* best) {
    float cost = kFloatInfinity;
    for (size_t k = 1; k < slots; ++k) {
      const float sum =
          l[keeps_left ? 0 : k - 1] + r[keeps_right ? 0 : slots - k - 1];
      if (sum < cost) {
        cost = sum;
        *best = {static_cast<uint8_t>(k), static_cast<uint8_t>(slots - k)};
      }
    }
    return cost;
  };
  auto& partings = partings_[i];
  costs[i][0] = tree_[i].half_area + part(kLanes, &partings[kLanes - 1]);
  partings[0] = {};
  for (size_t slots = 2; slots < kLanes; ++slots) {
    const float cost = part(slots, &partings[slots - 1]);
    costs[i][slots - 1] = cost;
    if (costs[i][slots - 2] <= cost) {
      costs[i][slots - 1] = costs[i][slots - 2];
      partings[slots - 1] = partings[slots - 2];
    }
  }
}

bool Collapse::KeepsWhole(size_t parent, size_t child) const {
  return tree_[child].half_area < kDetailHalfArea &&
         tree_[parent].half_area >= kDetailHalfArea &&
         heights_[child] >= kDetailHeight;
}

ChildList Collapse::ChildrenOf(uint32_t index, int depth) const {
  // The depth of the tree if each node from here on takes three levels.
  const auto depth_by_height = [](int depth_there, int height) {
    return depth_there + (height + 2) / 3 - 1;
  };
  ChildList children;
  Gather(index, kLanes, &children);
  for (uint32_t child : children) {
    if (depth_by_height(depth + 1, heights_[child]) > kMaxTreeDepth) {
      children.clear();
      GatherBelow(index, 3, &children);
      break;
    }
  }
  return children;
}

void Collapse::Gather(uint32_t index, uint32_t slots,
                      ChildList* children) const {
  const Parting parting = partings_[index][slots - 1];
  if (tree_[index].is_leaf() || parting.left == 0) {
    children->push_back(index);
    return;
  }
  const auto gather = [&](uint32_t child, uint32_t slots_of_child) {
    if (KeepsWhole(index, child)) {
      children->push_back(child);
    } else {
      Gather(child, slots_of_child, children);
    }
  };
  gather(index + 1, parting.left);
  gather(index + tree_[index].right, parting.right);
}

void Collapse::GatherBelow(uint32_t index, int levels,
                           ChildList* children) const {
  if (tree_[index].is_leaf() || levels == 0) {
    children->push_back(index);
    return;
  }
  GatherBelow(index + 1, levels - 1, children);
  GatherBelow(index + tree_[index].right, levels - 1, children);
}

}  // namespace orbox
