// SPDX-License-Identifier: Apache-2.0

// Candidates for hits of a ray, found in float. They are stored until they are
// measured, while their corners are loaded from memory.
//
//   PendingHits pending(tree, ray);
//   if (pending.is_full()) MeasureAll();
//   pending.Add(index_of_leaf, hits);
//   pending.DropMisses();
//   for (const PendingHit& p : pending.hits()) {
//     Triangle room;
//     pending.Measure(p, pending.ReadTriangle(p.slot, room), ray_in_tree,
//                     max_t, counts, [&](const RayTriangleHit& hit) { ... });
//   }
//   pending.Clear();
//
// Private; compiled once per instruction set.
#if defined(ORBOX_BVH_QUERY_RAYS_INTERNAL_PENDING_HITS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_QUERY_RAYS_INTERNAL_PENDING_HITS_INL_H_
#undef ORBOX_BVH_QUERY_RAYS_INTERNAL_PENDING_HITS_INL_H_
#else
#define ORBOX_BVH_QUERY_RAYS_INTERNAL_PENDING_HITS_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "hwy/highway.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/traverse/internal/ray_in_tree-inl.h"
#include "orbox/bvh/traverse/internal/tree_memory-inl.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/triangles/internal/ray_columns-inl.h"
#include "orbox/overlap/triangles/internal/ray_corners.h"
#include "orbox/overlap/triangles/internal/ray_refine-inl.h"
#include "orbox/overlap/triangles/ray_triangle.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

struct PendingHit {
  float low;      // lower bound of s
  uint32_t slot;  // a lane of a leaf
  // True if the ray certainly hits the triangle, at about s, v, w.
  bool is_sure;
  float s;
  float v;
  float w;
};

class PendingHits {
 public:
  // More than the number of triangles around most vertices.
  static constexpr size_t kCapacity = 64;

  PendingHits(TreeAtPose tree, const Ray& ray)
      : tree_(tree),
        memory_(tree.tree()),
        space_(tree.tree().space()),
        ray_(ray),
        corners_(ray) {}

  // Returns true if there may be no room for the hits of another leaf.
  bool is_full() const { return count_ > kCapacity - kLanes; }

  // Prefetches the corners of a leaf together with the leaf, if they are stored
  // next to each other, so that there is one wait instead of two. The leaf is
  // loaded first.
  HWY_INLINE void Prefetch(uint32_t leaf) const {
    memory_.PrefetchLeaf(leaf);
    memory_.PrefetchTriangles(leaf);
  }

  // Requires !is_full().
  HWY_INLINE void Add(uint32_t leaf, const RayHits8& hits) {
    AddUndecided(leaf, hits);
    ForEachSure(leaf, hits, hits.sure,
                [&](const PendingHit& hit) HWY_ATTR { Add(hit); });
  }

