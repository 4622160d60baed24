// SPDX-License-Identifier: Apache-2.0

// A finished picture.
//
//   const uint8_t* rgb = image.pixel(10, 20);
#ifndef ORBOX_TOOLS_PICTURE_IMAGE_H_
#define ORBOX_TOOLS_PICTURE_IMAGE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace orbox::picture {

// Rows from the top, pixels from the left, `channels` bytes each: red, green,
// blue, and alpha (not premultiplied) if there are four.
struct Image {
  int width = 0;
  int height = 0;
  int channels = 3;
  std::vector<uint8_t> bytes;

  const uint8_t* pixel(int x, int y) const {
    return &bytes[(static_cast<size_t>(y) * width + x) * channels];
  }
};

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_IMAGE_H_
