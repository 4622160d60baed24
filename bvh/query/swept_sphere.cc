#include "orbox/bvh/query/swept_sphere.h"

#include <algorithm>
#include <bit>

#include "orbox/bvh/query/range.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/swept_sphere.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
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

  SweepQuery(const Tree& tree, const SweptSphere& ball, Counters& counters)
      : mesh_(tree.mesh()),
        ball_(ball),
        in_tree_(tree.space(), {ball.from, ball.to - ball.from}, 1,
                 ball.radius),
        counters_(counters) {}

  float limit() const { return in_tree_.limit(); }

  HWY_INLINE LaneTest Test(const Node& node) const {
    return in_tree_.Test(node);
  }

  // Soonest first, so that most of the others are too late.
  HWY_INLINE Step Visit(const Leaf& leaf, uint32_t /*index*/) {
    const uint32_t lanes = UsedLanes(leaf);
    const LaneTest test = in_tree_.TestBoxes(leaf);
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
  RayInTree in_tree_;
  Counters& counters_;
};

template <typename Counters>
class FirstContactQuery
    : public SweepQuery<FirstContactQuery<Counters>, Counters> {
 public:
  using Base = SweepQuery<FirstContactQuery, Counters>;
  using Base::Base;

  Step Measure(uint32_t id) {
    const std::optional<SweepContact> contact =
        FirstContact(this->ball_, this->mesh_.triangle(id),
                     best_ ? best_->latest : 1, this->counters_.arithmetic());
    if (!contact) return Step::kContinue;
    this->counters_.Contribute();
    const double earliest = best_ ? std::min(best_->earliest, contact->earliest)
                                  : contact->earliest;
    if (!best_ || contact->latest < best_->latest ||
        (contact->latest == best_->latest && id < best_->triangle)) {
      best_ = SweepHit{id, earliest, contact->latest, contact->point};
      this->in_tree_.ShrinkToT(contact->latest);
    }
    best_->earliest = earliest;
    return Step::kContinue;
  }

  const std::optional<SweepHit>& best() const { return best_; }

 private:
  std::optional<SweepHit> best_;
};

template <typename Counters>
class AnyContactQuery : public SweepQuery<AnyContactQuery<Counters>, Counters> {
 public:
  using Base = SweepQuery<AnyContactQuery, Counters>;
  using Base::Base;

  Step Measure(uint32_t id) {
    const SweptSphere& ball = this->ball_;
    // What the ball sweeps over is what is within its radius from its path.
    found_ = WithinDistance(Triangle{ball.from, ball.to, ball.to},
                            this->mesh_.triangle(id), ball.radius,
                            this->counters_.arithmetic());
    if (!found_) return Step::kContinue;
    this->counters_.Contribute();
    return Step::kStop;
  }

  bool found() const { return found_; }

 private:
  bool found_ = false;
};

std::optional<SweepHit> FirstContactLoop(const Tree& tree,
                                         const SweptSphere& ball,
                                         TraversalStatistics* statistics) {
  std::optional<SweepHit> best;
  RunCounted(statistics, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    FirstContactQuery<Counters> query(tree, ball, counters);
    TraverseTree(tree, query, counters);
    best = query.best();
  });
  return best;
}

bool AnyContactLoop(const Tree& tree, const SweptSphere& ball,
                    TraversalStatistics* statistics) {
  bool found = false;
  RunCounted(statistics, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    AnyContactQuery<Counters> query(tree, ball, counters);
    TraverseTree(tree, query, counters);
    found = query.found();
  });
  return found;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(FirstContactLoop);
HWY_EXPORT(AnyContactLoop);

namespace {

// A ball that stays where it is.
std::optional<SweepHit> ContactAtRest(const Tree& tree, const Sphere& ball,
                                      TraversalStatistics* statistics) {
  std::optional<uint32_t> lowest;
  const auto visit = [&lowest](uint32_t id) {
    lowest = std::min(lowest.value_or(id), id);
    return Visit::kContinue;
  };
  VisitRange(tree, ball, visit, statistics);
  if (!lowest) return std::nullopt;
  const Triangle triangle = tree.mesh().triangle(*lowest);
  return SweepHit{.triangle = *lowest,
                  .point = Distance(ball.center, triangle).closest};
}

}  // namespace

std::optional<SweepHit> FirstContact(const Tree& tree, const SweptSphere& ball,
                                     TraversalStatistics* statistics) {
  if (!IsValid(ball)) return std::nullopt;
  if (ball.from == ball.to) {
    return ContactAtRest(tree, {ball.from, ball.radius}, statistics);
  }
  return ORBOX_DYNAMIC_DISPATCH(FirstContactLoop)(tree, ball, statistics);
}

bool AnyContact(const Tree& tree, const SweptSphere& ball,
                TraversalStatistics* statistics) {
  if (!IsValid(ball)) return false;
  if (ball.from == ball.to) {
    return AnyInRange(tree, Sphere{ball.from, ball.radius}, statistics);
  }
  return ORBOX_DYNAMIC_DISPATCH(AnyContactLoop)(tree, ball, statistics);
}

}  // namespace orbox
#endif  // HWY_ONCE
