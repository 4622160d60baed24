// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/internal/crossings.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include "orbox/bvh/posed/internal/into_model.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"
#include "orbox/overlap/triangles/axis_crossing.h"
#include "orbox/overlap/triangles/swept_sphere.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/inside/internal/crossings.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/ray_in_tree-inl.h"

#ifndef ORBOX_BVH_QUERY_INTERNAL_CROSSINGS_CC_
#define ORBOX_BVH_QUERY_INTERNAL_CROSSINGS_CC_
namespace orbox {

// A ray along x from a point in world space, across a posed tree.
struct PosedCrossing {
  Vec3 p;
  const Pose& pose;
  // In model space, contains every triangle that the ray crosses in world
  // space.
  SweptSphere in_model;
};

}  // namespace orbox
#endif  // ORBOX_BVH_QUERY_INTERNAL_CROSSINGS_CC_

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

Crossings PosedCrossingsLoop(const Tree& tree, const PosedCrossing& crossing,
                             const Watch& watch);

// Returns true if the largest absolute coordinate of a direction is negative.
// Among equal ones, the first counts, as in RayView (ray_lanes-inl.h).
HWY_INLINE bool PointsBackward(const Vec3& direction) {
  const Vec3 size = Abs(direction);
  size_t axis = size.y > size.x ? 1 : 0;
  if (size.z > size[axis]) axis = 2;
  return direction[axis] < 0;
}

// Adds the exact crossings of a leaf's triangles in `lanes` with the ray along
// x from p. Stops at a triangle that contains p.
template <typename TriangleAtLane, typename Counters>
Step AddCrossings(const Vec3& p, uint32_t lanes,
                  const TriangleAtLane& triangle_at, Counters& counters,
                  Crossings* result) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
    const AxisCrossing crossing =
        CrossingAlongX(p, triangle_at(lane), counters.arithmetic());
    if (crossing.is_on_triangle) {
      counters.TestTriangles(0, std::popcount(lanes & (lanes - 1)));
      result->is_on_surface = true;
      return Step::kStop;
    }
    result->winding += crossing.sign;
    if (crossing.sign != 0) counters.Contribute();
  }
  return Step::kContinue;
}

// Counts the triangles that a way from p crosses. The way is either the ray
// along x to the end of the mesh, which is decided exactly, or the segment to
// q, for which float may leave crossings undecided.
template <typename Counters>
class CrossingQuery {
 public:
  static constexpr Order kOrder = Order::kAny;

  CrossingQuery(const Tree& tree, const Vec3& p, const Vec3* q,
                Counters& counters)
      : memory_(tree),
        p_(p),
        q_(q),
        // The tree's scale normalises the length to 1, for meshes of any size.
        ray_(q == nullptr
                 ? RayInTree(tree.space(), Ray{p, {tree.space().unscale, 0, 0}},
                             kInfinity)
                 : RayInTree(tree.space(), SweptSphere{p, *q, 0}, 1)),
        sign_(q != nullptr && !ray_.is_far() && PointsBackward(ray_.Direction())
                  ? -1
                  : 1),
        counters_(counters) {}

  static constexpr size_t leaf_batch() { return kMostPendingLeaves; }

  HWY_INLINE LaneTest Test(const Node& node) const { return ray_.Test(node); }

  HWY_INLINE Step Visit(const Leaf& leaf, uint32_t index) {
    const RayHits8 hits = ray_.Against(leaf);
    if constexpr (Counters::kCounting) {
      const int count = std::popcount(UsedLanes(leaf));
      counters_.TestTriangles(count, count - std::popcount(hits.maybe));
    }
    // A triangle that is certainly crossed does not contain the point p.
    result_.winding +=
        sign_ * (2 * std::popcount(hits.along) - std::popcount(hits.sure));
    if (hits.sure != 0) counters_.Contribute();
    return hits.maybe == 0 ? Step::kContinue : DecideLanes(hits.maybe, index);
  }

  Step VisitDetail(const Tree& detail) {
    Crossings below;
    if (q_ == nullptr) {
      below = CrossingsFrom(detail, p_, counters_.watch());
      result_.is_on_surface = below.is_on_surface;
    } else {
      const std::optional<int> winding =
          WindingBetween(detail, p_, *q_, counters_.watch());
      is_undecided_ = !winding.has_value();
      below.winding = winding.value_or(0);
    }
    result_.winding += below.winding;
    if (below.winding != 0) counters_.Contribute();
    return below.is_on_surface || is_undecided_ ? Step::kStop : Step::kContinue;
  }

  const Crossings& result() const { return result_; }
  // Returns true if float leaves a crossing undecided. Only for segments to q.
  bool is_undecided() const { return is_undecided_; }

 private:
  Step DecideLanes(uint32_t maybe, uint32_t index) {
    if (q_ != nullptr) {
      counters_.TestTriangles(0, std::popcount(maybe));
      is_undecided_ = true;
      return Step::kStop;
    }
    return AddCrossings(
        p_, maybe,
        [&](uint32_t lane) {
          return memory_.TriangleOf(index * kLanes + lane);
        },
        counters_, &result_);
  }

  const TreeMemory memory_;
  const Vec3 p_;
  const Vec3* const q_;
  const RayInTree ray_;
  const int sign_;  // of the ray's direction along the axis that hits refer to
  Counters& counters_;
  Crossings result_;
  bool is_undecided_ = false;
};

// Counts the triangles of a posed tree that the ray along x crosses in world
// space. In model space, the ray becomes a ball that moves along a segment. The
// radius of the ball bounds the errors of the pose and of roundings. Each
// candidate is decided exactly in world space.
template <typename Counters>
class PosedCrossingQuery {
 public:
  static constexpr Order kOrder = Order::kAny;

