#include "orbox/bvh/query/range.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "boost/sort/spreadsort/integer_sort.hpp"
#include "orbox/bvh/query/internal/half_space_range.h"
#include "orbox/bvh/query/internal/id_sink.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/range.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/internal/range_leaf-inl.h"
#include "orbox/bvh/traverse/internal/box_query-inl.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/point_query-inl.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Conservative at inner nodes, exact at leaves' boxes, then the triangles.
template <typename Counters>
class BallQuery : public RangeQuery<BallQuery<Counters>, Sphere, Counters> {
 public:
  using Base = RangeQuery<BallQuery, Sphere, Counters>;
  using Lanes = typename Base::Lanes;

  BallQuery(const Tree& tree, const Sphere& ball, IdSink& sink,
            Counters& counters)
      : Base(tree, ball, sink, counters), point_(tree.space(), ball.center) {
    point_.SetRadius(ball.radius);
    certain_ = RoundDown(ball.radius * tree.space().scale * (1 - 0x1p-50));
    limits_.Set(certain_, point_.radius(), point_.error(), point_.reach());
  }

  HWY_INLINE LaneTest Test(const Node& node) const {
    LaneTest test =
        point_.template Test<VolumeTest::kConservative, VolumeTest::kExact>(
            node);
    test.inside = point_.Inside(node, certain_);
    return test;
  }

  HWY_INLINE Lanes Certain(const Leaf& leaf) const {
    if (point_.is_far()) return {0, 0};
    const PointLengths8 guess =
        GuessLengths(point_.lanes(), LoadTriangles(leaf.rows));
    const Lanes lanes{Bits(limits_.IsWithin(guess)),
                      Bits(limits_.IsBeyond(guess))};
    const uint32_t open = UsedLanes(leaf) & ~(lanes.inside | lanes.outside);
    return open == 0 ? lanes : Sharper(leaf);
  }

 private:
  // Seldom asked, and out of the way of the registers.
  HWY_NOINLINE Lanes Sharper(const Leaf& leaf) const {
    const PointGuess8 guess = GuessDistances(
        point_.lanes(), LoadTriangles(leaf.rows), point_.error());
    return {Bits(guess.Upper() <= Set8(certain_)),
            Bits(guess.IsBeyond(point_.radius()))};
  }

  PointInTree point_;
  float certain_;  // the radius in tree units, rounded down
  RadiusLimits limits_;
};

template <typename Box, typename Counters>
class BoxRangeQuery
    : public RangeQuery<BoxRangeQuery<Box, Counters>, Box, Counters> {
 public:
  using Base = RangeQuery<BoxRangeQuery, Box, Counters>;

  BoxRangeQuery(const Tree& tree, const Box& box, IdSink& sink,
                Counters& counters)
      : Base(tree, box, sink, counters), box_(tree.space(), box) {}

  HWY_INLINE LaneTest Test(const Node& node) const {
    return box_.Test(node, Counters::kCounting);
  }

  HWY_INLINE typename Base::Lanes Certain(const Leaf& leaf) const {
    const BoxMasks masks = box_.Against(leaf);
    return {Bits(masks.inside), Bits(masks.outside)};
  }

 private:
  BoxInTree<Box> box_;
};

template <typename Counters>
using AabbQuery = BoxRangeQuery<Aabb, Counters>;
template <typename Counters>
using ObbQuery = BoxRangeQuery<Obb, Counters>;

void BallLoop(const Tree& tree, const Sphere& ball, IdSink& sink,
              TraversalStatistics* statistics) {
  RunRange<BallQuery>(tree, ball, sink, statistics);
}
void AabbLoop(const Tree& tree, const Aabb& box, IdSink& sink,
              TraversalStatistics* statistics) {
  RunRange<AabbQuery>(tree, box, sink, statistics);
}
void ObbLoop(const Tree& tree, const Obb& box, IdSink& sink,
             TraversalStatistics* statistics) {
  RunRange<ObbQuery>(tree, box, sink, statistics);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(BallLoop);
HWY_EXPORT(AabbLoop);
HWY_EXPORT(ObbLoop);

namespace {

void AddAll(const Tree& tree, IdSink& sink) {
  std::vector<uint32_t> ids(tree.mesh().triangle_count());
  std::iota(ids.begin(), ids.end(), 0u);
  sink.Add(ids);
}

void Feed(const Tree& tree, const Sphere& ball, IdSink& sink,
          TraversalStatistics* statistics) {
  if (!IsFinite(ball.center) || !(ball.radius >= 0)) return;
  if (std::isinf(ball.radius)) return AddAll(tree, sink);
  ORBOX_DYNAMIC_DISPATCH(BallLoop)(tree, ball, sink, statistics);
}

void Feed(const Tree& tree, const Aabb& box, IdSink& sink,
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
  ORBOX_DYNAMIC_DISPATCH(AabbLoop)(tree, cut, sink, statistics);
}

void Feed(const Tree& tree, const Obb& box, IdSink& sink,
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
    ORBOX_DYNAMIC_DISPATCH(ObbLoop)(tree, box, sink, statistics);
    return;
  }
  // Slabs at odd angles may reach anywhere; no volume is pruned by them.
  for (uint32_t id = 0; id < tree.mesh().triangle_count(); ++id) {
    if (!Overlaps(box, tree.mesh().triangle(id))) continue;
    if (sink.Add({&id, 1}) == Step::kStop) return;
  }
}

void Feed(const Tree& tree, const HalfSpaces& set, IdSink& sink,
          TraversalStatistics* statistics) {
  FeedHalfSpaces(tree, set, sink, statistics);
}

template <typename Shape>
void VisitEach(const Tree& tree, const Shape& shape, TriangleVisitor visitor,
               TraversalStatistics* statistics) {
  VisitorSink sink(visitor);
  Feed(tree, shape, sink, statistics);
}

template <typename Shape>
void Append(const Tree& tree, const Shape& shape, std::vector<uint32_t>* ids,
            IdOrder order, TraversalStatistics* statistics) {
  const auto before = static_cast<ptrdiff_t>(ids->size());
  CollectingSink sink(ids);
  Feed(tree, shape, sink, statistics);
  if (order == IdOrder::kAscending) {
    boost::sort::spreadsort::integer_sort(ids->begin() + before, ids->end());
  }
}

template <typename Shape>
std::vector<uint32_t> Collect(const Tree& tree, const Shape& shape,
                              TraversalStatistics* statistics) {
  std::vector<uint32_t> ids;
  Append(tree, shape, &ids, IdOrder::kAscending, statistics);
  return ids;
}

template <typename Shape>
size_t Count(const Tree& tree, const Shape& shape,
             TraversalStatistics* statistics) {
  CountingSink sink;
  Feed(tree, shape, sink, statistics);
  return sink.count();
}

template <typename Shape>
bool Any(const Tree& tree, const Shape& shape,
         TraversalStatistics* statistics) {
  AnySink sink;
  Feed(tree, shape, sink, statistics);
  return sink.found();
}

}  // namespace

