// SPDX-License-Identifier: Apache-2.0

// A picture of one mesh, or of two meshes and the distance between them.
//
//   absl::StatusOr<Image> image = DrawPicture(findings, options);
//
// Shows shaded surfaces; triangles coloured by their distance, overlapping ones
// in a separate colour; a line between the points of smallest distance; the
// volumes of a level of the trees as frames; and a legend.
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

  // Direction to the viewer, not zero. If absent, a direction that shows the
  // points of smallest distance and the coloured triangles.
  std::optional<Vec3> towards_viewer;
  // Half the width of the view around the smallest distance, in the model's
  // unit. If absent, all of the model is shown.
  std::optional<double> close_up;

  bool transparent = false;  // instead of a white background
  bool legend = true;

  size_t threads = 1;
  // Called with the fraction of the work that is done, from any of the threads.
  std::function<void(double)> progress;
};

// Draws a picture. Its bytes do not depend on the threads, the instruction set,
// or the trees' volumes (unless those are drawn). kResourceExhausted if memory
// runs out.
absl::StatusOr<Image> DrawPicture(const Findings& findings,
                                  const PictureOptions& options);

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_PICTURE_H_
