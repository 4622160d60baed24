// SPDX-License-Identifier: Apache-2.0

// Results of `orbox clash`, read from JSON and compared with tests of every
// pair of triangles of every pair of bodies. bvh/solids/clash_test.cc tests
// kinds; clash_motion_test.cc tests motions.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/clash_scene.h"
#include "tests/support/json.h"
#include "tests/support/meshes.h"
#include "tests/support/solids.h"
#include "tools/orbox/base/text.h"

namespace orbox {
namespace {

using cli::Cat;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class ClashCommandTest : public ClashSceneTest {
 protected:
  // Each gap as text: frame, bodies and distance.
  static std::vector<std::string> GapsOf(const Json& json) {
    std::vector<std::string> gaps;
    for (const Json& frame : json["frames"].items) {
      for (const Json& pair : frame["pairs"].items) {
        gaps.push_back(frame["frame"].text + " " + pair["a"].text + " " +
                       pair["b"].text + " " + pair["distance"].text);
      }
    }
    return gaps;
  }
};

TEST_F(ClashCommandTest, OneFrameListsThePairsOfBodies) {
  const Json json = JsonOf({"clash", scene_, "--within", "0.6"});
  EXPECT_THAT(json.Keys(),
              ElementsAre("schema_version", "command", "version", "inputs",
                          "tolerance", "exact", "within", "bodies", "summary",
                          "clashes", "closest"));
  ASSERT_EQ(json["bodies"].size(), 4U);
  for (size_t i = 0; i < 4; ++i) {
    const Json& body = json["bodies"][i];
    EXPECT_THAT(body.Keys(), ElementsAre("name", "mesh", "triangles", "closed",
                                         "faces_agree", "properties"));
    EXPECT_EQ(body["triangles"].number(), meshes_[i].triangle_count());
  }
  EXPECT_EQ(json["bodies"][1]["name"].text, "<b> & c");
  EXPECT_EQ(json["bodies"][2]["name"].text, "2");
  EXPECT_EQ(json["bodies"][2]["mesh"].text, "./ball.ply");
  const std::vector<Close> expected = BruteForce(poses_, 0.6);
  ASSERT_GE(expected.size(), 3U);
  EXPECT_EQ(json["clashes"].size(), expected.size());
  EXPECT_FALSE(MeetingOf(expected).empty());
  EXPECT_EQ(json["closest"]["distance"].text, "0");
  // Clashes come first, the thickest before; then gaps, the smallest before.
  double thickness = 1e9, distance = 0;
  for (const Json& clash : json["clashes"].items) {
    if (clash["kind"].text == "clash") {
      EXPECT_EQ(distance, 0);
      EXPECT_LE(clash["thickness"][0].number(), thickness);
      thickness = clash["thickness"][0].number();
      EXPECT_GT(thickness, 0);
      EXPECT_LE(thickness, clash["thickness"][1].number());
    } else {
      EXPECT_EQ(clash["kind"].text, "clearance");
      EXPECT_GE(clash["distance"].number(), distance);
      distance = clash["distance"].number();
      EXPECT_GT(distance, 0);
    }
  }
  EXPECT_GT(distance, 0);
  EXPECT_LT(thickness, 1e9);

  // Without a distance, those that meet.
  EXPECT_EQ(JsonOf({"clash", scene_})["clashes"].size(),
            BruteForce(poses_, 0).size());
}

// A wall that lacks a triangle, and one with a triangle turned over, around
// pipes that touch neither: bodies that are not judged are reported.
TEST_F(ClashCommandTest, BodiesThatAreNotJudgedAreSaid) {
  const Mesh wall = meshes::Cube({-2, -2, -2}, 5);
  std::vector<TriangleIndices> triangles(wall.triangles().begin(),
                                         wall.triangles().end());
  const std::vector<Vec3> vertices(wall.vertices().begin(),
                                   wall.vertices().end());
  File("pipe.ply", meshes::Cube());
  std::swap(triangles[0][0], triangles[0][1]);
  File("turned.ply", meshes::Make(vertices, triangles));
  triangles.erase(triangles.begin());
  File("open.ply", meshes::Make(vertices, triangles));
  const auto scene = [&](const char* mesh) {
    return folder_.Write("judged.json",
                         Cat(R"({"bodies": [{"name": "wall", "mesh": ")", mesh,
                             R"("}, {"name": "pipe", "mesh": "pipe.ply"}]})"));
  };
  const std::string open = scene("open.ply");
  EXPECT_THAT(Output({"clash", open}),
              HasSubstr("not judged: 1 open body has no inside\n"));
  Json json = JsonOf({"clash", open});
  EXPECT_EQ(json["summary"]["not_judged"]["open"].number(), 1);
  EXPECT_EQ(json["summary"]["not_judged"]["faces_disagree"].number(), 0);
  EXPECT_FALSE(json["bodies"][0]["closed"].boolean());
  EXPECT_TRUE(json["bodies"][1]["faces_agree"].boolean());

  const std::string turned = scene("turned.ply");
  EXPECT_THAT(Output({"clash", turned}),
              HasSubstr("not judged: 1 body has faces that do not agree, so "
                        "that parity decides what is inside\n"));
  json = JsonOf({"clash", turned});
  EXPECT_EQ(json["summary"]["not_judged"]["faces_disagree"].number(), 1);
  EXPECT_TRUE(json["bodies"][0]["closed"].boolean());
  EXPECT_FALSE(json["bodies"][0]["faces_agree"].boolean());
  EXPECT_EQ(json["summary"]["kinds"]["inside"].number(), 1);

  EXPECT_THAT(Output({"clash", scene("pipe.ply")}),
              Not(HasSubstr("not judged")));
}

