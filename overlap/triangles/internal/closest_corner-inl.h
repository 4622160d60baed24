// SPDX-License-Identifier: Apache-2.0

// Which triangles around a corner are as far from a point as the corner is?
//
//   DMask at_v = AreClosestAt(p, v, t);   // there Distance(p, t).closest is v
//
// The answer is for one triangle, or a register of them. Private; compiled once
// per instruction set.
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

// Whether v and w certainly are at an obtuse angle, of differences of points
// each. These are off by u = 2^-53 of themselves, products by 3 u, and sums by
// 2 u of what they are of: less than 8 u together, unless they underflow.
template <typename V>
HWY_INLINE MaskOf<V> LeadAway(const Vec3Of<V>& v, const Vec3Of<V>& w) {
  const V most = Abs(v.x * w.x) + Abs(v.y * w.y) + Abs(v.z * w.z);
  return (most >= V(0x1p-960)) & (Dot(v, w) < V(-0x1p-50) * most);
}

// Whether the point v is a corner of a triangle, and certainly its one point
// that is closest to p. Doubles decide: false where they do not.
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
