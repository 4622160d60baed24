// SPDX-License-Identifier: Apache-2.0

// Steps of the loop over two trees (two_trees-inl.h) for two volumes: expands
// one of them, or both, and tests the children. Private; compiled once per
// instruction set.
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_TWO_VOLUMES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_TWO_VOLUMES_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_TWO_VOLUMES_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_TWO_VOLUMES_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "orbox/bvh/traverse/internal/node_box_pairs-inl.h"
#include "orbox/bvh/traverse/internal/two_trees-inl.h"
#include "orbox/bvh/traverse/internal/volume-inl.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

template <typename Query, typename Counters>
HWY_INLINE F8 TwoTrees<Query, Counters>::SizesOfChildren(const Node& node,
                                                         float unit) {
  // Has no branches, because the number of leaves cannot be predicted.
  alignas(32) static constexpr float kLane[kLanes] = {0, 1, 2, 3, 4, 5, 6, 7};
  return Select(Load8(kLane) < Set8(static_cast<float>(node.inner_count)),
                VolumeSizes(node) * Set8(unit), Set8(kLeafSize));
}

template <typename Query, typename Counters>
template <typename ToChild>
HWY_INLINE void TwoTrees<Query, Counters>::PushAllButLowest(
    const float* keys, const uint32_t* codes, size_t count, ToChild to_child,
    Entry* entry) {
  size_t lowest = 0;
  float least = keys[0];
  for (size_t place = 1; place < count; ++place) {
    lowest = keys[place] < least ? place : lowest;
    least = keys[place] < least ? keys[place] : least;
  }
  // The lowest entry is skipped by arithmetic, because its position cannot be
  // predicted.
  frontier_.Push(count - 1, [&](size_t i) HWY_ATTR {
    const size_t place = i + (i >= lowest ? 1 : 0);
    return to_child(keys[place], codes[place]);
  });
  *entry = to_child(keys[lowest], codes[lowest]);
}

template <typename Query, typename Counters>
template <bool kExpandsA>
HWY_INLINE bool TwoTrees<Query, Counters>::Expand(Entry* entry) {
  const Side& side = kExpandsA ? a_ : b_;
  const Side& from = kExpandsA ? b_ : a_;
  const Slot kept = kExpandsA ? entry->b : entry->a;
  const uint32_t index = side.NodeBelow(kExpandsA ? entry->a : entry->b);
  Node room;
  const Node& node = side.memory.ReadNode(index, room);
  counters_.VisitNode(node.kind);

  const uint32_t used = LanesBelow(node.count);
  // If floats do not resolve the points, all children count as near.
  VolumeBound bound{Zero8(), 0xff};
  if (!side.other.is_too_coarse()) {
    Node kept_room;
    const OneVolume volume =
        VolumeAt(from.memory.ReadNode(kept.node(), kept_room), kept.lane());
    bound = BoundToChildren<Counters::kCounting>(volume, side.other, node,
                                                 limits_.prune() / side.unit);
    bound.key = bound.key * Set8(side.unit);
  }
  uint32_t accepted = Bits(bound.key <= Set8(limits_.prune())) & used;
  if (kIsBestFirst && (kExpandsA ? entry->b_size : entry->a_size) < 0 &&
      node.leaves_below >= kManyBelow && !a_.other.is_too_coarse() &&
      !b_.other.is_too_coarse()) {
    accepted = RaiseKeys<!kExpandsA>(kept, node, accepted, &bound.key);
  }
  counters_.TestVolumes(node.kind, used, accepted, bound.exact & accepted,
                        used & ~LanesBelow(node.inner_count));
  const VolumeKind other = from.memory.KindOf(kept.node());
  CountPairs(kExpandsA ? node.kind : other, kExpandsA ? other : node.kind, used,
             accepted, bound.exact);
  if (accepted == 0) return false;

  // Compressed into arrays with extra room, because whole registers are stored.
  float keys[2 * kLanes];
  uint32_t lanes[2 * kLanes];
  CompressStore8(bound.key, accepted, keys);
  CompressStore8(Iota8(), accepted, lanes);
  alignas(32) float sizes[kLanes];
  Store8(SizesOfChildren(node, side.unit), sizes);
  Entry child = *entry;
  const auto to_child = [&](float key, uint32_t lane) {
    child.key = key;
    (kExpandsA ? child.a_size : child.b_size) = sizes[lane];
    (kExpandsA ? child.a : child.b) = Slot::Of(index, lane);
    child.ticket = counters_.Accept(node.kind);
    return child;
  };
  PushAllButLowest(keys, lanes, static_cast<size_t>(std::popcount(accepted)),
                   to_child, entry);
  return true;
}

