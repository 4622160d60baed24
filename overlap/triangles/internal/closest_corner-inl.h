// SPDX-License-Identifier: Apache-2.0

// Finds triangles with a common corner that is the closest point of each of
// them to a given point.
//
//   DMask at_v = AreClosestAt(p, v, t);   // Distance(p, t).closest is v
//
// For one triangle, or for a register of triangles. Private; compiled once per
// instruction set.
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_CORNER_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_CORNER_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_CORNER_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_CORNER_INL_H_
#endif

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

template <typename V>
HWY_INLINE MaskOf<V> AreEqual(const Vec3Of<V>& a, const Vec3Of<V>& b) {
  return (a.x == b.x) & (a.y == b.y) & (a.z == b.z);
}

// Returns true if the angle between v and w is certainly obtuse. Both are
// differences of points, with relative errors of u = 2^-53. Products add 3 u,
// and sums 2 u of the sum of magnitudes. Together, this is less than 8 u,
// unless products underflow.
template <typename V>
HWY_INLINE MaskOf<V> LeadAway(const Vec3Of<V>& v, const Vec3Of<V>& w) {
  const V most = Abs(v.x * w.x) + Abs(v.y * w.y) + Abs(v.z * w.z);
  return (most >= V(0x1p-960)) & (Dot(v, w) < V(-0x1p-50) * most);
}

// Returns true if the point v is a corner of a triangle, and is certainly the
// only point of the triangle that is closest to p. Returns false if double does
// not decide.
template <typename V>
HWY_INLINE MaskOf<V> AreClosestAt(const Vec3Of<V>& p, const Vec3Of<V>& v,
                                  const TriangleOf<V>& t) {
  const MaskOf<V> at_a = AreEqual(t.a, v);
  const MaskOf<V> at_b = AreEqual(t.b, v);
  const MaskOf<V> at_c = AreEqual(t.c, v);
  const Vec3Of<V> way = p - v;
  const MaskOf<V> is_v = AreEqual(p, v);
  const MaskOf<V> first = LeadAway(way, Select(at_a, t.b, t.a) - v);
  const MaskOf<V> second =
      LeadAway(way, Select(AndNot(at_a, at_c), t.b, t.c) - v);
  return (at_a | at_b | at_c) & (is_v | (first & second));
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_CLOSEST_CORNER_INL_H_
