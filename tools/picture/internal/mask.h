// SPDX-License-Identifier: Apache-2.0

// Coverage of pixels by a drawing: lines with round ends, discs and rings, with
// soft edges.
//
//   Mask mask(800, 600);
//   mask.AddLine({10, 10}, {90.5, 40}, /*width=*/2);
//   canvas.Paint(mask, color);
//
// Coordinates are in pixels from the upper left corner; the centre of the first
// pixel is (0.5, 0.5). Overlaps count once, so that a path of several pieces
// has no visible joints. Parts outside of the picture are omitted.
#ifndef ORBOX_TOOLS_PICTURE_INTERNAL_MASK_H_
#define ORBOX_TOOLS_PICTURE_INTERNAL_MASK_H_

#include <cstddef>
#include <vector>

#include "absl/functional/function_ref.h"

namespace orbox::picture {

struct Point2 {
  double x = 0;
  double y = 0;
};

// Pixels left <= x < right, top <= y < bottom.
struct PixelBox {
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;
};

class Mask {
 public:
  Mask(int width, int height)
      : width_(width),
        height_(height),
        shares_(static_cast<size_t>(width) * height) {}

  // Coverage, 0 to 1. Requires 0 <= x < width, 0 <= y < height.
  double at(int x, int y) const {
    return shares_[static_cast<size_t>(y) * width_ + x];
  }
  // A box that contains all covered pixels.
  PixelBox touched() const { return touched_; }

  void AddLine(const Point2& from, const Point2& to, double width);
  void AddDisc(const Point2& center, double radius);
  // Adds a circle, drawn with a line of this width.
  void AddRing(const Point2& center, double radius, double width);

  // Adds a line with a weight for each pixel. `share` receives the pixel and
  // its position along the line, 0 to 1, and returns the weight.
  using LineShare = absl::FunctionRef<double(int x, int y, double along)>;
  void AddLine(const Point2& from, const Point2& to, double width,
               LineShare share);

 private:
  PixelBox Clipped(const Point2& lo, const Point2& hi) const;
  void Cover(int x, int y, double share);

  int width_;
  int height_;
  PixelBox touched_;
  std::vector<float> shares_;
};

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_INTERNAL_MASK_H_