  // Adds only the uncertain hits. The caller processes the certain ones
  // immediately, with ForEachSure.
  HWY_INLINE void AddUndecided(uint32_t leaf, const RayHits8& hits) {
    if (hits.maybe == 0) return;
    alignas(32) float low[kLanes];
    Store8(hits.low, low);
    maybe_count_ += static_cast<size_t>(std::popcount(hits.maybe));
    for (uint32_t rest = hits.maybe; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      Add({low[lane], leaf * kLanes + lane, false, 0, 0, 0});
    }
  }
  template <typename Use>
  HWY_INLINE static void ForEachSure(uint32_t leaf, const RayHits8& hits,
                                     uint32_t lanes, Use use) {
    if (lanes == 0) return;
    alignas(32) float low[kLanes];
    alignas(32) float s[kLanes];
    alignas(32) float v[kLanes];
    alignas(32) float w[kLanes];
    Store8(hits.low, low);
    Store8(hits.s, s);
    Store8(hits.v, v);
    Store8(hits.w, w);
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      use({low[lane], leaf * kLanes + lane, true, s[lane], v[lane], w[lane]});
    }
  }

  std::span<const PendingHit> hits() const { return {hits_, count_}; }
  void Clear() {
    count_ = 0;
    maybe_count_ = 0;
  }

  // has_undecided: there are uncertain hits. has_many_undecided: there are so
  // many that measuring them should bound the search. This happens if rays are
  // in planes of triangles, which gives no certain hits.
  bool has_undecided() const { return maybe_count_ != 0; }
  bool has_many_undecided() const { return maybe_count_ >= kManyUndecided; }

  // Returns those of the given lanes of a leaf that have p as a corner. Most
  // are expected to have it. Floats show which corner to compare.
  uint32_t WithCorner(const Leaf& leaf, uint32_t index, uint32_t lanes,
                      const Vec3& p) const {
    // Floats of compact leaves and moved trees differ from the corners.
    const uint32_t seen = memory_.has_corners() && tree_.moved() == nullptr
                              ? AreAllAt(leaf, index, lanes, p)
                              : 0;
    uint32_t found = seen;
    for (uint32_t rest = lanes & ~seen; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      Triangle room;
      const Triangle& t = ReadTriangle(index * kLanes + lane, room);
      if (t.a == p || t.b == p || t.c == p) found |= 1u << lane;
    }
    return found;
  }

  // Tests up to kColumns hits in double. Do not use it for a single hit, which
  // is measured as fast, unless a corner is known.
  LineVerdicts TestInDouble(std::span<const PendingHit> batch) const {
    if (batch.size() < 2 && (batch.empty() || !corners_.has_corner())) {
      return {};
    }
    TriangleColumns columns;
    for (size_t i = 0; i < batch.size(); i += kDoubleLanes) {
      Triangle room[kDoubleLanes];
      const Triangle* triangles[kDoubleLanes];
      for (size_t lane = 0; lane < kDoubleLanes; ++lane) {
        const size_t k = i + lane < batch.size() ? i + lane : 0;
        triangles[lane] = &ReadTriangle(batch[k].slot, room[lane]);
      }
      columns.SetRegister(i, triangles);
    }
    return ClassifyLine(ray_, columns, batch.size());
  }

  // Removes uncertain hits that doubles prove missed. Returns their number.
  size_t DropMisses() {
    if (maybe_count_ < 2) return 0;
    const auto middle =
        std::partition(hits_, hits_ + count_,
                       [](const PendingHit& hit) { return hit.is_sure; });
    const size_t count = count_;
    count_ = static_cast<size_t>(middle - hits_);
    for (size_t i = count_; i < count; i += kColumns) {
      const std::span<const PendingHit> batch(hits_ + i,
                                              std::min(kColumns, count - i));
      const uint32_t missed = TestInDouble(batch).missed;
      for (size_t k = 0; k < batch.size(); ++k) {
        // The write index is never above the read index.
        if ((missed >> k & 1) == 0) hits_[count_++] = batch[k];
      }
    }
    return count - count_;
  }

  uint32_t IdOf(const PendingHit& pending) const {
    return memory_.IdOf(pending.slot);
  }
  // Returns the moved triangle, stored in `room` or in the tree.
  HWY_INLINE const Triangle& ReadTriangle(uint32_t slot, Triangle& room) const {
    const Triangle& t = memory_.ReadTriangle(slot, room);
    if (HWY_LIKELY(tree_.moved() == nullptr)) return t;
    room = tree_.Move(t);
    return room;
  }

  // Measures a hit of `triangle` and passes it to `report` if its t is at most
  // max_t. Passes certain hits in any case.
  template <typename Report>
  HWY_INLINE void Measure(const PendingHit& pending, const Triangle& triangle,
                          const RayInTree& in_tree, double max_t,
                          ArithmeticCounts* counts, Report report) {
    RayTriangleHit hit;
    if (HWY_LIKELY(Refine(pending, triangle, in_tree, counts, &hit))) {
      report(hit);
      return;
    }
    const std::optional<RayTriangleHit> exact =
        MeasureExactly(triangle, max_t, counts);
    if (exact.has_value()) report(*exact);
  }

  // The two steps of Measure. Refine returns true on success. It succeeds only
  // for certain hits that are not at a corner.
  HWY_INLINE bool Refine(const PendingHit& pending, const Triangle& triangle,
                         const RayInTree& in_tree, ArithmeticCounts* counts,
                         RayTriangleHit* hit) const {
    if (!pending.is_sure ||
        HWY_UNLIKELY(!RefineHit(ray_, triangle,
                                {in_tree.TAt(pending.s), pending.v, pending.w},
                                hit))) {
      return false;
    }
    Count(Arithmetic::kDouble, counts);
    return true;
  }
  std::optional<RayTriangleHit> MeasureExactly(const Triangle& triangle,
                                               double max_t,
                                               ArithmeticCounts* counts) {
    return corners_.Intersect(triangle, max_t, counts);
  }

  RayCorners& corners() { return corners_; }
  const RayCorners& corners() const { return corners_; }

 private:
  // Returns the lanes whose float corners equal p. Returns none if one of these
  // corners differs from p in double.
  uint32_t AreAllAt(const Leaf& leaf, uint32_t index, uint32_t lanes,
                    const Vec3& p) const {
    const Vec3 in_tree = space_.FromModel(p);
    const F8 x = Set8(static_cast<float>(in_tree.x));
    const F8 y = Set8(static_cast<float>(in_tree.y));
    const F8 z = Set8(static_cast<float>(in_tree.z));
    const D4 corner = LoadPoint(p);
    D4::Mask all = corner == corner;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < 3; ++i) {
      const uint32_t here = lanes & Bits((Load8(leaf.rows[3 * i]) == x) &
                                         (Load8(leaf.rows[3 * i + 1]) == y) &
                                         (Load8(leaf.rows[3 * i + 2]) == z));
      if (here == 0) continue;
      seen |= here;
      for (uint32_t rest = here; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
        const Triangle& t = memory_.CornersOf(index * kLanes + lane);
        all = all & (LoadPoint(t[i]) == corner);
      }
    }
    return AllTrue(all) ? seen : 0;
  }

  static constexpr size_t kManyUndecided = 3;

  HWY_INLINE void Add(const PendingHit& pending) {
    hits_[count_++] = pending;
    memory_.PrefetchTriangle(pending.slot);
  }

  const TreeAtPose tree_;
  const TreeMemory memory_;
  const TreeSpace& space_;
  const Ray& ray_;
  RayCorners corners_;
  PendingHit hits_[kCapacity];
  size_t count_ = 0;
  size_t maybe_count_ = 0;  // number of uncertain hits added
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_QUERY_RAYS_INTERNAL_PENDING_HITS_INL_H_
