// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/io/read_bodies.h"
#include "orbox/bvh/io/write_bodies.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"

namespace orbox {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class SplitCommandTest : public OrboxCommandTest {};

TEST_F(SplitCommandTest, PartsKeepThePoseAndThePropertiesOfTheirBody) {
  const Mesh two = meshes::Joined(meshes::Cube(), meshes::Cube({5, 0, 0}, 2));
  const NamedBody bolts{.name = "bolts",
                        .mesh = two,
                        .pose = Pose::Translation({0, 0, 7}),
                        .properties = {{"storey", "2"}}};
  const NamedBody wall{.name = "wall", .mesh = meshes::Cube({0, 9, 0})};
  const std::string in = folder_.Path("in.glb");
  const std::string out = folder_.Path("out.glb");
  const std::vector<NamedBody> bodies = {bolts, wall};
  ASSERT_TRUE(WriteBodiesFile(bodies, in).ok());

  const std::string text = Output({"split", in, "-o", out});
  EXPECT_THAT(text, StartsWith(in + ": 2 bodies, 3 parts\n"));
  EXPECT_THAT(text, HasSubstr("  bolts part 2: 12 triangles, closed, area 24, "
                              "volume 8\n"));

  const auto parts = ReadBodiesFile(out);
  ASSERT_TRUE(parts.ok()) << parts.status();
  std::vector<std::string> names;
  for (const NamedBody& part : *parts) names.push_back(part.name);
  EXPECT_THAT(names, ElementsAre("bolts part 1", "bolts part 2", "wall"));
  const NamedBody& second = (*parts)[1];
  EXPECT_EQ(second.properties.at("storey"), "2");
  EXPECT_EQ(second.mesh.triangle_count(), 12U);
  EXPECT_EQ(meshes::Moved(second.mesh, second.pose).bounds().lo.z,
            meshes::Moved(two, bolts.pose).bounds().lo.z);
}

TEST_F(SplitCommandTest, OpenPartsHaveNoVolume) {
  const std::string in = File("sheet.ply", meshes::Grid(2));
  EXPECT_THAT(
      Output({"split", in, "-o", folder_.Path("o.glb"), "--format", "csv"}),
      HasSubstr(",8,false,"));
  EXPECT_THAT(ErrorOf({"split", in, "-o", folder_.Path("o.stl")}, 2),
              HasSubstr("promises STL"));
  EXPECT_THAT(ErrorOf({"split", in}, 2), HasSubstr("name a .glb file"));
}

}  // namespace
}  // namespace orbox
