// SPDX-License-Identifier: Apache-2.0

// Finds triangles that are exactly as near to a point as the nearest one,
// without measuring them. These are copies of the nearest one, and triangles
// that share its closest corner. Used for points with very many nearest
// triangles.
//
//   NearestAlike alike(p, wanted);
//   if (!alike.IsAsNear(d.distance)) alike.Set(triangle, d);  // measured
//   uint32_t known = alike.Among(columns);      // a bit for each one as near
//   if (alike.IsWanted(id)) use(alike.nearest());
//
// Private; compiled once per instruction set.
#if defined(ORBOX_BVH_QUERY_POINTS_INTERNAL_NEAREST_ALIKE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_QUERY_POINTS_INTERNAL_NEAREST_ALIKE_INL_H_
#undef ORBOX_BVH_QUERY_POINTS_INTERNAL_NEAREST_ALIKE_INL_H_
#else
#define ORBOX_BVH_QUERY_POINTS_INTERNAL_NEAREST_ALIKE_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/closest_corner-inl.h"
#include "orbox/overlap/triangles/internal/point_columns-inl.h"
#include "orbox/overlap/triangles/triangle_distance.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

template <typename V>
HWY_INLINE TriangleOf<V> InAllLanes(const Triangle& t) {
  return {Vec3Of<V>::Of(t.a), Vec3Of<V>::Of(t.b), Vec3Of<V>::Of(t.c)};
}

// Keeps the lowest of many ids, up to a maximum number.
class LowestIds {
 public:
  explicit LowestIds(size_t wanted) : wanted_(wanted) {}

  void Clear() { count_ = 0; }

  // Adds an id. Returns true if fewer than `wanted` of the ids added so far are
  // lower. Always returns true if `wanted` is too large for the list.
  bool Add(uint32_t id) {
    if (wanted_ > kMostListed) return true;
    if (count_ == wanted_) {
      if (id > ids_[count_ - 1]) return false;
      --count_;
    }
    size_t i = count_++;
    for (; i > 0 && ids_[i - 1] > id; --i) ids_[i] = ids_[i - 1];
    ids_[i] = id;
    return true;
  }

 private:
  // A longer list costs more than the measurements that it saves.
  static constexpr size_t kMostListed = 64;

  const size_t wanted_;
  size_t count_ = 0;
  uint32_t ids_[kMostListed];  // in ascending order
};

class NearestAlike {
 public:
  // Finds `wanted` triangles, `ties` of them with different closest points.
  NearestAlike(const Vec3& p, size_t wanted, size_t ties)
      : p_(p), ids_(wanted), tied_ids_(ties) {}

  // Returns true if a measured triangle is at least as near.
  bool IsAsNear(double distance) const {
    return is_known_ && nearest_.distance <= distance;
  }
  void Set(const Triangle& triangle, const PointTriangleDistance& d) {
    is_known_ = true;
    triangle_ = triangle;
    nearest_ = d;
    is_corner_ =
        AreClosestAt(Vec3Of<double>::Of(p_), Vec3Of<double>::Of(d.closest),
                     InAllLanes<double>(triangle));
    ids_.Clear();
    tied_ids_.Clear();
  }

  // Returns a mask of the columns, of kColumns triangles, that are as near as
  // the nearest triangle.
  uint32_t Among(const TriangleColumns& columns) const {
    uint32_t known = 0;
    if (!is_known_) return known;
    for (size_t i = 0; i < kColumns; i += kDoubleLanes) {
      const TriangleOf<D> t = {LoadLanes(columns.rows, i),
                               LoadLanes(columns.rows + 3, i),
                               LoadLanes(columns.rows + 6, i)};
      known |= Bits(AreAlike(t)) << i;
    }
    return known;
  }

  const PointTriangleDistance& nearest() const { return nearest_; }

  // Returns true if this triangle, which is as near as the nearest, is wanted.
  // Call it for each such triangle.
  bool IsWanted(uint32_t id) { return ids_.Add(id); }

  // Returns true if a triangle at this distance is wanted and Among cannot find
  // it.
  bool IsWantedAt(double distance, uint32_t id) {
    return !is_known_ || distance != nearest_.distance || tied_ids_.Add(id);
  }

 private:
  HWY_INLINE DMask AreAlike(const TriangleOf<D>& t) const {
    if (is_corner_) {
      const DMask at_corner =
          AreClosestAt(D3::Of(p_), D3::Of(nearest_.closest), t);
      if (AllTrue(at_corner)) return at_corner;
      return at_corner | AreCopies(t);
    }
    return AreCopies(t);
  }
  HWY_INLINE DMask AreCopies(const TriangleOf<D>& t) const {
    const TriangleOf<D> nearest = InAllLanes<D>(triangle_);
    return AreEqual(t.a, nearest.a) & AreEqual(t.b, nearest.b) &
           AreEqual(t.c, nearest.c);
  }

  const Vec3 p_;
  bool is_known_ = false;
  // True if the closest point is exactly a corner. False if it is only rounded
  // to one.
  bool is_corner_ = false;
  Triangle triangle_;
  PointTriangleDistance nearest_;
  LowestIds ids_;
  LowestIds tied_ids_;
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_QUERY_POINTS_INTERNAL_NEAREST_ALIKE_INL_H_
