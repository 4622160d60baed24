// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "orbox/bvh/query/internal/ray_search.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/internal/sweep_search.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/internal/ball_front-inl.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/ray_query-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// What both queries have in common. Derived measures a triangle:
// Step Measure(uint32_t id).
template <typename Derived, typename Counters>
class SweepQuery {
 public:
  static constexpr Order kOrder = Order::kNearestFirst;

  SweepQuery(const Tree& tree, const SweptSphere& ball, double max_t,
             Counters& counters)
      : mesh_(tree.mesh()),
        ball_(ball),
        max_t_(max_t),
        in_tree_(tree.space(), ball, max_t),
        counters_(counters) {
    if (in_tree_.is_far()) return;
    const TreeSpace& space = tree.space();
    front_.Set(in_tree_.CenterAtStart(space, ball), in_tree_.Direction(),
               ball.radius * space.scale, in_tree_.ErrorAtStart(space));
  }

  float limit() const { return in_tree_.limit(); }

  HWY_INLINE LaneTest Test(const Node& node) const {
    return NotSooner(in_tree_.Test(node), node);
  }

  // Soonest first, so that most of the others are too late.
  HWY_INLINE Step Visit(const Leaf& leaf, uint32_t /*index*/) {
    const uint32_t lanes = UsedLanes(leaf);
    const LaneTest test = NotSooner(in_tree_.TestBoxes(leaf), leaf);
    uint32_t left = lanes & test.accepted;
    int measured = 0;
    Step step = Step::kContinue;
    alignas(32) float key[kLanes];
    Store8(test.key, key);
    while (left != 0 && step == Step::kContinue) {
      const uint32_t lane = LowestLane(test.key, left);
      if (key[lane] > in_tree_.limit()) break;
      left &= ~(1u << lane);
      ++measured;
      step = static_cast<Derived*>(this)->Measure(leaf.ids[lane]);
    }
    const int count = std::popcount(lanes);
    counters_.TestTriangles(count, count - measured);
    return step;
  }

 protected:
  const Mesh& mesh_;
  const SweptSphere& ball_;
  const double max_t_;
  RayInTree in_tree_;
  BallFront front_;
  Counters& counters_;

 private:
  // What the front of a large ball says of the children, or of the triangles.
  template <typename Rows>
  HWY_INLINE LaneTest NotSooner(LaneTest test, const Rows& rows) const {
    if (!front_.is_on()) return test;
    const F8 key = Max(test.key, front_.Soonest(rows));
    const M8 is_soon = key <= Set8(in_tree_.limit());
    test.key =
        Select(is_soon, key, Set8(std::numeric_limits<float>::infinity()));
    const uint32_t soon = Bits(is_soon);
    test.accepted &= soon;
    test.exact &= soon;
    return test;
  }
};

template <typename Counters>
class FirstSweepQuery : public SweepQuery<FirstSweepQuery<Counters>, Counters> {
 public:
  using Base = SweepQuery<FirstSweepQuery, Counters>;
  using Base::Base;

  Step Measure(uint32_t id) {
    const Triangle triangle = this->mesh_.triangle(id);
    if (best_ && AreCopies(triangle, this->mesh_.triangle(best_->triangle))) {
      best_->triangle = std::min(best_->triangle, id);
      this->counters_.CountDouble(1);
      return Step::kContinue;
    }
    const std::optional<SweepContact> contact = FirstContact(
        this->ball_, triangle, best_ ? best_->latest : this->max_t_,
        this->counters_.arithmetic());
    if (contact) {
      Accept({id, contact->earliest, contact->latest, contact->point});
    }
    return Step::kContinue;
  }

  Step VisitPart(const Tree& part) {
    const std::optional<SweepHit> hit =
        FirstHit(part, this->ball_, best_ ? best_->latest : this->max_t_,
                 this->counters_.statistics());
    if (hit) Accept(*hit);
    return Step::kContinue;
  }

  const std::optional<SweepHit>& best() const { return best_; }

 private:
  void Accept(const SweepHit& hit) {
    this->counters_.Contribute();
    const double earliest =
        best_ ? std::min(best_->earliest, hit.earliest) : hit.earliest;
    if (!best_ || hit.latest < best_->latest ||
        (hit.latest == best_->latest && hit.triangle < best_->triangle)) {
      best_ = hit;
      this->in_tree_.ShrinkToT(hit.latest);
    }
    best_->earliest = earliest;
  }

  std::optional<SweepHit> best_;
};

template <typename Counters>
class FeedSweepsQuery : public SweepQuery<FeedSweepsQuery<Counters>, Counters> {
 public:
  using Base = SweepQuery<FeedSweepsQuery, Counters>;

  FeedSweepsQuery(const Tree& tree, const SweptSphere& ball, double max_t,
                  IdSink& sink, Counters& counters)
      : Base(tree, ball, max_t, counters), sink_(sink) {}

  Step Measure(uint32_t id) {
    if (!IsHit(this->mesh_.triangle(id))) return Step::kContinue;
    this->counters_.Contribute();
    return sink_.Add({&id, 1});
  }

  Step VisitPart(const Tree& part) {
    PartSink sink(sink_);
    FeedHits(part, this->ball_, this->max_t_, sink,
             this->counters_.statistics());
    if (sink.found()) this->counters_.Contribute();
    return sink.step();
  }

 private:
  bool IsHit(const Triangle& triangle) {
    const SweptSphere& ball = this->ball_;
    if (this->max_t_ < 1) {
      return FirstContact(ball, triangle, this->max_t_,
                          this->counters_.arithmetic())
          .has_value();
    }
    // What the ball sweeps over is what is within its radius from its path.
    return WithinDistance(Triangle{ball.from, ball.to, ball.to}, triangle,
                          ball.radius, this->counters_.arithmetic());
  }

  IdSink& sink_;
};

std::optional<SweepHit> FirstSweepHitLoop(const Tree& tree,
                                          const SweptSphere& ball, double max_t,
                                          TraversalStatistics* statistics) {
  std::optional<SweepHit> best;
  RunCounted(statistics, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    FirstSweepQuery<Counters> query(tree, ball, max_t, counters);
    TraverseTree(tree, query, counters);
    best = query.best();
  });
  return best;
}

void SweepLoop(const Tree& tree, const SweptSphere& ball, double max_t,
               IdSink& sink, TraversalStatistics* statistics) {
  RunCounted(statistics, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    FeedSweepsQuery<Counters> query(tree, ball, max_t, sink, counters);
    TraverseTree(tree, query, counters);
  });
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(FirstSweepHitLoop);
HWY_EXPORT(SweepLoop);

std::optional<SweepHit> FirstHit(const Tree& tree, const SweptSphere& ball,
                                 double max_t,
                                 TraversalStatistics* statistics) {
  return ORBOX_DYNAMIC_DISPATCH(FirstSweepHitLoop)(tree, ball, max_t,
                                                   statistics);
}

void FeedHits(const Tree& tree, const SweptSphere& ball, double max_t,
              IdSink& sink, TraversalStatistics* statistics) {
  ORBOX_DYNAMIC_DISPATCH(SweepLoop)(tree, ball, max_t, sink, statistics);
}

}  // namespace orbox
#endif  // HWY_ONCE
