// The query of one_tree-inl.h that looks for nearest triangles, whatever keeps
// them: one best, or k of them.
//
//   struct Keeper {
//     size_t wanted() const;       // how many are sought
//     double bound() const;        // triangles beyond it do not interest
//     bool Offer(uint32_t id, const PointTriangleDistance& d);   // kept?
//   };
//
//   TraverseTree(tree, query, counters);
//   query.Settle();
//
// A leaf's float row bounds each distance from both sides. The upper bounds
// alone shrink the search, to the lowest or to the k-th lowest of them, and who
// was in question is written down; only those that still are in the end are
// measured in double. Triangles at exactly the bound are offered, so that the
// keeper can break ties by the id. Private; compiled once per instruction set.
#if defined(ORBOX_BVH_QUERY_NEAREST_LEAF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_QUERY_NEAREST_LEAF_INL_H_
#undef ORBOX_BVH_QUERY_NEAREST_LEAF_INL_H_
#else
#define ORBOX_BVH_QUERY_NEAREST_LEAF_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "orbox/bvh/traverse/one_tree-inl.h"
#include "orbox/bvh/traverse/point_query-inl.h"
#include "orbox/bvh/traverse/step.h"
#include "orbox/overlap/triangle_distance.h"
#include "orbox/overlap/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

template <typename Keeper, typename Counters>
class NearestQuery {
 public:
  static constexpr Order kOrder = Order::kNearestFirst;

  NearestQuery(const Tree& tree, const Vec3& p, Keeper& keeper,
               Counters& counters)
      : mesh_(tree.mesh()),
        p_(p),
        point_(tree.space(), p),
        keeper_(keeper),
        counters_(counters) {
    point_.SetRadius(keeper_.bound());
    if (keeper_.wanted() > 1) {
      uppers_.reserve(keeper_.wanted());
      many_pending_.resize(
          std::clamp(4 * keeper_.wanted(), kFewPending, kManyPending));
      pending_ = many_pending_.data();
      pending_capacity_ = many_pending_.size();
    }
  }

  float limit() const { return point_.squared_limit(); }

  HWY_INLINE LaneTest Test(const Node& node) const {
    return point_.template Test<VolumeTest::kExact, VolumeTest::kExact>(node);
  }

  HWY_INLINE Step Visit(const Leaf& leaf) {
    const uint32_t lanes = UsedLanes(leaf);
    if (point_.is_far()) {
      counters_.TestTriangles(std::popcount(lanes), 0);
      for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        Offer(leaf.ids[std::countr_zero(rest)]);
      }
      return Step::kContinue;
    }
    const DistanceBounds bounds = PointToTriangles(
        point_.lanes(), LoadTriangles(leaf.rows), point_.error());
    uint32_t maybe = lanes & ~Bits(bounds.lower > Set8(point_.radius()));
    if (maybe != 0 && ShrinkTo(bounds.upper, maybe)) {
      counters_.Contribute();
      maybe &= ~Bits(bounds.lower > Set8(point_.radius()));
    }
    counters_.TestTriangles(std::popcount(lanes),
                            std::popcount(lanes) - std::popcount(maybe));
    if (maybe == 0) return Step::kContinue;
    alignas(32) float lower[kLanes];
    Store8(bounds.lower, lower);
    for (; maybe != 0; maybe &= maybe - 1) {
      const int lane = std::countr_zero(maybe);
      if (pending_count_ == pending_capacity_) Settle();
      const uint32_t id = leaf.ids[lane];
      pending_[pending_count_++] = {lower[lane], id};
      hwy::Prefetch(&mesh_.triangles()[id]);
    }
    return Step::kContinue;
  }

  // Measures what is still in question.
  void Settle() {
    // All vertices are asked for before the first is needed.
    for (size_t i = 0; i < pending_count_; ++i) {
      if (pending_[i].lower > point_.radius()) continue;
      for (const uint32_t vertex : mesh_.triangles()[pending_[i].id]) {
        hwy::Prefetch(&mesh_.vertices()[vertex]);
      }
    }
    for (size_t i = 0; i < pending_count_; ++i) {
      if (pending_[i].lower > point_.radius()) {
        counters_.TestTriangles(0, 1);
      } else {
        Offer(pending_[i].id);
      }
    }
    pending_count_ = 0;
  }

 private:
  struct Pending {
    float lower;
    uint32_t id;
  };
  // Far more than the triangles around most vertices; where there are more, all
  // are measured, and the list begins anew.
  static constexpr size_t kFewPending = 64;
  // Where very many are sought, the list stays below the size of a cache.
  static constexpr size_t kManyPending = 16'384;

  // Takes notice of the upper bounds among `lanes`; tells whether they shrank
  // the search.
  HWY_INLINE bool ShrinkTo(const F8& upper, uint32_t lanes) {
    if (keeper_.wanted() == 1) return point_.ShrinkTo(LowestValue(upper));
    alignas(32) float values[kLanes];
    Store8(upper, values);
    for (; lanes != 0; lanes &= lanes - 1) {
      const float value = values[std::countr_zero(lanes)];
      if (uppers_.size() == keeper_.wanted()) {
        if (value >= uppers_.front()) continue;
        std::pop_heap(uppers_.begin(), uppers_.end());
        uppers_.back() = value;
      } else {
        uppers_.push_back(value);
      }
      std::push_heap(uppers_.begin(), uppers_.end());
    }
    return uppers_.size() == keeper_.wanted() &&
           point_.ShrinkTo(uppers_.front());
  }

  void Offer(uint32_t id) {
    const PointTriangleDistance d =
        Distance(p_, mesh_.triangle(id), counters_.arithmetic());
    if (keeper_.Offer(id, d)) point_.ShrinkToDistance(keeper_.bound());
  }

  const Mesh& mesh_;
  const Vec3 p_;
  PointInTree point_;
  Keeper& keeper_;
  Counters& counters_;

  // The lowest upper bounds so far, as many as are wanted, as a heap with the
  // highest on top. Unused where one is.
  std::vector<float> uppers_;

  Pending few_pending_[kFewPending];
  std::vector<Pending> many_pending_;
  Pending* pending_ = few_pending_;
  size_t pending_count_ = 0;
  size_t pending_capacity_ = kFewPending;
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_QUERY_NEAREST_LEAF_INL_H_