// Two unit cubes share a slab of 1 x 1 x 0.25.
TEST_F(ClashCommandTest, TextHasTheVolumeIfRequested) {
  File("cube.ply", meshes::Cube());
  const std::string scene = folder_.Write(
      "slab.json",
      R"({"bodies": [{"name": "a", "mesh": "cube.ply"}, {"name": "b", )"
      R"("mesh": "cube.ply", "pose": [1,0,0,0, 0,1,0,0, 0,0,1,0.75]}]})");
  EXPECT_THAT(Output({"clash", scene}), Not(HasSubstr("volume")));
  const Json bounds =
      JsonOf({"clash", scene, "--volume"})["clashes"][0]["volume"];
  const double lower = bounds[0].number();
  const double upper = bounds[1].number();
  EXPECT_LE(lower, 0.25);
  EXPECT_GE(upper, 0.25);
  EXPECT_LE(upper, 1.0501 * lower);
  const cli::TextStyle style{.unit = "m"};
  const std::string text = Output({"clash", scene, "--volume", "--unit", "m"});
  EXPECT_THAT(text,
              HasSubstr(cli::Say("\n    volume ", cli::Volume{lower},
                                 lower == upper ? "" : " to ",
                                 lower == upper ? cli::Phrase("")
                                                : cli::Say(cli::Volume{upper}),
                                 "\n")
                            .Text(style)));
  EXPECT_THAT(text, HasSubstr(" m^3\n"));
}

