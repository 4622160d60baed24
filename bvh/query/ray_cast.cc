#include "orbox/bvh/query/ray_cast.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "orbox/overlap/triangles/ray_triangle.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/ray_cast.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/ray_query-inl.h"
#include "orbox/overlap/triangles/internal/ray_refine-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// What all ray queries have in common. Derived says what to do with a leaf's
// candidates: Step Candidates(const Leaf&, uint32_t index, const RayHits8&).
template <typename Derived, typename Counters>
class RayQuery {
 public:
  static constexpr Order kOrder = Order::kNearestFirst;

  RayQuery(const Tree& tree, const Ray& ray, double max_t, Counters& counters)
      : mesh_(tree.mesh()),
        ray_(ray),
        max_t_(max_t),
        in_tree_(tree.space(), ray, max_t),
        counters_(counters) {}

  float limit() const { return in_tree_.limit(); }

  HWY_INLINE LaneTest Test(const Node& node) const {
    return in_tree_.Test(node);
  }

  HWY_INLINE Step Visit(const Leaf& leaf, uint32_t index) {
    const uint32_t lanes = UsedLanes(leaf);
    const int count = std::popcount(lanes);
    const RayHits8 hits =
        in_tree_.is_far()
            ? RayHits8{0, lanes, Zero8(), Zero8(), Zero8(), Zero8(), Zero8()}
            : in_tree_.Against(leaf, lanes);
    const uint32_t candidates = hits.sure | hits.maybe;
    counters_.TestTriangles(count, count - std::popcount(candidates));
    if (candidates == 0) return Step::kContinue;
    return static_cast<Derived*>(this)->Candidates(leaf, index, hits);
  }

 protected:
  const Mesh& mesh_;
  const Ray& ray_;
  const double max_t_;
  RayInTree in_tree_;
  Counters& counters_;
};

template <typename Counters>
class AnyHitQuery : public RayQuery<AnyHitQuery<Counters>, Counters> {
 public:
  using Base = RayQuery<AnyHitQuery, Counters>;
  using Base::Base;

  HWY_INLINE Step Candidates(const Leaf& leaf, uint32_t /*index*/,
                             const RayHits8& hits) {
    found_ = hits.sure != 0;
    uint32_t rest = hits.maybe;
    for (; rest != 0 && !found_; rest &= rest - 1) {
      const uint32_t id = leaf.ids[std::countr_zero(rest)];
      found_ = Overlaps(this->ray_, this->mesh_.triangle(id), this->max_t_,
                        this->counters_.arithmetic());
    }
    // What need not be measured.
    this->counters_.TestTriangles(0, std::popcount(hits.sure | rest));
    if (!found_) return Step::kContinue;
    this->counters_.Contribute();
    return Step::kStop;
  }

  bool found() const { return found_; }

 private:
  bool found_ = false;
};

template <typename Counters>
class EachHitQuery : public RayQuery<EachHitQuery<Counters>, Counters> {
 public:
  using Base = RayQuery<EachHitQuery, Counters>;

  EachHitQuery(const Tree& tree, const Ray& ray, double max_t,
               Counters& counters, RayHitVisitor visitor)
      : Base(tree, ray, max_t, counters), visitor_(visitor) {}

  HWY_INLINE Step Candidates(const Leaf& leaf, uint32_t /*index*/,
                             const RayHits8& hits) {
    for (uint32_t rest = hits.sure | hits.maybe; rest != 0; rest &= rest - 1) {
      const uint32_t id = leaf.ids[std::countr_zero(rest)];
      const std::optional<RayTriangleHit> hit =
          Intersect(this->ray_, this->mesh_.triangle(id), this->max_t_,
                    this->counters_.arithmetic());
      if (!hit) continue;
      this->counters_.Contribute();
      if (visitor_({id, hit->t, hit->barycentric, hit->point}) ==
          orbox::Visit::kStop) {
        this->counters_.TestTriangles(0, std::popcount(rest & (rest - 1)));
        return Step::kStop;
      }
    }
    return Step::kContinue;
  }

