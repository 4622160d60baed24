// The query of one_tree-inl.h that looks for nearest triangles, whatever keeps
// them: one best, or k of them.
//
//   struct Keeper {
//     double bound() const;        // triangles beyond it do not interest
//     bool Offer(uint32_t id, const PointTriangleDistance& d);   // kept?
//   };
//
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
      return VisitInDouble(leaf, lanes);
    }
    const DistanceBounds bounds = PointToTriangles(
        point_.lanes(), LoadTriangles(leaf.rows), point_.error());
    const uint32_t maybe = lanes & ~Bits(bounds.lower > Set8(point_.limit()));
    counters_.TestTriangles(std::popcount(lanes),
                            std::popcount(lanes) - std::popcount(maybe));
    if (maybe == 0) return Step::kContinue;
    alignas(32) float lower[kLanes];
    Store8(bounds.lower, lower);
    // The likeliest first: it may spare the others their turn in double.
    uint32_t rest = maybe;
    uint32_t first = static_cast<uint32_t>(std::countr_zero(rest));
    for (uint32_t r = rest; r != 0; r &= r - 1) {
      const uint32_t lane = static_cast<uint32_t>(std::countr_zero(r));
      if (lower[lane] < lower[first]) first = lane;
    }
    int in_double = 0;
    for (uint32_t lane = first; rest != 0;
         lane = static_cast<uint32_t>(std::countr_zero(rest))) {
      rest &= ~(1u << lane);
      if (lower[lane] > point_.limit()) continue;
      ++in_double;
      Offer(leaf.ids[lane]);
    }
    counters_.TestTriangles(0, std::popcount(maybe) - in_double);
    return Step::kContinue;
  }

 private:
  Step VisitInDouble(const Leaf& leaf, uint32_t lanes) {
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      Offer(leaf.ids[std::countr_zero(rest)]);
    }
    return Step::kContinue;
  }

  void Offer(uint32_t id) {
    const PointTriangleDistance d =
        Distance(p_, mesh_.triangle(id), counters_.arithmetic());
    if (keeper_.Offer(id, d)) {
      counters_.Contribute();
      point_.SetRadius(keeper_.bound());
    }
  }

  const Mesh& mesh_;
  const Vec3 p_;
  PointInTree point_;
  Keeper& keeper_;
  Counters& counters_;
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_QUERY_NEAREST_LEAF_INL_H_