// A wall that lacks a triangle hides its pipe, unless the hole is closed.
TEST_F(ClashCommandTest, HolesAreClosedAndSaid) {
  File("wall.ply", solids::Opened(meshes::Cube({-2, -2, -2}, 5)));
  File("pipe.ply", meshes::Cube());
  const std::string scene = folder_.Write(
      "holes.json",
      R"({"bodies": [{"name": "wall", "mesh": "wall.ply"}, {"name": "pipe", )"
      R"("mesh": "pipe.ply"}]})");
  // The hole is as long as 5 + 5 + 7.07.
  const std::string open =
      Output({"clash", scene, "--close-holes", "17", "--exit-code"});
  EXPECT_THAT(open, HasSubstr("not judged: 1 open body has no inside\n"));
  EXPECT_THAT(open, HasSubstr("\n0 pairs to look at\n"));
  Json json = JsonOf({"clash", scene, "--close-holes", "17"});
  EXPECT_EQ(json["close_holes"].number(), 17);
  EXPECT_EQ(json["summary"]["closed_holes"]["holes"].number(), 0);
  EXPECT_THAT(JsonOf({"clash", scene}).Keys(),
              Not(testing::Contains("close_holes")));

  const std::string text = Output({"clash", scene, "--close-holes", "18"});
  EXPECT_THAT(text, Not(HasSubstr("not judged")));
  EXPECT_THAT(
      text,
      HasSubstr(
          "closed: 1 hole of 1 body is closed to judge what is inside\n"));
  EXPECT_THAT(text, HasSubstr("pipe is inside wall"));
  json = JsonOf({"clash", scene, "--close-holes", "18", "--depth"});
  EXPECT_EQ(json["summary"]["kinds"]["inside"].number(), 1);
  EXPECT_EQ(json["summary"]["not_judged"]["open"].number(), 0);
  EXPECT_EQ(json["summary"]["closed_holes"]["bodies"].number(), 1);
  EXPECT_EQ(json["summary"]["closed_holes"]["holes"].number(), 1);
  EXPECT_FALSE(json["bodies"][0]["closed"].boolean());
  EXPECT_TRUE(json["bodies"][0]["faces_agree"].boolean());
  EXPECT_EQ(json["bodies"][0]["closed_holes"].number(), 1);
  EXPECT_EQ(json["bodies"][1]["closed_holes"].number(), 0);
  // The way out is that of the closed wall: 3 to its nearest side.
  EXPECT_NEAR(json["clashes"][0]["depth"]["bounds"][1].number(), 3, 1e-9);
  // In the scene's unit: a wall twice as large has a hole twice as long.
  const std::string twice = folder_.Write(
      "twice.json",
      R"({"bodies": [{"mesh": "wall.ply", "pose": [2,0,0,0, 0,2,0,0, )"
      R"(0,0,2,0]}, {"mesh": "pipe.ply"}]})");
  EXPECT_THAT(Output({"clash", twice, "--close-holes", "18"}),
              HasSubstr("not judged: 1 open body"));
  EXPECT_THAT(Output({"clash", twice, "--close-holes", "35"}),
              HasSubstr("1 hole of 1 body"));
  EXPECT_THAT(ErrorOf({"clash", scene, "--close-holes", "-1"}, 2),
              HasSubstr("--close-holes"));
}

TEST_F(ClashCommandTest, ElementsWithoutBodiesAreSaid) {
  const std::string obj = folder_.Write(
      "house.obj",
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\no axis\no wall\nf 1 3 2\nf 1 2 4\n"
      "f 1 4 3\nf 2 3 4\no walnut\n");
  EXPECT_THAT(Output({"clash", obj}),
              HasSubstr("not judged: 2 elements of the files have no body\n"));
  const Json json = JsonOf({"clash", obj});
  const Json& left_out = json["summary"]["not_judged"]["left_out"];
  ASSERT_EQ(left_out.size(), 2U);
  EXPECT_EQ(left_out[0].text, "axis");
  // A pattern leaves out what is like it.
  EXPECT_THAT(Output({"clash", obj + "#wal*"}),
              HasSubstr("not judged: 1 element of the files has no body\n"));
  EXPECT_THAT(Output({"clash", obj + "#wall"}), Not(HasSubstr("not judged")));
}

// A probe where both boxes of a body are.
TEST_F(ClashCommandTest, TheRuleOfInsideIsRequestedByName) {
  File("body.ply",
       meshes::Joined(meshes::Cube({0, 0, 0}, 4), meshes::Cube({1, 1, 1}, 4)));
  File("probe.ply", meshes::Cube({2, 2, 2}, 1));
  const std::string scene =
      folder_.Write("rule.json", R"({"bodies": [{"mesh": "body.ply"},)"
                                 R"( {"mesh": "probe.ply"}]})");
  EXPECT_THAT(Output({"clash", scene}), HasSubstr("is inside"));
  const Json winding = JsonOf({"clash", scene, "--inside", "winding"});
  EXPECT_EQ(winding["clashes"].size(), 1U);
  const Json json = JsonOf({"clash", scene, "--inside", "parity"});
  EXPECT_EQ(json["inside"].text, "parity");
  EXPECT_EQ(json["clashes"].size(), 0U);
  EXPECT_THAT(Output({"clash", scene, "--inside", "parity"}),
              HasSubstr("tolerance 0, inside by parity\n"));
  ErrorOf({"clash", scene, "--inside", "odd"}, 2);
}

