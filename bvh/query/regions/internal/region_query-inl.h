// SPDX-License-Identifier: Apache-2.0

// Queries of a region of any shape: what they do at nodes and leaves, and the
// buffer of their results.
//
//   template <typename Counters>
//   class BallQuery
//       : public RegionQuery<BallQuery<Counters>, BallInModel, Counters> {
//     LaneTest Test(const Node& node) const;  // one_tree-inl.h
//     // Decides what the floats of a leaf can decide.
//     CertainLanes Certain(const Leaf& leaf) const;
//   };
//   RunRegion<BallQuery>(tree, ball, sink, watch);
//
// Overlaps(shape, triangle, counts) decides the lanes that `Certain` leaves
// undecided. Private; compiled once per instruction set.
#if defined(ORBOX_BVH_QUERY_REGIONS_INTERNAL_REGION_QUERY_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_QUERY_REGIONS_INTERNAL_REGION_QUERY_INL_H_
#undef ORBOX_BVH_QUERY_REGIONS_INTERNAL_REGION_QUERY_INL_H_
#else
#define ORBOX_BVH_QUERY_REGIONS_INTERNAL_REGION_QUERY_INL_H_
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "orbox/bvh/query/internal/collectors.h"
#include "orbox/bvh/query/internal/in_model.h"
#include "orbox/bvh/query/regions/internal/feed_region.h"
#include "orbox/bvh/traverse/internal/box_in_tree-inl.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/half_spaces_in_tree-inl.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/point_in_tree-inl.h"
#include "orbox/bvh/traverse/internal/step.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Passes ids to a sink, a batch at a time.
class IdBuffer {
 public:
  explicit IdBuffer(IdSink& sink) : sink_(sink) {}

  HWY_INLINE Step Add(const uint32_t* ids, uint32_t lanes) {
    CompressStore8(Load8(ids), lanes, ids_ + size_);
    size_ += std::popcount(lanes);
    return size_ < flush_at_ ? Step::kContinue : Flush();
  }

  Step Flush() {
    const Step step = size_ == 0
                          ? Step::kContinue
                          : sink_.Add({ids_, static_cast<size_t>(size_)});
    size_ = 0;
    return step;
  }

  bool wants_each_leaf() const { return flush_at_ == 1; }

 private:
  static constexpr int kCapacity = 256;

  IdSink& sink_;
  uint32_t ids_[kCapacity + 2 * kLanes];
  int size_ = 0;
  int flush_at_ = sink_.wants_each_leaf() ? 1 : kCapacity;
};

// Common code of all regions. Derived::Certain returns the lanes of a leaf's
// float row that certainly overlap the region, and those that certainly do not.
template <typename Derived, typename Shape, typename Counters>
class RegionQuery {
 public:
  static constexpr Order kOrder = Order::kAny;

  RegionQuery(TreeAtPose tree, const Shape& shape, IdSink& sink,
              Counters& counters)
      : tree_(tree),
        mesh_(tree.tree().mesh()),
        shape_(shape),
        sink_(sink),
        buffer_(sink),
        counters_(counters) {}

  size_t leaf_batch() const {
    return buffer_.wants_each_leaf() ? 1 : kMostPendingLeaves;
  }

  HWY_INLINE Step Visit(const Leaf& leaf, uint32_t /*index*/) {
    const uint32_t lanes = UsedLanes(leaf);
    const auto [inside, outside] = static_cast<Derived*>(this)->Certain(leaf);
    const uint32_t sure = lanes & (inside | outside);
    counters_.TestTriangles(std::popcount(lanes), std::popcount(sure));
    uint32_t found = lanes & inside;
    for (uint32_t rest = lanes & ~sure; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      found |= static_cast<uint32_t>(TestTriangle(leaf.ids[lane])) << lane;
    }
    // Adding 0 is cheaper than an unpredictable branch.
    if (Counters::kCounting && found != 0) counters_.Contribute();
    return buffer_.Add(leaf.ids, found);
  }

  Step ReportSubtree(const TreeMemory& memory, LeafRange leaves) {
    counters_.Contribute();
    // A visitor may take long.
    constexpr uint32_t kLeavesPerCheck = 64;
    for (uint32_t i = 0; i < leaves.count; ++i) {
      if (i % kLeavesPerCheck == 0) counters_.watch().CheckCancelled();
      const uint32_t* const ids = memory.Ids(leaves.first + i);
      if (buffer_.Add(ids, UsedLanes(ids)) == Step::kStop) return Step::kStop;
    }
    return Step::kContinue;
  }

