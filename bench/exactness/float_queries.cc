// SPDX-License-Identifier: Apache-2.0

#include "bench/exactness/float_queries.h"

#include <bit>
#include <limits>

#include "orbox/bvh/query/internal/collectors.h"
#include "orbox/overlap/triangles/internal/closest_guess.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/exactness/float_queries.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/regions/internal/region_query-inl.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/point_in_tree-inl.h"
#include "orbox/bvh/traverse/internal/ray_in_tree-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// A detail tree has a space of its own, so each loop calls itself for it.
void FloatBallLoop(const Tree& tree, const Sphere& ball, IdSink& sink);
uint32_t FloatNearestLoop(const Tree& tree, const Vec3& p);
bool FloatAnyHitLoop(const Tree& tree, const Ray& ray);
std::optional<RayHit> FloatRayLoop(const Tree& tree, const Ray& ray);

double GuessDistance(const Vec3& p, const Triangle& triangle) {
  return Norm(GuessClosest(p, triangle).feature.PointOn(triangle) - p);
}

class FloatBallQuery {
 public:
  static constexpr Order kOrder = Order::kAny;

  FloatBallQuery(const Tree& tree, const Sphere& ball, IdSink& sink)
      : ball_(ball),
        point_(tree.space(), ball.center),
        sink_(sink),
        buffer_(sink) {
    point_.SetRadius(ball.radius);
    radius_ = static_cast<float>(ball.radius * tree.space().scale);
  }

  static constexpr size_t leaf_batch() { return kMostPendingLeaves; }

  HWY_INLINE LaneTest Test(const Node& node) const {
    LaneTest test =
        point_.Test<AnswerKind::kConservative, AnswerKind::kExact>(node);
    test.inside = point_.Inside(node, radius_);
    return test;
  }

  HWY_INLINE Step Visit(const Leaf& leaf, uint32_t /*index*/) {
    const PointGuess8 guess =
        GuessDistances(point_.lanes(), LoadTriangles(leaf.rows), 0);
    return buffer_.Add(leaf.ids,
                       UsedLanes(leaf) & Bits(guess.length <= Set8(radius_)));
  }

  Step ReportSubtree(const TreeMemory& memory, LeafRange leaves) {
    for (uint32_t i = 0; i < leaves.count; ++i) {
      const uint32_t* const ids = memory.Ids(leaves.first + i);
      buffer_.Add(ids, UsedLanes(ids));
    }
    return Step::kContinue;
  }

  Step VisitDetail(const Tree& detail) {
    FloatBallLoop(detail, ball_, sink_);
    return Step::kContinue;
  }

  void Finish() { buffer_.Flush(); }

 private:
  const Sphere& ball_;
  PointInTree point_;
  IdSink& sink_;
  IdBuffer buffer_;
  float radius_;
};

class FloatNearestQuery {
 public:
  static constexpr Order kOrder = Order::kNearestFirst;

  FloatNearestQuery(const Tree& tree, const Vec3& p)
      : p_(p), point_(tree.space(), p), scale_(tree.space().scale) {}

  float limit() const { return point_.squared_limit(); }
  uint32_t id() const { return id_; }

  HWY_INLINE LaneTest Test(const Node& node) const {
    return point_.Test<AnswerKind::kExact, AnswerKind::kExact>(node);
  }

  HWY_INLINE Step Visit(const Leaf& leaf, uint32_t /*index*/) {
    const PointGuess8 guess =
        GuessDistances(point_.lanes(), LoadTriangles(leaf.rows), 0);
    const float lowest = LowestValue(guess.length);
    if (point_.ShrinkTo(lowest)) {
      id_ = leaf.ids[std::countr_zero(Bits(guess.length <= Set8(lowest)))];
    }
    return Step::kContinue;
  }

  Step VisitDetail(const Tree& detail) {
    const uint32_t id = FloatNearestLoop(detail, p_);
    const double distance = GuessDistance(p_, detail.mesh().triangle(id));
    if (point_.ShrinkTo(static_cast<float>(distance * scale_))) id_ = id;
    return Step::kContinue;
  }

 private:
  const Vec3& p_;
  PointInTree point_;
  double scale_;
  uint32_t id_ = 0;
};

class FloatRayQuery {
 public:
  static constexpr Order kOrder = Order::kNearestFirst;

  FloatRayQuery(const Tree& tree, const Ray& ray)
      : ray_(ray),
        in_tree_(tree.space(), ray, std::numeric_limits<double>::infinity()) {}

  float limit() const { return in_tree_.limit(); }

  HWY_INLINE LaneTest Test(const Node& node) const {
    return in_tree_.Test(node);
  }

