#include "orbox/bvh/query/range.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orbox/overlap/triangle_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/range.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/box_query-inl.h"
#include "orbox/bvh/traverse/counters.h"
#include "orbox/bvh/traverse/one_tree-inl.h"
#include "orbox/bvh/traverse/point_query-inl.h"
#include "orbox/overlap/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Reports the triangles that the float row is sure of, and asks double about
// those that it cannot tell.
template <typename Shape, typename Counters>
Step Report(const Mesh& mesh, const Shape& shape, const Leaf& leaf,
            uint32_t lanes, uint32_t inside, uint32_t outside,
            TriangleVisitor visitor, Counters& counters) {
  const uint32_t sure = lanes & (inside | outside);
  counters.TestTriangles(std::popcount(lanes), std::popcount(sure));
  for (uint32_t rest = lanes & ~outside; rest != 0; rest &= rest - 1) {
    const uint32_t lane = static_cast<uint32_t>(std::countr_zero(rest));
    const uint32_t id = leaf.ids[lane];
    if ((inside >> lane & 1) == 0 &&
        !Overlaps(shape, mesh.triangle(id), counters.arithmetic())) {
      continue;
    }
    counters.Contribute();
    if (visitor(id) == Visit::kStop) return Step::kStop;
  }
  return Step::kContinue;
}

// Conservative at inner nodes, exact at leaves' boxes, then the triangles.
template <typename Counters>
class BallQuery {
 public:
  static constexpr Order kOrder = Order::kAny;

  BallQuery(const Tree& tree, const Sphere& ball, TriangleVisitor visitor,
            Counters& counters)
      : mesh_(tree.mesh()),
        ball_(ball),
        point_(tree.space(), ball.center),
        visitor_(visitor),
        counters_(counters) {
    point_.SetRadius(ball.radius);
    certain_ =
        point_.is_far()
            ? -1
            : RoundDown(ball.radius * tree.space().scale * (1 - 0x1p-50));
  }

  float limit() const { return point_.squared_limit(); }
  HWY_INLINE LaneTest Test(const Node& node) const {
    return point_.template Test<VolumeTest::kConservative, VolumeTest::kExact>(
        node);
  }
  HWY_INLINE Step Visit(const Leaf& leaf) {
    uint32_t inside = 0;
    uint32_t outside = 0;
    if (!point_.is_far()) {
      const DistanceBounds bounds = PointToTriangles(
          point_.lanes(), LoadTriangles(leaf.rows), point_.error());
      inside = Bits(bounds.upper <= Set8(certain_));
      outside = Bits(bounds.lower > Set8(point_.radius()));
    }
    return Report(mesh_, ball_, leaf, UsedLanes(leaf), inside, outside,
                  visitor_, counters_);
  }

 private:
  const Mesh& mesh_;
  const Sphere& ball_;
  PointInTree point_;
  float certain_;  // the radius in tree units, rounded down
  TriangleVisitor visitor_;
  Counters& counters_;
};

template <typename Box, typename Counters>
class BoxRangeQuery {
 public:
  static constexpr Order kOrder = Order::kAny;

  BoxRangeQuery(const Tree& tree, const Box& box, TriangleVisitor visitor,
                Counters& counters)
      : mesh_(tree.mesh()),
        box_(box),
        in_tree_(tree.space(), box),
        visitor_(visitor),
        counters_(counters) {}

  float limit() const { return std::numeric_limits<float>::infinity(); }
  HWY_INLINE LaneTest Test(const Node& node) const {
    return in_tree_.Test(node, Counters::kCounting);
  }
  HWY_INLINE Step Visit(const Leaf& leaf) {
    const BoxMasks masks = in_tree_.Against(leaf);
    return Report(mesh_, box_, leaf, UsedLanes(leaf), Bits(masks.inside),
                  Bits(masks.outside), visitor_, counters_);
  }

 private:
  const Mesh& mesh_;
  const Box& box_;
  BoxInTree<Box> in_tree_;
  TriangleVisitor visitor_;
  Counters& counters_;
};

