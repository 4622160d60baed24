// SPDX-License-Identifier: Apache-2.0

// Which of several triangles does the line of a ray certainly miss? Doubles and
// pairs of them, side by side, tell it of nearly all that floats leave open
// around a ray which grazes a surface or follows an edge.
//
//   TriangleColumns columns;
//   for (i ...) columns.Set(i, triangle);
//   uint32_t missed = CertainMisses(ray, columns, count);
//
// Private; compiled once per instruction set.
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_COLUMNS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_COLUMNS_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_COLUMNS_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_COLUMNS_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
#include "orbox/overlap/internal/numbers/error_free-inl.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/point_distances-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// As bits, of the first `count` columns. Columns up to the next multiple of
// kDoubleLanes have to hold triangles, too.
uint32_t CertainMisses(const Ray& ray, const TriangleColumns& columns,
                       size_t count);

// Implementation.

// The volumes that a line spans with the edges of a triangle, taken in turn. It
// misses the triangle if two differ in sign: if it passes these edges on
// different sides.
struct EdgeVolumes {
  DMask is_left;  // one of them certainly is positive
  DMask is_right;

  DMask Miss() const { return is_left & is_right; }
  // Off by `way` times the sizes of two corners: within these limits nothing
  // overflows, and what underflows is far below.
  HWY_INLINE void Add(const D& volume, const D& way, const D& area) {
    const D error = way * area;
    const DMask is_in_range =
        (area > 0x1p-800) & (error > 0x1p-700) & (error < 0x1p900);
    is_left = is_left | (is_in_range & (volume > error));
    is_right = is_right | (is_in_range & (volume < -error));
  }
};

HWY_INLINE D Size(const D3& p) {
  return Max(Max(Abs(p.x), Abs(p.y)), Abs(p.z));
}

// With coordinates of at most p, q and d, a volume is a sum of six products
// p q d, each off by at most 8 u of itself: the differences, products and sums.
HWY_INLINE DMask Misses(const D3& o, const D3& d, const TriangleOf<D>& t) {
  constexpr double kU = 0x1p-53;
  const D3 p[3] = {t.a - o, t.b - o, t.c - o};
  const D sizes[3] = {Size(p[0]), Size(p[1]), Size(p[2])};
  const D way = Size(d) * D(54 * kU);
  const DMask none = way < 0;
  EdgeVolumes volumes{none, none};
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3;
    volumes.Add(Dot(d, Cross(p[i], p[j])), way, sizes[i] * sizes[j]);
  }
  return volumes.Miss();
}

// The same in pairs of doubles: differences lose nothing, and products and sums
// each 4 u^2, which makes less than 32 u^2 of each of the six.
HWY_INLINE DMask MissesClosely(const D3& o, const D3& d,
                               const TriangleOf<D>& t) {
  constexpr double kU = 0x1p-53;
  using Long = LongOf<D>;
  const D3 corners[3] = {t.a, t.b, t.c};
  Long p[3][3];
  D sizes[3];
  for (size_t i = 0; i < 3; ++i) {
    p[i][0] = TwoDifference(corners[i].x, o.x);
    p[i][1] = TwoDifference(corners[i].y, o.y);
    p[i][2] = TwoDifference(corners[i].z, o.z);
    sizes[i] = Size({p[i][0].hi, p[i][1].hi, p[i][2].hi});
  }
  const Long along[3] = {{d.x, D(0)}, {d.y, D(0)}, {d.z, D(0)}};
  const D way = Size(d) * D(256 * kU * kU);
  const DMask none = way < 0;
  EdgeVolumes volumes{none, none};
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3;
    Long volume{D(0), D(0)};
    for (size_t k = 0; k < 3; ++k) {
      const size_t u = (k + 1) % 3;
      const size_t v = (k + 2) % 3;
      const Long area =
          Sum(Product(p[i][u], p[j][v]), Negated(Product(p[i][v], p[j][u])));
      volume = Sum(volume, Product(along[k], area));
    }
    volumes.Add(volume.hi, way, sizes[i] * sizes[j]);
  }
  return volumes.Miss();
}

// Rays in a triangle's plane that is at right angles to an axis: no volume is
// but zero.
HWY_INLINE DMask AreInPlane(const D3& o, const D3& d, const TriangleOf<D>& t) {
  const auto all =
      [](const D& way, const D& at, const D& a, const D& b, const D& c)
          HWY_ATTR { return (way == 0) & (a == at) & (b == at) & (c == at); };
  return all(d.x, o.x, t.a.x, t.b.x, t.c.x) |
         all(d.y, o.y, t.a.y, t.b.y, t.c.y) |
         all(d.z, o.z, t.a.z, t.b.z, t.c.z);
}

HWY_INLINE uint32_t CertainMisses(const Ray& ray,
                                  const TriangleColumns& columns,
                                  size_t count) {
  const D3 o = D3::Of(ray.origin);
  const D3 d = D3::Of(ray.direction);
  uint32_t missed = 0;
  for (size_t i = 0; i < count; i += kDoubleLanes) {
    const auto corner = [&](size_t row) HWY_ATTR {
      return LoadLanes(columns.rows + row, i);
    };
    const TriangleOf<D> triangles{corner(0), corner(3), corner(6)};
    DMask misses = Misses(o, d, triangles);
    if (!AllTrue(misses | AreInPlane(o, d, triangles))) {
      misses = misses | MissesClosely(o, d, triangles);
    }
    missed |= Bits(misses) << i;
  }
  return missed & ((1u << count) - 1);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_COLUMNS_INL_H_
