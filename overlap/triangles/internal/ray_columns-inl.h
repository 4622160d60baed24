// SPDX-License-Identifier: Apache-2.0

// Which of several triangles does the line of a ray certainly miss, and which
// does it certainly meet first in a corner? Doubles and pairs of them, side by
// side, tell it of nearly all that floats leave open around a ray which grazes
// a surface, follows an edge or passes through a vertex.
//
//   TriangleColumns columns;
//   for (i ...) columns.Set(i, triangle);
//   LineVerdicts told = JudgeLine(ray, columns, count);
//   if ((told.missed >> i & 1) != 0) ...
//   if (told.CornerOf(i) < 3) ...            // met first in triangle[that]
//
// The line is seen along itself: a point p, as seen from the origin, becomes
//   x = d_z p_x - d_x p_z,  y = d_z p_y - d_y p_z,
// with z the axis along which the direction d is longest, and the line (0, 0).
// A corner with x = y = 0 is on the line, which doubles often tell without
// error. With x and y of two corners, x_i y_j - x_j y_i is d_z times the volume
// that the line spans with their edge.
// Private; compiled once per instruction set.
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
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
#include "orbox/overlap/internal/numbers/error_free-inl.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/point_distances-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// As bits, of columns.
struct LineVerdicts {
  uint32_t missed = 0;
  // Met first in that corner, in front of the origin or behind it; never where
  // an edge along the line begins behind the origin and does not end there.
  uint32_t first_at[3] = {0, 0, 0};

  // The index of that corner; 3 if there is none, or none is known.
  size_t CornerOf(size_t column) const {
    for (size_t i = 0; i < 3; ++i) {
      if ((first_at[i] >> column & 1) != 0) return i;
    }
    return 3;
  }
};

// Of the first `count` columns. Columns up to the next multiple of kDoubleLanes
// have to hold triangles, too. Requires a finite ray whose direction is not 0.
// `expects_corners`: doubles are not asked first, which tell misses alone.
LineVerdicts JudgeLine(const Ray& ray, const TriangleColumns& columns,
                       size_t count, bool expects_corners = false);

// Implementation.

// The ray, with the axes x, y, z.
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

// A register of corners a, b, c.
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

// The signs of the volumes of the edges bc, ca, ab.
struct EdgeSigns {
  DMask is_left[3];
  DMask is_right[3];

  // It passes two edges on different sides.
  HWY_INLINE DMask Miss() const {
    return (is_left[0] | is_left[1] | is_left[2]) &
           (is_right[0] | is_right[1] | is_right[2]);
  }
  HWY_INLINE void Set(size_t edge, const D& volume, const D& error,
                      const DMask& is_in_range) {
    is_left[edge] = is_in_range & (volume > error);
    is_right[edge] = is_in_range & (volume < -error);
  }
};

// Above what d_z p_x and the like are, for all corners: within these limits
// nothing overflows, and what underflows is far below the errors.
HWY_INLINE DMask AreInRange(const D& reach, const D& error) {
  return (reach > 0x1p-400) & (reach < 0x1p400) & (error > 0x1p-900);
}

HWY_INLINE D LargestOf(const D (&x)[3], const D (&y)[3]) {
  return Max(Max(Max(Abs(x[0]), Abs(y[0])), Max(Abs(x[1]), Abs(y[1]))),
             Max(Abs(x[2]), Abs(y[2])));
}

// With r the reach and m the largest |x| and |y|: x is a difference of two
// products of at most r, each off by 2 u of itself, and is rounded: off by e =
// 6.5 u r. A volume is a difference of two products of at most m^2, off by 4 u
// m^2 for its own roundings, and by 4 e m + 2 e^2 for those of x and y. Where e
// is below m, that is less than 6 e m + 4 u m^2; elsewhere no volume is above 6
// e m.
HWY_INLINE DMask Misses(const SeenAlong& ray, const CornersSeen& corners) {
  constexpr double kU = 0x1p-53;
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
  const D error = most * (reach * D(40 * kU) + most * D(5 * kU));
  const D volume[3] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2],
                       x[0] * y[1] - x[1] * y[0]};
  const D highest = Max(Max(volume[0], volume[1]), volume[2]);
  const D lowest = Min(Min(volume[0], volume[1]), volume[2]);
  return AreInRange(reach, error) & (highest > error) & (lowest < -error);
}

// x or y of a corner, as a pair of doubles.
struct SeenCoordinate {
  LongOf<D> value;
  DMask is_zero;  // certainly
};

// d_z p - d p_z: the two products are exact for the leading parts of p and p_z.
// Off by 13 u^2 of the sum of their sizes: with that for one, what is rounded
// is the sum of the products' second parts (1 u^2), the products of the second
// parts of p (1) and their difference (1), the sum of both (2) and of the
// first (3), and what FastTwoSum may lose of it where it is larger (5).
HWY_INLINE SeenCoordinate Seen(const D& d_z, const LongOf<D>& p, const D& d,
                               const LongOf<D>& p_z) {
  const LongOf<D> left = TwoProduct(d_z, p.hi);
  const LongOf<D> right = TwoProduct(d, p_z.hi);
  const LongOf<D> leading = TwoDifference(left.hi, right.hi);
  const D rest =
      leading.lo + ((left.lo - right.lo) + (d_z * p.lo - d * p_z.lo));
  // Products of few digits underflow; equal ones have equal parts.
  const DMask is_exact =
      (Abs(left.hi) >= 0x1p-900) | ((p.hi == 0) & ((d == 0) | (p_z.hi == 0)));
  return {FastTwoSum(leading.hi, rest), is_exact & (left.hi == right.hi) &
                                            (left.lo == right.lo) &
                                            (p.lo == 0) & (p_z.lo == 0)};
}

