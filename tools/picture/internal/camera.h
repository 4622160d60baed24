// SPDX-License-Identifier: Apache-2.0

// Viewpoint of a picture.
//
//   const Camera camera = Camera::Framing(points, {2, -3, 2}, viewport);
//   Ray ray = camera.RayThrough({400.5, 300.5});
//   Projected p = camera.Project(point);
//
// The perspective is that of a long lens: near objects are slightly larger. The
// z axis points up in the picture, or the y axis if the view is along z.
#ifndef ORBOX_TOOLS_PICTURE_INTERNAL_CAMERA_H_
#define ORBOX_TOOLS_PICTURE_INTERNAL_CAMERA_H_

#include <span>

#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"
#include "tools/picture/internal/mask.h"

namespace orbox::picture {

// The part of a picture, in pixels, that must contain all points.
struct Viewport {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;
};

struct Projected {
  Point2 pixel;
  double depth = 0;  // from the eye, along the axis of view
};

class Camera {
 public:
  // Returns a camera that views from the direction `towards_viewer`, which must
  // not be zero. The eye is as near as possible with all points inside the
  // viewport. Requires points, and a viewport with an area. O(points).
  static Camera Framing(std::span<const Vec3> points,
                        const Vec3& towards_viewer, const Viewport& viewport);

  // Returns the ray through a position in the picture. Its direction is scaled
  // so that t is the depth.
  Ray RayThrough(const Point2& pixel) const;

  // Projects a point. Requires a point in front of the eye.
  Projected Project(const Vec3& p) const;

  // Returns the size of a pixel at this depth, in units of the model.
  double PixelSize(double depth) const { return depth / focal_; }

  // Unit vectors to the right, up, and towards the viewer.
  const Vec3& right() const { return right_; }
  const Vec3& up() const { return up_; }
  const Vec3& back() const { return back_; }
  const Vec3& eye() const { return eye_; }

 private:
  Vec3 right_;
  Vec3 up_;
  Vec3 back_;
  Vec3 eye_;
  Point2 center_;     // of the viewport
  double focal_ = 1;  // pixels at depth 1
};

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_INTERNAL_CAMERA_H_
