// SPDX-License-Identifier: Apache-2.0

// Eight triangles in double, with their planes. Tests for a single other
// triangle which of the eight are on one side of its plane, and which have it
// on one side of their planes.
//
//   PlaneRow s, t;
//   for (i ...) s.Set(i, triangle);             // all eight lanes
//   s.Finish();
//   const double longest = LongestWay(s, t);
//   uint32_t apart = s.OnOneSide<Ways::kLongest>(i, t, longest);  // lanes of t
//   apart |= t.WithOnOneSide<Ways::kLongest>(s, i, longest);
//
// Testing all pairs of two leaves takes only a little more time than testing
// one pair. This is worthwhile if floats leave many pairs undecided, as for
// surfaces that are very close to each other. Private; compiled once per
// instruction set (lanes-inl.h).
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_PLANE_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_PLANE_ROWS_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_PLANE_ROWS_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_PLANE_ROWS_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/triangle_meet_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

HWY_INLINE double LeastOfLanes(const D& a) {
  return hn::GetLane(hn::MinOfLanes(D::Tag(), a.part[0]));
}

// The bound of the lengths of vectors to corners. kLongest: one bound for all
// corners of two rows. kOwn: a bound for each pair, which takes half again as
// much time.
enum class Ways { kLongest, kOwn };

class PlaneRow {
 public:
  static constexpr size_t kCount = 8;

  // Leaves all numbers uninitialised.
  PlaneRow() {}

  HWY_INLINE void Set(size_t lane, const Triangle& t) {
    size_t row = 0;
    for (const Vec3* p : {&t.a, &t.b, &t.c}) {
      corners_[row++][lane] = p->x;
      corners_[row++][lane] = p->y;
      corners_[row++][lane] = p->z;
    }
  }
  // Computes the normals and bounds. Requires that all lanes are set.
  HWY_INLINE void Finish();

  // Returns the mask of the triangles of `t` that are certainly on one side of
  // the plane of the triangle in `lane`. Requires `longest` >=
  // LongestWay(*this, t).
  template <Ways kWays>
  HWY_INLINE uint32_t OnOneSide(size_t lane, const PlaneRow& t,
                                double longest) const;
  // Returns the mask of the triangles whose planes certainly have the triangle
  // in `lane` of `s` on one side.
  template <Ways kWays>
  HWY_INLINE uint32_t WithOnOneSide(const PlaneRow& s, size_t lane,
                                    double longest) const;

  // Returns an upper bound of the distance between a corner of one row and a
  // corner of the other. Returns infinity if products might be out of range.
  friend HWY_INLINE double LongestWay(const PlaneRow& s, const PlaneRow& t) {
    double squared = 0;
    for (size_t k = 0; k < 3; ++k) {
      const double length =
          std::max(s.hi_[k], t.hi_[k]) - std::min(s.lo_[k], t.lo_[k]);
      squared += length * length;
    }
    const double longest = std::sqrt(squared);
    return longest >= kShortest<double> && longest <= 1 / kShortest<double>
               ? longest
               : std::numeric_limits<double>::infinity();
  }

 private:
  static HWY_INLINE D3 Point(const double (&rows)[9][kCount], size_t row,
                             size_t i) {
    return {D::Load(rows[row] + i), D::Load(rows[row + 1] + i),
            D::Load(rows[row + 2] + i)};
  }
  HWY_INLINE D3 Normal(size_t i) const {
    return {D::Load(normals_[0] + i), D::Load(normals_[1] + i),
            D::Load(normals_[2] + i)};
  }
  HWY_INLINE D3 PointOf(size_t row, size_t lane) const {
    return {corners_[row][lane], corners_[row + 1][lane],
            corners_[row + 2][lane]};
  }

  // Returns the lanes in which the corners a, b, c, relative to the plane's
  // origin, are certainly on one side. `error_bound` is the error bound for a
  // vector of length 1.
  template <Ways kWays>
  static HWY_INLINE DMask AreOnOneSide(const D3& n, const D3& a, const D3& b,
                                       const D3& c, const D& error_bound,
                                       double longest) {
    const D x = Dot(n, a);
    const D y = Dot(n, b);
    const D z = Dot(n, c);
    const D height = Max(Least(x, y, z), -Largest(x, y, z));
    if constexpr (kWays == Ways::kLongest)
      return height > error_bound * longest;
    const D own = Sqrt(Largest(Dot(a, a), Dot(b, b), Dot(c, c)));
    return (height > error_bound * own) &
           (own >= kShortest<double>)&(own <= D(1 / kShortest<double>));
  }