// The volume of an edge, but for 30 u^2 m^2: each of the products of pairs
// leaves out 1 and rounds 7, and their difference rounds 14.
HWY_INLINE D Volume(const LongOf<D>& x_i, const LongOf<D>& y_i,
                    const LongOf<D>& x_j, const LongOf<D>& y_j) {
  const LongOf<D> left = TwoProduct(x_i.hi, y_j.hi);
  const LongOf<D> right = TwoProduct(x_j.hi, y_i.hi);
  const LongOf<D> leading = TwoDifference(left.hi, right.hi);
  const D rest = (left.lo + (x_i.hi * y_j.lo + x_i.lo * y_j.hi)) -
                 (right.lo + (x_j.hi * y_i.lo + x_j.lo * y_i.hi));
  return leading.hi + (leading.lo + rest);
}

// What pairs of doubles tell of a register.
struct LineMasks {
  DMask missed;
  DMask first_at[3];
};

HWY_INLINE LineMasks JudgeClosely(const SeenAlong& ray,
                                  const CornersSeen& corners) {
  constexpr double kU = 0x1p-53;
  LongOf<D> x[3];
  LongOf<D> y[3];
  D way[3];
  DMask is_on_line[3];
  D size = 0;
  for (size_t i = 0; i < 3; ++i) {
    LongOf<D> p[3];
    for (size_t k = 0; k < 3; ++k) {
      p[k] = TwoDifference(corners.at[i][k], ray.origin[k]);
      size = Max(size, Abs(p[k].hi));
    }
    const SeenCoordinate seen_x =
        Seen(ray.direction[2], p[0], ray.direction[0], p[2]);
    const SeenCoordinate seen_y =
        Seen(ray.direction[2], p[1], ray.direction[1], p[2]);
    x[i] = seen_x.value;
    y[i] = seen_y.value;
    is_on_line[i] = seen_x.is_zero & seen_y.is_zero;
    // In the order of the hits; exact where the corner is on the line.
    way[i] = Select(ray.direction[2] < 0, -p[2].hi, p[2].hi);
  }
  const D reach = size * Abs(ray.direction[2]);
  const D most =
      LargestOf({x[0].hi, x[1].hi, x[2].hi}, {y[0].hi, y[1].hi, y[2].hi});
  // As above, with x and y off by e, two times 13 u^2 r.
  const D coordinate_error = reach * D(28 * kU * kU);
  const D error = most * (coordinate_error * D(6.1) + most * D(31 * kU * kU));
  const DMask is_in_range = AreInRange(reach, error);
  EdgeSigns signs;
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3;
    const size_t k = (i + 2) % 3;
    signs.Set(i, Volume(x[j], y[j], x[k], y[k]), error, is_in_range);
  }
  LineMasks told;
  told.missed = signs.Miss();
  for (size_t i = 0; i < 3; ++i) {
    // The other volumes are 0, so that the line crosses the plane there.
    told.first_at[i] = is_on_line[i] & (signs.is_left[i] | signs.is_right[i]);
  }
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3;
    const size_t k = (i + 2) % 3;
    // An edge along the line of a triangle that has area.
    const DMask is_along =
        is_on_line[i] & is_on_line[j] & is_in_range &
        ((Abs(x[k].hi) > coordinate_error) | (Abs(y[k].hi) > coordinate_error));
    const DMask starts_on_it = (way[i] < 0) ^ (way[j] < 0);
    const DMask is_known = AndNot(starts_on_it, is_along);
    told.first_at[i] = told.first_at[i] | (is_known & (way[i] < way[j]));
    told.first_at[j] = told.first_at[j] | (is_known & (way[j] < way[i]));
  }
  return told;
}

// Rays in a triangle's plane that is at right angles to an axis: no volume is
// but zero.
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

HWY_INLINE LineVerdicts JudgeLine(const Ray& ray,
                                  const TriangleColumns& columns, size_t count,
                                  bool expects_corners) {
  const SeenAlong seen(ray);
  const Vec3& d = ray.direction;
  const bool may_be_in_plane = d.x == 0 || d.y == 0 || d.z == 0;
  const uint32_t asked = (1u << count) - 1;
  LineVerdicts told;
  for (size_t i = 0; i < count; i += kDoubleLanes) {
    if (HWY_UNLIKELY(may_be_in_plane) && AllTrue(AreInPlane(ray, columns, i))) {
      continue;
    }
    const CornersSeen corners(seen, columns, i);
    if (!expects_corners) {
      const DMask misses = Misses(seen, corners);
      told.missed |= Bits(misses) << i;
      if (AllTrue(misses)) continue;
    }
    const LineMasks closely = JudgeClosely(seen, corners);
    told.missed |= Bits(closely.missed) << i;
    for (size_t k = 0; k < 3; ++k) {
      told.first_at[k] |= (Bits(closely.first_at[k]) << i) & asked;
    }
  }
  told.missed &= asked;
  return told;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_COLUMNS_INL_H_
