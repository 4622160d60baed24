// SPDX-License-Identifier: Apache-2.0

// Search for the first hit of a ray, for a single ray and for many interleaved
// ones (first_hit.cc).
//
//   std::optional<RayHit> first;
//   FirstHitQuery<Counters, true> query(tree, ray, max_t, counters, first);
//   TraverseTree(tree, query, counters);
//   query.MeasurePending();
//
// Private; compiled once per instruction set.
#if defined(ORBOX_BVH_QUERY_RAYS_INTERNAL_FIRST_HIT_QUERY_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_QUERY_RAYS_INTERNAL_FIRST_HIT_QUERY_INL_H_
#undef ORBOX_BVH_QUERY_RAYS_INTERNAL_FIRST_HIT_QUERY_INL_H_
#else
#define ORBOX_BVH_QUERY_RAYS_INTERNAL_FIRST_HIT_QUERY_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "hwy/highway.h"
#include "orbox/bvh/query/rays/internal/pending_hits-inl.h"
#include "orbox/bvh/query/rays/internal/ray_leaf-inl.h"
#include "orbox/bvh/traverse/internal/ray_in_tree-inl.h"
#include "orbox/overlap/triangles/internal/whole_triangles-inl.h"
#include "orbox/overlap/triangles/ray_triangle.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Search for the first hit. Upper bounds of certain hits shorten the ray.
// Candidates for the first hit are stored, and those that remain candidates at
// the end are measured. A single ray measures certain hits immediately: the
// next step does not depend on the result, so the processor overlaps both.
// Interleaved rays measure later, because corners are loaded while other rays
// advance.
template <typename Counters, bool kIsAlone>
class FirstHitQuery
    : public RayQuery<FirstHitQuery<Counters, kIsAlone>, Counters> {
 public:
  using Base = RayQuery<FirstHitQuery, Counters>;

  // Sets `best` to the first hit. Requires that `best` is empty.
  FirstHitQuery(TreeAtPose tree, const Ray& ray, double max_t,
                Counters& counters, std::optional<RayHit>& best)
      : Base(tree, ray, max_t, counters), pending_(tree, ray), best_(best) {}

  HWY_INLINE Step Visit(const Leaf& leaf, uint32_t index) {
    if constexpr (kIsAlone) pending_.Prefetch(index);
    return Base::Visit(leaf, index);
  }

  HWY_INLINE Step Candidates(const Leaf& leaf, uint32_t index,
                             const RayHits8& hits) {
    // A ray rarely hits more triangles of a leaf with certainty, except for
    // copies.
    const bool are_many_sure = std::popcount(hits.sure) > 3;
    if (HWY_UNLIKELY((are_many_sure && best_.has_value()) ||
                     (hits.crossed != 0 && best_corner_.has_value()))) {
      RayHits8 others = hits;
      if (are_many_sure) others.sure = WithoutCopies(leaf, index, hits.sure);
      if (best_corner_) others.maybe = WithoutLikeBest(leaf, index, hits);
      if ((others.sure | others.maybe) != 0) AddCandidates(index, others);
    } else {
      AddCandidates(index, hits);
    }
    return Step::kContinue;
  }

  HWY_INLINE void AddCandidates(uint32_t index, const RayHits8& hits) {
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
    if (pending_.is_full() || HWY_UNLIKELY(pending_.has_many_undecided()))
      MeasurePending();
    if constexpr (kIsAlone) {
      pending_.AddUndecided(index, hits);
      const uint32_t near =
          hits.sure & Bits(hits.low <= Set8(this->in_tree_.limit()));
      PendingHits::ForEachSure(index, hits, near,
                               [&](const PendingHit& hit)
                                   HWY_ATTR { Measure<true>(hit); });
    } else {
      pending_.Add(index, hits);
    }
  }

  Step VisitDetail(const Tree& detail) {
    MeasurePending();
    const std::optional<RayHit> hit =
        this->tree_.AtDetail(detail, [&](TreeAtPose posed) {
          return FirstHit(posed, this->ray_, LastT(), this->counters_.watch());
        });
    if (hit) Accept(*hit, this->tree_.triangle(hit->triangle), false, false);
    ShrinkToBest();
    return Step::kContinue;
  }

  // Measures the candidates for the first hit. Measures certain hits first,
  // because they exclude others.
  void MeasurePending() {
    if constexpr (!kIsAlone) {
      for (const PendingHit& pending : pending_.hits()) {
        if (!pending.is_sure) continue;
        Measure<true>(pending);
        ShrinkToBest();
      }
    }
    if (HWY_UNLIKELY(pending_.has_undecided())) MeasureUndecided();
    pending_.Clear();
  }

 private:
  // Returns the upper bound of t for candidates. A hit whose t rounds to the
  // best t may be earlier. So no exact t that rounds to the best t, or to 0, is
  // above this bound.
  HWY_INLINE double LastT() const {
    return best_ ? std::min(this->max_t_, best_->t * (1 + 0x1p-52) + 0x1p-1022)
                 : this->max_t_;
  }

  // Measures the uncertain hits. Tests them in double first, a few at a time,
  // because each hit may exclude others. Most of them are misses or hits at a
  // corner. Measures the remaining ones in ascending order of their lower
  // bounds.
  HWY_NOINLINE void MeasureUndecided() {
    ShrinkToBest();
    const std::span<const PendingHit> hits = pending_.hits();
    uint8_t remaining[PendingHits::kCapacity];
    size_t remaining_count = 0;
    size_t next = 0;
    while (next < hits.size()) {
      constexpr size_t kAtOnce = 4;
      PendingHit batch[kAtOnce];
      uint8_t indices[kAtOnce];
      size_t count = 0;
      for (; next < hits.size() && count < kAtOnce; ++next) {
        if (hits[next].is_sure) continue;
        if (hits[next].low > this->in_tree_.limit()) {
          this->counters_.TestTriangles(0, 1);
        } else {
          indices[count] = static_cast<uint8_t>(next);
          batch[count++] = hits[next];
        }
      }
      const LineVerdicts verdicts = pending_.TestInDouble({batch, count});
      this->counters_.CountDouble(std::popcount(verdicts.missed));
      for (size_t i = 0; i < count; ++i) {
        if ((verdicts.missed >> i & 1) != 0) continue;
        const size_t corner = verdicts.CornerOf(i);
        if (corner < 3) {
          MeasureAndShrink(batch[i], corner);
        } else {
          remaining[remaining_count++] = indices[i];
        }
      }
    }
    if (remaining_count > 1) {
      std::sort(
          remaining, remaining + remaining_count,
          [&](uint8_t x, uint8_t y) { return hits[x].low < hits[y].low; });
    }
    for (size_t i = 0; i < remaining_count; ++i)
      MeasureAndShrink(hits[remaining[i]], 3);
  }

  // Measures a hit. `corner` is the index of the triangle's corner that the ray
  // hits, and 3 if none is known, as for certain hits.
  template <bool kIsSure>
  HWY_INLINE void Measure(const PendingHit& pending, size_t corner = 3) {
    if (pending.low > this->in_tree_.limit()) {
      this->counters_.TestTriangles(0, 1);
      return;
    }
    Triangle room;
    const Triangle& triangle = pending_.ReadTriangle(pending.slot, room);
    const uint32_t id = pending_.IdOf(pending);
    const bool stays = &triangle != &room;
    if (best_ && AreCopies(triangle, *best_triangle_)) {
      // A copy of the best triangle is hit at the same point.
      best_->triangle = std::min(best_->triangle, id);
      this->counters_.CountDouble(1);
      return;
    }
    if constexpr (!kIsSure) {
      if ((corner < 3 || pending_.corners().HasStoredCorner(triangle)) &&
          MeasureAtCorner(triangle, id, stays, corner)) {
        this->counters_.CountDouble(1);
        return;
      }
    }
    RayTriangleHit found;
    if (kIsSure &&
        HWY_LIKELY(pending_.Refine(pending, triangle, this->in_tree_,
                                   this->counters_.arithmetic(), &found))) {
      Accept({id, found.t, found.barycentric, found.point}, triangle, stays,
             /*at_corner=*/false);
      return;
    }
    const std::optional<RayTriangleHit> exact = pending_.MeasureExactly(
        triangle, LastT(), this->counters_.arithmetic());
    if (!exact.has_value()) return;
    const RayCorners& corners = pending_.corners();
    Accept({id, exact->t, exact->barycentric, exact->point}, triangle, stays,
           corners.has_corner() && corners.IsCertainlyHitAtCorner(triangle));
  }

  HWY_INLINE void MeasureAndShrink(const PendingHit& pending, size_t corner) {
    const double t = best_ ? best_->t : std::numeric_limits<double>::infinity();
    Measure<false>(pending, corner);
    if (best_ && best_->t < t) ShrinkToBest();
  }

  // Shortens the ray to the measured t, which is below the float bound.
  void ShrinkToBest() {
    if (best_) this->in_tree_.ShrinkToT(best_->t);
  }

  // Measures a triangle for which a hit at a corner is expected, as in a fan of
  // triangles. Returns false if it is not hit there.
  HWY_NOINLINE bool MeasureAtCorner(const Triangle& triangle, uint32_t id,
                                    bool stays, size_t corner) {
    RayCorners& corners = pending_.corners();
    if (corner == 3) {
      corner = corners.CertainHitCorner(triangle);
      if (corner == 3) return false;
    }
    const Vec3& at = triangle[corner];
    if (best_ && best_corner_ == at && corners.corner() == at) {
      if (id < best_->triangle) AcceptAtCorner(triangle, corner, id, stays);
      return true;
    }
    switch (corners.TestCorner(at, LastT())) {
      case RayCorners::CornerHit::kMiss:
        return true;
      case RayCorners::CornerHit::kHit:
        AcceptAtCorner(triangle, corner, id, stays);
        return true;
      case RayCorners::CornerHit::kUndecided:
        break;
    }
    return false;
  }

  // Accepts a triangle that is hit at the stored corner, which is its corner
  // `index`.
  void AcceptAtCorner(const Triangle& triangle, size_t index, uint32_t id,
                      bool stays) {
    const RayTriangleHit hit = pending_.corners().HitAtCorner(triangle, index);
    Accept({id, hit.t, hit.barycentric, hit.point}, triangle, stays,
           /*at_corner=*/true);
  }

  // Returns the certain lanes without copies of the best triangle, which have
  // the same hit. Tests all lanes only if the first one is a copy.
  HWY_NOINLINE uint32_t WithoutCopies(const Leaf& leaf, uint32_t index,
                                      uint32_t sure) {
    const CopiesOf copies(*best_triangle_);
    uint32_t others = sure;
    for (uint32_t rest = sure; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      Triangle room;
      if (copies.Has(pending_.ReadTriangle(index * kLanes + lane, room))) {
        others &= ~(1u << lane);
        best_->triangle = std::min(best_->triangle, leaf.ids[lane]);
      } else if (others == sure) {
        return others;
      }
    }
    this->counters_.CountDouble(std::popcount(sure & ~others));
    return others;
  }

  // Returns the lanes that float leaves undecided, without those that have the
  // corner of the best hit as a corner. The ray crosses the planes of these, so
  // it certainly hits them at this corner. The lowest of their ids may become
  // the best.
  HWY_NOINLINE uint32_t WithoutLikeBest(const Leaf& leaf, uint32_t index,
                                        const RayHits8& hits) {
    const RayCorners& corners = pending_.corners();
    if (best_corner_ != corners.corner()) return hits.maybe;
    const uint32_t alike = pending_.WithCorner(
        leaf, index, hits.crossed & hits.maybe, *best_corner_);
    uint32_t sooner = alike & Bits(Load8(leaf.ids) < U8(best_->triangle));
    if (HWY_UNLIKELY(sooner != 0)) {
      uint32_t lane = kLanes;
      for (; sooner != 0; sooner &= sooner - 1) {
        const auto next = static_cast<uint32_t>(std::countr_zero(sooner));
        if (lane == kLanes || leaf.ids[next] < leaf.ids[lane]) lane = next;
      }
      Triangle room;
      const Triangle& t = pending_.ReadTriangle(index * kLanes + lane, room);
      AcceptAtCorner(t, corners.FindCorner(t), leaf.ids[lane], &t != &room);
    }
    const uint32_t others = hits.maybe & ~alike;
    this->counters_.CountDouble(std::popcount(hits.maybe & ~others));
    return others;
  }

  // Accepts a hit of `triangle` if it is the first. `stays` is true if the
  // triangle stays in memory. `at_corner` is true if the hit is known to be at
  // the stored corner.
  HWY_INLINE void Accept(const RayHit& hit, const Triangle& triangle,
                         bool stays, bool at_corner) {
    if (best_ && !IsBefore(hit, triangle, at_corner)) return;
    best_ = hit;
    best_triangle_ = stays ? &triangle : &kept_triangle_.emplace(triangle);
    if (HWY_UNLIKELY(at_corner)) {
      best_corner_ = pending_.corners().corner();
    } else {
      best_corner_.reset();
    }
    this->counters_.Contribute();
  }

  bool IsBefore(const RayHit& hit, const Triangle& triangle,
                bool at_corner) const {
    // Rounding is monotonic: it can make two values equal, but not swap them.
    if (hit.t != best_->t) return hit.t < best_->t;
    const RayCorners& corners = pending_.corners();
    const bool are_alike =
        at_corner && (best_corner_ == corners.corner() ||
                      corners.IsCertainlyHitAtCorner(*best_triangle_));
    const int order =
        are_alike ? 0 : CompareHits(this->ray_, triangle, *best_triangle_);
    return order != 0 ? order < 0 : hit.triangle < best_->triangle;
  }

  PendingHits pending_;
  std::optional<RayHit>& best_;
  // Triangle of the best hit, in the tree or in kept_triangle_. Null if there
  // is no hit.
  const Triangle* best_triangle_ = nullptr;
  std::optional<Triangle> kept_triangle_;
  std::optional<Vec3> best_corner_;  // the corner of the best hit, if known
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_QUERY_RAYS_INTERNAL_FIRST_HIT_QUERY_INL_H_
