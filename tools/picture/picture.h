// SPDX-License-Identifier: Apache-2.0

// A picture of one mesh, or of two meshes and the distance between them.
//
//   absl::StatusOr<Image> image = DrawPicture(findings, options);
//
// The picture shows shaded surfaces, triangles coloured by their distance
// (overlapping ones in a separate colour), a line between the closest points,
// the volumes of a level of the trees, and a legend.
#ifndef ORBOX_TOOLS_PICTURE_PICTURE_H_
#define ORBOX_TOOLS_PICTURE_PICTURE_H_

#include <cstddef>
#include <functional>
#include <optional>

#include "absl/status/statusor.h"
#include "orbox/overlap/shapes/vec3.h"
#include "tools/picture/findings.h"
#include "tools/picture/image.h"

namespace orbox::picture {

struct PictureSize {
  int width = 1200;
  int height = 900;
};

struct PictureOptions {
  PictureSize size;

  // Direction to the viewer; must not be zero. By default, a direction that
  // shows the closest points and the coloured triangles.
  std::optional<Vec3> towards_viewer;
  // Half the width of the view around the closest points, in the model's unit.
  // By default, the whole model is shown.
  std::optional<double> close_up;

  bool transparent = false;  // instead of a white background
  bool legend = true;

  size_t threads = 1;
  // Called with the finished fraction of the work, from any thread.
  std::function<void(double)> progress = {};
};

// Draws a picture. Its bytes do not depend on the threads or the instruction
// set. They depend on the volumes of the trees only if these are drawn. Returns
// kResourceExhausted if memory runs out.
absl::StatusOr<Image> DrawPicture(const Findings& findings,
                                  const PictureOptions& options);

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_PICTURE_H_
