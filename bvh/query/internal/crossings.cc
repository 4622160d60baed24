// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/crossings.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "orbox/overlap/triangles/axis_crossing.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/internal/crossings.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/box_query-inl.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Visits what meets the ray as far as the mesh goes, a flat box.
template <typename Counters>
class CrossingQuery {
 public:
  static constexpr Order kOrder = Order::kAny;

  CrossingQuery(const Tree& tree, const Vec3& p, Counters& counters)
      : mesh_(tree.mesh()),
        p_(p),
        ray_(tree.space(), {p, {tree.mesh().bounds().hi.x, p.y, p.z}}),
        counters_(counters) {}

  static constexpr size_t leaf_batch() { return kMostPendingLeaves; }

  HWY_INLINE LaneTest Test(const Node& node) const {
    return ray_.Test(node, Counters::kCounting);
  }

  HWY_INLINE Step Visit(const Leaf& leaf, uint32_t /*index*/) {
    const uint32_t lanes = UsedLanes(leaf);
    uint32_t rest = lanes & ~Bits(ray_.Against(leaf).outside);
    counters_.TestTriangles(std::popcount(lanes),
                            std::popcount(lanes) - std::popcount(rest));
    for (; rest != 0; rest &= rest - 1) {
      const uint32_t id = leaf.ids[std::countr_zero(rest)];
      const AxisCrossing crossing =
          CrossingAlongX(p_, mesh_.triangle(id), counters_.arithmetic());
      if (crossing.is_on_triangle) {
        result_.is_on_surface = true;
        return Step::kStop;
      }
      result_.winding += crossing.sign;
      if (crossing.sign != 0) counters_.Contribute();
    }
    return Step::kContinue;
  }

  Step VisitPart(const Tree& part) {
    const Crossings below = CrossingsFrom(part, p_, counters_.statistics());
    result_.is_on_surface = below.is_on_surface;
    result_.winding += below.winding;
    if (below.winding != 0) counters_.Contribute();
    return below.is_on_surface ? Step::kStop : Step::kContinue;
  }

  // The test takes nothing as a whole: a ray holds no volume.
  Step Take(const TreeMemory& memory, LeafRange leaves) {
    Leaf room;
    for (uint32_t i = 0; i < leaves.count; ++i) {
      const uint32_t index = leaves.first + i;
      const Leaf& leaf = memory.ReadLeaf(index, room);
      if (Visit(leaf, index) == Step::kStop) return Step::kStop;
    }
    return Step::kContinue;
  }

  const Crossings& result() const { return result_; }

 private:
  const Mesh& mesh_;
  const Vec3 p_;
  const BoxInTree<Aabb> ray_;
  Counters& counters_;
  Crossings result_;
};

Crossings CrossingsLoop(const Tree& tree, const Vec3& p,
                        TraversalStatistics* statistics) {
  Crossings result;
  RunCounted(statistics, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    CrossingQuery<Counters> query(tree, p, counters);
    TraverseTree(tree, query, counters);
    result = query.result();
  });
  return result;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(CrossingsLoop);

Crossings CrossingsFrom(const Tree& tree, const Vec3& p,
                        TraversalStatistics* statistics) {
  const Aabb& bounds = tree.mesh().bounds();
  if (Max(p, bounds.lo) != p || Min(p, bounds.hi) != p) return {};
  return ORBOX_DYNAMIC_DISPATCH(CrossingsLoop)(tree, p, statistics);
}

Crossings CrossingsOfPart(const Tree& tree, const Vec3& p,
                          TraversalStatistics* statistics) {
  const Aabb& bounds = tree.mesh().bounds();
  const Vec3 lo = {p.x, bounds.lo.y, bounds.lo.z};
  if (Max(p, lo) != p || Min(p, bounds.hi) != p) return {};
  return ORBOX_DYNAMIC_DISPATCH(CrossingsLoop)(tree, p, statistics);
}

}  // namespace orbox
#endif  // HWY_ONCE
