// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/regions/internal/feed_region.h"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <variant>
#include <vector>

#include "orbox/bvh/posed/internal/into_model.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/regions/internal/feed_region.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/regions/internal/region_query-inl.h"
#include "orbox/bvh/traverse/internal/half_spaces_in_tree-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// A ball whose centre is far away from the tree.
template <typename Counters>
using FarBallQuery = ConvexSetQuery<BallInModel, Counters>;
template <typename Counters>
using AabbQuery = BoxQuery<Aabb, Counters>;
template <typename Counters>
using ObbQuery = BoxQuery<Obb, Counters>;
template <typename Counters>
using HalfSpaceQuery = ConvexSetQuery<ConvexInModel, Counters>;

void BallLoop(const TreeAtPose& tree, const BallInModel& ball, IdSink& sink,
              const Watch& watch) {
  if (HWY_UNLIKELY(HalfSpacesInTree::IsFar(tree.tree().space(),
                                           {ball.center, ball.outer}))) {
    RunRegion<FarBallQuery>(tree, ball, sink, watch);
  } else {
    RunRegion<BallQuery>(tree, ball, sink, watch);
  }
}

void AabbLoop(const Tree& tree, const Aabb& box, IdSink& sink,
              const Watch& watch) {
  RunRegion<AabbQuery>(tree, box, sink, watch);
}

void ObbLoop(const Tree& tree, const Obb& box, IdSink& sink,
             const Watch& watch) {
  RunRegion<ObbQuery>(tree, box, sink, watch);
}

void HalfSpaceLoop(const TreeAtPose& tree, const ConvexInModel& set,
                   IdSink& sink, const Watch& watch) {
  RunRegion<HalfSpaceQuery>(tree, set, sink, watch);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(BallLoop);
HWY_EXPORT(AabbLoop);
HWY_EXPORT(ObbLoop);
HWY_EXPORT(HalfSpaceLoop);

void FeedRegion(TreeAtPose tree, const Sphere& ball, IdSink& sink,
                const Watch& watch) {
  if (!IsFinite(ball.center) || !(ball.radius >= 0)) return;
  if (std::isinf(ball.radius)) {
    std::vector<uint32_t> all(tree.tree().mesh().triangle_count());
    std::iota(all.begin(), all.end(), 0u);
    sink.Add(all);
    return;
  }
  const TreeAtPose at = WithoutStretch(tree);
  ORBOX_DYNAMIC_DISPATCH(BallLoop)(at, BallInModel(at, ball), sink, watch);
}

namespace {

void FeedMovedBox(const PosedTree& posed, const Region::Shape& box,
                  IdSink& sink, const Watch& watch) {
  const auto planes = PlanesOf(box);
  if (planes.has_value()) FeedMoved(posed, box, *planes, sink, watch);
}

}  // namespace

void FeedRegion(TreeAtPose at, const Aabb& box, IdSink& sink,
                const Watch& watch) {
  // Clips the box to the mesh's bounds, which does not change the result.
  // Infinite sides become finite. A NaN fails the comparison.
  const PosedTree* const moved = at.moved();
  const Aabb cut = Intersection(
      box, moved != nullptr ? BoundsOf(*moved) : at.tree().mesh().bounds());
  if (IsEmpty(box) || IsEmpty(cut)) return;
  if (moved != nullptr) return FeedMovedBox(*moved, cut, sink, watch);
  ORBOX_DYNAMIC_DISPATCH(AabbLoop)(at.tree(), cut, sink, watch);
}

void FeedRegion(TreeAtPose at, const Obb& box, IdSink& sink,
                const Watch& watch) {
  if (at.moved() != nullptr) return FeedMovedBox(*at.moved(), box, sink, watch);
  const Tree& tree = at.tree();
  if (!IsFinite(box.center) || !IsFinite(box.half_extents)) return;
  bool is_orthonormal = true;
  for (int i = 0; i < 3; ++i) {
    if (!IsFinite(box.axes[i]) || !(box.half_extents[i] >= 0)) return;
    for (int j = 0; j <= i; ++j) {
      const double off = Dot(box.axes[i], box.axes[j]) - (i == j);
      is_orthonormal &= std::abs(off) <= 0x1p-22;  // box_in_tree-inl.h
    }
  }
  if (is_orthonormal) {
    ORBOX_DYNAMIC_DISPATCH(ObbLoop)(tree, box, sink, watch);
    return;
  }
  // A box with axes that are not orthonormal may extend anywhere, so no volume
  // is pruned.
  Pulse pulse(watch);
  for (uint32_t id = 0; id < tree.mesh().triangle_count(); ++id) {
    pulse.Turn();
    if (!Overlaps(box, tree.mesh().triangle(id))) continue;
    if (sink.Add({&id, 1}) == Step::kStop) return;
  }
}

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
