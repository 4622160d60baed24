// SPDX-License-Identifier: Apache-2.0

// Distances from a point to several triangles, for triangles whose closest
// point is inside the face, not on an edge. They are equal to those of
// point_distances-inl.h, but the closest points are not computed.
//
//   double distances[kColumns];
//   uint32_t done = FaceDistances(p, columns, distances);
//
// The distance to a plane needs no guess of the closest point. The error of
// such a guess grows with the ratio of length to width of a triangle. So pairs
// of doubles also decide needles here. Private; compiled once per instruction
// set.
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_FACE_DISTANCES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_FACE_DISTANCES_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_FACE_DISTANCES_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_FACE_DISTANCES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
#include "orbox/overlap/triangles/internal/distance_certificate-inl.h"
#include "orbox/overlap/triangles/internal/point_columns-inl.h"
#include "orbox/overlap/triangles/internal/point_near_face-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Returns the mask of the columns that are certified, and writes their
// distances, correctly rounded. Other entries of `distances` are unspecified.
uint32_t FaceDistances(const Vec3& p, const TriangleColumns& columns,
                       double* distances);

// Implementation.

HWY_INLINE LongOf<D> Minus(const LongOf<D>& a, const LongOf<D>& b) {
  return Sum(a, Negated(b));
}
HWY_INLINE LongOf<D> Dot(const LongVec3Of<D>& a, const LongVec3Of<D>& b) {
  return Sum(Sum(Product(a.x, b.x), Product(a.y, b.y)), Product(a.z, b.z));
}
HWY_INLINE LongVec3Of<D> Cross(const LongVec3Of<D>& a, const LongVec3Of<D>& b) {
  return {Minus(Product(a.y, b.z), Product(a.z, b.y)),
          Minus(Product(a.z, b.x), Product(a.x, b.z)),
          Minus(Product(a.x, b.y), Product(a.y, b.x))};
}

// Computes one register of triangles. Returns the lanes that are certified.
//
// With u = 2^-53, products and sums have errors of 4 u^2 (error_free.inc):
//  - each coordinate of n = e x f has 8 u^2 |e| |f|, and n has 14 u^2 |e| |f|;
//  - n . w has that times |w| plus 12 u^2 |n| |w|, so 26 u^2 |e| |f| |w|;
//  - n . n has 28 u^2 |e| |f| |n| + 12 u^2 |n|^2.
// The root of (n . w)^2 / n . n has the relative error of the first and half of
// that of the second: 26 u^2 |e| |f| |w| / |n . w|, and 14 u^2 |e| |f| / |n| +
// 6 u^2. The square of n . w, its difference from n . n times the square of the
// root, and this product have errors of 16 u^2 of the square. Half of that
// remains in the root. One step of Newton's iteration, from a root with an
// error of 4 u, has an error of 8 u^2. So 64 is enough for all these and for
// the roundings of the bounds.
HWY_INLINE DMask FaceDistance(const D3& p, const TriangleOf<D>& t,
                              D* distance) {
  const LongVec3Of<D> e = LongDifference(t.b, t.a);
  const LongVec3Of<D> f = LongDifference(t.c, t.a);
  const LongVec3Of<D> w = LongDifference(p, t.a);
  const ClearSides sides = ClearSidesOf(e.Hi(), f.Hi(), w.Hi());
  const D ee = Dot(e.Hi(), e.Hi());
  const D ff = Dot(f.Hi(), f.Hi());
  const D ww = Dot(w.Hi(), w.Hi());
  const LongVec3Of<D> n = Cross(e, f);
  const LongOf<D> nn = Dot(n, n);
  const LongOf<D> height = Dot(n, w);  // times |n|
  const LongOf<D> square = Product(height, height);
  const D root = Sqrt(square.hi / nn.hi);
  const LongOf<D> rest = Minus(square, Product(nn, TwoProduct(root, root)));
  const D correction = rest.hi * (D(0.5) / (root * nn.hi));
  const D area = Sqrt(ee * ff);
  const D slack =
      D(64 * 0x1p-106) * root *
          (area * Sqrt(ww) / Abs(height.hi) + area / Sqrt(nn.hi) + 1) +
      0x1p-46 * Abs(correction);
  *distance = root + (correction - slack);
  return sides.within_e & sides.within_others & IsInRange(ee) & IsInRange(ff) &
         IsInRange(ww) & IsInRange(root * root) &
         (nn.hi >= 0x1p-80 * (ee * ff)) &
         (*distance == root + (correction + slack));
}

HWY_INLINE uint32_t FaceDistances(const Vec3& p, const TriangleColumns& columns,
                                  double* distances) {
  const D3 point = D3::Of(p);
  uint32_t done = 0;
  for (size_t i = 0; i < kColumns; i += kDoubleLanes) {
    D distance;
    const DMask holds = FaceDistance(
        point,
        {LoadLanes(columns.rows, i), LoadLanes(columns.rows + 3, i),
         LoadLanes(columns.rows + 6, i)},
        &distance);
    distance.StoreU(distances + i);
    done |= Bits(holds) << i;
  }
  return done;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_FACE_DISTANCES_INL_H_