 private:
  RayHitVisitor visitor_;
};

// The upper bounds of sure hits alone shrink the search, and who may be first
// is written down; only those who still may in the end are measured.
template <typename Counters>
class ClosestHitQuery : public RayQuery<ClosestHitQuery<Counters>, Counters> {
 public:
  using Base = RayQuery<ClosestHitQuery, Counters>;

  ClosestHitQuery(const Tree& tree, const Ray& ray, double max_t,
                  Counters& counters)
      : Base(tree, ray, max_t, counters), memory_(tree) {}

  HWY_INLINE Step Candidates(const Leaf& /*leaf*/, uint32_t index,
                             const RayHits8& hits) {
    if (hits.sure != 0) {
      alignas(32) float high[kLanes];
      Store8(hits.high, high);
      float lowest = high[std::countr_zero(hits.sure)];
      for (uint32_t rest = hits.sure & (hits.sure - 1); rest != 0;
           rest &= rest - 1) {
        lowest = std::min(lowest, high[std::countr_zero(rest)]);
      }
      if (this->in_tree_.ShrinkTo(lowest)) this->counters_.Contribute();
    }
    const uint32_t first = index * kLanes;
    alignas(32) float low[kLanes];
    Store8(hits.low, low);
    for (uint32_t rest = hits.maybe; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      Write({low[lane], first + static_cast<uint32_t>(lane), false, 0, 0, 0});
    }
    if (hits.sure == 0) return Step::kContinue;
    alignas(32) float s[kLanes];
    alignas(32) float v[kLanes];
    alignas(32) float w[kLanes];
    Store8(hits.s, s);
    Store8(hits.v, v);
    Store8(hits.w, w);
    for (uint32_t rest = hits.sure; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      Write({low[lane], first + static_cast<uint32_t>(lane), true, s[lane],
             v[lane], w[lane]});
    }
    return Step::kContinue;
  }

  // Measures what may still be first.
  void Settle() {
    for (int i = 0; i < pending_count_; ++i) {
      const Pending& pending = pending_[i];
      if (pending.low > this->in_tree_.limit()) {
        this->counters_.TestTriangles(0, 1);
        continue;
      }
      Offer(pending);
    }
    pending_count_ = 0;
  }

  std::optional<RayHit> Take() {
    Settle();
    return best_;
  }

 private:
  struct Pending {
    float low;
    uint32_t slot;  // a lane of a leaf
    // Whether it is certainly hit, at about the rest.
    bool is_sure;
    float s;
    float v;
    float w;
  };
  // More than the triangles around most vertices; where there are more, all
  // are measured, and the list begins anew.
  static constexpr int kPending = 64;

  HWY_INLINE void Write(const Pending& pending) {
    if (pending_count_ == kPending) Settle();
    pending_[pending_count_++] = pending;
    memory_.PrefetchTriangle(pending.slot);
  }

  std::optional<RayTriangleHit> Measure(const Pending& pending,
                                        const Triangle& triangle) {
    if (pending.is_sure) {
      RayTriangleHit hit;
      const double t = this->in_tree_.TAt(pending.s);
      if (RefineHit(this->ray_, triangle, {t, pending.v, pending.w}, &hit)) {
        if constexpr (Counters::kCounting) {
          ++this->counters_.arithmetic()->by_double;
        }
        return hit;
      }
    }
    return Intersect(this->ray_, triangle, this->max_t_,
                     this->counters_.arithmetic());
  }

  void Offer(const Pending& pending) {
    const uint32_t id = memory_.IdOf(pending.slot);
    const Triangle triangle = memory_.TriangleOf(pending.slot);
    const std::optional<RayTriangleHit> hit = Measure(pending, triangle);
    if (!hit || (best_ && !IsBefore(*hit, triangle, id))) return;
    best_ = RayHit{id, hit->t, hit->barycentric, hit->point};
    this->in_tree_.ShrinkToT(hit->t);
    this->counters_.Contribute();
  }