TEST_F(ClashCommandTest, ExactIsRequestedByName) {
  // A box that sticks out of the plane x = 1 by the last bit.
  const auto box = [&](const char* name, double from, double to) {
    const Mesh mesh =
        meshes::Make({{from, 0, 0}, {to, 0, 0}, {from, 1, 0}, {from, 0, 1}},
                     {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}});
    File(name, mesh);
  };
  box("left.ply", std::nextafter(1.0, 2.0), 0);
  box("right.ply", 1, 2);
  const std::string scene = folder_.Write(
      "two.json",
      "{\"bodies\": [{\"mesh\": \"left.ply\"}, {\"mesh\": \"right.ply\"}]}");
  const auto kind = [&](std::vector<std::string> more) {
    std::vector<std::string> command = {"clash", scene};
    command.insert(command.end(), more.begin(), more.end());
    const Json json = JsonOf(command);
    EXPECT_EQ(json["exact"].boolean(), !more.empty() && more[0] == "--exact");
    return json["clashes"][0]["kind"].text;
  };
  EXPECT_EQ(kind({}), "touch");
  // A tolerance of 0 is the default, as in ClashOf.
  EXPECT_EQ(kind({"--tolerance", "0"}), "touch");
  EXPECT_EQ(kind({"--exact"}), "clash");
  EXPECT_EQ(kind({"--exact", "--tolerance", "0"}), "clash");
  EXPECT_THAT(Output({"clash", scene, "--exact"}),
              HasSubstr("tolerance 0, exact\n"));
}

TEST_F(ClashCommandTest, TextAndCsv) {
  WriteMotion();
  const std::string text = Output({"clash", scene_, "--within", "0.6"});
  EXPECT_THAT(text,
              AllOf(StartsWith("scene.json: 4 bodies of 3 meshes, "),
                    HasSubstr("tolerance 0, clearance 0.6\n"),
                    HasSubstr(" to look at: "), HasSubstr("the worst first:"),
                    HasSubstr("ring and <b> & c clash, "),
                    HasSubstr(" thick\n    around ("),
                    HasSubstr(" apart\n    between (")));
  const std::string motion = Output({"clash", scene_, "--motion", motion_});
  EXPECT_THAT(motion, AllOf(HasSubstr("\nframe 10: "),
                            HasSubstr("  ring and <b> & c begin to meet\n"),
                            HasSubstr("  ring and <b> & c no longer meet\n"),
                            HasSubstr(" thick, in frame ")));
  const std::string csv =
      Output({"clash", scene_, "--motion", motion_, "--format", "csv"});
  EXPECT_THAT(csv, StartsWith("a,b,kind,thickness,volume,distance,ax,ay,az,bx,"
                              "by,bz,x,y,z,thickness_upper,volume_upper,inner,"
                              "frame,group,state,id\n"));
  EXPECT_THAT(csv, HasSubstr("\nring,<b> & c,clash,0."));
  const Json json = JsonOf({"clash", scene_, "--motion", motion_});
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'),
            1 + json["clashes"].size());
}

