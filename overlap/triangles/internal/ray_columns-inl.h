// SPDX-License-Identifier: Apache-2.0

// Finds the triangles that the line of a ray certainly misses, and those that
// it certainly hits first at a corner. Decides in doubles and pairs of doubles,
// several triangles at a time. These decide nearly all cases that floats leave
// undecided: rays that graze a surface, follow an edge or pass through a
// vertex.
//
//   TriangleColumns columns;
//   for (i ...) columns.Set(i, triangle);
//   LineVerdicts verdicts = ClassifyLine(ray, columns, count);
//   if ((verdicts.missed >> i & 1) != 0) ...
//   if (verdicts.CornerOf(i) < 3) ...            // hit first at this corner
//
// The points are projected along the line. A point p, relative to the origin,
// becomes
//   x = d_z p_x - d_x p_z,  y = d_z p_y - d_y p_z,
// where z is the axis along which the direction d is longest. The line becomes
// (0, 0). A corner is on the line if x = y = 0, and doubles often decide this
// without error. For two corners i and j, x_i y_j - x_j y_i is d_z times the
// volume of the line and the edge between them. Private; compiled once per
// instruction set.
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_COLUMNS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_COLUMNS_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_COLUMNS_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_COLUMNS_INL_H_
#endif

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
#include "orbox/overlap/internal/numbers/error_free-inl.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/point_distances-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Verdicts about columns, as masks.
struct LineVerdicts {
  uint32_t missed = 0;
  // Columns that are hit first at corner i, in front of the origin or behind
  // it. Never set if an edge along the line begins behind the origin and does
  // not end behind it.
  uint32_t first_at[3] = {0, 0, 0};

  // Returns the index of the corner at which the column is hit first; 3 if
  // there is none or it is not known.
  size_t CornerOf(size_t column) const {
    for (size_t i = 0; i < 3; ++i) {
      if ((first_at[i] >> column & 1) != 0) return i;
    }
    return 3;
  }
};

// Decides the first `count` columns. Columns up to the next multiple of
// kDoubleLanes must also contain triangles. Requires a finite ray whose
// direction is not 0.
LineVerdicts ClassifyLine(const Ray& ray, const TriangleColumns& columns,
                          size_t count);

// Implementation.

// The ray in the coordinates x, y, z of the projection.
struct SeenAlong {
  explicit SeenAlong(const Ray& ray) {
    const Vec3 size{std::abs(ray.direction.x), std::abs(ray.direction.y),
                    std::abs(ray.direction.z)};
    axis[2] = size.y > size.x ? 1 : 0;
    if (size.z > size[axis[2]]) axis[2] = 2;
    axis[0] = (axis[2] + 1) % 3;
    axis[1] = (axis[2] + 2) % 3;
    for (size_t k = 0; k < 3; ++k) {
      origin[k] = ray.origin[axis[k]];
      direction[k] = ray.direction[axis[k]];
    }
  }

  size_t axis[3];
  D origin[3];
  D direction[3];
};

// The corners a, b, c of a register of triangles.
struct CornersSeen {
  HWY_INLINE CornersSeen(const SeenAlong& ray, const TriangleColumns& columns,
                         size_t i) {
    for (size_t corner = 0; corner < 3; ++corner) {
      for (size_t k = 0; k < 3; ++k) {
        at[corner][k] = D::Load(columns.rows[3 * corner + ray.axis[k]] + i);
      }
    }
  }

  D at[3][3];
};

// Certain facts about corners, and about the edges opposite to them.
struct LineSigns {
  // The volume is certainly positive (left), or certainly negative (right).
  DMask is_left[3];
  DMask is_right[3];
  // The corner is certainly not on the line.
  DMask is_off[3];

  // Returns the lanes in which the line is on different sides of two edges, so
  // that it misses the triangle.
  HWY_INLINE DMask Miss() const {
    return (is_left[0] | is_left[1] | is_left[2]) &
           (is_right[0] | is_right[1] | is_right[2]);
  }
  // Returns the lanes in which the line crosses the triangle between its edges.
  HWY_INLINE DMask Cross() const {
    return (is_left[0] & is_left[1] & is_left[2]) |
           (is_right[0] & is_right[1] & is_right[2]);
  }
  HWY_INLINE void SetEdge(size_t i, const D& volume, const D& error,
                          const DMask& is_in_range) {
    is_left[i] = is_in_range & (volume > error);
    is_right[i] = is_in_range & (volume < -error);
  }
  HWY_INLINE void SetCorner(size_t i, const D& x, const D& y, const D& error,
                            const DMask& is_in_range) {
    is_off[i] = is_in_range & ((Abs(x) > error) | (Abs(y) > error));
  }
};

// Returns the lanes in which the error bounds below hold: nothing overflows,
// and underflow is far below the errors. `reach` bounds d_z p_x and similar
// products for all corners.
HWY_INLINE DMask AreInRange(const D& reach, const D& error) {
  return (reach > 0x1p-400) & (reach < 0x1p400) & (error > 0x1p-900);
}