  bool IsBefore(const RayTriangleHit& hit, const Triangle& triangle,
                uint32_t id) const {
    // Rounding is monotonic: it may make hits equal, but not swap them.
    if (hit.t != best_->t) return hit.t < best_->t;
    const int order = CompareHits(this->ray_, triangle,
                                  this->mesh_.triangle(best_->triangle));
    return order != 0 ? order < 0 : id < best_->triangle;
  }

  const TreeMemory memory_;
  std::optional<RayHit> best_;
  Pending pending_[kPending];
  int pending_count_ = 0;
};

std::optional<RayHit> ClosestHitLoop(const Tree& tree, const Ray& ray,
                                     double max_t,
                                     TraversalStatistics* statistics) {
  std::optional<RayHit> closest;
  RunCounted(statistics, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    ClosestHitQuery<Counters> query(tree, ray, max_t, counters);
    TraverseTree(tree, query, counters);
    closest = query.Take();
  });
  return closest;
}

bool AnyHitLoop(const Tree& tree, const Ray& ray, double max_t,
                TraversalStatistics* statistics) {
  bool found = false;
  RunCounted(statistics, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    AnyHitQuery<Counters> query(tree, ray, max_t, counters);
    TraverseTree(tree, query, counters);
    found = query.found();
  });
  return found;
}

void EachHitLoop(const Tree& tree, const Ray& ray, double max_t,
                 RayHitVisitor visitor, TraversalStatistics* statistics) {
  RunCounted(statistics, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    EachHitQuery<Counters> query(tree, ray, max_t, counters, visitor);
    TraverseTree(tree, query, counters);
  });
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(ClosestHitLoop);
HWY_EXPORT(AnyHitLoop);
HWY_EXPORT(EachHitLoop);

namespace {

bool MayHit(const Ray& ray, double max_t) {
  return IsFinite(ray.origin) && IsFinite(ray.direction) &&
         ray.direction != Vec3{} && max_t >= 0;
}

}  // namespace

std::optional<RayHit> ClosestHit(const Tree& tree, const Ray& ray, double max_t,
                                 TraversalStatistics* statistics) {
  if (!MayHit(ray, max_t)) return std::nullopt;
  return ORBOX_DYNAMIC_DISPATCH(ClosestHitLoop)(tree, ray, max_t, statistics);
}

bool AnyHit(const Tree& tree, const Ray& ray, double max_t,
            TraversalStatistics* statistics) {
  if (!MayHit(ray, max_t)) return false;
  return ORBOX_DYNAMIC_DISPATCH(AnyHitLoop)(tree, ray, max_t, statistics);
}

void VisitHits(const Tree& tree, const Ray& ray, RayHitVisitor visitor,
               double max_t, TraversalStatistics* statistics) {
  if (!MayHit(ray, max_t)) return;
  ORBOX_DYNAMIC_DISPATCH(EachHitLoop)(tree, ray, max_t, visitor, statistics);
}

std::vector<RayHit> AllHits(const Tree& tree, const Ray& ray, double max_t,
                            TraversalStatistics* statistics) {
  std::vector<RayHit> hits;
  const auto add = [&hits](const RayHit& hit) {
    hits.push_back(hit);
    return Visit::kContinue;
  };
  VisitHits(tree, ray, add, max_t, statistics);
  const Mesh& mesh = tree.mesh();
  std::sort(hits.begin(), hits.end(), [&](const RayHit& x, const RayHit& y) {
    if (x.t != y.t) return x.t < y.t;
    const int order =
        CompareHits(ray, mesh.triangle(x.triangle), mesh.triangle(y.triangle));
    return order != 0 ? order < 0 : x.triangle < y.triangle;
  });
  return hits;
}

}  // namespace orbox
#endif  // HWY_ONCE
