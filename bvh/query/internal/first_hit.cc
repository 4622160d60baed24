// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "orbox/bvh/query/internal/ray_search.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/overlap/triangles/ray_triangle.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/internal/first_hit.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/internal/pending_hits-inl.h"
#include "orbox/bvh/query/internal/ray_leaf-inl.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/interleaved-inl.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/ray_query-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// The upper bounds of sure hits alone shrink the search, and who may be first
// is written down; only those who still may in the end are measured.
template <typename Counters>
class FirstHitQuery : public RayQuery<FirstHitQuery<Counters>, Counters> {
 public:
  using Base = RayQuery<FirstHitQuery, Counters>;

  FirstHitQuery(const Tree& tree, const Ray& ray, double max_t,
                Counters& counters)
      : Base(tree, ray, max_t, counters), pending_(tree, ray, max_t) {}

  HWY_INLINE Step Visit(const Leaf& leaf, uint32_t index) {
    pending_.Prefetch(index);
    return Base::Visit(leaf, index);
  }

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
    if (pending_.is_full()) Settle();
    pending_.Add(index, hits);
    return Step::kContinue;
  }

  Step VisitPart(const Tree& part) {
    Settle();
    // Hits that round to the same t may be sooner.
    const double max_t =
        best_ ? std::min(this->max_t_, AboveRounded(best_->t)) : this->max_t_;
    const std::optional<RayHit> hit =
        FirstHit(part, this->ray_, max_t, this->counters_.statistics());
    if (hit) Accept(*hit, this->mesh_.triangle(hit->triangle));
    return Step::kContinue;
  }

  // Measures what may still be first.
  void Settle() {
    for (const PendingHit& pending : pending_.hits()) {
      if (pending.low > this->in_tree_.limit()) {
        this->counters_.TestTriangles(0, 1);
        continue;
      }
      const Triangle triangle = pending_.TriangleOf(pending);
      const std::optional<RayHit> hit = pending_.Measure(
          pending, triangle, this->in_tree_, this->counters_.arithmetic());
      if (hit) Accept(*hit, triangle);
    }
    pending_.Clear();
  }

  std::optional<RayHit> Take() {
    Settle();
    return best_;
  }

 private:
  // Takes a hit of `triangle` if it is first.
  void Accept(const RayHit& hit, const Triangle& triangle) {
    if (best_ && !IsBefore(hit, triangle)) return;
    best_ = hit;
    this->in_tree_.ShrinkToT(hit.t);
    this->counters_.Contribute();
  }

  bool IsBefore(const RayHit& hit, const Triangle& triangle) const {
    // Rounding is monotonic: it may make hits equal, but not swap them.
    if (hit.t != best_->t) return hit.t < best_->t;
    const Triangle best = this->mesh_.triangle(best_->triangle);
    const int order = pending_.corners().AreHitAlike(triangle, best)
                          ? 0
                          : CompareHits(this->ray_, triangle, best);
    return order != 0 ? order < 0 : hit.triangle < best_->triangle;
  }

  PendingHits pending_;
  std::optional<RayHit> best_;
};

std::optional<RayHit> FirstHitLoop(const Tree& tree, const Ray& ray,
                                   double max_t,
                                   TraversalStatistics* statistics) {
  std::optional<RayHit> first;
  RunCounted(statistics, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    FirstHitQuery<Counters> query(tree, ray, max_t, counters);
    TraverseTree(tree, query, counters);
    first = query.Take();
  });
  return first;
}

// Many rays, some of them under way at a time: the walk of interleaved-inl.h.
class FirstHitsWalk {
 public:
  FirstHitsWalk(const Tree& tree, const FirstHitsQuestion& question,
                std::span<std::optional<RayHit>> results)
      : tree_(tree), memory_(tree), question_(question), results_(results) {}

  HWY_INLINE void Run() { RunInterleaved<kSlots>(*this); }

  HWY_INLINE bool StartNext(size_t slot) {
    while (next_ < question_.order.size()) {
      const size_t n = next_++;
      const uint32_t ray = question_.order[n];
      if (!MayHit(question_.rays[ray])) continue;
      Slot& s = slots_[slot];
      s.query.emplace(
          tree_, question_.rays[ray],
          question_.bounds.empty() ? question_.max_t : question_.bounds[n],
          counters_);
      s.at = {};
      s.ray = ray;
      return true;
    }
    return false;
  }
  HWY_INLINE bool IsAtLeaf(size_t slot) const {
    return slots_[slot].at.is_leaf();
  }
  HWY_INLINE bool Open(size_t slot) {
    Slot& s = slots_[slot];
    const bool goes_on = s.search.Open(s.at, memory_, *s.query, counters_);
    memory_.PrefetchChild(s.at.child, TreePlace::kLeafBit);
    return goes_on;
  }
  HWY_INLINE void Look(size_t slot) {
    Slot& s = slots_[slot];
    s.search.Look(s.at, memory_, *s.query, counters_);
  }
  HWY_INLINE bool Pop(size_t slot) {
    Slot& s = slots_[slot];
    if (!s.search.Pop(s.at, *s.query, counters_)) return false;
    memory_.PrefetchChild(s.at.child, TreePlace::kLeafBit);
    return true;
  }
  HWY_INLINE void Finish(size_t slot) {
    results_[slots_[slot].ray] = slots_[slot].query->Take();
  }

 private:
  // As many as keep memory busy and leave the first cache to the tree.
  static constexpr size_t kSlots = 8;

  struct Slot {
    std::optional<FirstHitQuery<NoCounters>> query;
    NearestFirst<NoCounters> search;
    TreePlace at;
    uint32_t ray;
  };

  const Tree& tree_;
  const TreeMemory memory_;
  const FirstHitsQuestion& question_;
  const std::span<std::optional<RayHit>> results_;
  NoCounters counters_;
  Slot slots_[kSlots];
  size_t next_ = 0;
};

void FirstHitsLoop(const Tree& tree, const FirstHitsQuestion& question,
                   std::span<std::optional<RayHit>> results) {
  FirstHitsWalk(tree, question, results).Run();
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(FirstHitLoop);
HWY_EXPORT(FirstHitsLoop);

std::optional<RayHit> FirstHit(const Tree& tree, const Ray& ray, double max_t,
                               TraversalStatistics* statistics) {
  return ORBOX_DYNAMIC_DISPATCH(FirstHitLoop)(tree, ray, max_t, statistics);
}

void FirstHits(const Tree& tree, const FirstHitsQuestion& question,
               std::span<std::optional<RayHit>> results) {
  ORBOX_DYNAMIC_DISPATCH(FirstHitsLoop)(tree, question, results);
}

}  // namespace orbox
#endif  // HWY_ONCE