  HWY_INLINE Step Visit(const Leaf& leaf, uint32_t /*index*/) {
    const RayHits8 hits = in_tree_.Against(leaf);
    if (hits.sure == 0) return Step::kContinue;
    alignas(32) float s[kLanes];
    Store8(hits.s, s);
    for (uint32_t rest = hits.sure; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (!in_tree_.ShrinkTo(s[lane])) continue;
      alignas(32) float v[kLanes];
      alignas(32) float w[kLanes];
      Store8(hits.v, v);
      Store8(hits.w, w);
      const double t = in_tree_.TAt(s[lane]);
      best_ = RayHit{leaf.ids[lane],
                     t,
                     {1 - v[lane] - w[lane], v[lane], w[lane]},
                     ray_.origin + t * ray_.direction};
    }
    return Step::kContinue;
  }

  Step VisitDetail(const Tree& detail) {
    const std::optional<RayHit> hit = FloatRayLoop(detail, ray_);
    if (!hit || (best_ && best_->t <= hit->t)) return Step::kContinue;
    best_ = hit;
    in_tree_.ShrinkToT(hit->t);
    return Step::kContinue;
  }

  const std::optional<RayHit>& best() const { return best_; }

 private:
  const Ray& ray_;
  RayInTree in_tree_;
  std::optional<RayHit> best_;
};

class FloatAnyHitQuery {
 public:
  static constexpr Order kOrder = Order::kNearestFirst;

  FloatAnyHitQuery(const Tree& tree, const Ray& ray)
      : ray_(ray),
        in_tree_(tree.space(), ray, std::numeric_limits<double>::infinity()) {}

  float limit() const { return in_tree_.limit(); }
  bool found() const { return found_; }

  HWY_INLINE LaneTest Test(const Node& node) const {
    return in_tree_.Test(node);
  }

  HWY_INLINE Step Visit(const Leaf& leaf, uint32_t /*index*/) {
    found_ = in_tree_.Against(leaf).sure != 0;
    return found_ ? Step::kStop : Step::kContinue;
  }

  Step VisitDetail(const Tree& detail) {
    found_ = FloatAnyHitLoop(detail, ray_);
    return found_ ? Step::kStop : Step::kContinue;
  }

 private:
  const Ray& ray_;
  RayInTree in_tree_;
  bool found_ = false;
};

void FloatBallLoop(const Tree& tree, const Sphere& ball, IdSink& sink) {
  NoCounters counters;
  FloatBallQuery query(tree, ball, sink);
  TraverseTree(tree, query, counters);
  query.Finish();
}

uint32_t FloatNearestLoop(const Tree& tree, const Vec3& p) {
  NoCounters counters;
  FloatNearestQuery query(tree, p);
  TraverseTree(tree, query, counters);
  return query.id();
}

bool FloatAnyHitLoop(const Tree& tree, const Ray& ray) {
  NoCounters counters;
  FloatAnyHitQuery query(tree, ray);
  TraverseTree(tree, query, counters);
  return query.found();
}

std::optional<RayHit> FloatRayLoop(const Tree& tree, const Ray& ray) {
  NoCounters counters;
  FloatRayQuery query(tree, ray);
  TraverseTree(tree, query, counters);
  return query.best();
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(FloatBallLoop);
HWY_EXPORT(FloatNearestLoop);
HWY_EXPORT(FloatAnyHitLoop);
HWY_EXPORT(FloatRayLoop);

namespace exactness {

void FloatAppendInRange(const Tree& tree, const Sphere& ball,
                        std::vector<uint32_t>* ids) {
  CollectingSink<uint32_t> sink(ids);
  ORBOX_DYNAMIC_DISPATCH(FloatBallLoop)(tree, ball, sink);
}

SurfacePoint FloatClosestPoint(const Tree& tree, const Vec3& p) {
  const uint32_t id = ORBOX_DYNAMIC_DISPATCH(FloatNearestLoop)(tree, p);
  const Triangle t = tree.mesh().triangle(id);
  const Vec3 point = GuessClosest(p, t).feature.PointOn(t);
  return {id, Norm(point - p), point};
}

bool FloatAnyHit(const Tree& tree, const Ray& ray) {
  return ORBOX_DYNAMIC_DISPATCH(FloatAnyHitLoop)(tree, ray);
}

std::optional<RayHit> FloatClosestHit(const Tree& tree, const Ray& ray) {
  return ORBOX_DYNAMIC_DISPATCH(FloatRayLoop)(tree, ray);
}

}  // namespace exactness
}  // namespace orbox
#endif  // HWY_ONCE
