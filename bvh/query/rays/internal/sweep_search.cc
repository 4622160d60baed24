// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "orbox/bvh/posed/internal/into_model.h"
#include "orbox/bvh/query/internal/collectors.h"
#include "orbox/bvh/query/internal/in_model.h"
#include "orbox/bvh/query/rays/internal/ray_search.h"
#include "orbox/overlap/triangles/internal/sweep_plane.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/rays/internal/sweep_search.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/rays/internal/ball_front-inl.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/ray_in_tree-inl.h"
#include "orbox/bvh/traverse/internal/tree_memory-inl.h"
#include "orbox/overlap/triangles/internal/sweep_plane-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Common code of both queries. Derived has two functions. `Step
// Measure(uint32_t id)` measures a triangle. `uint32_t Matter(uint32_t leaf,
// uint32_t lanes)` returns the lanes of a leaf that may matter. It is called
// before the first measurement and after each one.
template <typename Derived, typename Counters>
class SweepQuery {
 public:
  static constexpr Order kOrder = Order::kNearestFirst;

  SweepQuery(TreeAtPose tree, const SweptSphere& ball, double max_t,
             Counters& counters)
      : SweepQuery(tree, ball, InModel(tree, ball), max_t, counters) {}

  float limit() const { return in_tree_.limit(); }

  HWY_INLINE LaneTest Test(const Node& node) const {
    return NotSooner(in_tree_.Test(node), node);
  }

  HWY_INLINE Step Visit(const Leaf& leaf, uint32_t index) {
    Derived* const derived = static_cast<Derived*>(this);
    const uint32_t lanes = UsedLanes(leaf);
    const LaneTest test = NotSooner(
        is_large_ ? in_tree_.TestBoxes(leaf) : in_tree_.TestTriangles(leaf),
        leaf);
    const uint32_t near = lanes & test.accepted;
    uint32_t left = derived->Matter(index, near);
    int by_double = std::popcount(near & ~left);
    int measured = 0;
    Step step = Step::kContinue;
    alignas(32) float key[kLanes];
    Store8(test.key, key);
    while (left != 0) {
      const uint32_t lane = derived->Next(test.key, left);
      left &= ~(1u << lane);
      if (key[lane] > in_tree_.limit()) continue;
      ++measured;
      step = derived->Measure(leaf.ids[lane]);
      if (step == Step::kStop) break;
      const uint32_t matter = derived->Matter(index, left);
      by_double += std::popcount(left & ~matter);
      left = matter;
    }
    const int count = std::popcount(lanes);
    counters_.CountDouble(by_double);
    counters_.TestTriangles(count, count - measured - by_double);
    return step;
  }

 protected:
  const TreeAtPose tree_;
  const SweptSphere& ball_;
  const double max_t_;
  RayInTree in_tree_;
  BallFront front_;
  Counters& counters_;

 private:
  // `moved` is the ball in model space.
  SweepQuery(TreeAtPose tree, const SweptSphere& ball, const SweptSphere& moved,
             double max_t, Counters& counters)
      : tree_(tree),
        ball_(ball),
        max_t_(max_t),
        in_tree_(tree.tree().space(), moved, max_t),
        counters_(counters) {
    if (in_tree_.is_far()) return;
    const TreeSpace& space = tree.tree().space();
    is_large_ = moved.radius * space.scale > 1;
    front_.Set(in_tree_.CenterAtStart(space, moved), in_tree_.Direction(),
               moved.radius * space.scale, in_tree_.ErrorAtStart(space));
  }

  bool is_large_ = false;

  // Removes children or triangles that the front of a large ball touches too
  // late.
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

// First hit of a ball. Measures only a few of the triangles that are touched at
// about the same time: the plane of a measured triangle bounds the times of
// others.
template <typename Counters>
class FirstSweepQuery : public SweepQuery<FirstSweepQuery<Counters>, Counters> {
 public:
  using Base = SweepQuery<FirstSweepQuery, Counters>;

  FirstSweepQuery(TreeAtPose tree, const SweptSphere& ball, double max_t,
                  Counters& counters)
      : Base(tree, ball, max_t, counters), memory_(tree.tree()) {}

  // Returns the lanes that may matter. Excludes those that the plane proves to
  // be touched no sooner. Computes the bounds again only for a new plane.
  HWY_INLINE uint32_t Matter(uint32_t leaf, uint32_t lanes) {
    if (!plane_.is_known || lanes == 0) return lanes;
    if (leaf == last_leaf_ && !is_plane_new_) return lanes;
    last_leaf_ = leaf;
    is_plane_new_ = false;
    return WithoutLater(leaf, lanes);
  }

