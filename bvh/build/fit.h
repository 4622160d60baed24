// Fits volumes around sets of vertices, rounded outward: what is inside stays
// inside.
//
//   FrameMatrix frame = PrincipalFrame(vertices);
//   Aabbf box = FitBox(vertices, frame);      // contains frame * v for each v
//   Spheref ball = FitSphere(vertices);
//
// Vertices are in tree space (tree/tree.h), so at most 1 in each coordinate and
// within 2^-52 of the truth; the volumes hold the true ones. Private. All are
// O(n); none of the sets may be empty.
#ifndef ORBOX_BVH_BUILD_FIT_H_
#define ORBOX_BVH_BUILD_FIT_H_

#include <array>
#include <span>

#include "orbox/overlap/shapes.h"
#include "orbox/overlap/vec3.h"

namespace orbox {

// Row by row, orthonormal to within kFrameError (tree/node.h).
using FrameMatrix = std::array<float, 9>;
inline constexpr FrameMatrix kIdentityFrame = {1, 0, 0, 0, 1, 0, 0, 0, 1};

// A box around frame * v for all vertices v.
Aabbf FitBox(std::span<const Vec3> vertices, const FrameMatrix& frame);

// A ball around all vertices, a few per cent larger than the smallest: Ritter's
// first ball, then steps towards the furthest vertex (Badoiu and Clarkson,
// "Smaller core-sets for balls", 2003).
Spheref FitSphere(std::span<const Vec3> vertices);

// Sums over triangles from which frames are made.
struct SurfaceMoments {
  // Of points over the surface, by area: sum, and sum of products xx, yy, zz,
  // xy, yz, zx.
  double area = 0;
  Vec3 first;
  std::array<double, 6> second{};
  // Of unit normals, by area: sum of products, in the same order.
  std::array<double, 6> normal{};

  void Add(const Triangle& t);
};

// The frame whose axes are the principal axes of the surface, or of its
// normals; the identity where there is no area to speak of.
FrameMatrix PrincipalFrame(const SurfaceMoments& moments);
FrameMatrix NormalFrame(const SurfaceMoments& moments);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_FIT_H_
