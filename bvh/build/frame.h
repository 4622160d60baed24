// The frame of an oriented block, as a matrix of floats. Private.
#ifndef ORBOX_BVH_BUILD_FRAME_H_
#define ORBOX_BVH_BUILD_FRAME_H_

#include <array>
#include <cmath>
#include <cstddef>

#include "orbox/overlap/vec3.h"

namespace orbox {

// Row by row, orthonormal to within kFrameError (tree/node.h).
using FrameMatrix = std::array<float, 9>;
inline constexpr FrameMatrix kIdentityFrame = {1, 0, 0, 0, 1, 0, 0, 0, 1};

// The candidates for a node: the principal axes of its surface, and of the
// normals of that.
using Frames = std::array<FrameMatrix, 2>;

// The frame whose first axis is along `x`, with the second as close to `y` as
// may be; the identity where they do not say.
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
  // A tenth leaves enough digits for v to be at right angles to u; the first
  // comparison is false of a NaN.
  return SquaredNorm(across) > 0.1 * SquaredNorm(y) && IsFinite(w)
             ? frame
             : kIdentityFrame;
}

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_FRAME_H_
