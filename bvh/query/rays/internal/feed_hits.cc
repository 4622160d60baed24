// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "orbox/bvh/query/rays/internal/ray_search.h"
#include "orbox/overlap/triangles/internal/ray_corners.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/rays/internal/feed_hits.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/internal/collectors.h"
#include "orbox/bvh/query/rays/internal/pending_hits-inl.h"
#include "orbox/bvh/query/rays/internal/ray_leaf-inl.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/ray_in_tree-inl.h"
#include "orbox/overlap/triangles/internal/ray_columns-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Passes the triangles that are hit to the sink. Starts with the certain hits
// of the float row, as many as the sink wants.
template <typename Counters, Order kOrder>
class FeedHitsQuery
    : public RayQuery<FeedHitsQuery<Counters, kOrder>, Counters, kOrder> {
 public:
  using Base = RayQuery<FeedHitsQuery, Counters, kOrder>;

  FeedHitsQuery(TreeAtPose tree, const Ray& ray, double max_t, IdSink& sink,
                Counters& counters)
      : Base(tree, ray, max_t, counters), sink_(sink), corners_(ray) {}

  HWY_INLINE Step Candidates(const Leaf& leaf, uint32_t /*index*/,
                             const RayHits8& hits) {
    Step step = Step::kContinue;
    // Certain hits need no measurement.
    this->counters_.TestTriangles(0, std::popcount(hits.sure));
    if (hits.sure != 0) {
      this->counters_.Contribute();
      uint32_t ids[2 * kLanes];
      CompressStore8(Load8(leaf.ids), hits.sure, ids);
      step = sink_.Add({ids, static_cast<size_t>(std::popcount(hits.sure))});
    }
    uint32_t rest = hits.maybe;
    if (HWY_UNLIKELY((rest & (rest - 1)) != 0) && step == Step::kContinue) {
      rest = WithoutMisses(leaf, rest);
    }
    for (; rest != 0 && step == Step::kContinue; rest &= rest - 1) {
      const uint32_t id = leaf.ids[std::countr_zero(rest)];
      if (!corners_.Overlaps(MovedTriangle(id), this->max_t_,
                             this->counters_.arithmetic())) {
        continue;
      }
      this->counters_.Contribute();
      step = sink_.Add({&id, 1});
    }
    this->counters_.TestTriangles(0, std::popcount(rest));
    return step;
  }

  Step VisitDetail(const Tree& detail) {
    AnySink<uint32_t> sink(&sink_);
    this->tree_.AtDetail(detail, [&](TreeAtPose posed) {
      FeedHits(posed, this->ray_, this->max_t_, sink, this->counters_.watch());
    });
    if (sink.is_any()) this->counters_.Contribute();
    return sink.step();
  }

 private:
  // Returns the lanes of a leaf without those that doubles prove missed.
  uint32_t WithoutMisses(const Leaf& leaf, uint32_t lanes) {
    TriangleColumns columns;
    for (uint32_t lane = 0; lane < kColumns; ++lane) {
      // Unused lanes get a valid triangle, and their results are ignored.
      const int from =
          (lanes >> lane & 1) != 0 ? lane : std::countr_zero(lanes);
      columns.Set(lane, MovedTriangle(leaf.ids[from]));
    }
    const uint32_t missed =
        lanes & ClassifyLine(this->ray_, columns, kColumns).missed;
    this->counters_.CountDouble(std::popcount(missed));
    return lanes & ~missed;
  }

  HWY_INLINE Triangle MovedTriangle(uint32_t id) const {
    return this->tree_.Move(mesh_internal::TriangleAt(this->mesh_, id));
  }

  IdSink& sink_;
  RayCorners corners_;
};

// Measures each hit and passes it to a visitor.
template <typename Counters>
class EachHitQuery
    : public RayQuery<EachHitQuery<Counters>, Counters, Order::kAny> {
 public:
  using Base = RayQuery<EachHitQuery, Counters, Order::kAny>;

  EachHitQuery(TreeAtPose tree, const Ray& ray, double max_t,
               RayHitVisitor visitor, Counters& counters)
      : Base(tree, ray, max_t, counters),
        pending_(tree, ray),
        visitor_(visitor) {}

  HWY_INLINE Step Candidates(const Leaf& /*leaf*/, uint32_t index,
                             const RayHits8& hits) {
    if (pending_.is_full() && MeasurePending() == Step::kStop)
      return Step::kStop;
    pending_.Add(index, hits);
    return Step::kContinue;
  }

  Step VisitDetail(const Tree& detail) {
    return this->tree_.AtDetail(detail, [&](TreeAtPose posed) {
      return FeedHits(posed, this->ray_, this->max_t_, visitor_,
                      this->counters_.watch());
    });
  }

  // Measures the pending hits and passes them on. Must be called at the end,
  // too.
  Step MeasurePending() {
    Step step = step_;
    this->counters_.CountDouble(static_cast<int>(pending_.DropMisses()));
    for (const PendingHit& pending : pending_.hits()) {
      if (step == Step::kStop) {
        this->counters_.TestTriangles(0, 1);
        continue;
      }
      Triangle room;
      pending_.Measure(
          pending, pending_.ReadTriangle(pending.slot, room), this->in_tree_,
          this->max_t_, this->counters_.arithmetic(),
          [&](const RayTriangleHit& hit) {
            this->counters_.Contribute();
            // The visitor may cancel the query.
            this->counters_.watch().CheckCancelled();
            if (visitor_({pending_.IdOf(pending), hit.t, hit.barycentric,
                          hit.point}) == orbox::Visit::kStop) {
              step = Step::kStop;
            }
          });
    }
    pending_.Clear();
    return step_ = step;
  }

 private:
  PendingHits pending_;
  RayHitVisitor visitor_;
  Step step_ = Step::kContinue;
};

void RayLoop(const TreeAtPose& tree, const Ray& ray, double max_t, IdSink& sink,
             const Watch& watch) {
  RunCounted(watch, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    const auto run = [&]<Order kOrder>() HWY_ATTR {
      FeedHitsQuery<Counters, kOrder> query(tree, ray, max_t, sink, counters);
      TraverseTree(tree.tree(), query, counters);
    };
    // A sink that may stop early needs no order, and the query may end after
    // each leaf.
    if (sink.wants_each_leaf()) {
      run.template operator()<Order::kLeavesFirst>();
    } else {
      run.template operator()<Order::kAny>();
    }
  });
}

Step EachHitLoop(const TreeAtPose& tree, const Ray& ray, double max_t,
                 RayHitVisitor visitor, const Watch& watch) {
  Step step = Step::kContinue;
  RunCounted(watch, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    EachHitQuery<Counters> query(tree, ray, max_t, visitor, counters);
    TraverseTree(tree.tree(), query, counters);
    step = query.MeasurePending();
  });
  return step;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(RayLoop);
HWY_EXPORT(EachHitLoop);

void FeedHits(TreeAtPose tree, const Ray& ray, double max_t, IdSink& sink,
              const Watch& watch) {
  ORBOX_DYNAMIC_DISPATCH(RayLoop)
  (tree, ray, std::min(max_t, ray.max_t), sink, watch);
}

Step FeedHits(TreeAtPose tree, const Ray& ray, double max_t,
              RayHitVisitor visitor, const Watch& watch) {
  return ORBOX_DYNAMIC_DISPATCH(EachHitLoop)(
      tree, ray, std::min(max_t, ray.max_t), visitor, watch);
}

}  // namespace orbox
#endif  // HWY_ONCE
