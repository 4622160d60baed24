// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/png.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"

#if ORBOX_WITH_PNG
#include "tests/support/png.h"
#endif

namespace orbox::picture {
namespace {

#if ORBOX_WITH_PNG

TEST(PngTest, PixelsComeBack) {
  EXPECT_TRUE(CheckPngSupport().ok());
  meshes::Random random(8);
  for (const int channels : {3, 4}) {
    for (const auto& [width, height] : {std::pair{1, 1}, {7, 3}, {64, 200}}) {
      Image image{.width = width, .height = height, .channels = channels};
      for (int i = 0; i < width * height * channels; ++i) {
        image.bytes.push_back(static_cast<uint8_t>(random.Bits()));
      }
      const absl::StatusOr<std::string> bytes = EncodePng(image);
      ASSERT_TRUE(bytes.ok()) << bytes.status();
      EXPECT_EQ(*EncodePng(image), *bytes);
      const std::optional<Image> decoded = DecodePng(*bytes);
      ASSERT_TRUE(decoded.has_value());
      EXPECT_EQ(decoded->width, width);
      EXPECT_EQ(decoded->height, height);
      EXPECT_EQ(decoded->channels, channels);
      EXPECT_EQ(decoded->bytes, image.bytes);
    }
  }
}

TEST(PngTest, WhatNoPngHoldsIsAnError) {
  EXPECT_FALSE(EncodePng({.width = 0, .height = 5}).ok());
}

#else

TEST(PngTest, SaysWhatToDoWithoutLibpng) {
  EXPECT_THAT(std::string(CheckPngSupport().message()),
              ::testing::HasSubstr("libpng"));
  EXPECT_FALSE(EncodePng({}).ok());
}

#endif

}  // namespace
}  // namespace orbox::picture
