// SPDX-License-Identifier: Apache-2.0

// The paper's tests of a sphere and a box, one pair per lane: the tests of
// nodes (bvh/traverse/internal/point_in_tree-inl.h), of batches (batch.h), and
// of the rows of eight in variants.h.
//
//   const SphereLanes<F8> ball = {Set8x3(p), Set8(r), Set8(r * r)};
//   const AabbLanes<F8> boxes = LoadAabbs(node.rows);
//   M8 may_overlap = OverlapsConservative(ball, boxes);
//   M8 overlaps = OverlapsExact(ball, boxes);
//
// After Larsson, Akenine-Moller and Lengyel, "On Faster Sphere-Box Overlap
// Testing", journal of graphics tools 12:1, 2007: the conservative test of its
// section 2 and the vector test of its section 3. The paper names several boxes
// at once as future work. Both tests begin with the gaps between the sphere's
// centre and the box along the box's three axes. A gap is negative if the
// centre is within the box on that axis. The conservative test compares the
// largest gap with the radius; the exact test compares the sum of the squares
// of the positive gaps with the squared radius.
//
// Private; compiled once per instruction set. V is lanes or a number, as in
// arithmetic-inl.h. Values are computed in float without a correction for
// rounding. Each function states its error, in units of u = 2^-24, and a caller
// that needs certainty widens the radius and its square by this error. Each
// test is equal, bit for bit, to the scalar function that it names.
#if defined(ORBOX_OVERLAP_BOXES_INTERNAL_SPHERE_BOX_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_BOXES_INTERNAL_SPHERE_BOX_LANES_INL_H_
#undef ORBOX_OVERLAP_BOXES_INTERNAL_SPHERE_BOX_LANES_INL_H_
#else
#define ORBOX_OVERLAP_BOXES_INTERNAL_SPHERE_BOX_LANES_INL_H_
#endif

#include <cstddef>
#include <limits>

#include "hwy/highway.h"
#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/boxes/sphere_aabb.h"
#include "orbox/overlap/boxes/sphere_obb.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Shapes in lanes. Of() takes the rows of the spans in batch.h.
template <typename V>
struct SphereLanes {
  Vec3Of<V> center;
  V radius;          // limit of the conservative test
  V squared_radius;  // limit of the exact test

  static HWY_INLINE SphereLanes Of(const V (&row)[4]) {
    return {{row[0], row[1], row[2]}, row[3], row[3] * row[3]};
  }
};
template <typename V>
struct AabbLanes {
  Vec3Of<V> lo;
  Vec3Of<V> hi;

  static HWY_INLINE AabbLanes Of(const V (&row)[6]) {
    return {{row[0], row[1], row[2]}, {row[3], row[4], row[5]}};
  }
};
template <typename V>
struct ObbLanes {
  Vec3Of<V> center;
  Vec3Of<V> axes[3];
  Vec3Of<V> half_extents;

  static HWY_INLINE ObbLanes Of(const V (&row)[15]) {
    return {{row[0], row[1], row[2]},
            {{row[3], row[4], row[5]},
             {row[6], row[7], row[8]},
             {row[9], row[10], row[11]}},
            {row[12], row[13], row[14]}};
  }
};

// Loads a node's boxes: rows lo x, y, z, hi x, y, z.
HWY_INLINE AabbLanes<F8> LoadAabbs(const float (*HWY_RESTRICT rows)[8]) {
  return {Load8x3(rows), Load8x3(rows + 3)};
}

// Returns the gaps along x, y and z. Relative error 1 u each.
template <typename V>
HWY_INLINE Vec3Of<V> GapsBetween(const Vec3Of<V>& p, const AabbLanes<V>& b) {
  return Max(b.lo - p, p - b.hi);
}

// Returns |(box's centre - p) . axis| for each axis of the box: the gaps before
// the half extents are subtracted. Error 4 u times the 1-norm of the difference
// (sphere_obb.h).
template <typename V>
HWY_INLINE Vec3Of<V> FoldedIntoFrame(const Vec3Of<V>& p, const ObbLanes<V>& b) {
  const Vec3Of<V> v = b.center - p;
  return Abs(
      Vec3Of<V>{Dot(v, b.axes[0]), Dot(v, b.axes[1]), Dot(v, b.axes[2])});
}

// Returns the squared distance from a point to the box: Arvo's sum. Relative
// error 4 u.
template <typename V>
HWY_INLINE V SquaredDistance(const Vec3Of<V>& p, const AabbLanes<V>& b) {
  // The vector from the nearest point of the box to p. Its coordinates are the
  // positive gaps, and cost one operation less per axis.
  const Vec3Of<V> e = {p.x - Min(Max(p.x, b.lo.x), b.hi.x),
                       p.y - Min(Max(p.y, b.lo.y), b.hi.y),
                       p.z - Min(Max(p.z, b.lo.z), b.hi.z)};
  return Dot(e, e);
}

// Also Arvo's sum; the gaps have the error of FoldedIntoFrame. The result is
// NaN after an overflow. A maximum would drop the NaN on some instruction sets.
template <typename V>
HWY_INLINE V SquaredDistance(const Vec3Of<V>& p, const ObbLanes<V>& b) {
  const Vec3Of<V> gaps = FoldedIntoFrame(p, b) - b.half_extents;
  const Vec3Of<V> e = {ZeroOrSelect(gaps.x <= V(0), gaps.x),
                       ZeroOrSelect(gaps.y <= V(0), gaps.y),
                       ZeroOrSelect(gaps.z <= V(0), gaps.z)};
  return Dot(e, e);
}

// Returns the squared distance from a point to the farthest corner of the box.
// Relative error 4 u.
template <typename V>
HWY_INLINE V SquaredReach(const Vec3Of<V>& p, const AabbLanes<V>& b) {
  const Vec3Of<V> e = Max(p - b.lo, b.hi - p);
  return Dot(e, e);
}

// The test of OverlapsArvo for an AABB, of OverlapsFolded for an OBB.
template <typename V, template <typename> typename Box>
HWY_INLINE MaskOf<V> OverlapsExact(const SphereLanes<V>& s, const Box<V>& b) {
  return SquaredDistance(s.center, b) <= s.squared_radius;
}

// The test of OverlapsConservative for an AABB.
template <typename V>
HWY_INLINE MaskOf<V> OverlapsConservative(const SphereLanes<V>& s,
                                          const AabbLanes<V>& b) {
  const Vec3Of<V> gaps = GapsBetween(s.center, b);
  return Largest(gaps.x, gaps.y, gaps.z) <= s.radius;
}

// The test of OverlapsConservative for an OBB, with its margin. After an
// overflow, all folded coordinates and the reach are infinite or NaN, so every
// comparison with "greater" is false.
template <typename V>
HWY_INLINE MaskOf<V> OverlapsConservative(const SphereLanes<V>& s,
                                          const ObbLanes<V>& b) {
  const Vec3Of<V> folded = FoldedIntoFrame(s.center, b);
  const V margin =
      Largest(folded.x, folded.y, folded.z) * V(32 * kRoundoffOf<float>);
  const V reach = (s.radius + V(std::numeric_limits<float>::min())) + margin;
  const Vec3Of<V> gaps = folded - b.half_extents;
  return !(Largest(gaps.x, gaps.y, gaps.z) > reach);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_BOXES_INTERNAL_SPHERE_BOX_LANES_INL_H_