TEST_F(ClashCommandTest, TheSameForAnyThreadsVolumesAndTreeFiles) {
  WriteMotion();
  const Words plain = {"clash", scene_, "--motion", motion_, "--within", "0.4"};
  Words command = plain;
  command.insert(command.end(), {"--format", "json"});
  const std::string expected = Output(command);
  const auto with = [](Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  EXPECT_EQ(Output(with(command, {"--threads", "1"})), expected);
  EXPECT_EQ(Output(with(command, {"--threads", "3"})), expected);
  // The trees decide which of the pairs that are equally near are witnesses.
  const std::vector<std::string> gaps = GapsOf(JsonOf(plain));
  EXPECT_GT(gaps.size(), 10U);
  EXPECT_EQ(GapsOf(JsonOf(with(plain, {"--volumes", "sphere"}))), gaps);
  EXPECT_EQ(GapsOf(JsonOf(with(plain, {"--storage", "compact"}))), gaps);
  Words stats = command;
  stats.push_back("--stats");
  const std::string with_stats = Output(stats);
  EXPECT_THAT(with_stats, HasSubstr(",\"statistics\":{"));
  stats.insert(stats.end(), {"--threads", "1"});
  EXPECT_EQ(Output(stats), with_stats);

  Output({"build", folder_.Path("ring.ply"), "-o", folder_.Path("ring.orbox")});
  std::string bytes = ScratchDirectory::Read(scene_);
  bytes.replace(bytes.find("ring.ply"), 8, "ring.orbox");
  Words of_tree = command;
  of_tree[1] = folder_.Write("trees.json", bytes);
  const auto json = ParseJson(Output(of_tree));
  ASSERT_TRUE(json.has_value());
  EXPECT_EQ((*json)["bodies"][0]["mesh"].text, "ring.orbox");
  const std::string frames = "\"frames\":";
  const std::string found = Output(of_tree);
  EXPECT_EQ(found.substr(found.find(frames)),
            expected.substr(expected.find(frames)));
}

TEST_F(ClashCommandTest, ReadsStandardInput) {
  const std::string cube = File("c.ply", meshes::Cube());
  const std::string bytes = Cat("{\"bodies\": [{\"mesh\": \"", cube,
                                "\"}, {\"mesh\": \"", cube, "\"}]}");
  const Json json = JsonOf({"clash", "-"}, {.input = bytes});
  EXPECT_EQ(json["clashes"][0]["kind"].text, "duplicate");
  const std::string rows = "0,1,1,0,0,3,0,1,0,0,0,0,1,0\n";
  const Json moved =
      JsonOf({"clash", folder_.Write("two.json", bytes), "--motion", "-"},
             {.input = rows});
  EXPECT_EQ(moved["closest"]["distance"].text, "2");
}

TEST_F(ClashCommandTest, ExitCode) {
  const std::string cube = "{\"mesh\": \"cube.ply\"}";
  const std::string far =
      "{\"mesh\": \"cube.ply\", \"pose\": [1,0,0,5,0,1,0,0,0,0,1,0]}";
  const std::string apart =
      folder_.Write("apart.json", Cat("{\"bodies\": [", cube, ",", far, "]}"));
  const std::string clash =
      folder_.Write("clash.json", Cat("{\"bodies\": [", cube, ",", cube, "]}"));
  const std::string alone =
      folder_.Write("alone.json", Cat("{\"bodies\": [", cube, "]}"));
  EXPECT_EQ(Run({"clash", clash, "--exit-code"}).exit_code, 1);
  EXPECT_EQ(Run({"clash", clash}).exit_code, 0);
  EXPECT_EQ(Run({"clash", apart, "--exit-code"}).exit_code, 0);
  EXPECT_EQ(Run({"clash", apart, "--exit-code", "--within", "4"}).exit_code, 1);
  EXPECT_EQ(Run({"clash", apart, "--exit-code", "--within", "3.9"}).exit_code,
            0);
  EXPECT_EQ(Run({"clash", alone, "--exit-code", "--within", "9"}).exit_code, 0);
  EXPECT_TRUE(JsonOf({"clash", alone})["closest"].is_null());
  // Only at the second of three moments: faces that touch, then a clash.
  for (const auto& [x, expected] : {std::pair("1", 0), {"0.5", 1}}) {
    const std::string motion =
        folder_.Write("m.csv", Cat("0,1,1,0,0,9,0,1,0,0,0,0,1,0\n1,1,1,0,0,", x,
                                   ",0,1,0,0,0,0,1,0\n"
                                   "2,1,1,0,0,9,0,1,0,0,0,0,1,0\n"));
    EXPECT_EQ(
        Run({"clash", apart, "--exit-code", "--motion", motion}).exit_code,
        expected);
  }
}

}  // namespace
}  // namespace orbox
