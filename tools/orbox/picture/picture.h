// A picture of one mesh, or of two and what is between them.
//
//   absl::StatusOr<Image> image = DrawPicture(findings, options);
//
// Surfaces in light and shade; triangles coloured by their distance, and those
// that meet in a colour of their own; the points of smallest distance joined by
// a line; the volumes of a level of the trees as frames; a legend.
#ifndef ORBOX_TOOLS_ORBOX_PICTURE_PICTURE_H_
#define ORBOX_TOOLS_ORBOX_PICTURE_PICTURE_H_

#include <cstddef>
#include <functional>
#include <optional>

#include "absl/status/statusor.h"
#include "orbox/overlap/shapes/vec3.h"
#include "tools/orbox/picture/canvas.h"
#include "tools/orbox/picture/findings.h"
#include "tools/orbox/picture/picture_size.h"

namespace orbox::cli {

struct PictureOptions {
  PictureSize size;

  // The side from which one looks, not zero; absent: one from which the points
  // of smallest distance and the coloured triangles can be seen.
  std::optional<Vec3> towards_viewer;
  // Half the width of what is shown, around the smallest distance, in the
  // model's unit; absent: everything.
  std::optional<double> close_up;

  bool transparent = false;  // instead of a white background
  bool legend = true;

  size_t threads = 1;
  // Called with the share that is done, from any of the threads.
  std::function<void(double)> progress;
};

// The same bytes whatever the threads, the instruction set, and the volumes of
// the trees (but where those are drawn). kResourceExhausted.
absl::StatusOr<Image> DrawPicture(const Findings& findings,
                                  const PictureOptions& options);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_PICTURE_PICTURE_H_
