// SPDX-License-Identifier: Apache-2.0

// The surface of a picture: all triangles in one tree, normals for smooth
// shading, and the edges between faces.
//
//   absl::StatusOr<ShownSurface> surface = ShownSurface::Of({&a, &b}, threads);
//
// All coordinates are in picture space: the posed meshes are translated to the
// origin and scaled by a power of two into [-1, 1]^3. So a picture does not
// depend on the unit and the position of the model.
#ifndef ORBOX_TOOLS_PICTURE_INTERNAL_SURFACE_H_
#define ORBOX_TOOLS_PICTURE_INTERNAL_SURFACE_H_

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox::picture {

struct PictureSpace {
  Vec3 origin;
  double scale = 1;  // a power of two

  // Requires a box that is not empty.
  static PictureSpace Around(const Aabb& box);

  Vec3 FromModel(const Vec3& p) const { return (p - origin) * scale; }
};

struct ShownSurface {
  PictureSpace space;
  // Triangles of the first mesh, then those of the second, ...
  Tree tree;
  std::vector<size_t> first_faces;  // of each mesh

  // Unit normals at the corners of each triangle. Zero for a triangle without
  // area.
  std::vector<std::array<Vec3f, 3>> normals;
  // Boundaries, and edges where faces meet at more than 30 degrees.
  std::vector<Segment> creases;

  // O(n log n). Errors are those of Build (build.h).
  static absl::StatusOr<ShownSurface> Of(
      std::span<const PosedTree* const> meshes, int threads);
};

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_INTERNAL_SURFACE_H_