  Step VisitDetail(const Tree& detail) {
    AnySink<uint32_t> sink(&sink_);
    tree_.AtDetail(detail, [&](TreeAtPose posed) {
      FeedRegion(posed, shape_, sink, counters_.watch());
    });
    if (sink.is_any()) counters_.Contribute();
    return sink.step();
  }

  void Finish() { buffer_.Flush(); }

 protected:
  struct CertainLanes {
    uint32_t inside;
    uint32_t outside;
  };

 private:
  // Tests a triangle that the float row leaves undecided. Copies are next to
  // each other in leaves, so a copy takes the result of its predecessor.
  HWY_INLINE bool TestTriangle(uint32_t id) {
    const Triangle t = mesh_internal::TriangleAt(mesh_, id);
    if (last_ != kNoTriangle && mesh_internal::TriangleAt(mesh_, last_) == t) {
      counters_.TestTriangles(0, 1);
      return last_overlaps_;
    }
    last_ = id;
    last_overlaps_ = Overlaps(shape_, tree_.Move(t), counters_.arithmetic());
    return last_overlaps_;
  }

  const TreeAtPose tree_;
  const Mesh& mesh_;
  const Shape& shape_;
  IdSink& sink_;
  IdBuffer buffer_;
  Counters& counters_;
  uint32_t last_ = kNoTriangle;
  bool last_overlaps_ = false;
};

// A ball. Tests inner nodes conservatively and the boxes of leaves exactly, as
// the paper does, then triangles.
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
    const uint32_t undecided =
        UsedLanes(leaf) & ~(lanes.inside | lanes.outside);
    return undecided == 0 ? lanes : Sharper(leaf);
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

// A box, aligned or oriented.
template <typename Box, typename Counters>
class BoxQuery : public RegionQuery<BoxQuery<Box, Counters>, Box, Counters> {
 public:
  using Base = RegionQuery<BoxQuery, Box, Counters>;

  BoxQuery(TreeAtPose tree, const Box& box, IdSink& sink, Counters& counters)
      : Base(tree, box, sink, counters), box_(tree.tree().space(), box) {}

  HWY_INLINE LaneTest Test(const Node& node) const {
    return box_.Test(node, Counters::kCounting);
  }

  HWY_INLINE typename Base::CertainLanes Certain(const Leaf& leaf) const {
    const BoxMasks masks = box_.Against(leaf);
    return {Bits(masks.inside), Bits(masks.outside)};
  }

 private:
  BoxInTree<Box> box_;
};

// A convex set: half-spaces, or a ball from far away.
template <typename Set, typename Counters>
class ConvexSetQuery
    : public RegionQuery<ConvexSetQuery<Set, Counters>, Set, Counters> {
 public:
  using Base = RegionQuery<ConvexSetQuery, Set, Counters>;

  ConvexSetQuery(TreeAtPose tree, const Set& set, IdSink& sink,
                 Counters& counters)
      : Base(tree, set, sink, counters),
        set_(InTree(tree.tree().space(), set)) {}

  HWY_INLINE LaneTest Test(const Node& node) const { return set_.Test(node); }

  HWY_INLINE typename Base::CertainLanes Certain(const Leaf& leaf) const {
    const auto [inside, outside] = set_.Against(leaf);
    return {inside, outside};
  }

 private:
  static HalfSpacesInTree InTree(const TreeSpace& space,
                                 const BallInModel& ball) {
    return {space,
            {ball.center, ball.outer},
            ball.error + (ball.outer - ball.inner)};
  }
  static HalfSpacesInTree InTree(const TreeSpace& space,
                                 const ConvexInModel& set) {
    return {space, set.half_spaces, set.errors};
  }

  HalfSpacesInTree set_;
};

template <template <typename> class Query, typename Shape>
void RunRegion(TreeAtPose tree, const Shape& shape, IdSink& sink,
               const Watch& watch) {
  RunCounted(watch, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    Query<Counters> query(tree, shape, sink, counters);
    TraverseTree(tree.tree(), query, counters);
    query.Finish();
  });
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_QUERY_REGIONS_INTERNAL_REGION_QUERY_INL_H_
