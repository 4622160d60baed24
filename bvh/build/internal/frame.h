// SPDX-License-Identifier: Apache-2.0

// The frame of an oriented block as a matrix of floats, and the moments of a
// piece of surface from which frames are computed. Private.
#ifndef ORBOX_BVH_BUILD_INTERNAL_FRAME_H_
#define ORBOX_BVH_BUILD_INTERNAL_FRAME_H_

#include <array>
#include <cmath>
#include <cstddef>

#include "orbox/overlap/shapes/matrix3.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// The candidate frames of a node: the principal axes of its surface, and the
// principal axes of the normals of its surface. Orthonormal within kFrameError
// (tree/node.h).
using Frames = std::array<Matrix3<float>, 2>;
inline constexpr size_t kOfNormals = 1;

// Returns the frame whose first axis is along `x`, and whose second axis is as
// close to `y` as possible. Returns the identity if they do not define a frame.
inline Matrix3<float> Orthonormal(const Vec3& x, const Vec3& y) {
  const Vec3 u = Normalized(x);
  const Vec3 across = y - u * Dot(u, y);
  const Vec3 v = Normalized(across);
  const Vec3 w = Cross(u, v);
  Matrix3<float> frame;
  for (size_t i = 0; i < 3; ++i) {
    frame[0][i] = static_cast<float>(u[i]);
    frame[1][i] = static_cast<float>(v[i]);
    frame[2][i] = static_cast<float>(w[i]);
  }
  // With a tenth, v still has enough digits to be perpendicular to u. The first
  // comparison is false for NaN.
  return SquaredNorm(across) > 0.1 * SquaredNorm(y) && IsFinite(w)
             ? frame
             : Matrix3<float>::Identity();
}

// Returns the frame, rotated about one of its axes by the angle with this
// cosine and sine.
inline Matrix3<float> Turned(const Matrix3<float>& f, size_t axis,
                             double cosine, double sine) {
  std::array<Vec3, 3> rows;
  for (size_t i = 0; i < 3; ++i) rows[i] = {f[i][0], f[i][1], f[i][2]};
  const Vec3 x = rows[(axis + 1) % 3];
  const Vec3 y = rows[(axis + 2) % 3];
  rows[(axis + 1) % 3] = x * cosine + y * sine;
  rows[(axis + 2) % 3] = y * cosine - x * sine;
  return Orthonormal(rows[0], rows[1]);
}

// A symmetric matrix as xx, yy, zz, xy, yz, zx.
using Symmetric = std::array<double, 6>;
inline constexpr size_t kSymmetricPairs[6][2] = {{0, 0}, {1, 1}, {2, 2},
                                                 {0, 1}, {1, 2}, {2, 0}};

// Moments of a piece of surface: its area, its centre, and the spread of the
// surface and of its normals. All zero if there is no area. Not initialised by
// default, because each node has eight.
struct SurfaceMoments {
  double area;  // doubled
  Vec3 mean;
  Symmetric spread;   // integral of (p - mean) (p - mean)^T
  Symmetric normals;  // integral of n n^T, n of unit length

  // Sets these moments to those of the union of both pieces. The spread of the
  // union is the sum of both spreads and the spread of the two means (the
  // parallel axis theorem).
  void Add(const SurfaceMoments& other) {
    const double sum = area + other.area;
    if (!(sum > 0)) return;
    const Vec3 d = other.mean - mean;
    const double w = area * (other.area / sum);
    for (size_t k = 0; k < 6; ++k) {
      const auto [i, j] = kSymmetricPairs[k];
      spread[k] += other.spread[k] + w * d[i] * d[j];
      normals[k] += other.normals[k];
    }
    mean += d * (other.area / sum);
    area = sum;
  }
};

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_FRAME_H_
