// SPDX-License-Identifier: Apache-2.0

// Colours of a picture's surfaces, either by mesh or by the distance from the
// other mesh.
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

// Immutable. Threads may share an object.
class SurfaceColors {
 public:
  // One colour for all triangles.
  SurfaceColors(size_t triangles, const Color& color)
      : colors_(triangles, color) {}

  // Computes the colours of the triangles of all meshes, starting with A. If a
  // triangle is within the distance of the other mesh, each of its points gets
  // a colour by its distance. O(n), plus the build of a tree for each moved
  // mesh. Errors are those of Build.
  static absl::StatusOr<SurfaceColors> Of(const Findings& findings,
                                          const PictureSpace& space,
                                          int threads);

  // Returns the colour of a point of a triangle, in picture space. On a
  // triangle that overlaps the other mesh, a point counts as overlapping if its
  // distance from that mesh is below `pixel`, the size of a pixel.
  Color At(size_t face, const Vec3& point, double pixel) const;

 private:
  // The mesh from which distances are measured, and the mesh's colour.
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
