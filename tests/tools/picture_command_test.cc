// SPDX-License-Identifier: Apache-2.0

// Runs `orbox picture` and checks its pictures.

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tools/picture/color.h"
#include "tools/picture/palette.h"

#if ORBOX_WITH_PNG
#include "tests/support/png.h"
#endif

namespace orbox {
namespace {

using ::testing::HasSubstr;

class PictureCommandTest : public OrboxCommandTest {
 protected:
  // The bytes of the file that it writes.
  std::string PictureOf(Words arguments) {
    const std::string path = folder_.Path("out.png");
    arguments.insert(arguments.begin(), "picture");
    arguments.insert(arguments.end(), {"-o", path});
    EXPECT_THAT(Output(arguments), ::testing::StartsWith(path + ": "));
    return ScratchDirectory::Read(path);
  }
};

#if ORBOX_WITH_PNG

size_t PixelsLike(const picture::Image& image, uint32_t color, int tolerance) {
  size_t count = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const uint8_t* const p = image.pixel(x, y);
      const bool like =
          std::abs(p[0] - static_cast<int>(color >> 16)) <= tolerance &&
          std::abs(p[1] - static_cast<int>(color >> 8 & 0xff)) <= tolerance &&
          std::abs(p[2] - static_cast<int>(color & 0xff)) <= tolerance;
      count += like ? 1 : 0;
    }
  }
  return count;
}

TEST_F(PictureCommandTest, SameBytesForAnyThreadsAndVolumes) {
  const std::string a = File("a.ply", meshes::Torus(40, 20));
  // Apart: which overlap is shown depends on the tree.
  const std::string b = File("b.ply", meshes::Icosphere(2, {2, 0.1, 0.2}, 0.5));
  const Words command = {a, b, "--within", "0.3", "--size", "200x150"};
  const std::string first = PictureOf(command);
  EXPECT_GT(first.size(), 1000U);
  for (const Words& more :
       {Words{"--threads", "1"}, Words{"--threads", "7"},
        Words{"--volumes", "sphere"}, Words{"--volumes", "obb"},
        Words{"--storage", "compact"}}) {
    Words words = command;
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(PictureOf(words), first) << ::testing::PrintToString(more);
  }
  Words words = command;
  words.insert(words.begin(), "picture");
  words.insert(words.end(), {"-o", "-"});
  EXPECT_EQ(Output(words), first);
}

TEST_F(PictureCommandTest, ColoursSayWhatIsThere) {
  const std::string a = File("a.ply", meshes::Cube());
  const std::string apart = File("b.ply", meshes::Cube({1.2, 0, 0}));
  const std::string meeting = File("c.ply", meshes::Cube({0.9, 0.2, 0.2}));
  const auto count = [this](const Words& words, uint32_t color) {
    Words all = words;
    all.insert(all.end(), {"--size", "200x150"});
    const auto image = DecodePng(PictureOf(all));
    EXPECT_TRUE(image.has_value());
    EXPECT_EQ(image->width, 200);
    EXPECT_EQ(image->height, 150);
    return PixelsLike(*image, color, 4);
  };
  // The legend's patches, and the line between the cubes.
  EXPECT_GT(count({a, apart}, picture::kColorOfGap), 20U);
  EXPECT_EQ(count({a, meeting}, picture::kColorOfGap), 0U);
  EXPECT_EQ(count({a, apart}, picture::kColorOfMeeting), 0U);
  EXPECT_GT(count({a, meeting}, picture::kColorOfMeeting), 40U);
  EXPECT_EQ(count({a}, picture::kColorOfB), 0U);
  for (const auto& [volumes, color] :
       {std::pair<std::string, uint32_t>{"sphere", picture::kColorOfKind[0]},
        {"aabb", picture::kColorOfKind[1]},
        {"obb", picture::kColorOfKind[2]}}) {
    EXPECT_GT(count({a, "--level", "0", "--volumes", volumes}, color), 10U);
    EXPECT_EQ(count({a, "--volumes", volumes}, color), 0U);
  }
}

// Moved, scaled and seen from the same side, the picture is the same.
TEST_F(PictureCommandTest, UnitAndPlaceDoNotMatter) {
  const Mesh mesh = meshes::Torus(40, 20);
  const std::string a = File("a.ply", mesh);
  const std::string b =
      File("b.ply", meshes::Moved(meshes::Scaled(mesh, 1024),
                                  Pose::Translation({4096, -8192, 512})));
  const std::string first = PictureOf({a, "--size", "160x120"});
  EXPECT_EQ(PictureOf({b, "--size", "160x120"}), first);
  EXPECT_EQ(PictureOf({a, "--pose", "1,0,0,32,0,1,0,16,0,0,1,0", "--size",
                       "160x120"}),
            first);
}