  // Returns the lane that is touched first, so that most other lanes become too
  // late. Uses the order of the plane, because floats may be too coarse.
  HWY_INLINE uint32_t Next(const F8& key, uint32_t lanes) const {
    uint32_t rest = lanes & decided_;
    if (rest == 0) return LowestLane(key, lanes);
    int next = std::countr_zero(rest);
    for (rest &= rest - 1; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (until_[lane] < until_[next]) next = lane;
    }
    return static_cast<uint32_t>(next);
  }

  Step Measure(uint32_t id) {
    const Triangle triangle = this->tree_.triangle(id);
    if (best_ && AreCopies(triangle, this->tree_.triangle(best_->triangle))) {
      best_->triangle = std::min(best_->triangle, id);
      this->counters_.CountDouble(1);
      return Step::kContinue;
    }
    SweepPlane plane;
    const std::optional<SweepContact> contact = FirstContact(
        this->ball_, triangle, best_ ? best_->latest : this->max_t_,
        this->counters_.arithmetic(), &plane);
    if (!contact) return Step::kContinue;
    if (Accept({id, contact->earliest, contact->latest, contact->point})) {
      if (plane.is_known) {
        plane_ = plane;
        is_plane_new_ = true;
      }
      Shrink();
    }
    return IsDone() ? Step::kStop : Step::kContinue;
  }

  Step VisitDetail(const Tree& detail) {
    const std::optional<SweepHit> hit =
        this->tree_.AtDetail(detail, [&](TreeAtPose posed) {
          return FirstHit(posed, this->ball_,
                          best_ ? best_->latest : this->max_t_,
                          this->counters_.watch());
        });
    if (hit && Accept(*hit)) Shrink();
    return IsDone() ? Step::kStop : Step::kContinue;
  }

  const std::optional<SweepHit>& best() const { return best_; }

 private:
  HWY_NOINLINE uint32_t WithoutLater(uint32_t leaf, uint32_t lanes) {
    uint8_t lane_of[kLanes];
    size_t count = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      lane_of[count++] = static_cast<uint8_t>(std::countr_zero(rest));
    }
    TriangleColumns columns;
    Triangle room[kLanes];
    for (size_t i = 0; i < count; i += kDoubleLanes) {
      const Triangle* triangles[kDoubleLanes];
      for (size_t k = 0; k < kDoubleLanes; ++k) {
        // The last register may be partly unused. Its unused lanes get the
        // first triangle.
        const uint32_t lane = lane_of[i + k < count ? i + k : 0];
        triangles[k] = &ReadTriangle(leaf * kLanes + lane, room[lane]);
      }
      columns.SetRegister(i, triangles);
    }
    alignas(64) double until[kColumns];
    FreeUntil(plane_, columns, count, until);
    const double enough = best_->latest - plane_.together;
    for (size_t i = 0; i < count; ++i) {
      until_[lane_of[i]] = until[i];
      if (!(until[i] >= enough)) continue;
      lanes &= ~(1u << lane_of[i]);
      if (until[i] >= best_->latest) continue;
      best_->earliest = std::min(best_->earliest, std::max(until[i], 0.0));
      AcceptCopy(leaf * kLanes + lane_of[i]);
    }
    decided_ = lanes;
    return lanes;
  }

  // Returns the moved triangle, stored in `room` or in the tree.
  HWY_INLINE const Triangle& ReadTriangle(uint32_t slot, Triangle& room) const {
    const Triangle& t = memory_.ReadTriangle(slot, room);
    if (this->tree_.moved() == nullptr) return t;
    room = this->tree_.Move(t);
    return room;
  }

  // Copies are touched at the same time. Reports the lowest id.
  void AcceptCopy(uint32_t slot) {
    const uint32_t id = memory_.IdOf(slot);
    if (id < best_->triangle &&
        AreCopies(this->tree_.Move(memory_.TriangleOf(slot)),
                  this->tree_.triangle(best_->triangle))) {
      best_->triangle = id;
    }
  }

  // Keeps `hit` and returns true if it is the best so far.
  bool Accept(const SweepHit& hit) {
    this->counters_.Contribute();
    const double earliest =
        best_ ? std::min(best_->earliest, hit.earliest) : hit.earliest;
    const bool is_best =
        !best_ || hit.latest < best_->latest ||
        (hit.latest == best_->latest && hit.triangle < best_->triangle);
    if (is_best) best_ = hit;
    best_->earliest = earliest;
    return is_best;
  }

  // Lowers the limit of the search. A triangle that is first touched after the
  // limit need not be reported, because it is not touched before `earliest`.
  void Shrink() {
    const double together = plane_.is_known ? plane_.together : 0;
    this->in_tree_.ShrinkToT(
        std::max(best_->earliest, best_->latest - together));
  }

