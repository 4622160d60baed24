// The query of one_tree-inl.h that looks for nearest triangles, whatever keeps
// them: one best, or k of them.
//
//   struct Keeper {
//     static constexpr bool kKeepsOne = true;
//     double bound() const;        // triangles beyond it do not interest
//     bool Offer(uint32_t id, const PointTriangleDistance& d);   // kept?
//   };
//
//   TraverseTree(tree, query, counters);
//   query.Settle();
//
// A leaf's float row bounds each distance from both sides. Where one triangle
// is sought, the upper bounds alone shrink the search, and who was in question
// is written down; only those that still are in the end are measured in double.
// Triangles at exactly the bound are offered, so that the keeper can break ties
// by the id. Private; compiled once per instruction set.
#if defined(ORBOX_BVH_QUERY_NEAREST_LEAF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_QUERY_NEAREST_LEAF_INL_H_
#undef ORBOX_BVH_QUERY_NEAREST_LEAF_INL_H_
#else
#define ORBOX_BVH_QUERY_NEAREST_LEAF_INL_H_
#endif

#include <bit>
#include <cstdint>

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
    if constexpr (Keeper::kKeepsOne) {
      if (point_.ShrinkTo(LowestValue(bounds.upper))) counters_.Contribute();
    }
    uint32_t maybe = lanes & ~Bits(bounds.lower > Set8(point_.radius()));
    counters_.TestTriangles(std::popcount(lanes),
                            std::popcount(lanes) - std::popcount(maybe));
    if (maybe == 0) return Step::kContinue;
    alignas(32) float lower[kLanes];
    Store8(bounds.lower, lower);
    for (; maybe != 0; maybe &= maybe - 1) {
      const int lane = std::countr_zero(maybe);
      if constexpr (Keeper::kKeepsOne) {
        if (pending_count_ == kMostPending) Settle();
        pending_[pending_count_++] = {lower[lane], leaf.ids[lane]};
      } else if (lower[lane] > point_.radius()) {
        counters_.TestTriangles(0, 1);
      } else {
        Offer(leaf.ids[lane]);
      }
    }
    return Step::kContinue;
  }

  // Measures what is still in question.
  void Settle() {
    for (int i = 0; i < pending_count_; ++i) {
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
  // Far more than the triangles around most vertices; more wait for their turn
  // less long.
  static constexpr int kMostPending = 64;

  void Offer(uint32_t id) {
    const PointTriangleDistance d =
        Distance(p_, mesh_.triangle(id), counters_.arithmetic());
    if (keeper_.Offer(id, d)) {
      if constexpr (!Keeper::kKeepsOne) counters_.Contribute();
      point_.SetRadius(keeper_.bound());
    }
  }

  const Mesh& mesh_;
  const Vec3 p_;
  PointInTree point_;
  Keeper& keeper_;
  Counters& counters_;
  Pending pending_[Keeper::kKeepsOne ? kMostPending : 1];
  int pending_count_ = 0;
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_QUERY_NEAREST_LEAF_INL_H_
