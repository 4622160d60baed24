// SPDX-License-Identifier: Apache-2.0

// The bodies of a file, as `orbox info --surface` lists them.

#include "tools/orbox/body_facts.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/mesh/named_body.h"
#include "orbox/bvh/mesh/write_bodies.h"
#include "orbox/overlap/shapes/pose.h"
#include "tests/support/command_json.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"

namespace orbox {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class BodyFactsTest : public OrboxCommandTest {
 protected:
  std::string FileOf(const std::vector<NamedBody>& bodies) const {
    const std::string path = folder_.Path("bodies.glb");
    EXPECT_TRUE(WriteBodiesFile(bodies, path).ok());
    return path;
  }
};

TEST_F(BodyFactsTest, InfoListsTheBodiesWhereTheyStand) {
  const std::string file =
      FileOf({{"roof",
               meshes::Cube(),
               Pose{.rows = {{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}}},
               {}},
              {"sheet", meshes::Grid(2), {}, {}},
              {"bolts",
               meshes::Joined(meshes::Cube(), meshes::Cube({5, 0, 0})),
               {},
               {}}});
  const std::string text = Output({"info", file, "--surface"});
  EXPECT_THAT(text, HasSubstr("\n  bodies     3\n"));
  EXPECT_THAT(text, HasSubstr("\nbodies:\n"
                              "  roof: 12 triangles, closed, area 24, volume "
                              "8\n  sheet: 8 triangles, open, area "));
  EXPECT_THAT(text,
              HasSubstr("  bolts: 24 triangles, closed, area 12, volume 2\n"));

  const Json json = JsonOf({"info", file, "--surface"});
  const Json& list = json["body_list"];
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0]["name"].text, "roof");
  EXPECT_EQ(list[0]["volume"].number(), 8);
  EXPECT_EQ(list[1]["volume"].text, "null");
  EXPECT_EQ(list[1]["boundary_loops"].number(), 1);
  EXPECT_EQ(list[1]["boundary_edges"].number(), 8);
  EXPECT_EQ(list[2]["parts"].number(), 2);
  for (const char* sum : {"triangles", "parts", "area", "boundary_edges"}) {
    double all = 0;
    for (size_t i = 0; i < list.size(); ++i) all += list[i][sum].number();
    EXPECT_EQ(json[sum].number(), all) << sum;
  }
  EXPECT_THAT(Output({"info", file}), Not(HasSubstr("roof")));
}

TEST_F(BodyFactsTest, ObjectsAndSolidsOfTextFilesAreBodies) {
  const std::string obj = folder_.Write(
      "two.obj",
      "v 0 0 0\nv 1 0 0\nv 0 1 0\no left\nf 1 2 3\no right\nf 3 2 1\n");
  EXPECT_THAT(Output({"info", obj, "--surface"}),
              HasSubstr("bodies:\n  left: 1 triangles, open, area 0.5\n"
                        "  right: 1 triangles, open, area 0.5\n"));
  const std::string facet =
      "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
      "vertex 0 1 0\nendloop\nendfacet\n";
  const std::string stl = folder_.Write(
      "two.stl", "solid nut\n" + facet + "endsolid nut\nsolid bolt\n" + facet +
                     "endsolid bolt\n");
  const Json list = JsonOf({"info", stl, "--surface"})["body_list"];
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0]["name"].text, "nut");
  EXPECT_EQ(list[1]["name"].text, "bolt");
}

TEST_F(BodyFactsTest, OneBodyAloneIsNotRepeated) {
  const std::string one = File("one.ply", meshes::Cube());
  EXPECT_THAT(Output({"info", one, "--surface"}), Not(HasSubstr("bodies:")));
  EXPECT_EQ(JsonOf({"info", one, "--surface"})["body_list"].size(), 1U);
}

TEST_F(BodyFactsTest, TextShowsTheFirstOfMany) {
  std::vector<NamedBody> many;
  for (int i = 0; i < 21; ++i) {
    many.push_back({"b" + std::to_string(i), meshes::Cube(), {}, {}});
  }
  const std::string file = FileOf(many);
  const std::string text = Output({"info", file, "--surface"});
  EXPECT_THAT(text, HasSubstr("the first 20 bodies:\n  b0: "));
  EXPECT_THAT(text, HasSubstr("  b19: "));
  EXPECT_THAT(text, Not(HasSubstr("  b20: ")));
  EXPECT_EQ(JsonOf({"info", file, "--surface"})["body_list"].size(), 21U);
}

}  // namespace
}  // namespace orbox