  // Returns true if no triangle is touched much earlier than the best hit.
  bool IsDone() {
    if (!best_) return false;
    if (best_->latest == 0) return true;
    // At such distances, float bounds are useless, so all triangles would be
    // measured.
    if (!this->in_tree_.is_far() || !plane_.is_known) return false;
    if (!soonest_) soonest_ = SoonestOfAll();
    if (best_->latest - plane_.together > *soonest_) return false;
    best_->earliest = std::min(best_->earliest, *soonest_);
    return true;
  }

  // Returns a lower bound of all times: when a ball that is larger by the
  // mesh's radius touches the mesh's centre. The added 2^-48 covers rounding.
  double SoonestOfAll() const {
    const TreeAtPose& tree = this->tree_;
    const Aabb bounds = tree.moved() == nullptr ? tree.tree().mesh().bounds()
                                                : BoundsOf(*tree.moved());
    const Vec3 center = bounds.Center();
    const double around = Norm(bounds.hi - center) + Norm(bounds.lo - center) +
                          0x1p-48 * Norm(center);
    const SweptSphere larger{this->ball_.from, this->ball_.to,
                             (this->ball_.radius + around) * (1 + 0x1p-50)};
    if (!IsValid(larger)) return 0;
    const std::optional<SweepContact> contact =
        FirstContact(larger, {center, center, center});
    return contact ? contact->earliest : 1;
  }

  const TreeMemory memory_;
  std::optional<SweepHit> best_;
  // Plane of the best triangle, or of an earlier best triangle.
  SweepPlane plane_;
  bool is_plane_new_ = false;
  // Lower bounds of the times of the triangles of the last leaf, and the lanes
  // for which the bounds are valid.
  uint32_t last_leaf_ = ~0u;
  uint32_t decided_ = 0;
  double until_[kLanes];
  std::optional<double> soonest_;
};

template <typename Counters>
class FeedSweepsQuery : public SweepQuery<FeedSweepsQuery<Counters>, Counters> {
 public:
  using Base = SweepQuery<FeedSweepsQuery, Counters>;

  FeedSweepsQuery(TreeAtPose tree, const SweptSphere& ball, double max_t,
                  IdSink& sink, Counters& counters)
      : Base(tree, ball, max_t, counters), sink_(sink) {}

  uint32_t Matter(uint32_t /*leaf*/, uint32_t lanes) const { return lanes; }
  HWY_INLINE uint32_t Next(const F8& key, uint32_t lanes) const {
    return LowestLane(key, lanes);
  }

  Step Measure(uint32_t id) {
    if (!IsHit(this->tree_.triangle(id))) return Step::kContinue;
    this->counters_.Contribute();
    return sink_.Add({&id, 1});
  }

  Step VisitDetail(const Tree& detail) {
    AnySink<uint32_t> sink(&sink_);
    this->tree_.AtDetail(detail, [&](TreeAtPose posed) {
      FeedHits(posed, this->ball_, this->max_t_, sink, this->counters_.watch());
    });
    if (sink.is_any()) this->counters_.Contribute();
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
    // The region that the ball sweeps over is the points within its radius of
    // its path.
    return WithinDistance(Triangle{ball.from, ball.to, ball.to}, triangle,
                          ball.radius, this->counters_.arithmetic());
  }

  IdSink& sink_;
};

std::optional<SweepHit> FirstSweepHitLoop(const TreeAtPose& tree,
                                          const SweptSphere& ball, double max_t,
                                          const Watch& watch) {
  std::optional<SweepHit> best;
  RunCounted(watch, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    FirstSweepQuery<Counters> query(tree, ball, max_t, counters);
    TraverseTree(tree.tree(), query, counters);
    best = query.best();
  });
  return best;
}

void SweepLoop(const TreeAtPose& tree, const SweptSphere& ball, double max_t,
               IdSink& sink, const Watch& watch) {
  RunCounted(watch, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    FeedSweepsQuery<Counters> query(tree, ball, max_t, sink, counters);
    TraverseTree(tree.tree(), query, counters);
  });
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(FirstSweepHitLoop);
HWY_EXPORT(SweepLoop);

std::optional<SweepHit> FirstMovingHit(TreeAtPose tree, const SweptSphere& ball,
                                       double max_t, const Watch& watch) {
  return ORBOX_DYNAMIC_DISPATCH(FirstSweepHitLoop)(tree, ball, max_t, watch);
}

void FeedMovingHits(TreeAtPose tree, const SweptSphere& ball, double max_t,
                    IdSink& sink, const Watch& watch) {
  ORBOX_DYNAMIC_DISPATCH(SweepLoop)(tree, ball, max_t, sink, watch);
}

}  // namespace orbox
#endif  // HWY_ONCE
