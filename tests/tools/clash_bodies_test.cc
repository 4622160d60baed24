// SPDX-License-Identifier: Apache-2.0

// `orbox clash` with bodies that one file holds.

#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/io/named_body.h"
#include "orbox/bvh/io/read_bodies.h"
#include "orbox/bvh/io/write_bodies.h"
#include "orbox/overlap/shapes/pose.h"
#include "tests/support/command_json.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"

namespace orbox {
namespace {

using ::testing::HasSubstr;

class ClashBodiesTest : public OrboxCommandTest {
 protected:
  // Two cubes, half of each in the other.
  void SetUp() override {
    const Mesh cube = meshes::Cube();
    const std::vector<NamedBody> bodies = {
        {"left", cube, {}, {}},
        {"right", cube, Pose::Translation({0.5, 0, 0}), {}}};
    ASSERT_TRUE(WriteBodiesFile(bodies, file_).ok());
    scene_ = folder_.Write("scene.json",
                           "{\"bodies\": [{\"mesh\": \"two.glb#left\"},"
                           " {\"mesh\": \"two.glb#right\"}]}");
  }

  const std::string file_ = folder_.Path("two.glb");
  std::string scene_;
};

TEST_F(ClashBodiesTest, StandWhereTheFilePutsThem) {
  const Json json = JsonOf({"clash", scene_});
  EXPECT_EQ(json["bodies"][1]["mesh"].text, "two.glb#right");
  EXPECT_EQ(json["bodies"][1]["triangles"].number(), 12);
  ASSERT_EQ(json["clashes"].size(), 1U);
  const Json& clash = json["clashes"][0];
  EXPECT_EQ(clash["kind"].text, "clash");
  EXPECT_GT(clash["thickness"][0].number(), 0);
  EXPECT_LE(clash["thickness"][0].number(), 0.5);
  EXPECT_GE(clash["thickness"][1].number(), 0.5);
  EXPECT_LT(clash["thickness"][1].number(), 1);
}

TEST_F(ClashBodiesTest, GlbHasThemInTheColoursOfTheirKindsAndMarksClashes) {
  const std::string glb = folder_.Path("out.glb");
  const Mesh cube = meshes::Cube();
  const std::vector<NamedBody> three = {
      {"left", cube, {}, {}},
      {"right", cube, Pose::Translation({0.5, 0, 0}), {{"type", "beam"}}},
      {"far", cube, Pose::Translation({9, 0, 0}), {}}};
  ASSERT_TRUE(WriteBodiesFile(three, file_).ok());
  const Json json = JsonOf({"clash", file_, "--glb", glb});
  const Json& clash = json["clashes"][0];
  const auto bodies = ReadBodiesFile(glb);
  ASSERT_TRUE(bodies.ok()) << bodies.status();
  ASSERT_EQ(bodies->size(), 4U);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ((*bodies)[i].name, three[i].name);
    EXPECT_EQ((*bodies)[i].pose.translation, three[i].pose.translation);
  }
  EXPECT_EQ((*bodies)[1].properties, three[1].properties);
  const NamedBody& mark = (*bodies)[3];
  EXPECT_EQ(mark.name, "clash: left and right");
  EXPECT_EQ(mark.properties.at("clash"), clash["id"].text);
  EXPECT_EQ(mark.pose.translation, PointOf(clash["place"]));
  // A ball inside of what both share.
  EXPECT_LE(2 * mark.pose.rows[0].x, 0.5);
  EXPECT_GT(2 * mark.pose.rows[0].x, 0.4);
  // Three colours: of the clash, of what has none, of the mark.
  const std::string bytes = ScratchDirectory::Read(glb);
  size_t colors = 0;
  for (size_t at = bytes.find("baseColorFactor"); at != std::string::npos;
       at = bytes.find("baseColorFactor", at + 1)) {
    ++colors;
  }
  EXPECT_EQ(colors, 3U);
  EXPECT_THAT(bytes, HasSubstr("\"alphaMode\":\"BLEND\""));
  EXPECT_THAT(ErrorOf({"clash", file_, "--glb", "x.ply"}, 2),
              HasSubstr("GLB is written"));
}

TEST_F(ClashBodiesTest, TheirFileIsNeverWrittenOver) {
  const std::string page = folder_.Path("page");
  std::filesystem::create_hard_link(file_, page);
  const std::string before = ScratchDirectory::Read(file_);
  EXPECT_THAT(ErrorOf({"clash", scene_, "--report", page}, 2),
              HasSubstr("bodies[0].mesh"));
  EXPECT_EQ(ScratchDirectory::Read(file_), before);
}

}  // namespace
}  // namespace orbox
