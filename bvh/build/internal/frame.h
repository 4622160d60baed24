// SPDX-License-Identifier: Apache-2.0

// The frame of an oriented block, as a matrix of floats. Private.
#ifndef ORBOX_BVH_BUILD_INTERNAL_FRAME_H_
#define ORBOX_BVH_BUILD_INTERNAL_FRAME_H_

#include <array>
#include <cmath>
#include <cstddef>

#include "orbox/overlap/shapes/matrix3.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// The candidate frames of a node, orthonormal within kFrameError (tree/node.h):
// the principal axes of its surface, and of the normals of its surface.
using Frames = std::array<Matrix3<float>, 2>;
inline constexpr size_t kOfNormals = 1;

// Returns the frame whose first axis is along `x`, with the second axis as
// close to `y` as possible; the identity if they do not define a frame.
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
  // A tenth leaves enough digits for v to be perpendicular to u. The first
  // comparison is false for a NaN.
  return SquaredNorm(across) > 0.1 * SquaredNorm(y) && IsFinite(w)
             ? frame
             : Matrix3<float>::Identity();
}

// Returns the frame rotated about one of its own axes, by the angle with this
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

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_FRAME_H_
