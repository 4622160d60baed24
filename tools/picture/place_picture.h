// SPDX-License-Identifier: Apache-2.0

// Fast pictures of many places in a scene. Two bodies are opaque and the bodies
// around them transparent. A ring marks the place.
//
//   const PlacePainter painter(bodies);            // PosedTrees
//   const PlaceView view = painter.ViewOf({.a = 3, .b = 7, .place = p});
//   const Image image = painter.Draw(view, {480, 360});
//
// The bodies are drawn as triangles into a depth buffer, without perspective.
// If one of the two bodies hides the other, the hidden one is visible through
// it. A red line shows their intersection. Bodies farther from the place than
// twice the radius of the view are omitted. The bytes do not depend on the
// instruction set. Thread-safe.
#ifndef ORBOX_TOOLS_PICTURE_PLACE_PICTURE_H_
#define ORBOX_TOOLS_PICTURE_PLACE_PICTURE_H_

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"
#include "tools/picture/image.h"
#include "tools/picture/picture.h"

namespace orbox::picture {

// Two bodies, and the place to view.
struct PlaceToShow {
  size_t a = 0;
  size_t b = 0;
  Vec3 place;
  // Segment between the closest points of bodies that are apart, to be drawn.
  std::optional<Segment> gap;
};

struct PlaceView {
  PlaceToShow shown;
  double radius = 1;     // half the height of the picture, in the model's unit
  Vec3 right, up, back;  // unit vectors; `back` points to the viewer
};

class PlacePainter {
 public:
  // Copies the posed vertices. O(triangles).
  explicit PlacePainter(std::span<const PosedTree> bodies);

  // Returns the radius of a view of the place. The view shows the intersection
  // of the boxes of the two bodies, and some space around it. O(1).
  double RadiusOf(const PlaceToShow& shown) const;

  // Returns the view, out of a dozen oblique ones, that shows the most of both
  // bodies.
  PlaceView ViewOf(const PlaceToShow& shown) const;

  // Draws on a transparent background. Requires positive sizes.
  Image Draw(const PlaceView& view, const PictureSize& size) const;

 private:
  struct Body {
    std::vector<Vec3> vertices;
    std::span<const TriangleIndices> triangles;
    Aabb bounds;
  };

  std::vector<PosedTree> posed_;  // owns the triangles
  std::vector<Body> bodies_;
};

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_PLACE_PICTURE_H_
