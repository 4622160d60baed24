// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/png.h"

#include <cstddef>

#if ORBOX_WITH_PNG
#include <png.h>
#endif

#include "tools/base/text.h"

namespace orbox::picture {

#if ORBOX_WITH_PNG

namespace {

// Destination of libpng's output. Exceptions must not pass through C, so a
// failed allocation is recorded.
struct Sink {
  std::string bytes;
  bool failed = false;
};

void Append(png_structp png, png_bytep data, png_size_t size) {
  Sink& sink = *static_cast<Sink*>(png_get_io_ptr(png));
  try {
    sink.bytes.append(reinterpret_cast<const char*>(data), size);
  } catch (...) {
    sink.failed = true;
  }
}

void Flush(png_structp) {}

// libpng reports errors by longjmp, so no object here may have a destructor.
bool Encode(const Image& image, Sink& sink) {
  png_structp png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  if (png == nullptr) return false;
  png_infop info = png_create_info_struct(png);
  if (info == nullptr || setjmp(png_jmpbuf(png)) != 0) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_set_write_fn(png, &sink, Append, Flush);
  png_set_IHDR(
      png, info, image.width, image.height, 8,
      image.channels == 4 ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
      PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
      PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_write_info(png, info);
  for (int y = 0; y < image.height; ++y) png_write_row(png, image.pixel(0, y));
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  return !sink.failed;
}

}  // namespace

absl::Status CheckPngSupport() { return absl::OkStatus(); }

absl::StatusOr<std::string> EncodePng(const Image& image) {
  Sink sink;
  if (Encode(image, sink)) return std::move(sink.bytes);
  return absl::ResourceExhaustedError(
      tools::Cat("cannot make a PNG of ", image.width, " by ", image.height,
                 " pixels; request fewer, with --size"));
}

#else

absl::Status CheckPngSupport() {
  return absl::UnimplementedError(
      "this orbox was built without libpng and makes no pictures; install it "
      "(Debian: libpng-dev, Conan: libpng) and build with -D "
      "ORBOX_WITH_PNG=ON");
}

absl::StatusOr<std::string> EncodePng(const Image&) {
  return CheckPngSupport();
}

#endif

}  // namespace orbox::picture