HWY_INLINE D LargestOf(const D (&x)[3], const D (&y)[3]) {
  return Max(Max(Max(Abs(x[0]), Abs(y[0])), Max(Abs(x[1]), Abs(y[1]))),
             Max(Abs(x[2]), Abs(y[2])));
}

// Let r be the reach and m the largest |x| and |y|. x is a difference of two
// products of at most r, each with a relative error of 2 u, and is rounded. So
// its error is at most e = 6.5 u r. A volume is a difference of two products of
// at most m^2. Its error is 4 u m^2 from its own roundings, and 4 e m + 2 e^2
// from those of x and y. If e is below m, the sum is less than 6 e m + 4 u m^2.
// Otherwise no volume is above 6 e m.
HWY_INLINE LineSigns Signs(const SeenAlong& ray, const CornersSeen& corners) {
  D x[3];
  D y[3];
  D size = 0;
  for (size_t i = 0; i < 3; ++i) {
    D p[3];
    for (size_t k = 0; k < 3; ++k) {
      p[k] = corners.at[i][k] - ray.origin[k];
      size = Max(size, Abs(p[k]));
    }
    x[i] = ray.direction[2] * p[0] - ray.direction[0] * p[2];
    y[i] = ray.direction[2] * p[1] - ray.direction[1] * p[2];
  }
  const D reach = size * Abs(ray.direction[2]);
  const D most = LargestOf(x, y);
  const D error = most * (reach * D(40 * kRoundoff) + most * D(5 * kRoundoff));
  const DMask is_in_range = AreInRange(reach, error);
  LineSigns signs;
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3;
    const size_t k = (i + 2) % 3;
    signs.SetEdge(i, x[j] * y[k] - x[k] * y[j], error, is_in_range);
    signs.SetCorner(i, x[i], y[i], reach * D(6.6 * kRoundoff), is_in_range);
  }
  return signs;
}

// Corners relative to the origin, exact.
struct CloseCorners {
  LongOf<D> at[3][3];
  DMask is_on_line[3];  // certainly
  // The parameters of these corners times |d_z|, exact.
  D way[3];
};

// Returns true if d_z p = d p_z is certain. Products of few digits may
// underflow. Equal products have equal parts.
HWY_INLINE DMask AreEqual(const D& d_z, const LongOf<D>& p, const D& d,
                          const LongOf<D>& p_z) {
  const LongOf<D> left = TwoProduct(d_z, p.hi);
  const LongOf<D> right = TwoProduct(d, p_z.hi);
  const DMask is_exact =
      (Abs(left.hi) >= 0x1p-900) | ((p.hi == 0) & ((d == 0) | (p_z.hi == 0)));
  return is_exact & (left.hi == right.hi) & (left.lo == right.lo) &
         (p.lo == 0) & (p_z.lo == 0);
}

HWY_INLINE CloseCorners SeeClosely(const SeenAlong& ray,
                                   const CornersSeen& corners) {
  const D* const d = ray.direction;
  CloseCorners close;
  for (size_t i = 0; i < 3; ++i) {
    LongOf<D>(&p)[3] = close.at[i];
    for (size_t k = 0; k < 3; ++k) {
      p[k] = TwoDifference(corners.at[i][k], ray.origin[k]);
    }
    close.is_on_line[i] =
        AreEqual(d[2], p[0], d[0], p[2]) & AreEqual(d[2], p[1], d[1], p[2]);
    close.way[i] = Select(d[2] < 0, -p[2].hi, p[2].hi);
  }
  return close;
}

// Returns x or y: d_z p - d p_z. The products of the leading parts are exact.
// The error is 13 u^2 of the sum of their magnitudes. In units of u^2 times
// this sum, the roundings are: 1 for the sum of the second parts of the
// products, 1 for the products of the second parts of p, 1 for the difference
// of the latter, 2 for the sum of both, 3 for the first sum, and 5 for
// FastTwoSum if its second argument is larger.
HWY_INLINE LongOf<D> Seen(const D& d_z, const LongOf<D>& p, const D& d,
                          const LongOf<D>& p_z) {
  const LongOf<D> left = TwoProduct(d_z, p.hi);
  const LongOf<D> right = TwoProduct(d, p_z.hi);
  const LongOf<D> leading = TwoDifference(left.hi, right.hi);
  return FastTwoSum(leading.hi, leading.lo + ((left.lo - right.lo) +
                                              (d_z * p.lo - d * p_z.lo)));
}

