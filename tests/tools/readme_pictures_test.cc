// SPDX-License-Identifier: Apache-2.0

// The README's pictures are those that its commands draw, pixel by pixel.

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/orbox_command.h"

#if ORBOX_WITH_PNG
#include "tests/support/png.h"
#include "tests/support/sanitized.h"
#endif

namespace orbox {
namespace {

#if ORBOX_WITH_PNG

class ReadmePicturesTest : public OrboxCommandTest {
 protected:
  // Runs a line of the README, with its files in the scratch directory; returns
  // the name behind -o.
  std::string RunLine(const std::string& line) {
    std::istringstream stream(line);
    Words words;
    std::string word, output;
    stream >> word;
    while (stream >> word) {
      if (!words.empty() && words.back() == "-o") output = word;
      const std::string ending = std::filesystem::path(word).extension();
      const bool file = ending == ".stl" || ending == ".png";
      words.push_back(file ? folder_.Path(word) : word);
    }
    EXPECT_EQ(Run(words).exit_code, 0) << line;
    return output;
  }
};

TEST_F(ReadmePicturesTest, AreDrawnAgain) {
  if (kSanitized) GTEST_SKIP() << "pictures have tests of their own";
  const std::filesystem::path root = ORBOX_SOURCE_DIR;
  std::ifstream readme(root / "README.md");
  size_t pictures = 0;
  for (std::string line; std::getline(readme, line);) {
    if (line.starts_with("orbox gen --shape gear ")) RunLine(line);
    if (!line.starts_with("orbox picture ")) continue;
    const std::string name = RunLine(line);
    const auto drawn = DecodePng(ScratchDirectory::Read(folder_.Path(name)));
    const std::string kept_bytes =
        ScratchDirectory::Read(root / "data" / "pictures" / name);
    const auto kept = DecodePng(kept_bytes);
    ASSERT_TRUE(drawn.has_value()) << line;
    ASSERT_TRUE(kept.has_value()) << name;
    EXPECT_EQ(drawn->width, kept->width);
    EXPECT_TRUE(drawn->bytes == kept->bytes)
        << name << " is another picture; copy it from the command's output";
    EXPECT_LT(kept_bytes.size(), 60'000u);
    ++pictures;
  }
  EXPECT_EQ(pictures, 2u);
}

#else

TEST(ReadmePicturesTest, AreLeftOutWithoutLibpng) {
  GTEST_SKIP() << "this orbox makes no pictures";
}

#endif

}  // namespace
}  // namespace orbox
