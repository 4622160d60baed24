// SPDX-License-Identifier: Apache-2.0

// Lines in space over a shaded picture; parts behind a surface are fainter.
//
//   SpaceLines lines(camera, depth, canvas);
//   lines.Add({p, q}, /*width=*/2);
//   lines.Paint(color, /*hidden=*/0.2);
#ifndef ORBOX_TOOLS_PICTURE_INTERNAL_SPACE_LINES_H_
#define ORBOX_TOOLS_PICTURE_INTERNAL_SPACE_LINES_H_

#include <span>

#include "orbox/overlap/shapes/vec3.h"
#include "tools/picture/internal/camera.h"
#include "tools/picture/internal/canvas.h"
#include "tools/picture/internal/mask.h"
#include "tools/picture/internal/render.h"

namespace orbox::picture {

class SpaceLines {
 public:
  // All arguments must outlive this object.
  SpaceLines(const Camera& camera, const DepthMap& depth, Canvas& canvas)
      : camera_(camera),
        depth_(depth),
        canvas_(canvas),
        shown_(canvas.width(), canvas.height()),
        hidden_(canvas.width(), canvas.height()) {}

  // Adds a polyline in picture space. Widths are in pixels. Omits pieces behind
  // the eye.
  void Add(std::span<const Vec3> line, double width);
  // Adds a dot. It is drawn completely if its centre is visible.
  void AddDot(const Vec3& center, double radius);

  // Returns the total length of added lines inside the picture, in pixels.
  double length() const { return length_; }

  // Paints all added lines.
  void Paint(const Color& color, double opacity, double hidden_opacity);

 private:
  void AddPiece(const Vec3& from, const Vec3& to, double width);
  bool IsShown(int x, int y, double depth) const;

  const Camera& camera_;
  const DepthMap& depth_;
  Canvas& canvas_;
  Mask shown_;
  Mask hidden_;
  double length_ = 0;
};

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_INTERNAL_SPACE_LINES_H_