  // Let u = 2^-53. An edge e has an error of u in each coordinate, products of
  // two edges have 3 u, and their difference adds another u of both. So the
  // normal e x f has an error of 4 u |e| |f| in each coordinate, 7 u as a
  // vector. A vector d to a corner has an error of u, which gives 8 u |e| |f|
  // |d|. Three products and two sums add 3 u. 12 u covers these, because 7 u is
  // 4 sqrt(3) u rounded up, and the roundings of this expression.
  static constexpr double kHeightError = 12 * 0x1p-53;

  alignas(64) double corners_[9][kCount];
  alignas(64) double normals_[3][kCount];
  alignas(64) double errors_[kCount];  // error of a height per vector length
  double lo_[3];
  double hi_[3];
};

// Implementation.

HWY_INLINE void PlaneRow::Finish() {
  D3 lo = Point(corners_, 0, 0);
  D3 hi = lo;
  for (size_t i = 0; i < kCount; i += kDoubleLanes) {
    const D3 a = Point(corners_, 0, i);
    const D3 b = Point(corners_, 3, i);
    const D3 c = Point(corners_, 6, i);
    lo = {Min(lo.x, Least(a.x, b.x, c.x)), Min(lo.y, Least(a.y, b.y, c.y)),
          Min(lo.z, Least(a.z, b.z, c.z))};
    hi = {Max(hi.x, Largest(a.x, b.x, c.x)), Max(hi.y, Largest(a.y, b.y, c.y)),
          Max(hi.z, Largest(a.z, b.z, c.z))};
    const D3 e = b - a;
    const D3 f = c - a;
    const D3 n = Cross(e, f);
    n.x.Store(normals_[0] + i);
    n.y.Store(normals_[1] + i);
    n.z.Store(normals_[2] + i);
    const D ee = Dot(e, e);
    const D ff = Dot(f, f);
    constexpr double kLeast = kShortest<double> * kShortest<double>;
    Select((Min(ee, ff) >= kLeast) & (Max(ee, ff) <= 1 / kLeast),
           Sqrt(ee) * Sqrt(ff) * kHeightError,
           D(std::numeric_limits<double>::infinity()))
        .Store(errors_ + i);
  }
  const D* const lows[3] = {&lo.x, &lo.y, &lo.z};
  const D* const highs[3] = {&hi.x, &hi.y, &hi.z};
  for (size_t k = 0; k < 3; ++k) {
    lo_[k] = LeastOfLanes(*lows[k]);
    hi_[k] = -LeastOfLanes(-*highs[k]);
  }
}

template <Ways kWays>
HWY_INLINE uint32_t PlaneRow::OnOneSide(size_t lane, const PlaneRow& t,
                                        double longest) const {
  const D3 n = {normals_[0][lane], normals_[1][lane], normals_[2][lane]};
  const D3 p = PointOf(0, lane);
  const D error_bound = errors_[lane];
  uint32_t bits = 0;
  for (size_t i = 0; i < kCount; i += kDoubleLanes) {
    bits |= Bits(AreOnOneSide<kWays>(
                n, Point(t.corners_, 0, i) - p, Point(t.corners_, 3, i) - p,
                Point(t.corners_, 6, i) - p, error_bound, longest))
            << i;
  }
  return bits;
}

template <Ways kWays>
HWY_INLINE uint32_t PlaneRow::WithOnOneSide(const PlaneRow& s, size_t lane,
                                            double longest) const {
  const D3 p = s.PointOf(0, lane);
  const D3 q = s.PointOf(3, lane);
  const D3 r = s.PointOf(6, lane);
  uint32_t bits = 0;
  for (size_t i = 0; i < kCount; i += kDoubleLanes) {
    const D3 n = Normal(i);
    const D3 origin = Point(corners_, 0, i);
    bits |= Bits(AreOnOneSide<kWays>(n, p - origin, q - origin, r - origin,
                                     D::Load(errors_ + i), longest))
            << i;
  }
  return bits;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_PLANE_ROWS_INL_H_
