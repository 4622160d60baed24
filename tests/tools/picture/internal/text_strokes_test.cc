// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/text_strokes.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace orbox::picture {
namespace {

constexpr std::string_view kLetters =
    "0123456789.,:-+=()ABOabcdefghijklmnopqrstuvwxyz";
constexpr int kSize = 40;

std::vector<bool> PixelsOf(char letter) {
  Mask mask(kSize, kSize);
  AddText({&letter, 1}, {8, 30}, 20, mask);
  std::vector<bool> pixels;
  for (int y = 0; y < kSize; ++y) {
    for (int x = 0; x < kSize; ++x) pixels.push_back(mask.at(x, y) > 0.5);
  }
  return pixels;
}

TEST(TextStrokesTest, EachLetterHasAShapeOfItsOwnThatFits) {
  const std::vector<bool> unknown = PixelsOf('\t');
  EXPECT_FALSE(HasShapes("\t"));
  EXPECT_TRUE(HasShapes(kLetters));
  std::vector<std::vector<bool>> shapes = {unknown};
  for (const char letter : kLetters) {
    const std::vector<bool> shape = PixelsOf(letter);
    for (const auto& other : shapes) EXPECT_NE(shape, other) << letter;
    shapes.push_back(shape);
    // Nothing far below the line, nor above the height of a digit.
    for (int x = 0; x < kSize; ++x) {
      for (const int y : {0, 4, kSize - 1}) {
        EXPECT_FALSE(shape[y * kSize + x]) << letter;
      }
    }
  }
}

TEST(TextStrokesTest, WidthIsWhereTheNextLetterStands) {
  EXPECT_EQ(TextWidth("", 20), 0);
  EXPECT_NEAR(TextWidth("12", 20), TextWidth("1", 20) + TextWidth("2", 20),
              1e-9);
  EXPECT_EQ(TextWidth("123", 20), TextWidth("807", 20));
  EXPECT_NEAR(TextWidth("gap", 40), 2 * TextWidth("gap", 20), 1e-9);
  Mask whole(200, 60), pieces(200, 60);
  AddText("a1", {10, 40}, 20, whole);
  AddText("a", {10, 40}, 20, pieces);
  AddText("1", {10 + TextWidth("a", 20), 40}, 20, pieces);
  for (int x = 0; x < 200; ++x) {
    EXPECT_NEAR(whole.at(x, 35), pieces.at(x, 35), 1e-5);
  }
}

}  // namespace
}  // namespace orbox::picture
