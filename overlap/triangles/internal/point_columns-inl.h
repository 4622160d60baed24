// SPDX-License-Identifier: Apache-2.0

// Triangles, points and distances in columns, so that each row can be loaded
// into registers.
//
//   TriangleColumns columns;
//   columns.SetRegister(i, triangles);        // kDoubleLanes of them
//   D3 a = LoadLanes(columns.rows, i);
//
// Private; compiled once per instruction set.
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_POINT_COLUMNS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_POINT_COLUMNS_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_POINT_COLUMNS_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_POINT_COLUMNS_INL_H_
#endif

#include <algorithm>
#include <cstddef>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/triangle_distance.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Up to eight triangles as rows a.x, a.y, a.z, b.x, ..., c.z.
inline constexpr size_t kColumns = 8;
struct TriangleColumns {
  alignas(64) double rows[9][kColumns];

  void Set(size_t column, const Triangle& t) {
    for (size_t k = 0; k < 3; ++k) {
      rows[k][column] = t.a[k];
      rows[3 + k][column] = t.b[k];
      rows[6 + k][column] = t.c[k];
    }
  }
  // Sets a register of columns, from column i on. Faster than Set: numbers that
  // are stored one by one must reach memory before they can be loaded as a
  // register.
  void SetRegister(size_t i, const Triangle* const (&of)[kDoubleLanes]);
};

// One point per triangle.
struct PointColumns {
  alignas(64) double rows[3][kColumns];

  void SetRegister(size_t i, const Vec3* const (&of)[kDoubleLanes]);
};

struct DistanceColumns {
  alignas(64) double distance[kColumns];
  alignas(64) double closest[3][kColumns];

  void Set(size_t column, const PointTriangleDistance& d) {
    distance[column] = d.distance;
    for (size_t k = 0; k < 3; ++k) closest[k][column] = d.closest[k];
  }

  PointTriangleDistance Get(size_t column) const {
    return {distance[column],
            {closest[0][column], closest[1][column], closest[2][column]}};
  }
};

// Returns a register of points, from column i on.
D3 LoadLanes(const double (*HWY_RESTRICT rows)[kColumns], size_t i);

// Implementation.

HWY_INLINE D3 LoadLanes(const double (*HWY_RESTRICT rows)[kColumns], size_t i) {
  return {D::Load(rows[0] + i), D::Load(rows[1] + i), D::Load(rows[2] + i)};
}

// Writes number `first` + j of each list to row j. This is a template so that
// it is compiled only for instruction sets that have these operations.
template <size_t kLists>
HWY_INLINE void Transpose(const double* const (&lists)[kLists], size_t first,
                          double* const (&rows)[kLists]) {
#if HWY_TARGET == HWY_SCALAR
  *rows[0] = lists[0][first];
#else
  const hn::FixedTag<double, kLists> tag;
  const auto a = hn::LoadU(tag, lists[0] + first);
  const auto b = hn::LoadU(tag, lists[1] + first);
  const auto ab_even = hn::InterleaveLower(tag, a, b);
  const auto ab_odd = hn::InterleaveUpper(tag, a, b);
  if constexpr (kLists == 2) {
    hn::Store(ab_even, tag, rows[0]);
    hn::Store(ab_odd, tag, rows[1]);
  } else {
    // Combines pairs of lists within halves of a register, then the halves.
    static_assert(kLists == 4);
    const auto c = hn::LoadU(tag, lists[2] + first);
    const auto d = hn::LoadU(tag, lists[3] + first);
    const auto cd_even = hn::InterleaveLower(tag, c, d);
    const auto cd_odd = hn::InterleaveUpper(tag, c, d);
    hn::Store(hn::ConcatLowerLower(tag, cd_even, ab_even), tag, rows[0]);
    hn::Store(hn::ConcatLowerLower(tag, cd_odd, ab_odd), tag, rows[1]);
    hn::Store(hn::ConcatUpperUpper(tag, cd_even, ab_even), tag, rows[2]);
    hn::Store(hn::ConcatUpperUpper(tag, cd_odd, ab_odd), tag, rows[3]);
  }
#endif
}

HWY_INLINE void TriangleColumns::SetRegister(
    size_t i, const Triangle* const (&of)[kDoubleLanes]) {
  constexpr size_t kNumbers = 9;
  static_assert(sizeof(Triangle) == kNumbers * sizeof(double));
  const double* lists[kDoubleLanes];
  for (size_t lane = 0; lane < kDoubleLanes; ++lane) {
    lists[lane] = &of[lane]->a.x;
  }
  for (size_t k = 0; k < kNumbers; k += kDoubleLanes) {
    // The last register ends at the end of the triangle, so some numbers are
    // written twice.
    const size_t first = std::min(k, kNumbers - kDoubleLanes);
    double* to[kDoubleLanes];
    for (size_t j = 0; j < kDoubleLanes; ++j) to[j] = rows[first + j] + i;
    Transpose(lists, first, to);
  }
}

// A template for the reason given at Transpose.
template <size_t kPoints>
HWY_INLINE void SetPoints(size_t i, const Vec3* const (&of)[kPoints],
                          double (*HWY_RESTRICT rows)[kColumns]) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (kPoints == 4) {
    // A register of this size would extend beyond the end of a point.
    const hn::FixedTag<double, kPoints> tag;
    const hn::FixedTag<double, kPoints / 2> half;
    const auto pair = [&](size_t lane, size_t k) HWY_ATTR {
      return hn::LoadU(half, &of[lane]->x + k);
    };
    const auto even = [&](size_t lane) HWY_ATTR {
      return hn::InterleaveLower(half, pair(lane, 0), pair(lane + 1, 0));
    };
    const auto odd = [&](size_t lane, size_t k) HWY_ATTR {
      return hn::InterleaveUpper(half, pair(lane, k), pair(lane + 1, k));
    };
    hn::Store(hn::Combine(tag, even(2), even(0)), tag, rows[0] + i);
    hn::Store(hn::Combine(tag, odd(2, 0), odd(0, 0)), tag, rows[1] + i);
    hn::Store(hn::Combine(tag, odd(2, 1), odd(0, 1)), tag, rows[2] + i);
  }
#endif
  if constexpr (kPoints < 3) {
    const double* lists[kPoints];
    for (size_t lane = 0; lane < kPoints; ++lane) lists[lane] = &of[lane]->x;
    for (size_t k = 0; k < 3; k += kPoints) {
      const size_t first = k + kPoints > 3 ? 3 - kPoints : k;
      double* to[kPoints];
      for (size_t j = 0; j < kPoints; ++j) to[j] = rows[first + j] + i;
      Transpose(lists, first, to);
    }
  }
}

HWY_INLINE void PointColumns::SetRegister(
    size_t i, const Vec3* const (&of)[kDoubleLanes]) {
  SetPoints(i, of, rows);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_POINT_COLUMNS_INL_H_
