// The frame of an oriented block, as a matrix of floats. Private.
#ifndef ORBOX_BVH_BUILD_INTERNAL_FRAME_H_
#define ORBOX_BVH_BUILD_INTERNAL_FRAME_H_

#include <array>
#include <cmath>
#include <cstddef>

#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Row by row, orthonormal to within kFrameError (tree/node.h).
using FrameMatrix = std::array<float, 9>;
inline constexpr FrameMatrix kIdentityFrame = {1, 0, 0, 0, 1, 0, 0, 0, 1};

// The candidates for a node: the principal axes of its surface, and of the
// normals of its surface.
using Frames = std::array<FrameMatrix, 2>;

// The frame whose first axis is along `x`, with the second as close to `y` as
// possible; the identity if they do not define one.
inline FrameMatrix Orthonormal(const Vec3& x, const Vec3& y) {
  const Vec3 u = Normalized(x);
  const Vec3 across = y - u * Dot(u, y);
  const Vec3 v = Normalized(across);
  const Vec3 w = Cross(u, v);
  FrameMatrix frame;
  for (size_t i = 0; i < 3; ++i) {
    frame[i] = static_cast<float>(u[i]);
    frame[3 + i] = static_cast<float>(v[i]);
    frame[6 + i] = static_cast<float>(w[i]);
  }
  // A tenth leaves enough digits for v to be at right angles to u. The first
  // comparison is false for a NaN.
  return SquaredNorm(across) > 0.1 * SquaredNorm(y) && IsFinite(w)
             ? frame
             : kIdentityFrame;
}

// The frame turned about its own axis by the angle with this cosine and sine.
inline FrameMatrix Turned(const FrameMatrix& f, size_t axis, double cosine,
                          double sine) {
  std::array<Vec3, 3> rows;
  for (size_t i = 0; i < 3; ++i)
    rows[i] = {f[3 * i], f[3 * i + 1], f[3 * i + 2]};
  const Vec3 x = rows[(axis + 1) % 3];
  const Vec3 y = rows[(axis + 2) % 3];
  rows[(axis + 1) % 3] = x * cosine + y * sine;
  rows[(axis + 2) % 3] = y * cosine - x * sine;
  return Orthonormal(rows[0], rows[1]);
}

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_FRAME_H_