TEST_F(PictureCommandTest, BackgroundIsWhiteOrLeftOut) {
  const std::string path = File("a.ply", meshes::Cube());
  const auto white = DecodePng(PictureOf({path, "--size", "64x48"}));
  ASSERT_TRUE(white.has_value());
  EXPECT_EQ(white->channels, 3);
  EXPECT_EQ(white->pixel(0, 0)[0], 255);
  const auto clear =
      DecodePng(PictureOf({path, "--size", "64x48", "--transparent"}));
  ASSERT_TRUE(clear.has_value());
  EXPECT_EQ(clear->channels, 4);
  EXPECT_EQ(clear->pixel(0, 0)[3], 0);
  EXPECT_EQ(clear->pixel(32, 24)[3], 255);
}

TEST_F(PictureCommandTest, OddMeshesAreDrawn) {
  for (const Mesh& mesh :
       {meshes::OneTriangle(), meshes::Identical(5), meshes::Needles(20),
        meshes::DegenerateMix(30), *Mesh::Create({{1, 2, 3}}, {{0, 0, 0}})}) {
    const std::string path = File("a.ply", mesh);
    EXPECT_TRUE(DecodePng(PictureOf({path, "--size", "48x32"})).has_value());
    EXPECT_TRUE(DecodePng(PictureOf({path, path, "--within", "0", "--level",
                                     "0", "--size", "48x32"}))
                    .has_value());
  }
}

TEST_F(PictureCommandTest, CloseUpsAndViewsDiffer) {
  const std::string a = File("a.ply", meshes::Torus(20, 10));
  const std::string b = File("b.ply", meshes::Cube({1.4, 0, 0}));
  std::vector<std::string> pictures;
  for (const Words& more :
       {Words{}, Words{"--view", "top"}, Words{"--view", "-1,-1,0.5"},
        Words{"--close-up", "0.2"}, Words{"--no-legend"}}) {
    Words words = {a, b, "--size", "80x60"};
    words.insert(words.end(), more.begin(), more.end());
    pictures.push_back(PictureOf(words));
    for (size_t i = 0; i + 1 < pictures.size(); ++i) {
      EXPECT_NE(pictures[i], pictures.back());
    }
  }
}

TEST_F(PictureCommandTest, WrongInputIsExplained) {
  const std::string cube = File("cube.ply", meshes::Cube());
  const std::string out = folder_.Path("x.png");
  for (const Words& more :
       {Words{}, Words{"-o", ""}, Words{"-o", out, "--within", "-1"},
        Words{"-o", out, "--size", "100"}, Words{"-o", out, "--size", "1x9"},
        Words{"-o", out, "--size", "99999x9"}, Words{"-o", out, "--view", "up"},
        Words{"-o", out, "--view", "0,0,0"}, Words{"-o", out, "--level", "40"},
        Words{"-o", out, "--within", "1"}, Words{"-o", out, "--close-up", "1"},
        Words{"-o", out, "--pose", "1,2"}}) {
    Words words = {"picture", cube};
    words.insert(words.end(), more.begin(), more.end());
    SCOPED_TRACE(::testing::PrintToString(words));
    ErrorOf(words, kUsage);
  }
  EXPECT_THAT(ErrorOf({"picture", "-o", out}, kUsage),
              HasSubstr("A is missing"));
  EXPECT_THAT(ErrorOf({"picture", cube, "-o", folder_.Path("x.jpg")}, kUsage),
              HasSubstr("name a .png file"));
  EXPECT_THAT(ErrorOf({"picture", cube, "-o", out, "--level", "9"}, kUsage),
              HasSubstr("levels 0 to "));
  EXPECT_THAT(ErrorOf({"picture", cube, cube, cube, "-o", out}, kUsage),
              HasSubstr("too many"));
  const std::string pose = "1,0,0,0,0,1,0,0,0,0,1,0\n";
  EXPECT_THAT(ErrorOf({"picture", cube, "-o", out, "--pose",
                       "@" + folder_.Write("p.csv", pose + pose)},
                      kBadInput),
              HasSubstr("p.csv:2: the second of 2 poses"));
  ErrorOf({"picture", folder_.Path("none.ply"), "-o", out}, kBadInput);
  ErrorOf({"picture", cube, "--size", "48x32", "-o", "/dev/full"}, kIo);
  EXPECT_THAT(folder_.Names(), ::testing::Not(::testing::Contains("x.png")));
}

#else

TEST_F(PictureCommandTest, SaysWhatToDoWithoutLibpng) {
  const std::string cube = File("cube.ply", meshes::Cube());
  EXPECT_THAT(
      ErrorOf({"picture", cube, "-o", folder_.Path("x.png")}, kBadInput),
      HasSubstr("libpng"));
}

#endif

}  // namespace
}  // namespace orbox