template <template <typename> class Query, typename Shape>
void Run(const Tree& tree, const Shape& shape, TriangleVisitor visitor,
         TraversalStatistics* statistics) {
  if (statistics == nullptr) {
    NoCounters counters;
    Query<NoCounters> query(tree, shape, visitor, counters);
    TraverseTree(tree, query, counters);
    return;
  }
  Counters counters(statistics);
  Query<Counters> query(tree, shape, visitor, counters);
  TraverseTree(tree, query, counters);
  counters.Finish();
}

template <typename Counters>
using AabbQuery = BoxRangeQuery<Aabb, Counters>;
template <typename Counters>
using ObbQuery = BoxRangeQuery<Obb, Counters>;

void BallLoop(const Tree& tree, const Sphere& ball, TriangleVisitor visitor,
              TraversalStatistics* statistics) {
  Run<BallQuery>(tree, ball, visitor, statistics);
}
void AabbLoop(const Tree& tree, const Aabb& box, TriangleVisitor visitor,
              TraversalStatistics* statistics) {
  Run<AabbQuery>(tree, box, visitor, statistics);
}
void ObbLoop(const Tree& tree, const Obb& box, TriangleVisitor visitor,
             TraversalStatistics* statistics) {
  Run<ObbQuery>(tree, box, visitor, statistics);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(BallLoop);
HWY_EXPORT(AabbLoop);
HWY_EXPORT(ObbLoop);

namespace {

void VisitAll(const Tree& tree, TriangleVisitor visitor) {
  const size_t count = tree.mesh().triangle_count();
  for (uint32_t id = 0; id < count; ++id) {
    if (visitor(id) == Visit::kStop) return;
  }
}

}  // namespace

void VisitRange(const Tree& tree, const Sphere& ball, TriangleVisitor visitor,
                TraversalStatistics* statistics) {
  if (!IsFinite(ball.center) || !(ball.radius >= 0)) return;
  if (std::isinf(ball.radius)) return VisitAll(tree, visitor);
  ORBOX_DYNAMIC_DISPATCH(BallLoop)(tree, ball, visitor, statistics);
}

void VisitRange(const Tree& tree, const Aabb& box, TriangleVisitor visitor,
                TraversalStatistics* statistics) {
  // What is outside the mesh's bounds does not matter: infinite sides become
  // finite, and a NaN fails the comparison.
  const Aabb& bounds = tree.mesh().bounds();
  Aabb cut;
  for (int k = 0; k < 3; ++k) {
    if (!(box.lo[k] <= box.hi[k])) return;
    cut.lo[k] = std::max(box.lo[k], bounds.lo[k]);
    cut.hi[k] = std::min(box.hi[k], bounds.hi[k]);
    if (!(cut.lo[k] <= cut.hi[k])) return;
  }
  ORBOX_DYNAMIC_DISPATCH(AabbLoop)(tree, cut, visitor, statistics);
}

void VisitRange(const Tree& tree, const Obb& box, TriangleVisitor visitor,
                TraversalStatistics* statistics) {
  if (!IsFinite(box.center) || !IsFinite(box.half_extents)) return;
  bool is_orthonormal = true;
  for (int i = 0; i < 3; ++i) {
    if (!IsFinite(box.axes[i]) || !(box.half_extents[i] >= 0)) return;
    for (int j = 0; j <= i; ++j) {
      const double off = Dot(box.axes[i], box.axes[j]) - (i == j);
      is_orthonormal &= std::abs(off) <= 0x1p-22;  // box_query-inl.h
    }
  }
  if (is_orthonormal) {
    ORBOX_DYNAMIC_DISPATCH(ObbLoop)(tree, box, visitor, statistics);
    return;
  }
  // Slabs at odd angles may reach anywhere; no volume is pruned by them.
  VisitAll(tree, [&](uint32_t id) {
    return Overlaps(box, tree.mesh().triangle(id)) ? visitor(id)
                                                   : Visit::kContinue;
  });
}

}  // namespace orbox
#endif  // HWY_ONCE
