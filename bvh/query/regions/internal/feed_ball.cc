// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/regions/internal/feed_region.h"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/regions/internal/feed_ball.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/regions/internal/region_query-inl.h"
#include "orbox/bvh/traverse/internal/half_spaces_in_tree-inl.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/point_in_tree-inl.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Tests inner nodes conservatively, the boxes of leaves exactly, then
// triangles.
template <typename Counters>
class BallQuery
    : public RegionQuery<BallQuery<Counters>, BallInModel, Counters> {
 public:
  using Base = RegionQuery<BallQuery, BallInModel, Counters>;
  using CertainLanes = typename Base::CertainLanes;

  BallQuery(TreeAtPose tree, const BallInModel& ball, IdSink& sink,
            Counters& counters)
      : Base(tree, ball, sink, counters),
        point_(tree.tree().space(), ball.center, ball.error) {
    point_.SetRadius(ball.outer);
    certain_ =
        RoundDown(ball.inner * tree.tree().space().scale * (1 - 0x1p-50));
    limits_.Set(certain_, point_.radius(), point_.error(), point_.reach());
  }

  HWY_INLINE LaneTest Test(const Node& node) const {
    LaneTest test =
        point_.template Test<AnswerKind::kConservative, AnswerKind::kExact>(
            node);
    test.inside = point_.Inside(node, certain_);
    return test;
  }

  HWY_INLINE CertainLanes Certain(const Leaf& leaf) const {
    if (point_.is_far()) return {0, 0};
    const PointLengths8 guess =
        GuessLengths(point_.lanes(), LoadTriangles(leaf.rows));
    const CertainLanes lanes{Bits(limits_.IsWithin(guess)),
                             Bits(limits_.IsBeyond(guess))};
    const uint32_t open = UsedLanes(leaf) & ~(lanes.inside | lanes.outside);
    return open == 0 ? lanes : Sharper(leaf);
  }

 private:
  // Rarely called; not inlined, so that the loop keeps its registers.
  HWY_NOINLINE CertainLanes Sharper(const Leaf& leaf) const {
    const PointGuess8 guess = GuessDistances(
        point_.lanes(), LoadTriangles(leaf.rows), point_.error());
    return {Bits(guess.Upper() <= Set8(certain_)),
            Bits(guess.IsBeyond(point_.radius()))};
  }

  PointInTree point_;
  float certain_;  // the radius in tree units, rounded down
  RadiusLimits limits_;
};

// A ball whose centre is far away from the tree.
template <typename Counters>
using FarBallQuery = ConvexSetQuery<BallInModel, Counters>;

void BallLoop(const TreeAtPose& tree, const BallInModel& ball, IdSink& sink,
              const Watch& watch) {
  if (HWY_UNLIKELY(HalfSpacesInTree::IsFar(tree.tree().space(),
                                           {ball.center, ball.outer}))) {
    RunRegion<FarBallQuery>(tree, ball, sink, watch);
  } else {
    RunRegion<BallQuery>(tree, ball, sink, watch);
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(BallLoop);

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

}  // namespace orbox
#endif  // HWY_ONCE
