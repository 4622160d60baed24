// SPDX-License-Identifier: Apache-2.0

// Pairs of triangles in columns, in double.
//
//   PairColumns columns;
//   for (i ...) columns.Set(i, s, t);
//   D3 corner = columns.FirstLanes(0).a;     // the first of each s
//
// Private; compiled once per instruction set (lanes-inl.h).
#if defined(ORBOX_OVERLAP_TRIANGLES_INTERNAL_PAIR_COLUMNS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_TRIANGLES_INTERNAL_PAIR_COLUMNS_INL_H_
#undef ORBOX_OVERLAP_TRIANGLES_INTERNAL_PAIR_COLUMNS_INL_H_
#else
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_PAIR_COLUMNS_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/closest_feature.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Up to eight pairs of triangles. Each coordinate of a corner is a row.
class PairColumns {
 public:
  static constexpr size_t kRoom = 8;

  HWY_INLINE void Set(size_t column, const Triangle& s, const Triangle& t,
                      ClosestFeature feature = {}) {
    size_t row = 0;
    for (const Vec3* p : {&s.a, &s.b, &s.c, &t.a, &t.b, &t.c}) {
      rows_[row++][column] = p->x;
      rows_[row++][column] = p->y;
      rows_[row++][column] = p->z;
    }
    features_[column] = feature.code;
  }

  Triangle First(size_t column) const { return At(column, 0); }
  Triangle Second(size_t column) const { return At(column, 9); }

  // Return a register of triangles, from column i on.
  HWY_INLINE TriangleOf<D> FirstLanes(size_t i) const {
    return {Corner(0, i), Corner(3, i), Corner(6, i)};
  }
  HWY_INLINE TriangleOf<D> SecondLanes(size_t i) const {
    return {Corner(9, i), Corner(12, i), Corner(15, i)};
  }
  // Returns a register of feature codes, from column i on.
  HWY_INLINE D Features(size_t i) const { return D::Load(features_ + i); }

 private:
  Triangle At(size_t column, size_t row) const {
    Triangle t;
    for (Vec3* p : {&t.a, &t.b, &t.c}) {
      p->x = rows_[row++][column];
      p->y = rows_[row++][column];
      p->z = rows_[row++][column];
    }
    return t;
  }
  HWY_INLINE D3 Corner(size_t row, size_t i) const {
    return {D::Load(rows_[row] + i), D::Load(rows_[row + 1] + i),
            D::Load(rows_[row + 2] + i)};
  }

  alignas(64) double rows_[18][kRoom] = {};
  alignas(64) double features_[kRoom] = {};
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_PAIR_COLUMNS_INL_H_
