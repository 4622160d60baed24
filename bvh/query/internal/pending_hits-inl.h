// SPDX-License-Identifier: Apache-2.0

// Hits of a ray that float found, kept until they are measured: by then their
// corners have come from memory.
//
//   PendingHits pending(tree, ray, max_t);
//   if (pending.is_full()) MeasureAll();
//   pending.Add(index_of_leaf, hits);
//   for (const PendingHit& p : pending.hits()) {
//     std::optional<RayHit> hit =
//         pending.Measure(p, pending.TriangleOf(p), ray_in_tree, counts);
//   }
//   pending.Clear();
//
// Private; compiled once per instruction set.
#if defined(ORBOX_BVH_QUERY_INTERNAL_PENDING_HITS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_QUERY_INTERNAL_PENDING_HITS_INL_H_
#undef ORBOX_BVH_QUERY_INTERNAL_PENDING_HITS_INL_H_
#else
#define ORBOX_BVH_QUERY_INTERNAL_PENDING_HITS_INL_H_
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "hwy/highway.h"
#include "orbox/bvh/query/ray_hit.h"
#include "orbox/bvh/traverse/internal/ray_query-inl.h"
#include "orbox/bvh/traverse/internal/tree_memory-inl.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/triangles/internal/ray_corners.h"
#include "orbox/overlap/triangles/internal/ray_refine-inl.h"
#include "orbox/overlap/triangles/ray_triangle.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

struct PendingHit {
  float low;      // a lower bound of s
  uint32_t slot;  // a lane of a leaf
  // Whether it is certainly hit, at about the rest.
  bool is_sure;
  float s;
  float v;
  float w;
};

class PendingHits {
 public:
  PendingHits(const Tree& tree, const Ray& ray, double max_t)
      : memory_(tree), ray_(ray), max_t_(max_t), corners_(ray) {}

  // Whether there may be no room for those of another leaf.
  bool is_full() const { return count_ > kCapacity - kLanes; }

  // The corners of a leaf come from memory together with it, where they lie
  // side by side: one wait, not two.
  HWY_INLINE void Prefetch(uint32_t leaf) const {
    memory_.PrefetchTriangles(leaf);
  }

  // Requires that it is not full.
  HWY_INLINE void Add(uint32_t leaf, const RayHits8& hits) {
    const uint32_t first = leaf * kLanes;
    alignas(32) float low[kLanes];
    Store8(hits.low, low);
    for (uint32_t rest = hits.maybe; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      Add({low[lane], first + static_cast<uint32_t>(lane), false, 0, 0, 0});
    }
    if (hits.sure == 0) return;
    alignas(32) float s[kLanes];
    alignas(32) float v[kLanes];
    alignas(32) float w[kLanes];
    Store8(hits.s, s);
    Store8(hits.v, v);
    Store8(hits.w, w);
    for (uint32_t rest = hits.sure; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      Add({low[lane], first + static_cast<uint32_t>(lane), true, s[lane],
           v[lane], w[lane]});
    }
  }

  std::span<const PendingHit> hits() const { return {hits_, count_}; }
  void Clear() { count_ = 0; }

  HWY_INLINE Triangle TriangleOf(const PendingHit& pending) const {
    return memory_.TriangleOf(pending.slot);
  }

  // `triangle` is that of the pending one. Nothing where it is not hit.
  std::optional<RayHit> Measure(const PendingHit& pending,
                                const Triangle& triangle,
                                const RayInTree& in_tree,
                                ArithmeticCounts* counts) {
    RayTriangleHit hit;
    if (pending.is_sure &&
        RefineHit(ray_, triangle,
                  {in_tree.TAt(pending.s), pending.v, pending.w}, &hit)) {
      Count(Arithmetic::kDouble, counts);
    } else {
      const std::optional<RayTriangleHit> exact =
          corners_.Intersect(triangle, max_t_, counts);
      if (!exact.has_value()) return std::nullopt;
      hit = *exact;
    }
    return RayHit{memory_.IdOf(pending.slot), hit.t, hit.barycentric,
                  hit.point};
  }

  const RayCorners& corners() const { return corners_; }

 private:
  // More than the triangles around most vertices.
  static constexpr size_t kCapacity = 64;

  HWY_INLINE void Add(const PendingHit& pending) {
    hits_[count_++] = pending;
    memory_.PrefetchTriangle(pending.slot);
  }

  const TreeMemory memory_;
  const Ray& ray_;
  const double max_t_;
  RayCorners corners_;
  PendingHit hits_[kCapacity];
  size_t count_ = 0;
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_QUERY_INTERNAL_PENDING_HITS_INL_H_