// Returns the volume of an edge. Its error is at most 30 u^2 m^2: each of the
// two products of pairs omits 1 and rounds 7, and their difference rounds 14,
// in units of u^2 m^2.
HWY_INLINE D Volume(const LongOf<D>& x_i, const LongOf<D>& y_i,
                    const LongOf<D>& x_j, const LongOf<D>& y_j) {
  const LongOf<D> left = TwoProduct(x_i.hi, y_j.hi);
  const LongOf<D> right = TwoProduct(x_j.hi, y_i.hi);
  const LongOf<D> leading = TwoDifference(left.hi, right.hi);
  const D rest = (left.lo + (x_i.hi * y_j.lo + x_i.lo * y_j.hi)) -
                 (right.lo + (x_j.hi * y_i.lo + x_j.lo * y_i.hi));
  return leading.hi + (leading.lo + rest);
}

HWY_INLINE LineSigns Signs(const SeenAlong& ray, const CloseCorners& close) {
  const D* const d = ray.direction;
  LongOf<D> x[3];
  LongOf<D> y[3];
  D size = 0;
  for (size_t i = 0; i < 3; ++i) {
    const LongOf<D>(&p)[3] = close.at[i];
    for (size_t k = 0; k < 3; ++k) size = Max(size, Abs(p[k].hi));
    x[i] = Seen(d[2], p[0], d[0], p[2]);
    y[i] = Seen(d[2], p[1], d[1], p[2]);
  }
  const D reach = size * Abs(d[2]);
  const D most =
      LargestOf({x[0].hi, x[1].hi, x[2].hi}, {y[0].hi, y[1].hi, y[2].hi});
  // The bound of Signs, with e = 26 u^2 r as the error of x and y.
  const D coordinate_error = reach * D(28 * kRoundoff * kRoundoff);
  const D error =
      most * (coordinate_error * D(6.1) + most * D(31 * kRoundoff * kRoundoff));
  const DMask is_in_range = AreInRange(reach, error);
  LineSigns signs;
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3;
    const size_t k = (i + 2) % 3;
    signs.SetEdge(i, Volume(x[j], y[j], x[k], y[k]), error, is_in_range);
    signs.SetCorner(i, x[i].hi, y[i].hi, coordinate_error, is_in_range);
  }
  return signs;
}

// Returns the triangles that are certainly hit first at corner i.
HWY_INLINE DMask FirstAt(size_t i, const CloseCorners& close,
                         const LineSigns& signs) {
  // The volumes of the other two edges are 0 and this one is not: the line
  // crosses the plane at the corner.
  DMask first = signs.is_left[i] | signs.is_right[i];
  for (size_t step = 1; step < 3; ++step) {
    const size_t j = (i + step) % 3;
    const size_t k = (i + 3 - step) % 3;
    // An edge is along the line, and the triangle has area.
    const DMask starts_on_it = (close.way[i] < 0) ^ (close.way[j] < 0);
    first = first | AndNot(starts_on_it, close.is_on_line[j] & signs.is_off[k] &
                                             (close.way[i] < close.way[j]));
  }
  return close.is_on_line[i] & first;
}

// Returns the lanes in which the ray is in the plane of the triangle, and the
// plane is at right angles to an axis. For these, all volumes are 0.
HWY_INLINE DMask AreInPlane(const Ray& ray, const TriangleColumns& columns,
                            size_t i) {
  DMask are = D(0) < 0;
  for (size_t k = 0; k < 3; ++k) {
    if (ray.direction[k] != 0) continue;
    const D at = ray.origin[k];
    are = are | ((D::Load(columns.rows[k] + i) == at) &
                 (D::Load(columns.rows[3 + k] + i) == at) &
                 (D::Load(columns.rows[6 + k] + i) == at));
  }
  return are;
}

HWY_INLINE LineVerdicts ClassifyLine(const Ray& ray,
                                     const TriangleColumns& columns,
                                     size_t count) {
  const SeenAlong seen(ray);
  const Vec3& d = ray.direction;
  const bool may_be_in_plane = d.x == 0 || d.y == 0 || d.z == 0;
  LineVerdicts verdicts;
  for (size_t i = 0; i < count; i += kDoubleLanes) {
    if (HWY_UNLIKELY(may_be_in_plane) && AllTrue(AreInPlane(ray, columns, i))) {
      continue;
    }
    const CornersSeen corners(seen, columns, i);
    LineSigns signs = Signs(seen, corners);
    DMask missed = signs.Miss();
    if (!AllTrue(missed | signs.Cross())) {
      const CloseCorners close = SeeClosely(seen, corners);
      DMask first[3];
      DMask all = missed | signs.Cross();
      for (size_t k = 0; k < 3; ++k) {
        first[k] = FirstAt(k, close, signs);
        all = all | first[k];
      }
      if (!AllTrue(all)) {
        signs = Signs(seen, close);
        missed = missed | signs.Miss();
        for (size_t k = 0; k < 3; ++k) first[k] = FirstAt(k, close, signs);
      }
      for (size_t k = 0; k < 3; ++k)
        verdicts.first_at[k] |= Bits(first[k]) << i;
    }
    verdicts.missed |= Bits(missed) << i;
  }
  verdicts.missed &= (1u << count) - 1;
  return verdicts;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_COLUMNS_INL_H_
