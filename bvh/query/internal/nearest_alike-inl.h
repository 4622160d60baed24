// SPDX-License-Identifier: Apache-2.0

// Which of very many triangles are as near to a point as the nearest one, for
// all to see: its copies, and those that share its closest corner.
//
//   NearestAlike alike(p, wanted);
//   if (!alike.IsAsNear(d.distance)) alike.Set(triangle, d);   // measured ones
//   uint32_t known = alike.Among(columns);      // as bits: as near as that
//   if (alike.IsWanted(id)) use(alike.nearest());
//
// Private; compiled once per instruction set.
#if defined(ORBOX_BVH_QUERY_INTERNAL_NEAREST_ALIKE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_QUERY_INTERNAL_NEAREST_ALIKE_INL_H_
#undef ORBOX_BVH_QUERY_INTERNAL_NEAREST_ALIKE_INL_H_
#else
#define ORBOX_BVH_QUERY_INTERNAL_NEAREST_ALIKE_INL_H_
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

class NearestAlike {
 public:
  // `wanted` triangles are sought.
  NearestAlike(const Vec3& p, size_t wanted) : p_(p), wanted_(wanted) {}

  // Whether something at least as near is known already.
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
    id_count_ = 0;
  }

  // Which of kColumns triangles.
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

  // Whether less than `wanted` of those that are as near have a lower id, of
  // all that were asked.
  bool IsWanted(uint32_t id) {
    if (wanted_ > kMostListed) return true;
    if (id_count_ == wanted_) {
      if (id > ids_[id_count_ - 1]) return false;
      --id_count_;
    }
    size_t i = id_count_++;
    for (; i > 0 && ids_[i - 1] > id; --i) ids_[i] = ids_[i - 1];
    ids_[i] = id;
    return true;
  }

 private:
  // With more, to list them costs more than that they are told.
  static constexpr size_t kMostListed = 64;

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
  const size_t wanted_;
  bool is_known_ = false;
  // Whether the nearest point is that corner: others may be rounded to one.
  bool is_corner_ = false;
  Triangle triangle_;
  PointTriangleDistance nearest_;
  // The lowest, in ascending order.
  size_t id_count_ = 0;
  uint32_t ids_[kMostListed];
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_QUERY_INTERNAL_NEAREST_ALIKE_INL_H_
