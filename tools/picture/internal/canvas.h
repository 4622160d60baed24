// SPDX-License-Identifier: Apache-2.0

// A picture under construction: the coverage and the light of each pixel.
//
//   Canvas canvas(800, 600);
//   canvas.Paint(mask, FromHex(0x202020));
//   Image image = canvas.OnColor(FromHex(0xffffff));
#ifndef ORBOX_TOOLS_PICTURE_INTERNAL_CANVAS_H_
#define ORBOX_TOOLS_PICTURE_INTERNAL_CANVAS_H_

#include <cstddef>
#include <vector>

#include "tools/picture/color.h"
#include "tools/picture/image.h"
#include "tools/picture/internal/mask.h"

namespace orbox::picture {

// A pixel's light, multiplied by the covered fraction of the pixel.
struct Covered {
  Color light;
  double alpha = 0;
};

class Canvas {
 public:
  // Starts uncovered. Requires positive sizes.
  Canvas(int width, int height)
      : width_(width),
        height_(height),
        pixels_(static_cast<size_t>(width) * height) {}

  int width() const { return width_; }
  int height() const { return height_; }

  // Require 0 <= x < width, 0 <= y < height.
  Covered& at(int x, int y) {
    return pixels_[static_cast<size_t>(y) * width_ + x];
  }
  const Covered& at(int x, int y) const {
    return pixels_[static_cast<size_t>(y) * width_ + x];
  }

  // Paints a colour over the contents, weighted by the coverage of the mask.
  // Requires a mask of the canvas's size.
  void Paint(const Mask& mask, const Color& color, double opacity = 1);

  // Paints a rectangle along the axes.
  void Fill(const Point2& lo, const Point2& hi, const Color& color,
            double opacity = 1);

  Image OnColor(const Color& background) const;
  Image Transparent() const;

 private:
  void Lay(int x, int y, const Color& color, double share);

  int width_;
  int height_;
  std::vector<Covered> pixels_;
};

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_INTERNAL_CANVAS_H_
