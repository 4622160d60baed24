// SPDX-License-Identifier: Apache-2.0

// The bodies of a file, as `orbox info --surface` lists them.

#include "tools/orbox/commands/facts.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/io/named_body.h"
#include "orbox/bvh/io/write_bodies.h"
#include "orbox/overlap/shapes/pose.h"
#include "tests/support/command_json.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"

namespace orbox {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
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

Mesh Turned(const Mesh& mesh, size_t count) {
  std::vector<TriangleIndices> triangles(mesh.triangles().begin(),
                                         mesh.triangles().end());
  for (size_t i = 0; i < count; ++i)
    std::swap(triangles[i][1], triangles[i][2]);
  return meshes::Make({mesh.vertices().begin(), mesh.vertices().end()},
                      std::move(triangles));
}

TEST_F(BodyFactsTest, InfoAdvisesHowToMendAMesh) {
  const std::string gaps =
      folder_.Write("gaps.obj",
                    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0.000123 0\n"
                    "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 5 4 3\n");
  EXPECT_THAT(Output({"info", gaps}),
              HasSubstr("  advice     open, by narrow gaps: --weld 0.00013 "
                        "closes them\n"));
  const Json json = JsonOf({"info", gaps});
  ASSERT_EQ(json["advice"].size(), 1U);
  EXPECT_EQ(json["advice"][0]["fault"].text, "open, by narrow gaps");
  const ProcessResult welded = Run({"info", gaps, "--weld", "0.00013"});
  EXPECT_EQ(welded.exit_code, 0);
  EXPECT_THAT(welded.err, HasSubstr("vertices welded, moved by at most "
                                    "0.000123: 1, at triangle 3\n"));
  EXPECT_THAT(welded.out, HasSubstr("\n  vertices   4\n  triangles  4\n"
                                    "  closed     yes\n"));
  EXPECT_THAT(welded.out, HasSubstr("  note       vertices welded"));
  EXPECT_THAT(welded.out, Not(HasSubstr("advice")));

  const std::string sheet = File("sheet.ply", meshes::Grid(2));
  EXPECT_THAT(Output({"info", sheet}),
              HasSubstr("  advice     open: holes too wide to weld; --surface "
                        "counts them, and 'orbox clash --close-holes D'"));
  EXPECT_THAT(Output({"info", sheet, "--surface"}),
              HasSubstr("too wide to weld; 'orbox clash --close-holes D'"));
  const std::string two = File(
      "parts.ply", meshes::Joined(meshes::Cube(), meshes::Cube({5, 0, 0})));
  EXPECT_THAT(Output({"info", two, "--surface"}),
              HasSubstr("  advice     several parts: 'orbox split' writes each "
                        "as a body\n"));
  EXPECT_THAT(Output({"info", two}), Not(HasSubstr("advice")));
  EXPECT_THAT(ErrorOf({"info", two, "--weld", "-1"}, kUsage),
              HasSubstr("--weld"));
}

TEST_F(BodyFactsTest, InfoSaysWhatAFileIs) {
  const std::vector<NamedBody> bodies = {{"box", meshes::Cube({}, 2), {}, {}}};
  const std::string glb = FileOf(bodies);
  EXPECT_THAT(
      Output({"info", glb}),
      AllOf(HasSubstr("\n  format     glTF, "),
            HasSubstr("\n  size       2 x 2 x 2 m\n"),
            HasSubstr("\n  solid      yes, if it does not overlap itself\n"
                      "  parts      1\n"),
            HasSubstr("\n  more       --surface adds holes")));
  const Json json = JsonOf({"info", glb});
  EXPECT_EQ(json["format"].text, "glTF");
  EXPECT_EQ(json["unit"].text, "m");
  EXPECT_EQ(json["solid"].text, "null");
  EXPECT_EQ(json["parts"].number(), 1);
  EXPECT_EQ(json["size"][2].number(), 2);
  EXPECT_EQ(JsonOf({"info", glb, "--unit", "mm"})["unit"].text, "mm");
  EXPECT_TRUE(JsonOf({"info", glb, "--surface"})["solid"].boolean());
  EXPECT_THAT(
      Output({"info", glb, "--surface"}),
      AllOf(HasSubstr("\n  solid      yes\n"), Not(HasSubstr("  more "))));

  const std::string off = File("sheet.off", meshes::Grid(2));
  EXPECT_THAT(Output({"info", off}),
              AllOf(HasSubstr("\n  format     OFF, "), HasSubstr(", no unit\n"),
                    HasSubstr("\n  solid      no, it is open\n")));
  EXPECT_THAT(JsonOf({"info", off}).Keys(), Not(Contains("unit")));
  EXPECT_FALSE(JsonOf({"info", off})["solid"].boolean());
  const std::string two = File(
      "two.stl", meshes::Joined(meshes::Cube(), meshes::Cube({0.5, 0, 0})));
  EXPECT_EQ(JsonOf({"info", two})["solid"].text, "null");
  EXPECT_THAT(Output({"info", two, "--surface"}),
              HasSubstr("\n  solid      no, it overlaps itself\n"));
  const std::string turned = File("turned.obj", Turned(meshes::Cube(), 2));
  EXPECT_THAT(Output({"info", turned}),
              HasSubstr("\n  solid      no, its faces do not agree\n"));
  const std::string inward = File("inward.ply", Turned(meshes::Cube(), 12));
  EXPECT_THAT(Output({"info", inward, "--surface"}),
              HasSubstr("\n  solid      no, its faces look inward\n"));
}

// Volumes are of the inside, and of no mesh that has none.
TEST_F(BodyFactsTest, InfoSaysWhatFacesAreLike) {
  const Mesh box = meshes::Cube({}, 2);
  const Mesh big = meshes::Cube({-1, -1, -1}, 3);
  const std::string turned = File("turned.ply", Turned(box, 2));
  EXPECT_THAT(Output({"info", turned, "--surface"}),
              HasSubstr("  volume     none, its faces do not agree\n"
                        "  faces      do not agree: inside is decided by "
                        "parity\n"));
  Json json = JsonOf({"info", turned, "--surface"});
  EXPECT_TRUE(json["closed"].boolean());
  EXPECT_FALSE(json["faces_agree"].boolean());
  EXPECT_EQ(json["volume"].text, "null");
  EXPECT_EQ(json["looks_inward"].text, "null");

  // A cavity that faces outward is none.
  const std::string none =
      File("none.ply", meshes::Joined(big, meshes::Cube()));
  EXPECT_THAT(Output({"info", none, "--surface"}),
              HasSubstr("  volume     27\n  faces      some have the inside on "
                        "both sides\n"));
  const std::string cavity =
      File("cavity.ply", meshes::Joined(big, Turned(meshes::Cube(), 12)));
  EXPECT_THAT(Output({"info", cavity, "--surface"}),
              HasSubstr("  volume     26\n"));
  EXPECT_EQ(JsonOf({"info", cavity, "--surface"})["volume"].number(), 26);

  const std::string inward = File("inward.ply", Turned(box, 12));
  EXPECT_THAT(Output({"info", inward, "--surface"}),
              HasSubstr("  volume     8\n  faces      look inward\n"));

  const std::string two =
      File("two.ply", meshes::Joined(box, meshes::Cube({1, 0, 0}, 2)));
  json = JsonOf({"info", two, "--surface"});
  EXPECT_TRUE(json["meets_itself"].boolean());
  EXPECT_LE(json["volume_bounds"][0].number(), 12);
  EXPECT_GE(json["volume_bounds"][1].number(), 12);
  EXPECT_NEAR(json["volume"].number(), 12, 0.2);
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
