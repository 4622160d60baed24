// SPDX-License-Identifier: Apache-2.0

// Test of a leaf with a ray: finds, in float, the triangles that are certainly
// hit and those that may be hit.
//
//   template <typename Counters>
//   class FirstHitQuery : public RayQuery<FirstHitQuery<Counters>, Counters> {
//     Step Candidates(const Leaf& leaf, uint32_t index, const RayHits8& hits);
//   };
//   TraverseTree(tree, query, counters);
//
// Private; compiled once per instruction set.
#if defined(ORBOX_BVH_QUERY_RAYS_INTERNAL_RAY_LEAF_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_QUERY_RAYS_INTERNAL_RAY_LEAF_INL_H_
#undef ORBOX_BVH_QUERY_RAYS_INTERNAL_RAY_LEAF_INL_H_
#else
#define ORBOX_BVH_QUERY_RAYS_INTERNAL_RAY_LEAF_INL_H_
#endif

#include <bit>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/internal/in_model.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/ray_in_tree-inl.h"
#include "orbox/bvh/traverse/internal/step.h"
#include "orbox/bvh/traverse/internal/tree_memory-inl.h"
#include "orbox/bvh/tree/tree.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Common code of ray queries. Calls `Candidates` for leaves that have
// candidates, without the triangle that the ray skips. Queries for all hits
// need no order.
template <typename Derived, typename Counters,
          Order kTheOrder = Order::kNearestFirst>
class RayQuery {
 public:
  static constexpr Order kOrder = kTheOrder;
  static constexpr size_t leaf_batch() { return kMostPendingLeaves; }

  RayQuery(TreeAtPose tree, const Ray& ray, double max_t, Counters& counters)
      : tree_(tree),
        mesh_(tree.tree().mesh()),
        ray_(ray),
        max_t_(max_t),
        in_tree_(InTree(RayInModel(tree, ray))),
        counters_(counters) {}

  float limit() const { return in_tree_.limit(); }

  HWY_INLINE LaneTest Test(const Node& node) const {
    return in_tree_.Test(node);
  }

  HWY_INLINE Step Visit(const Leaf& leaf, uint32_t index) {
    RayHits8 hits = in_tree_.Against(leaf);
    const uint32_t candidates = hits.sure | hits.maybe;
    if constexpr (Counters::kCounting) {
      const int count = std::popcount(UsedLanes(leaf));
      counters_.TestTriangles(count, count - std::popcount(candidates));
    }
    if (candidates == 0) return Step::kContinue;
    if (HWY_UNLIKELY(ray_.skip < Mesh::kMaxTriangles)) {
      const uint32_t skipped =
          Bits(Load8(leaf.ids) == Set8(static_cast<uint32_t>(ray_.skip)));
      hits.sure &= ~skipped;
      hits.maybe &= ~skipped;
      if ((hits.sure | hits.maybe) == 0) return Step::kContinue;
    }
    return static_cast<Derived*>(this)->Candidates(leaf, index, hits);
  }

 protected:
  const TreeAtPose tree_;
  const Mesh& mesh_;
  const Ray& ray_;
  const double max_t_;
  RayInTree in_tree_;
  Counters& counters_;

 private:
  HWY_INLINE RayInTree InTree(const RayInModel& in_model) const {
    return {tree_.tree().space(), in_model.ray(), max_t_, in_model.error()};
  }
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_QUERY_RAYS_INTERNAL_RAY_LEAF_INL_H_