void VisitRange(const Tree& tree, const Sphere& ball, TriangleVisitor visitor,
                TraversalStatistics* statistics) {
  VisitEach(tree, ball, visitor, statistics);
}
void VisitRange(const Tree& tree, const Aabb& box, TriangleVisitor visitor,
                TraversalStatistics* statistics) {
  VisitEach(tree, box, visitor, statistics);
}
void VisitRange(const Tree& tree, const Obb& box, TriangleVisitor visitor,
                TraversalStatistics* statistics) {
  VisitEach(tree, box, visitor, statistics);
}
void VisitRange(const Tree& tree, HalfSpaces set, TriangleVisitor visitor,
                TraversalStatistics* statistics) {
  VisitEach(tree, set, visitor, statistics);
}

std::vector<uint32_t> CollectInRange(const Tree& tree, const Sphere& ball,
                                     TraversalStatistics* statistics) {
  return Collect(tree, ball, statistics);
}
std::vector<uint32_t> CollectInRange(const Tree& tree, const Aabb& box,
                                     TraversalStatistics* statistics) {
  return Collect(tree, box, statistics);
}
std::vector<uint32_t> CollectInRange(const Tree& tree, const Obb& box,
                                     TraversalStatistics* statistics) {
  return Collect(tree, box, statistics);
}
std::vector<uint32_t> CollectInRange(const Tree& tree, HalfSpaces set,
                                     TraversalStatistics* statistics) {
  return Collect(tree, set, statistics);
}

void AppendInRange(const Tree& tree, const Sphere& ball,
                   std::vector<uint32_t>* ids, IdOrder order,
                   TraversalStatistics* statistics) {
  Append(tree, ball, ids, order, statistics);
}
void AppendInRange(const Tree& tree, const Aabb& box,
                   std::vector<uint32_t>* ids, IdOrder order,
                   TraversalStatistics* statistics) {
  Append(tree, box, ids, order, statistics);
}
void AppendInRange(const Tree& tree, const Obb& box, std::vector<uint32_t>* ids,
                   IdOrder order, TraversalStatistics* statistics) {
  Append(tree, box, ids, order, statistics);
}
void AppendInRange(const Tree& tree, HalfSpaces set, std::vector<uint32_t>* ids,
                   IdOrder order, TraversalStatistics* statistics) {
  Append(tree, set, ids, order, statistics);
}

size_t CountInRange(const Tree& tree, const Sphere& ball,
                    TraversalStatistics* statistics) {
  return Count(tree, ball, statistics);
}
size_t CountInRange(const Tree& tree, const Aabb& box,
                    TraversalStatistics* statistics) {
  return Count(tree, box, statistics);
}
size_t CountInRange(const Tree& tree, const Obb& box,
                    TraversalStatistics* statistics) {
  return Count(tree, box, statistics);
}
size_t CountInRange(const Tree& tree, HalfSpaces set,
                    TraversalStatistics* statistics) {
  return Count(tree, set, statistics);
}

bool AnyInRange(const Tree& tree, const Sphere& ball,
                TraversalStatistics* statistics) {
  return Any(tree, ball, statistics);
}
bool AnyInRange(const Tree& tree, const Aabb& box,
                TraversalStatistics* statistics) {
  return Any(tree, box, statistics);
}
bool AnyInRange(const Tree& tree, const Obb& box,
                TraversalStatistics* statistics) {
  return Any(tree, box, statistics);
}
bool AnyInRange(const Tree& tree, HalfSpaces set,
                TraversalStatistics* statistics) {
  return Any(tree, set, statistics);
}

}  // namespace orbox
#endif  // HWY_ONCE
