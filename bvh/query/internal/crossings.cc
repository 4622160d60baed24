// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/crossings.h"

#include <bit>
#include <cstdint>
#include <optional>

#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/triangles/axis_crossing.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/internal/crossings.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/ray_query-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Visits what the way from p meets: as far as the mesh goes along the x axis,
// exactly, or to q, as long as float is certain.
template <typename Counters>
class CrossingQuery {
 public:
  static constexpr Order kOrder = Order::kAny;

  CrossingQuery(const Tree& tree, const Vec3& p, const Vec3* q,
                Counters& counters)
      : memory_(tree),
        p_(p),
        q_(q),
        // The tree's scale makes its length 1, however small the mesh is.
        ray_(q == nullptr
                 ? RayInTree(tree.space(), Ray{p, {tree.space().unscale, 0, 0}},
                             kInfinity)
                 : RayInTree(tree.space(), SweptSphere{p, *q, 0}, 1)),
        counters_(counters) {}

  static constexpr size_t leaf_batch() { return kMostPendingLeaves; }

  HWY_INLINE LaneTest Test(const Node& node) const { return ray_.Test(node); }

  // A ray holds no volume, so that nothing is taken as a whole.
  Step Take(const TreeMemory& memory, LeafRange leaves) {
    Leaf room;
    for (uint32_t i = 0; i < leaves.count; ++i) {
      const uint32_t index = leaves.first + i;
      if (Visit(memory.ReadLeaf(index, room), index) == Step::kStop) {
        return Step::kStop;
      }
    }
    return Step::kContinue;
  }

  HWY_INLINE Step Visit(const Leaf& leaf, uint32_t index) {
    const RayHits8 hits = ray_.Against(leaf);
    if constexpr (Counters::kCounting) {
      const int count = std::popcount(UsedLanes(leaf));
      counters_.TestTriangles(count, count - std::popcount(hits.maybe));
    }
    // Whoever is certainly crossed does not hold the point.
    result_.winding += 2 * std::popcount(hits.along) - std::popcount(hits.sure);
    if (hits.sure != 0) counters_.Contribute();
    return hits.maybe == 0 ? Step::kContinue : Settle(hits.maybe, index);
  }

  Step VisitPart(const Tree& part) {
    Crossings below;
    if (q_ == nullptr) {
      below = CrossingsFrom(part, p_, counters_.watch());
      result_.is_on_surface = below.is_on_surface;
    } else {
      const std::optional<bool> is_crossed =
          IsCrossedBetween(part, p_, *q_, counters_.watch());
      is_open_ = !is_crossed.has_value();
      below.winding = is_crossed.value_or(false) ? 1 : 0;
    }
    result_.winding += below.winding;
    if (below.winding != 0) counters_.Contribute();
    return below.is_on_surface || is_open_ ? Step::kStop : Step::kContinue;
  }

  const Crossings& result() const { return result_; }
  // To q only: where float does not tell.
  bool is_open() const { return is_open_; }

 private:
  Step Settle(uint32_t maybe, uint32_t index) {
    if (q_ != nullptr) {
      counters_.TestTriangles(0, std::popcount(maybe));
      is_open_ = true;
      return Step::kStop;
    }
    for (uint32_t rest = maybe; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      const AxisCrossing crossing =
          CrossingAlongX(p_, memory_.TriangleOf(index * kLanes + lane),
                         counters_.arithmetic());
      if (crossing.is_on_triangle) {
        counters_.TestTriangles(0, std::popcount(rest & (rest - 1)));
        result_.is_on_surface = true;
        return Step::kStop;
      }
      result_.winding += crossing.sign;
      if (crossing.sign != 0) counters_.Contribute();
    }
    return Step::kContinue;
  }

  const TreeMemory memory_;
  const Vec3 p_;
  const Vec3* const q_;
  const RayInTree ray_;
  Counters& counters_;
  Crossings result_;
  bool is_open_ = false;
};

// To infinity where q is null. False where float does not tell.
bool CrossingsLoop(const Tree& tree, const Vec3& p, const Vec3* q,
                   const Watch& watch, Crossings* result) {
  bool is_certain = false;
  RunCounted(watch, [&]<typename Counters>(Counters& counters) HWY_ATTR {
    CrossingQuery<Counters> query(tree, p, q, counters);
    TraverseTree(tree, query, counters);
    *result = query.result();
    is_certain = !query.is_open();
  });
  return is_certain;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(CrossingsLoop);

Crossings CrossingsFrom(const Tree& tree, const Vec3& p, const Watch& watch) {
  const Aabb& bounds = tree.mesh().bounds();
  Crossings result;
  if (Max(p, bounds.lo) != p || Min(p, bounds.hi) != p) return result;
  ORBOX_DYNAMIC_DISPATCH(CrossingsLoop)(tree, p, nullptr, watch, &result);
  return result;
}

std::optional<bool> IsCrossedBetween(const Tree& tree, const Vec3& p,
                                     const Vec3& q, const Watch& watch) {
  if (p == q) return false;
  Crossings result;
  if (!ORBOX_DYNAMIC_DISPATCH(CrossingsLoop)(tree, p, &q, watch, &result)) {
    return std::nullopt;
  }
  return result.winding % 2 != 0;
}

Crossings CrossingsOfPart(const Tree& tree, const Vec3& p, const Watch& watch) {
  const Aabb& bounds = tree.mesh().bounds();
  const Vec3 lo = {p.x, bounds.lo.y, bounds.lo.z};
  Crossings result;
  if (Max(p, lo) != p || Min(p, bounds.hi) != p) return result;
  ORBOX_DYNAMIC_DISPATCH(CrossingsLoop)(tree, p, nullptr, watch, &result);
  return result;
}

}  // namespace orbox
#endif  // HWY_ONCE