  PosedCrossingQuery(const Tree& tree, const PosedCrossing& crossing,
                     Counters& counters)
      : memory_(tree),
        crossing_(crossing),
        ray_(tree.space(), crossing.in_model, 1),
        is_large_(crossing.in_model.radius * tree.space().scale > 1),
        counters_(counters) {}

  static constexpr size_t leaf_batch() { return kMostPendingLeaves; }

  HWY_INLINE LaneTest Test(const Node& node) const { return ray_.Test(node); }

  HWY_INLINE Step Visit(const Leaf& leaf, uint32_t index) {
    const uint32_t used = UsedLanes(leaf);
    const uint32_t near =
        used &
        (is_large_ ? ray_.TestBoxes(leaf) : ray_.TestTriangles(leaf)).accepted;
    counters_.TestTriangles(std::popcount(used),
                            std::popcount(used) - std::popcount(near));
    return near == 0 ? Step::kContinue : DecideLanes(near, index);
  }

  Step VisitDetail(const Tree& detail) {
    const Crossings below =
        PosedCrossingsLoop(detail, crossing_, counters_.watch());
    result_.is_on_surface = below.is_on_surface;
    result_.winding += below.winding;
    if (below.winding != 0) counters_.Contribute();
    return below.is_on_surface ? Step::kStop : Step::kContinue;
  }

  const Crossings& result() const { return result_; }

 private:
  Step DecideLanes(uint32_t near, uint32_t index) {
    return AddCrossings(
        crossing_.p, near,
        [&](uint32_t lane) {
          return crossing_.pose.Apply(
              memory_.TriangleOf(index * kLanes + lane));
        },
        counters_, &result_);
  }

  const TreeMemory memory_;
  const PosedCrossing& crossing_;
  const RayInTree ray_;
  const bool is_large_;  // triangles are too small for the ball: use boxes
  Counters& counters_;
  Crossings result_;
};

Crossings PosedCrossingsLoop(const Tree& tree, const PosedCrossing& crossing,
                             const Watch& watch) {
  Crossings result;
  RunCounted(watch, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    PosedCrossingQuery<Counters> query(tree, crossing, counters);
    TraverseTree(tree, query, counters);
    result = query.result();
  });
  return result;
}

// Counts crossings from p to q, or to infinity if q is null. Returns false if
// float leaves one undecided.
bool CrossingsLoop(const Tree& tree, const Vec3& p, const Vec3* q,
                   const Watch& watch, Crossings* result) {
  bool is_certain = false;
  RunCounted(watch, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    CrossingQuery<Counters> query(tree, p, q, counters);
    TraverseTree(tree, query, counters);
    *result = query.result();
    is_certain = !query.is_undecided();
  });
  return is_certain;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(CrossingsLoop);
HWY_EXPORT(PosedCrossingsLoop);

namespace {

// Tests every triangle. For models whose coordinates are beyond the precision
// of doubles.
Crossings CrossingsOfEach(const PosedTree& tree, const Vec3& p) {
  Crossings result;
  const size_t count = tree.tree().mesh().triangle_count();
  for (uint32_t id = 0; id < count; ++id) {
    const AxisCrossing crossing = CrossingAlongX(p, tree.triangle(id));
    if (crossing.is_on_triangle) return {0, true};
    result.winding += crossing.sign;
  }
  return result;
}

Crossings CrossingsOfMoved(const PosedTree& tree, const Vec3& p,
                           const Watch& watch) {
  const IntoModel into(tree);
  const Aabb& bounds = into.bounds();
  if (!Contains(bounds, p)) return {};
  const IntoModel::Point from = into.At(p);
  const IntoModel::Point to = into.At({bounds.hi.x, p.y, p.z});
  const double radius = std::max(from.error, to.error);
  const Vec3 way = to.at - from.at;
  if (!std::isfinite(from.error + to.error) || !IsFinite(way) ||
      way == Vec3{}) {
    return CrossingsOfEach(tree, p);
  }
  return ORBOX_DYNAMIC_DISPATCH(PosedCrossingsLoop)(
      tree.tree(), {p, tree.pose(), {from.at, to.at, radius}}, watch);
}

}  // namespace

Crossings CrossingsFrom(TreeAtPose at, const Vec3& p, const Watch& watch) {
  if (at.moved() != nullptr) return CrossingsOfMoved(*at.moved(), p, watch);
  const Tree& tree = at.tree();
  const Aabb& bounds = tree.mesh().bounds();
  Crossings result;
  if (Max(p, bounds.lo) != p || Min(p, bounds.hi) != p) return result;
  ORBOX_DYNAMIC_DISPATCH(CrossingsLoop)(tree, p, nullptr, watch, &result);
  return result;
}

std::optional<int> WindingBetween(const Tree& tree, const Vec3& p,
                                  const Vec3& q, const Watch& watch) {
  if (p == q) return 0;
  Crossings result;
  if (!ORBOX_DYNAMIC_DISPATCH(CrossingsLoop)(tree, p, &q, watch, &result)) {
    return std::nullopt;
  }
  return result.winding;
}

Crossings CrossingsOfPart(const Tree& tree, const Vec3& p, const Watch& watch) {
  const Aabb& bounds = tree.mesh().bounds();
  const Vec3 lo = {p.x, bounds.lo.y, bounds.lo.z};
  Crossings result;
  if (Max(p, lo) != p || Min(p, bounds.hi) != p) return result;
  ORBOX_DYNAMIC_DISPATCH(CrossingsLoop)(tree, p, nullptr, watch, &result);
  return result;
}

}  // namespace orbox
#endif  // HWY_ONCE
