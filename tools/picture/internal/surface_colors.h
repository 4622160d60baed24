// SPDX-License-Identifier: Apache-2.0

// The colour of each place of what a picture shows: of its mesh, or of its
// distance from the other one.
//
//   absl::StatusOr<SurfaceColors> colors =
//       SurfaceColors::Of(findings, surface.space, threads);
//   const Color color = colors->At(face, point, pixel);
#ifndef ORBOX_TOOLS_PICTURE_INTERNAL_SURFACE_COLORS_H_
#define ORBOX_TOOLS_PICTURE_INTERNAL_SURFACE_COLORS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/vec3.h"
#include "tools/picture/color.h"
#include "tools/picture/findings.h"
#include "tools/picture/internal/surface.h"

namespace orbox::picture {

// Immutable; threads may share it.
class SurfaceColors {
 public:
  // One colour for all triangles.
  SurfaceColors(size_t triangles, const Color& color)
      : colors_(triangles, color) {}

  // The colours of the triangles of all meshes, those of A first. Where a
  // triangle is within the distance of the other mesh, each place has the
  // colour of its own distance. O(n), and a tree of each mesh that is moved;
  // errors as Build.
  static absl::StatusOr<SurfaceColors> Of(const Findings& findings,
                                          const PictureSpace& space,
                                          int threads);

  // The colour of a point of a triangle, in picture space. Meshes meet where
  // they are nearer to each other than a pixel, whose side is given, on
  // triangles that meet.
  Color At(size_t face, const Vec3& point, double pixel) const;

 private:
  // What a mesh's distances are from.
  struct Side {
    size_t first_face = 0;
    std::optional<Tree> other;
    Color own;
  };

  std::vector<Color> colors_;       // by triangle
  std::vector<uint8_t> is_varied_;  // by triangle; empty if none is
  std::vector<uint8_t> meets_;
  std::vector<Side> sides_;
  PictureSpace space_;
  double within_ = 0;
};

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_INTERNAL_SURFACE_COLORS_H_
