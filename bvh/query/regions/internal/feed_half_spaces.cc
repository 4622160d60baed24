// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/regions/internal/feed_region.h"

#include <optional>
#include <variant>
#include <vector>

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE \
  "orbox/bvh/query/regions/internal/feed_half_spaces.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/regions/internal/region_query-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

template <typename Counters>
using HalfSpaceQuery = ConvexSetQuery<ConvexInModel, Counters>;

void HalfSpaceLoop(const TreeAtPose& tree, const ConvexInModel& set,
                   IdSink& sink, const Watch& watch) {
  RunRegion<HalfSpaceQuery>(tree, set, sink, watch);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(HalfSpaceLoop);

void FeedRegion(TreeAtPose tree, HalfSpaces set, IdSink& sink,
                const Watch& watch) {
  const auto proper = ProperHalfSpaces(set);
  if (!proper.has_value()) return;
  const Region::Shape region = HalfSpaces(*proper);
  if (tree.moved() != nullptr) {
    const std::vector<double> none(proper->size());
    return FeedMoved(*tree.moved(), region, {*proper, none}, sink, watch);
  }
  ORBOX_DYNAMIC_DISPATCH(HalfSpaceLoop)
  (tree, {region, *proper, {}}, sink, watch);
}

void FeedMoved(const PosedTree& posed, const Region::Shape& region,
               const RegionPlanes& planes, IdSink& sink, const Watch& watch) {
  const RegionPlanes moved = InModel(posed, planes);
  ORBOX_DYNAMIC_DISPATCH(HalfSpaceLoop)
  (posed, {region, moved.half_spaces, moved.errors}, sink, watch);
}

void FeedRegion(TreeAtPose tree, const ConvexInModel& set, IdSink& sink,
                const Watch& watch) {
  std::visit([&](const auto& shape) { FeedRegion(tree, shape, sink, watch); },
             set.region);
}

}  // namespace orbox
#endif  // HWY_ONCE
