// SPDX-License-Identifier: Apache-2.0

// 3 x 3 matrices: nine numbers, row by row. Nodes of a tree store them in this
// form, and vector code loads it.
//
//   const orbox::Matrix3<float> frame = orbox::Matrix3<float>::Identity();
//   const float p[3] = {1, 2, 3};
//   float q[3];
//   Multiply(frame, p, q);  // q = frame p
//
// An aggregate without invariants. As thread-safe as plain memory.
#ifndef ORBOX_OVERLAP_SHAPES_MATRIX3_H_
#define ORBOX_OVERLAP_SHAPES_MATRIX3_H_

#include <algorithm>
#include <cstddef>

#include "orbox/overlap/base/language.h"

namespace orbox {

template <typename T>
struct Matrix3 {
  T entries[9];

  static constexpr Matrix3 Identity() { return {{1, 0, 0, 0, 1, 0, 0, 0, 1}}; }

  // Row i: the pointer to its three numbers.
  constexpr T* operator[](size_t row) { return entries + 3 * row; }
  constexpr const T* operator[](size_t row) const { return entries + 3 * row; }

  // Returns false if a number is NaN.
  friend constexpr bool operator==(const Matrix3& a, const Matrix3& b) {
    return std::equal(a.entries, a.entries + 9, b.entries);
  }
};

// Sets q to m p. The products of a row are added from left to right.
template <typename T>
constexpr void Multiply(const Matrix3<T>& m, const T p[3], T q[3]) {
  for (size_t i = 0; i < 3; ++i) {
    q[i] = m[i][0] * p[0] + m[i][1] * p[1] + m[i][2] * p[2];
  }
}

// Sets q to the transpose of m times p.
template <typename T>
constexpr void MultiplyTransposed(const Matrix3<T>& m, const T p[3], T q[3]) {
  for (size_t i = 0; i < 3; ++i) {
    q[i] = m[0][i] * p[0] + m[1][i] * p[1] + m[2][i] * p[2];
  }
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_SHAPES_MATRIX3_H_
