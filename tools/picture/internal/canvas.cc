// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/canvas.h"

namespace orbox::picture {

void Canvas::Lay(int x, int y, const Color& color, double share) {
  Covered& pixel = at(x, y);
  pixel.light = pixel.light * (1 - share) + color * share;
  pixel.alpha = pixel.alpha * (1 - share) + share;
}

void Canvas::Paint(const Mask& mask, const Color& color, double opacity) {
  const PixelBox box = mask.touched();
  for (int y = box.top; y < box.bottom; ++y) {
    for (int x = box.left; x < box.right; ++x) {
      Lay(x, y, color, opacity * mask.at(x, y));
    }
  }
}

void Canvas::Fill(const Point2& lo, const Point2& hi, const Color& color,
                  double opacity) {
  const int left = std::max(0, static_cast<int>(lo.x));
  const int top = std::max(0, static_cast<int>(lo.y));
  for (int y = top; y < std::min<double>(height_, hi.y); ++y) {
    for (int x = left; x < std::min<double>(width_, hi.x); ++x) {
      const double wide = std::min(hi.x, x + 1.0) - std::max(lo.x, double(x));
      const double high = std::min(hi.y, y + 1.0) - std::max(lo.y, double(y));
      Lay(x, y, color, opacity * std::max(wide, 0.0) * std::max(high, 0.0));
    }
  }
}

Image Canvas::OnColor(const Color& background) const {
  Image image{.width = width_, .height = height_, .channels = 3, .bytes = {}};
  image.bytes.reserve(pixels_.size() * 3);
  for (const Covered& pixel : pixels_) {
    const Color light = pixel.light + background * (1 - pixel.alpha);
    for (size_t i = 0; i < 3; ++i) image.bytes.push_back(ByteOf(light[i]));
  }
  return image;
}

Image Canvas::Transparent() const {
  Image image{.width = width_, .height = height_, .channels = 4, .bytes = {}};
  image.bytes.reserve(pixels_.size() * 4);
  for (const Covered& pixel : pixels_) {
    const double share = pixel.alpha > 0 ? 1 / pixel.alpha : 0;
    for (size_t i = 0; i < 3; ++i) {
      image.bytes.push_back(ByteOf(pixel.light[i] * share));
    }
    image.bytes.push_back(static_cast<uint8_t>(pixel.alpha * 255 + 0.5));
  }
  return image;
}

}  // namespace orbox::picture
