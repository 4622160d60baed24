// Pairs of triangles side by side, in double.
//
//   PairColumns columns;
//   for (i ...) columns.Set(i, s, t);
//   D3 corner = columns.Corner(0, 0);     // the first of each s
//
// Private; compiled once per instruction set (lanes-inl.h).
#if defined(ORBOX_OVERLAP_PAIR_COLUMNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_PAIR_COLUMNS_INL_H_
#undef ORBOX_OVERLAP_PAIR_COLUMNS_INL_H_
#else
#define ORBOX_OVERLAP_PAIR_COLUMNS_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "orbox/overlap/closest_feature.h"
#include "orbox/overlap/double_lanes-inl.h"
#include "orbox/overlap/shapes.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Up to eight pairs of triangles, as rows of the corners' coordinates.
class PairColumns {
 public:
  static constexpr size_t kRoom = 8;

  void Set(size_t column, const Triangle& s, const Triangle& t) {
    Set(column, s, t, {});
  }
  // Puts the feature's corners first, and a face's triangle.
  void Set(size_t column, const Triangle& s, const Triangle& t,
           ClosestFeature feature);

  // The pair; its corners may come in another order.
  Triangle First(size_t column) const {
    return At(column, is_face_[column] == kTurned ? 9 : 0);
  }
  Triangle Second(size_t column) const {
    return At(column, is_face_[column] == kTurned ? 0 : 9);
  }

  // Corner k of the triangle that came first (of the other: k + 3), from column
  // i on.
  HWY_INLINE D3 Corner(size_t k, size_t i) const {
    const DoubleTag d;
    return {hn::Load(d, rows_[3 * k] + i), hn::Load(d, rows_[3 * k + 1] + i),
            hn::Load(d, rows_[3 * k + 2] + i)};
  }
  // Whether the features are that one's face and the other's first corner; or
  // else the first edges of both.
  HWY_INLINE DMask IsFace(size_t i) const {
    return hn::Gt(hn::Load(DoubleTag(), is_face_ + i), hn::Zero(DoubleTag()));
  }

 private:
  static constexpr double kTurned = 2;  // a face, of what was second

  Triangle At(size_t column, size_t row) const {
    Triangle t;
    for (size_t k = 0; k < 3; ++k) {
      t.a[k] = rows_[row + k][column];
      t.b[k] = rows_[row + 3 + k][column];
      t.c[k] = rows_[row + 6 + k][column];
    }
    return t;
  }

  alignas(64) double rows_[18][kRoom] = {};
  alignas(64) double is_face_[kRoom] = {};  // ClosestFeature::Kind
};

// Implementation.

inline void PairColumns::Set(size_t column, const Triangle& s,
                             const Triangle& t, ClosestFeature feature) {
  const Triangle* first = &s;
  const Triangle* second = &t;
  size_t i = feature.first;
  size_t j = feature.second;
  if (feature.kind == ClosestFeature::kFaceOfSecond) {
    first = &t;
    second = &s;
    i = feature.second;
    j = feature.first;
  }
  constexpr size_t kFrom[5] = {0, 1, 2, 0, 1};
  for (size_t k = 0; k < 3; ++k) {
    const Vec3& p = (*first)[kFrom[i + k]];
    const Vec3& q = (*second)[kFrom[j + k]];
    rows_[3 * k][column] = p.x;
    rows_[3 * k + 1][column] = p.y;
    rows_[3 * k + 2][column] = p.z;
    rows_[9 + 3 * k][column] = q.x;
    rows_[9 + 3 * k + 1][column] = q.y;
    rows_[9 + 3 * k + 2][column] = q.z;
  }
  is_face_[column] = static_cast<double>(feature.kind);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_PAIR_COLUMNS_INL_H_
