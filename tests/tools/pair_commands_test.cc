// SPDX-License-Identifier: Apache-2.0

// Results of the commands for two meshes, and for one against itself, read from
// JSON and compared with tests of every pair of triangles.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/query/pairs/self_within.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/triangles/contact.h"
#include "tests/support/brute_force.h"
#include "tests/support/command_json.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tests/support/trees.h"
#include "tools/orbox/base/text.h"

namespace orbox {
namespace {

using cli::Cat;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class PairCommandsTest : public OrboxCommandTest {};

TEST_F(PairCommandsTest, IntersectFindsAllPairs) {
  const Mesh a = meshes::Torus(24, 12);
  const Mesh b = meshes::Icosphere(2, {1, 0, 0}, 0.5);
  const std::string path_a = File("a.ply", a), path_b = File("b.stl", b);
  // Binary STL rounds to float.
  const Mesh b_read = *ReadMeshFile(path_b);
  const Pose pose = Pose::Rotation({0, 0, 1}, 0.3, {-0.1, 0.2, 0.05});
  const auto expected =
      brute_force::Overlapping(meshes::Moved(a, pose), b_read);
  ASSERT_FALSE(expected.empty());
  const Json json =
      JsonOf({"intersect", path_a, path_b, "--pose", RowOf(pose)});
  EXPECT_THAT(json.Keys(),
              ElementsAre("schema_version", "command", "version", "inputs",
                          "pose", "intersects", "pairs", "relation"));
  EXPECT_THAT(json["inputs"].items[0].text, path_a);
  EXPECT_EQ(json["command"].text, "intersect");
  ASSERT_EQ(json["pose"].size(), 12U);
  EXPECT_EQ(json["pose"][3].number(), pose.translation.x);
  EXPECT_TRUE(json["intersects"].boolean());
  EXPECT_EQ(json["relation"].text, "meet");
  EXPECT_EQ(PairsOf(json["pairs"]), expected);
  EXPECT_THAT(Output({"intersect", path_a, path_b, "--pose", RowOf(pose)}),
              AllOf(StartsWith("A (a.ply) and B (b.stl) meet: "),
                    HasSubstr("pairs of triangles")));

  const Json apart =
      JsonOf({"intersect", path_a, path_b, "--pose=-1,0,0,9,0,-1,0,0,0,0,1,0"});
  EXPECT_FALSE(apart["intersects"].boolean());
  EXPECT_EQ(apart["pairs"].size(), 0U);
  EXPECT_EQ(apart["relation"].text, "apart");
}

TEST_F(PairCommandsTest, CountsAreThoseOfLists) {
  const std::string a = File("a.ply", meshes::Torus(24, 12));
  const std::string b = File("b.ply", meshes::Icosphere(2, {1, 0, 0}, 0.5));
  const std::string twice =
      File("twice.ply",
           meshes::Joined(meshes::Torus(24, 12), meshes::Torus(24, 12)));
  const std::string apart = "1,0,0,9,0,1,0,0,0,0,1,0";
  const auto counted = [](Words words, const Words& more = {}) {
    words.push_back("--count");
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };

  const Words intersect = {"intersect", a, b};
  const size_t pairs = JsonOf(intersect)["pairs"].size();
  ASSERT_GT(pairs, 5U);
  const Json count = JsonOf(counted(intersect));
  EXPECT_THAT(count.Keys(),
              ElementsAre("schema_version", "command", "version", "inputs",
                          "intersects", "count", "relation"));
  EXPECT_EQ(count["count"].number(), static_cast<double>(pairs));
  EXPECT_EQ(
      Output(counted(intersect)),
      Cat("A (a.ply) and B (b.ply) meet: ", pairs, " pairs of triangles\n"));
  EXPECT_EQ(Output(counted(intersect, {"--format", "csv"})),
            Cat("count\n", pairs, "\n"));
  EXPECT_EQ(JsonOf(counted(intersect, {"--pose", apart}))["count"].number(), 0);
  EXPECT_EQ(Run(counted(intersect, {"--exit-code"})).exit_code, 1);
  EXPECT_THAT(ErrorOf(counted(intersect, {"--contacts"}), 2),
              HasSubstr("give one of them"));

  const Words clearance = {"clearance", a, b, "--within", "0.1"};
  const size_t near = JsonOf(clearance)["pairs_within"].size();
  ASSERT_GT(near, pairs);
  const Json within = JsonOf(counted(clearance));
  EXPECT_EQ(within["count_within"].number(), static_cast<double>(near));
  EXPECT_FALSE(within.Has("pairs_within"));
  EXPECT_THAT(Output(counted(clearance, {"--format", "csv"})),
              AllOf(StartsWith("intersects,distance,"),
                    HasSubstr(Cat(",count_within\ntrue,0,"))));
  EXPECT_THAT(ErrorOf(counted({"clearance", a, b}), 2),
              HasSubstr("--within D"));
  EXPECT_THAT(ErrorOf(counted(clearance, {"--places"}), 2),
              HasSubstr("give one of them"));

  const Words self = {"self-intersect", twice, "--within", "0.01"};
  const Json all = JsonOf(self);
  ASSERT_GT(all["pairs"].size(), 5U);
  const Json self_count = JsonOf(counted(self));
  EXPECT_EQ(self_count["count"].number(),
            static_cast<double>(all["pairs"].size()));
  EXPECT_EQ(self_count["count_within"].number(),
            static_cast<double>(all["pairs_within"].size()));
  EXPECT_THAT(Output(counted({"self-intersect", twice})),
              HasSubstr("meets itself: "));
  EXPECT_EQ(Run(counted(self, {"--exit-code"})).exit_code, 1);
}

TEST_F(PairCommandsTest, CountsOfChunksAreThoseOfTheMesh) {
  const std::string mesh =
      File("twice.ply",
           meshes::Joined(meshes::Torus(24, 12), meshes::Torus(24, 12)));
  const std::string chunks = folder_.Path("twice.orboxd");
  Output({"build", mesh, "-o", chunks, "--chunk", "100"});
  for (const Words& query :
       {Words{"intersect", "M", "M", "--count"},
        Words{"self-intersect", "M", "--count", "--within", "0.01"}}) {
    const auto result = [&](const std::string& operand) {
      Words words = query;
      std::replace(words.begin(), words.end(), std::string("M"), operand);
      return JsonOf(words);
    };
    const Json expected = result(mesh);
    const Json found = result(chunks);
    EXPECT_GT(expected["count"].number(), 0);
    EXPECT_EQ(found["count"].number(), expected["count"].number());
    if (expected.Has("count_within")) {
      EXPECT_EQ(found["count_within"].number(),
                expected["count_within"].number());
    }
  }
}

TEST_F(PairCommandsTest, IntersectShowsContacts) {
  const Mesh a = meshes::Torus(24, 12);
  const Mesh b = meshes::Icosphere(2, {1, 0, 0}, 0.5);
  const std::string path_a = File("a.ply", a), path_b = File("b.ply", b);
  const auto pairs = brute_force::Overlapping(a, b);
  const Words command = {"intersect", path_a, path_b, "--contacts"};
  const Json json = JsonOf(command);
  EXPECT_THAT(json.Keys(),
              ElementsAre("schema_version", "command", "version", "inputs",
                          "intersects", "pairs", "relation", "contacts"));
  EXPECT_EQ(PairsOf(json["pairs"]), pairs);
  ASSERT_EQ(json["contacts"].size(), pairs.size());
  for (size_t i = 0; i < pairs.size(); ++i) {
    const Json& contact = json["contacts"][i];
    EXPECT_THAT(contact.Keys(), ElementsAre("a", "b", "points"));
    EXPECT_EQ(contact["a"].number(), pairs[i].a);
    EXPECT_EQ(contact["b"].number(), pairs[i].b);
    const TriangleContact expected =
        ContactOf(a.triangle(pairs[i].a), b.triangle(pairs[i].b));
    ASSERT_EQ(contact["points"].size(), expected.points().size());
    for (size_t k = 0; k < expected.points().size(); ++k) {
      EXPECT_EQ(PointOf(contact["points"][k]), expected.points()[k]);
    }
  }
  EXPECT_THAT(Output(command),
              HasSubstr(Cat("\n  ", pairs[0].a, "-", pairs[0].b, " at (")));
  Words csv = command;
  csv.insert(csv.end(), {"--format", "csv"});
  EXPECT_THAT(Output(csv), StartsWith(Cat("a,b,x,y,z\n", pairs[0].a, ",")));
}

TEST_F(PairCommandsTest, IntersectTellsWhatIsInside) {
  const std::string cube = File("cube.ply", meshes::Cube({-2, -2, -2}, 4));
  const std::string ball = File("ball.ply", meshes::Icosphere(1));
  const std::string open = File("open.ply", meshes::Grid(4, 0.5));
  const std::string two =
      File("two.ply", meshes::Joined(meshes::Cube(), meshes::Cube({5, 0, 0})));
  const std::string shoebox =
      File("shoebox.ply", meshes::Tetrahedron({0.25, 0.25, 0.25}, 0x1p-20));
  const std::vector<std::array<std::string, 4>> cases = {
      {ball, cube, "a_in_b", ": A is inside B\n"},
      {cube, ball, "b_in_a", ": B is inside A\n"},
      {cube, two, "solids_overlap", ": parts of one are inside the other\n"},
      {open, shoebox, "undefined", ": whether one is inside"}};
  for (const auto& [a, b, relation, sentence] : cases) {
    const Json json = JsonOf({"intersect", a, b});
    EXPECT_FALSE(json["intersects"].boolean());
    EXPECT_EQ(json["relation"].text, relation);
    EXPECT_EQ(JsonOf({"clearance", a, b})["relation"].text, relation);
    for (const std::string command : {"intersect", "clearance"}) {
      EXPECT_THAT(Output({command, a, b}), HasSubstr("do not meet" + sentence));
    }
  }
}

TEST_F(PairCommandsTest, ANoteSaysWhereParityDecides) {
  const Mesh cube = meshes::Cube({-2, -2, -2}, 4);
  const std::string turned = File("turned.ply", meshes::TurnedOver(cube, 3, 2));
  const std::string ball = File("ball.ply", meshes::Icosphere(1));
  const std::string note = " do not agree: parity decides what is inside\n";
  for (const std::string command : {"intersect", "clearance"}) {
    EXPECT_EQ(Run({command, ball, turned}).err,
              Cat("orbox: note: the faces of B", note));
    EXPECT_EQ(Run({command, turned, ball, "--format", "json"}).err,
              Cat("orbox: note: the faces of A", note));
    EXPECT_EQ(Run({command, ball, turned, "--inside", "parity"}).err, "");
    // The inside does not matter where the surfaces meet.
    EXPECT_EQ(Run({command, turned, turned}).err, "");
  }
  EXPECT_EQ(Run({"clearance", turned, turned, "--depth"}).err,
            Cat("orbox: note: the faces of A", note,
                "orbox: note: the faces of B", note));
}

TEST_F(PairCommandsTest, HausdorffEnclosesTheDistance) {
  const std::string a = File("a.ply", meshes::Cube({-1, -1, -1}, 2));
  const std::string b = File("b.ply", meshes::Cube({-2, -2, -2}, 4));
  const Words command = {"hausdorff", a, b, "--tolerance", "0"};
  const Json json = JsonOf(command);
  EXPECT_THAT(json.Keys(),
              ElementsAre("schema_version", "command", "version", "inputs",
                          "lower", "upper", "a_to_b", "b_to_a"));
  EXPECT_EQ(json["lower"].number(), std::sqrt(3.0));
  EXPECT_EQ(json["upper"].number(), std::sqrt(3.0));
  const Json& way = json["a_to_b"];
  EXPECT_THAT(way.Keys(), ElementsAre("lower", "upper", "witness"));
  EXPECT_EQ(way["lower"].number(), 1);
  EXPECT_EQ(way["upper"].number(), 1);
  EXPECT_EQ(Norm(PointOf(way["witness"]["a"]["point"]) -
                 PointOf(way["witness"]["b"]["point"])),
            1);
  EXPECT_THAT(json["b_to_a"]["witness"].Keys(), ElementsAre("b", "a"));
  EXPECT_THAT(Output(command), HasSubstr("\n  A to B  1 to 1, at ("));
  EXPECT_THAT(Output({"hausdorff", a, b, "--format", "csv"}),
              StartsWith("lower,upper,a_to_b_lower"));

  Words field = command;
  field.push_back("--field");
  const Json with_field = JsonOf(field);
  ASSERT_EQ(with_field["field"].size(), 12U);
  for (const Json& triangle : with_field["field"].items) {
    EXPECT_EQ(triangle["nearest"].number(), 1);
    EXPECT_EQ(triangle["farthest_lower"].number(), 1);
    EXPECT_EQ(triangle["farthest_upper"].number(), 1);
  }
  field.insert(field.end(), {"--format", "csv"});
  EXPECT_THAT(Output(field),
              StartsWith("triangle,nearest,farthest_lower,farthest_upper\n"
                         "0,1,1,1\n"));
  // A list of poses makes a list of results.
  const std::string poses =
      "@" + folder_.Write("two.csv",
                          "1,0,0,0,0,1,0,0,0,0,1,0\n1,0,0,9,0,1,0,0,0,0,1,0\n");
  const Json moved = JsonOf({"hausdorff", a, b, "--pose", poses});
  ASSERT_EQ(moved["results"].size(), 2U);
  EXPECT_GE(moved["results"][1]["upper"].number(), 10);
}

// The corners of a cube are equally far from a cube around it, up to its pose.
TEST_F(PairCommandsTest, HausdorffSummarizesTheVertices) {
  const std::string a = File("a.ply", meshes::Cube({-1, -1, -1}, 2));
  const std::string b = File("b.ply", meshes::Cube({-4, -4, -4}, 8));
  const Words command = {"hausdorff", a, b, "--pose",
                         "1,0,0,1,0,1,0,0,0,0,1,0"};
  EXPECT_THAT(JsonOf(command)["a_to_b"].Keys(),
              ElementsAre("lower", "upper", "witness"));
  // Half of the area, by its vertices, is 2 from B's side at x = 4; the other
  // half is 3 from the sides in y and z.
  Words with = command;
  with.insert(with.end(), {"--within", "2.5", "--from", "A"});
  const Json json = JsonOf(with);
  EXPECT_THAT(json.Keys(), Not(Contains("b_to_a")));
  EXPECT_EQ(json["upper"].text, json["a_to_b"]["upper"].text);
  const Json& summary = json["a_to_b"]["summary"];
  EXPECT_EQ(summary["points"].number(), 8);
  EXPECT_EQ(summary["beyond"].number(), 0);
  EXPECT_EQ(summary["smallest"].number(), 2);
  EXPECT_EQ(summary["largest"].number(), 3);
  const double share = summary["share_within"].number();
  EXPECT_NEAR(share, 0.5, 0.2);
  EXPECT_NEAR(summary["mean"].number(), 2 * share + 3 * (1 - share), 1e-12);
  EXPECT_EQ(summary["percentile_99"].number(), 3);
  EXPECT_THAT(
      Output(with),
      AllOf(HasSubstr("are, measured from A, at most "),
            HasSubstr("\n    vertices    8, weighted by area, from 2 to 3\n"),
            HasSubstr("\n    within 2.5  "), Not(HasSubstr("B to A"))));

  with = command;
  with.insert(with.end(), {"--max-distance", "1", "--from", "B"});
  const Json none = JsonOf(with)["b_to_a"]["summary"];
  EXPECT_EQ(none["points"].number(), 0);
  EXPECT_EQ(none["beyond"].number(), 8);
  EXPECT_EQ(none["mean"].text, "null");
  EXPECT_THAT(none.Keys(), Not(Contains("share_within")));
  EXPECT_THAT(Output(with),
              HasSubstr("    left out    8 beyond 1\n    no vertices to "
                        "measure\n"));
  with.insert(with.end(), {"--format", "csv"});
  EXPECT_THAT(Output(with), HasSubstr(",0,8,,,,,,,,,\n"));
  with.push_back("--field");
  ErrorOf(with, kUsage);
  ErrorOf({"hausdorff", a, b, "--from", "C"}, kUsage);
  ErrorOf({"hausdorff", a, b, "--within", "-1"}, kUsage);
}

TEST_F(PairCommandsTest, ClearanceFindsTheGapAndWhatIsWithin) {
  const Mesh a = meshes::Torus(24, 12);
  const Mesh b = meshes::Icosphere(2, {0, 0, 0}, 0.5);
  const std::string path_a = File("a.ply", a), path_b = File("b.ply", b);
  const Pose pose = Pose::Rotation({1, 0, 0}, 0.2, {0.1, 0, 0});
  const auto nearest = brute_force::Closest(meshes::Moved(a, pose), b);
  ASSERT_GT(nearest.distance, 0);
  const double within = 2 * nearest.distance;
  const auto pairs = brute_force::Within(meshes::Moved(a, pose), b, within);

  const Words command = {"clearance", path_a, path_b, "--pose", RowOf(pose)};
  EXPECT_THAT(
      JsonOf(command).Keys(),
      ElementsAre("schema_version", "command", "version", "inputs", "pose",
                  "intersects", "distance", "witness", "relation"));
  Words with_tolerance = command;
  with_tolerance.insert(with_tolerance.end(), {"--within", Cat(within)});
  const Json json = JsonOf(with_tolerance);
  EXPECT_FALSE(json["intersects"].boolean());
  EXPECT_DOUBLE_EQ(json["distance"].number(), nearest.distance);
  const Json& witness = json["witness"];
  EXPECT_EQ(witness["a"]["triangle"].number(), nearest.triangles.a);
  EXPECT_EQ(witness["b"]["triangle"].number(), nearest.triangles.b);
  EXPECT_NEAR(
      Norm(PointOf(witness["a"]["point"]) - PointOf(witness["b"]["point"])),
      nearest.distance, 1e-14);
  ASSERT_EQ(json["pairs_within"].size(), pairs.size());
  const Mesh moved = meshes::Moved(a, pose);
  for (size_t i = 0; i < pairs.size(); ++i) {
    const Json& pair = json["pairs_within"][i];
    EXPECT_THAT(pair.Keys(),
                ElementsAre("a", "b", "distance", "point_a", "point_b"));
    EXPECT_EQ(pair["a"].number(), pairs[i].triangles.a);
    EXPECT_EQ(pair["b"].number(), pairs[i].triangles.b);
    EXPECT_DOUBLE_EQ(pair["distance"].number(), pairs[i].distance);
    const Vec3 on_a = PointOf(pair["point_a"]);
    const Vec3 on_b = PointOf(pair["point_b"]);
    EXPECT_NEAR(Norm(on_a - on_b), pairs[i].distance, 1e-14);
    EXPECT_LT(Distance(on_a, moved.triangle(pairs[i].triangles.a)).distance,
              1e-14);
    EXPECT_LT(Distance(on_b, b.triangle(pairs[i].triangles.b)).distance, 1e-14);
  }
  EXPECT_THAT(Output(with_tolerance),
              AllOf(HasSubstr("do not meet"), HasSubstr("smallest distance"),
                    HasSubstr(cli::Counted(pairs.size(), "pair"))));
  with_tolerance.insert(with_tolerance.end(), {"--format", "csv"});
  EXPECT_THAT(Output(with_tolerance),
              StartsWith("a,b,distance,a_x,a_y,a_z,b_x,b_y,b_z\n"));

  const Json meeting = JsonOf({"clearance", path_a, path_a});
  EXPECT_TRUE(meeting["intersects"].boolean());
  EXPECT_EQ(meeting["distance"].text, "0");
}

TEST_F(PairCommandsTest, ClearanceTellsPlaces) {
  const Mesh floor = meshes::Make(
      {{-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}}, {{0, 1, 2}, {0, 2, 3}});
  const Mesh legs = meshes::Joined(meshes::Cube({-4, -4, 0.25}, 1),
                                   meshes::Cube({3, 3, 0.125}, 1));
  const std::string a = File("a.ply", legs), b = File("b.glb", floor);
  const std::vector<std::string> words = {"clearance", a,     b,
                                          "--within",  "0.5", "--places"};
  const Json places = JsonOf(words)["places"];
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[0]["distance"].number(), 0.125);
  EXPECT_EQ(places[1]["distance"].number(), 0.25);
  EXPECT_EQ(places[0]["witness"]["b"]["point"][2].number(), 0);
  EXPECT_EQ(places[0]["pairs"].number() + places[1]["pairs"].number(),
            JsonOf(words)["pairs_within"].size());
  EXPECT_THAT(Output(words), HasSubstr("in 2 places, the nearest first\n"));
  EXPECT_THAT(Output({"clearance", a, b, "--within", "0.5", "--places",
                      "--format", "csv"}),
              StartsWith("pairs,distance,a,a_x"));
  EXPECT_THAT(ErrorOf({"clearance", a, b, "--places"}, 2),
              HasSubstr("--places: goes with --within D"));
}

TEST_F(PairCommandsTest, APoseFileMakesAListOfResults) {
  const std::string a = File("a.ply", meshes::Cube());
  const std::string b = File("b.ply", meshes::Cube({3, 0, 0}));
  const std::string poses =
      "r11,r12,r13,tx,r21,r22,r23,ty,r31,r32,r33,tz\n"
      "1,0,0,0, 0,1,0,0, 0,0,1,0\n"
      "1,0,0,2, 0,1,0,0, 0,0,1,0  # touching\n"
      "-1,0,0,-1, 0,-1,0,0, 0,0,1,0\n";
  const std::string file = "@" + folder_.Write("poses.csv", poses);
  const Json hits = JsonOf({"intersect", a, b, "--pose", file});
  EXPECT_THAT(hits.Keys(), ElementsAre("schema_version", "command", "version",
                                       "inputs", "results"));
  ASSERT_EQ(hits["results"].size(), 3U);
  EXPECT_THAT(hits["results"][0].Keys(),
              ElementsAre("pose", "intersects", "pairs", "relation"));
  EXPECT_FALSE(hits["results"][0]["intersects"].boolean());
  EXPECT_TRUE(hits["results"][1]["intersects"].boolean());

  const Json gaps = JsonOf({"clearance", a, b, "--pose", "@-", "--within", "2"},
                           {.input = poses});
  ASSERT_EQ(gaps["results"].size(), 3U);
  EXPECT_EQ(gaps["results"][0]["distance"].number(), 2);
  EXPECT_GT(gaps["results"][0]["pairs_within"].size(), 0U);
  EXPECT_EQ(gaps["results"][1]["distance"].number(), 0);
  EXPECT_EQ(gaps["results"][2]["distance"].number(), 4);
  EXPECT_EQ(gaps["results"][2]["pairs_within"].size(), 0U);

  // One pose in a file is a list as well.
  const std::string one =
      "@" + folder_.Write("one.csv", "1,0,0,0,0,1,0,0,0,0,1,0");
  EXPECT_EQ(JsonOf({"intersect", a, b, "--pose", one})["results"].size(), 1U);
  EXPECT_THAT(Output({"clearance", a, b, "--pose", file, "--format", "csv"}),
              AllOf(StartsWith("pose,intersects,distance,"),
                    HasSubstr("\n2,false,4,")));
  EXPECT_THAT(Output({"clearance", a, b, "--pose", file}),
              HasSubstr("pose 1: A and B meet\n"));
}

TEST_F(PairCommandsTest, SelfIntersectListsThePairs) {
  const Mesh surface = meshes::Torus(20, 10);
  const Mesh ball = meshes::Icosphere(2, {0.9, 0.1, 0.2}, 0.4);
  auto expected = brute_force::Overlapping(surface, ball);
  for (TrianglePair& pair : expected) {
    pair.b += static_cast<uint32_t>(surface.triangle_count());
  }
  const std::string path = File("m.stl", meshes::Joined(surface, ball));
  const Json json = JsonOf({"self-intersect", path});
  EXPECT_THAT(json.Keys(), ElementsAre("schema_version", "command", "version",
                                       "inputs", "self_intersects", "pairs"));
  EXPECT_TRUE(json["self_intersects"].boolean());
  EXPECT_EQ(PairsOf(json["pairs"]), expected);
  EXPECT_EQ(json["pairs"][0]["kind"].text, "crossing");
  EXPECT_THAT(
      Output({"self-intersect", path}),
      AllOf(StartsWith(Cat("meets itself: ", expected.size(), " pairs")),
            HasSubstr(Cat("\n  ", expected.size(), " crossing\n"))));
  EXPECT_THAT(Output({"self-intersect", path, "--format", "csv"}),
              StartsWith(Cat("a,b,kind\n", expected[0].a, ",", expected[0].b,
                             ",crossing\n")));
  EXPECT_EQ(Run({"self-intersect", path, "--exit-code"}).exit_code, 1);
  const ProcessResult counted = Run({"self-intersect", path, "--exit-code",
                                     "--within", "0.01", "--format", "csv"});
  EXPECT_EQ(counted.exit_code, 1);

  const Tree tree = trees::Make(meshes::Joined(surface, ball));
  const std::vector<PairDistance> within = AllSelfWithin(tree, 0.01);
  EXPECT_EQ(counted.out,
            Cat("self_intersects,count_within\ntrue,", within.size(), "\n"));
  const Json near = JsonOf({"self-intersect", path, "--within", "0.01"});
  EXPECT_EQ(PairsOf(near["pairs"]), expected);
  ASSERT_EQ(near["pairs_within"].size(), within.size());
  EXPECT_EQ(near["pairs_within"][0]["a"].number(), within[0].triangles.a);
  EXPECT_EQ(near["pairs_within"][0]["distance"].number(), within[0].distance);
  EXPECT_THAT(Output({"self-intersect", path, "--within", "0.01"}),
              HasSubstr(Cat("\n  within 0.01: ", within.size(), " pairs of")));
  EXPECT_THAT(
      Output({"self-intersect", path, "--within", "0.01", "--format", "csv"}),
      StartsWith("a,b,distance,a_x,a_y,a_z,b_x,b_y,b_z\n"));

  const std::string clean = File("clean.ply", surface);
  EXPECT_EQ(
      Run({"self-intersect", clean, "--exit-code", "--within", "1"}).exit_code,
      1);
  const Json none = JsonOf({"self-intersect", clean, "--by-index"});
  EXPECT_FALSE(none["self_intersects"].boolean());
  EXPECT_EQ(none["pairs"].size(), 0U);
  EXPECT_EQ(Output({"self-intersect", clean}), "does not meet itself\n");
  EXPECT_EQ(Run({"self-intersect", clean, "--exit-code"}).exit_code, 0);
  EXPECT_THAT(JsonOf({"self-intersect", clean, "--exit-code"}).Keys(),
              ElementsAre("schema_version", "command", "version", "inputs",
                          "self_intersects"));
}

TEST_F(PairCommandsTest, SelfIntersectNamesTheKindOfEachPair) {
  const std::string path = File(
      "kinds.stl",
      meshes::FromTriangles({{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
                             {{1, 1, -1}, {1, 1, 1}, {5, 5, 1}},
                             {{4, 0, 0}, {0, 0, 0}, {0, 4, 0}},
                             {{9, 0, 0}, {9, 4, 0}, {9, 0, 4}},
                             {{9, 0, 0}, {9, 4, 0}, {9, 3, 3}},
                             {{9, 0.5, 0.5}, {9, 0.75, 0.5}, {9, 0.5, 0.75}},
                             {{9, 0.25, 0.5}, {8, 0, 0}, {8, 1, 0}}}));
  EXPECT_EQ(Output({"self-intersect", path, "--format", "csv"}),
            "a,b,kind\n0,1,crossing\n0,2,duplicate\n1,2,crossing\n"
            "3,4,folded\n3,5,coplanar\n3,6,touching\n4,5,coplanar\n");
  EXPECT_EQ(Output({"self-intersect", path}),
            "meets itself: 7 pairs of triangles: 0-1, 0-2, 1-2, 3-4, 3-5, "
            "...\n  2 crossing, 1 touching, 2 coplanar, 1 folded, 1 "
            "duplicate\n");
}

}  // namespace
}  // namespace orbox
