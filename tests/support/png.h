// SPDX-License-Identifier: Apache-2.0

// Reads PNG files in tests, by libpng. Only where the command was built with it
// (ORBOX_WITH_PNG).
#ifndef ORBOX_TESTS_SUPPORT_PNG_H_
#define ORBOX_TESTS_SUPPORT_PNG_H_

#include <png.h>

#include <optional>
#include <string_view>

#include "tools/picture/image.h"

namespace orbox {

// Nothing where the bytes are no PNG of eight bits a channel.
inline std::optional<picture::Image> DecodePng(std::string_view bytes) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0) {
    return std::nullopt;
  }
  const bool alpha = (png.format & PNG_FORMAT_FLAG_ALPHA) != 0;
  png.format = alpha ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
  picture::Image image{.width = static_cast<int>(png.width),
                       .height = static_cast<int>(png.height),
                       .channels = alpha ? 4 : 3,
                       .bytes = {}};
  image.bytes.resize(PNG_IMAGE_SIZE(png));
  if (png_image_finish_read(&png, nullptr, image.bytes.data(), 0, nullptr) ==
      0) {
    return std::nullopt;
  }
  return image;
}

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_PNG_H_