template <typename Query, typename Counters>
template <bool kLeafIsOfA>
HWY_NOINLINE float TwoTrees<Query, Counters>::LeafKey(Slot leaf_slot,
                                                      const Node& node,
                                                      uint32_t lane) const {
  const Side& side = kLeafIsOfA ? a_ : b_;
  const OneVolume volume = VolumeAt(node, lane);
  // In double, so that only one rounding is added to the error of vertices.
  float center[3];
  float largest = 1;
  for (size_t i = 0; i < 3; ++i) {
    double sum = side.other.precise_shift[i];
    for (size_t k = 0; k < 3; ++k) {
      sum += side.other.precise_turn[i][k] * volume.center[k];
    }
    center[i] = static_cast<float>(sum);
    largest = std::max(largest, std::abs(center[i]));
  }
  // The first term covers the underflow of squares in float.
  float squared = 0x1p-120f + volume.half[0] * volume.half[0];
  if (volume.kind != VolumeKind::kSphere) {
    squared +=
        volume.half[1] * volume.half[1] + volume.half[2] * volume.half[2];
  }
  // Covers the rounding of three products, two sums and the root. Frames rotate
  // centres in float, and are orthonormal within kFrameError. Eight times that,
  // for a centre with coordinates up to 1, is 2^-19.
  const float radius = (std::sqrt(squared) * (1 + 0x1p-20f) + 0x1p-19f) *
                       side.other.stretch * (1 + 0x1p-20f);
  Leaf leaf_room;
  const Leaf& leaf = side.memory.ReadLeaf(side.LeafBelow(leaf_slot), leaf_room);
  const F8 lower = PointToTriangles(Set8x3(center), LoadTriangles(leaf.rows),
                                    side.other.vertex_error + kUnit * largest)
                       .lower;
  // Covers the rounding of one difference and one product.
  const float key = (LowestValue(lower) - radius) * side.unit;
  return key - std::abs(key) * 0x1p-21f;
}

template <typename Query, typename Counters>
template <bool kLeafIsOfA>
HWY_NOINLINE uint32_t TwoTrees<Query, Counters>::RaiseKeys(Slot leaf,
                                                           const Node& node,
                                                           uint32_t lanes,
                                                           F8* keys) const {
  alignas(32) float raised[kLanes];
  Store8(*keys, raised);
  uint32_t near = 0;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const float key =
        LeafKey<kLeafIsOfA>(leaf, node, static_cast<uint32_t>(lane));
    if (key > limits_.near()) continue;
    near |= 1u << lane;
    // Limits allow for keys that are too large by the slack. The key of a leaf
    // is not too large, so the slack is added.
    if (key > 0) raised[lane] = std::max(raised[lane], key + limits_.slack());
  }
  *keys = Load8(raised);
  return near;
}

template <typename Query, typename Counters>
HWY_INLINE bool TwoTrees<Query, Counters>::ExpandBoth(uint32_t a_index,
                                                      uint32_t b_index,
                                                      Entry* entry) {
  Node a_room;
  Node b_room;
  const Node& a = a_.memory.ReadNode(a_index, a_room);
  const Node& b = b_.memory.ReadNode(b_index, b_room);
  counters_.VisitNode(a.kind);
  counters_.VisitNode(b.kind);
  NodeBoxPairs pair(a, b, b_.other);
  const uint32_t used = LanesBelow(b.count);
  const uint32_t leaves = used & ~LanesBelow(b.inner_count);
  const uint32_t rows = (Query::kTouching ? pair.RowsTouching(limits_.prune())
                                          : pair.RowsNear(limits_.prune())) &
                        LanesBelow(a.count);
  for (int i = std::popcount(rows); i < a.count; ++i) {
    counters_.TestVolumes(b.kind, used, 0, 0, leaves);
    CountPairs(a.kind, b.kind, used, 0, 0);
  }

  if (rows == 0) return false;
  pair.TurnB();

  // The near children, one after another: their keys, and their codes (a's lane
  // times eight plus b's lane). Storing may write up to a row beyond the last.
  float keys[kMostChildren + kLanes];
  uint32_t codes[kMostChildren + kLanes];
  size_t count = 0;
  for (uint32_t rest = rows; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    const F8 key = Query::kTouching ? pair.Separations(i) : pair.Keys(i);
    const uint32_t accepted = Bits(key <= Set8(limits_.prune())) & used;
    if constexpr (Counters::kCounting) {
      const uint32_t exact =
          NotSeparatedByCrossAxes(pair.BoxOfA(i), b, accepted, limits_.prune());
      counters_.TestVolumes(b.kind, used, accepted, exact, leaves);
      CountPairs(a.kind, b.kind, used, accepted, exact);
    }
    CompressStore8(key, accepted, keys + count);
    CompressStore8(Iota8() + Set8(static_cast<uint32_t>(i) * kLanes), accepted,
                   codes + count);
    count += std::popcount(accepted);
  }
  if (count == 0) return false;

  alignas(32) float a_sizes[kLanes];
  alignas(32) float b_sizes[kLanes];
  Store8(SizesOfChildren(a, b_.other.scale), a_sizes);
  Store8(SizesOfChildren(b, 1), b_sizes);
  Entry child = *entry;
  const auto to_child = [&](float key, uint32_t code) {
    const uint32_t i = code / kLanes;
    const uint32_t j = code % kLanes;
    child.key = key;
    child.a_size = a_sizes[i];
    child.b_size = b_sizes[j];
    child.a = Slot::Of(a_index, i);
    child.b = Slot::Of(b_index, j);
    child.ticket = counters_.Accept(b.kind);
    return child;
  };
  PushAllButLowest(keys, codes, count, to_child, entry);
  return true;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_TWO_VOLUMES_INL_H_
