// The answers of the orbox command, read from its JSON and compared with those
// of asking every triangle.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/overlap/contact.h"
#include "orbox/overlap/pose.h"
#include "orbox/overlap/shapes.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tools/orbox/text.h"

namespace orbox {
namespace {

using cli::Cat;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kVolumes[] = {"mixed", "sphere", "aabb", "obb"};

std::string RowOf(const Pose& pose) {
  std::string row;
  for (size_t axis = 0; axis < 3; ++axis) {
    const Vec3& r = pose.rows[axis];
    row += Cat(axis > 0 ? "," : "", r.x, ",", r.y, ",", r.z, ",",
               pose.translation[axis]);
  }
  return row;
}

Vec3 PointOf(const Json& json) {
  EXPECT_EQ(json.size(), 3U);
  return {json[0].number(), json[1].number(), json[2].number()};
}

std::vector<uint32_t> IdsOf(const Json& json) {
  std::vector<uint32_t> ids;
  for (const Json& id : json.items) ids.push_back(id.number());
  return ids;
}

std::vector<TrianglePair> PairsOf(const Json& json) {
  std::vector<TrianglePair> pairs;
  for (const Json& pair : json.items) {
    EXPECT_EQ(pair.size(), 2U);
    pairs.push_back({static_cast<uint32_t>(pair[0].number()),
                     static_cast<uint32_t>(pair[1].number())});
  }
  return pairs;
}

class CommandAnswersTest : public OrboxCommandTest {};

TEST_F(CommandAnswersTest, InfoTellsWhatIsInTheMesh) {
  const Mesh mesh = meshes::DegenerateMix(50);
  const std::string path = File("m.ply", mesh);
  const Json info = JsonOf({"info", path});
  EXPECT_THAT(info.Keys(),
              ElementsAre("schema_version", "vertices", "triangles",
                          "degenerate", "closed", "bounds"));
  EXPECT_EQ(info["schema_version"].text, "1");
  EXPECT_EQ(info["vertices"].number(), mesh.vertex_count());
  EXPECT_EQ(info["triangles"].number(), mesh.triangle_count());
  EXPECT_EQ(info["degenerate"].number(), mesh.degenerate_count());
  EXPECT_EQ(info["closed"].boolean(), IsClosed(mesh));
  EXPECT_EQ(PointOf(info["bounds"]["lo"]), mesh.bounds().lo);
  EXPECT_EQ(PointOf(info["bounds"]["hi"]), mesh.bounds().hi);
  EXPECT_TRUE(
      JsonOf({"info", File("c.off", meshes::Cube())})["closed"].boolean());
  EXPECT_THAT(Output({"info", path, "--format", "csv"}),
              StartsWith("vertices,triangles,degenerate,closed,"));
  EXPECT_THAT(Output({"info", path}), HasSubstr("triangles  50"));
}

TEST_F(CommandAnswersTest, InfoAddsTheTreeItsVolumesMake) {
  const std::string path = File("m.ply", meshes::Torus(30, 20));
  for (const std::string volumes : {"sphere", "aabb", "obb"}) {
    const Json json = JsonOf({"info", path, "--stats", "--volumes", volumes});
    const Json& tree = json["statistics"]["tree"];
    EXPECT_GE(tree["nodes"].number(), 1);
    EXPECT_EQ(tree["nodes_by_kind"][volumes].number(), tree["nodes"].number());
    ASSERT_EQ(tree["levels"].size(), tree["depth"].number());
    EXPECT_EQ(tree["levels"][0][volumes].number(), 1);
    EXPECT_GE(tree["expected_nodes"].number(), 1);
    EXPECT_GE(tree["expected_leaves"].number(), 1);
  }
}

TEST_F(CommandAnswersTest, RangeFindsTheTrianglesOfBallsAndBoxes) {
  const Mesh mesh = meshes::Torus(40, 24);
  const std::string path = File("m.ply", mesh);
  meshes::Random random(5);
  std::string spheres = "x,y,z,r\n", boxes;
  std::vector<std::vector<uint32_t>> in_spheres, in_boxes;
  for (int i = 0; i < 300; ++i) {
    const Vec3 p = random.Point(-1.2, 1.2);
    const double r = random.Uniform(0, 0.5);
    spheres += Cat(p.x, ",", p.y, ",", p.z, ",", r, "\n");
    in_spheres.push_back(brute_force::InRange(mesh, Sphere{p, r}));
    const Aabb box{p, p + Vec3{r, r, r}};
    boxes += Cat(p.x, ",", p.y, ",", p.z, ",", box.hi.x, ",", box.hi.y, ",",
                 box.hi.z, "\n");
    in_boxes.push_back(brute_force::InRange(mesh, box));
  }
  const std::string spheres_path = folder_.Write("spheres.csv", spheres);
  const Json json = JsonOf({"range", path, "--spheres", spheres_path});
  EXPECT_THAT(json.Keys(), ElementsAre("schema_version", "results"));
  ASSERT_EQ(json["results"].size(), in_spheres.size());
  for (size_t i = 0; i < in_spheres.size(); ++i) {
    EXPECT_EQ(IdsOf(json["results"][i]), in_spheres[i]) << i;
  }
  const Json of_boxes =
      JsonOf({"range", path, "--boxes", folder_.Write("boxes.csv", boxes)});
  ASSERT_EQ(of_boxes["results"].size(), in_boxes.size());
  for (size_t i = 0; i < in_boxes.size(); ++i) {
    EXPECT_EQ(IdsOf(of_boxes["results"][i]), in_boxes[i]) << i;
  }

  std::string csv = "query,triangle\n";
  for (size_t i = 0; i < in_spheres.size(); ++i) {
    for (const uint32_t id : in_spheres[i]) csv += Cat(i, ",", id, "\n");
  }
  EXPECT_EQ(Output({"range", path, "--spheres", "-", "--format", "csv"},
                   {.input = spheres}),
            csv);
}

TEST_F(CommandAnswersTest, SeveralShapesMayBeTyped) {
  const std::string path = File("m.ply", meshes::Cube());
  const Json balls = JsonOf(
      {"range", path, "--sphere", "-1,-1,-1,0.5", "--sphere=0.5,0.5,0.5,10"});
  EXPECT_EQ(balls["results"][0].size(), 0U);
  EXPECT_EQ(balls["results"][1].size(), 12U);
  // Touching one corner, which belongs to at least three triangles.
  const Json box = JsonOf({"range", path, "--box", "-1,-1,-1,0,0,0"});
  EXPECT_GE(box["results"][0].size(), 3U);
  EXPECT_EQ(Output({"range", path, "--sphere", "9,9,9,1"}),
            "query 0: 0 triangles\n");
}

TEST_F(CommandAnswersTest, NearestFindsTheClosestTriangles) {
  const Mesh mesh = meshes::Soup(300, 0.1);
  const std::string path = File("m.ply", mesh);
  meshes::Random random(6);
  std::string rows;
  std::vector<Vec3> points;
  for (int i = 0; i < 100; ++i) {
    points.push_back(random.Point(-0.5, 1.5));
    rows += Cat(points[i].x, ",", points[i].y, ",", points[i].z, "\n");
  }
  const std::string file = folder_.Write("p.csv", rows);
  for (const size_t k : {1U, 4U, 1000U}) {
    const Json json = JsonOf({"nearest", path, "--points", file, "--k", Cat(k),
                              "--max-distance", "0.7"});
    ASSERT_EQ(json["results"].size(), points.size());
    for (size_t i = 0; i < points.size(); ++i) {
      const auto expected = brute_force::Nearest(mesh, points[i], 0.7);
      const Json& found = json["results"][i];
      ASSERT_EQ(found.size(), std::min(k, expected.size())) << i;
      for (size_t j = 0; j < found.size(); ++j) {
        EXPECT_THAT(found[j].Keys(),
                    ElementsAre("triangle", "distance", "point"));
        EXPECT_EQ(found[j]["triangle"].number(), expected[j].triangle);
        EXPECT_DOUBLE_EQ(found[j]["distance"].number(), expected[j].distance);
        EXPECT_NEAR(Norm(PointOf(found[j]["point"]) - points[i]),
                    expected[j].distance, 1e-14);
      }
    }
  }
  EXPECT_EQ(
      Output({"nearest", path, "--point", "90,0,0", "--max-distance", "1"}),
      "query 0: nothing within the distance\n");
  EXPECT_THAT(
      Output({"nearest", path, "--point", "-90,0,0", "--format", "csv"}),
      StartsWith("query,triangle,distance,x,y,z\n0,"));
}

TEST_F(CommandAnswersTest, IntersectFindsAllPairs) {
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
              ElementsAre("schema_version", "intersects", "pairs", "relation"));
  EXPECT_TRUE(json["intersects"].boolean());
  EXPECT_EQ(json["relation"].text, "meet");
  EXPECT_EQ(PairsOf(json["pairs"]), expected);
  EXPECT_THAT(Output({"intersect", path_a, path_b, "--pose", RowOf(pose)}),
              AllOf(StartsWith("A (a.ply) and B (b.stl) meet: "),
                    HasSubstr("pairs of triangles")));

  const Json apart =
      JsonOf({"intersect", path_a, path_b, "--pose=-1,0,0,9,0,1,0,0,0,0,1,0"});
  EXPECT_FALSE(apart["intersects"].boolean());
  EXPECT_EQ(apart["pairs"].size(), 0U);
  EXPECT_EQ(apart["relation"].text, "apart");
}

TEST_F(CommandAnswersTest, IntersectShowsContacts) {
  const Mesh a = meshes::Torus(24, 12);
  const Mesh b = meshes::Icosphere(2, {1, 0, 0}, 0.5);
  const std::string path_a = File("a.ply", a), path_b = File("b.ply", b);
  const auto pairs = brute_force::Overlapping(a, b);
  const Words command = {"intersect", path_a, path_b, "--contacts"};
  const Json json = JsonOf(command);
  EXPECT_THAT(json.Keys(), ElementsAre("schema_version", "intersects", "pairs",
                                       "relation", "contacts"));
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

TEST_F(CommandAnswersTest, IntersectTellsWhatIsInside) {
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

TEST_F(CommandAnswersTest, HausdorffEnclosesTheDistance) {
  const std::string a = File("a.ply", meshes::Cube({-1, -1, -1}, 2));
  const std::string b = File("b.ply", meshes::Cube({-2, -2, -2}, 4));
  const Words command = {"hausdorff", a, b, "--tolerance", "0"};
  const Json json = JsonOf(command);
  EXPECT_THAT(json.Keys(), ElementsAre("schema_version", "lower", "upper",
                                       "a_to_b", "b_to_a"));
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

TEST_F(CommandAnswersTest, ClearanceFindsTheGapAndWhatIsWithin) {
  const Mesh a = meshes::Torus(24, 12);
  const Mesh b = meshes::Icosphere(2, {0, 0, 0}, 0.5);
  const std::string path_a = File("a.ply", a), path_b = File("b.ply", b);
  const Pose pose = Pose::Rotation({1, 0, 0}, 0.2, {0.1, 0, 0});
  const auto nearest = brute_force::Closest(meshes::Moved(a, pose), b);
  ASSERT_GT(nearest.distance, 0);
  const double within = 2 * nearest.distance;
  const auto pairs = brute_force::Within(meshes::Moved(a, pose), b, within);

  const Words command = {"clearance", path_a, path_b, "--pose", RowOf(pose)};
  EXPECT_THAT(JsonOf(command).Keys(),
              ElementsAre("schema_version", "intersects", "distance", "witness",
                          "relation"));
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
  for (size_t i = 0; i < pairs.size(); ++i) {
    const Json& pair = json["pairs_within"][i];
    EXPECT_THAT(pair.Keys(), ElementsAre("a", "b", "distance"));
    EXPECT_EQ(pair["a"].number(), pairs[i].triangles.a);
    EXPECT_EQ(pair["b"].number(), pairs[i].triangles.b);
    EXPECT_DOUBLE_EQ(pair["distance"].number(), pairs[i].distance);
  }
  EXPECT_THAT(Output(with_tolerance),
              AllOf(HasSubstr("do not meet"), HasSubstr("smallest distance"),
                    HasSubstr(cli::Counted(pairs.size(), "pair"))));
  with_tolerance.insert(with_tolerance.end(), {"--format", "csv"});
  EXPECT_THAT(Output(with_tolerance), StartsWith("a,b,distance\n"));

  const Json meeting = JsonOf({"clearance", path_a, path_a});
  EXPECT_TRUE(meeting["intersects"].boolean());
  EXPECT_EQ(meeting["distance"].text, "0");
}

TEST_F(CommandAnswersTest, APoseFileMakesAListOfResults) {
  const std::string a = File("a.ply", meshes::Cube());
  const std::string b = File("b.ply", meshes::Cube({3, 0, 0}));
  const std::string poses =
      "r11,r12,r13,tx,r21,r22,r23,ty,r31,r32,r33,tz\n"
      "1,0,0,0, 0,1,0,0, 0,0,1,0\n"
      "1,0,0,2, 0,1,0,0, 0,0,1,0  # touching\n"
      "-1,0,0,-1, 0,-1,0,0, 0,0,1,0\n";
  const std::string file = "@" + folder_.Write("poses.csv", poses);
  const Json hits = JsonOf({"intersect", a, b, "--pose", file});
  EXPECT_THAT(hits.Keys(), ElementsAre("schema_version", "results"));
  ASSERT_EQ(hits["results"].size(), 3U);
  EXPECT_THAT(hits["results"][0].Keys(),
              ElementsAre("intersects", "pairs", "relation"));
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

TEST_F(CommandAnswersTest, MeshesComeFromStandardInput) {
  const Mesh mesh = meshes::Cube();
  for (const MeshFormat format : {MeshFormat::kObj, MeshFormat::kPly,
                                  MeshFormat::kStl, MeshFormat::kOff}) {
    const ProcessOptions options{.input = *EncodeMesh(mesh, format)};
    EXPECT_EQ(JsonOf({"info", "-"}, options)["triangles"].number(), 12);
  }
  const ProcessOptions options{.input = *EncodeMesh(mesh, MeshFormat::kOff)};
  const Json json = JsonOf({"intersect", "-", File("b.ply", mesh)}, options);
  EXPECT_TRUE(json["intersects"].boolean());
}

TEST_F(CommandAnswersTest, SelfIntersectListsThePairs) {
  const Mesh surface = meshes::Torus(20, 10);
  const Mesh ball = meshes::Icosphere(2, {0.9, 0.1, 0.2}, 0.4);
  auto expected = brute_force::Overlapping(surface, ball);
  for (TrianglePair& pair : expected) {
    pair.b += static_cast<uint32_t>(surface.triangle_count());
  }
  const std::string path = File("m.stl", meshes::Joined(surface, ball));
  const Json json = JsonOf({"self-intersect", path});
  EXPECT_THAT(json.Keys(),
              ElementsAre("schema_version", "self_intersects", "pairs"));
  EXPECT_TRUE(json["self_intersects"].boolean());
  EXPECT_EQ(PairsOf(json["pairs"]), expected);
  EXPECT_THAT(Output({"self-intersect", path}),
              StartsWith(Cat("meets itself: ", expected.size(), " pairs")));
  EXPECT_THAT(Output({"self-intersect", path, "--format", "csv"}),
              StartsWith(Cat("a,b\n", expected[0].a, ",", expected[0].b)));
  EXPECT_EQ(Run({"self-intersect", path, "--exit-code"}).exit_code, 1);

  const std::string clean = File("clean.ply", surface);
  const Json none = JsonOf({"self-intersect", clean, "--by-index"});
  EXPECT_FALSE(none["self_intersects"].boolean());
  EXPECT_EQ(none["pairs"].size(), 0U);
  EXPECT_EQ(Output({"self-intersect", clean}), "does not meet itself\n");
  EXPECT_EQ(Run({"self-intersect", clean, "--exit-code"}).exit_code, 0);
}

TEST_F(CommandAnswersTest, AnswersDependOnNeitherVolumesNorThreads) {
  const std::string a = File("a.ply", meshes::Torus(40, 20));
  const std::string b = File("b.ply", meshes::Icosphere(3, {1, 0, 0}, 0.4));
  std::string points, balls, poses;
  meshes::Random random(7);
  for (int i = 0; i < 600; ++i) {
    const Vec3 p = random.Point(-2, 2);
    points += Cat(p.x, ",", p.y, ",", p.z, "\n");
    balls += Cat(p.x, ",", p.y, ",", p.z, ",", 0.25, "\n");
    if (i % 50 == 0) {
      poses += RowOf(Pose::Rotation(random.Direction(), i, p)) + "\n";
    }
  }
  const std::string soup = File("soup.ply", meshes::Soup(300, 0.2));
  points = folder_.Write("points.csv", points);
  balls = folder_.Write("balls.csv", balls);
  poses = "@" + folder_.Write("poses.csv", poses);
  const std::vector<Words> commands = {
      {"range", a, "--spheres", balls},
      {"nearest", a, "--points", points},
      {"nearest", a, "--points", points, "--k", "7"},
      {"intersect", a, b, "--pose", poses},
      {"clearance", a, b, "--pose", poses, "--within", "0.05"},
      {"hausdorff", a, b, "--field", "--tolerance", "0.01"},
      {"self-intersect", soup},
  };
  for (Words command : commands) {
    SCOPED_TRACE(command[0]);
    command.insert(command.end(), {"--format", "json"});
    const std::string expected = Output(command);
    for (const std::string volumes : kVolumes) {
      for (const std::string threads : {"1", "3"}) {
        Words variant = command;
        variant.insert(variant.end(),
                       {"--volumes", volumes, "--threads", threads, "--storage",
                        threads == "1" ? "wide" : "compact"});
        EXPECT_EQ(Output(variant), expected) << volumes << " " << threads;
      }
    }
  }
}

void ExpectCounts(const Json& counts) {
  EXPECT_EQ(counts["accepted"].number() + counts["rejected"].number(),
            counts["volume_tests"].number());
  EXPECT_LE(counts["test_false_positives"].number(),
            counts["accepted"].number());
  EXPECT_LE(counts["subtree_false_positives"].number(),
            counts["accepted"].number());
}

void ExpectStatistics(const Json& statistics) {
  EXPECT_THAT(
      statistics.Keys(),
      ElementsAre("nodes_visited", "volume_tests", "accepted", "rejected",
                  "test_false_positives", "subtree_false_positives", "by_kind",
                  "by_pair", "by_depth", "leaf_box_tests", "leaves_visited",
                  "triangle_tests", "settled_by"));
  EXPECT_THAT(statistics["by_kind"].Keys(),
              ElementsAre("sphere", "aabb", "obb"));
  EXPECT_THAT(statistics["settled_by"].Keys(),
              ElementsAre("float", "double", "exact"));
  ExpectCounts(statistics);
  for (const std::string key :
       {"nodes_visited", "volume_tests", "accepted", "rejected",
        "test_false_positives", "subtree_false_positives"}) {
    double by_kind = 0, by_depth = 0;
    for (const auto& [kind, counts] : statistics["by_kind"].fields) {
      ExpectCounts(counts);
      by_kind += counts[key].number();
    }
    for (const Json& counts : statistics["by_depth"].items) {
      by_depth += counts[key].number();
    }
    EXPECT_EQ(by_kind, statistics[key].number()) << key;
    EXPECT_EQ(by_depth, statistics[key].number()) << key;
  }
  for (const Json& pair : statistics["by_pair"].items) {
    EXPECT_THAT(pair.Keys(), ElementsAre("a", "b", "tests", "accepted",
                                         "rejected", "test_false_positives"));
    EXPECT_GT(pair["tests"].number(), 0);
    EXPECT_EQ(pair["accepted"].number() + pair["rejected"].number(),
              pair["tests"].number());
  }
  const Json& settled = statistics["settled_by"];
  EXPECT_EQ(settled["float"].number() + settled["double"].number() +
                settled["exact"].number(),
            statistics["triangle_tests"].number());
  EXPECT_GT(statistics["nodes_visited"].number(), 0);
  EXPECT_GT(statistics["triangle_tests"].number(), 0);
}

TEST_F(CommandAnswersTest, StatisticsAddUpAndComeOnlyWhenAskedFor) {
  const std::string a = File("a.ply", meshes::Torus(40, 20));
  const std::string b = File("b.ply", meshes::Icosphere(3, {1, 0, 0}, 0.4));
  const std::vector<Words> commands = {
      {"range", a, "--sphere", "1,0,0,0.3"},
      {"nearest", a, "--point", "1,0,2", "--point", "0,0,0"},
      {"intersect", a, b},
      {"clearance", a, b, "--within", "0.1"},
      {"hausdorff", a, b},
      {"self-intersect", a},
  };
  for (Words command : commands) {
    SCOPED_TRACE(command[0]);
    EXPECT_FALSE(JsonOf(command).Has("statistics"));
    EXPECT_THAT(Output(command), ::testing::Not(HasSubstr("volume tests")));
    command.push_back("--stats");
    ExpectStatistics(JsonOf(command)["statistics"]);
    EXPECT_THAT(Output(command), HasSubstr("volume tests"));
    // CSV has no room for them.
    command.insert(command.end(), {"--format", "csv"});
    const ProcessResult csv = Run(command);
    EXPECT_EQ(csv.exit_code, 0);
    EXPECT_THAT(csv.out, ::testing::Not(HasSubstr("volume tests")));
    EXPECT_THAT(csv.err, HasSubstr("volume tests"));
  }
}

TEST_F(CommandAnswersTest, StatisticsOfTwoMeshesTellWhichKindsMet) {
  const std::string a = File("a.ply", meshes::Torus(40, 20));
  const std::string b = File("b.ply", meshes::Icosphere(3, {1, 0, 0}, 0.4));
  const auto pairs_of = [&](Words command) {
    command.insert(command.end(), {"--stats", "--volumes", "sphere"});
    return JsonOf(command)["statistics"];
  };
  for (const Words& command :
       {Words{"intersect", a, b}, Words{"self-intersect", a}}) {
    SCOPED_TRACE(command[0]);
    const Json statistics = pairs_of(command);
    double tests = 0, of_spheres = 0;
    for (const Json& pair : statistics["by_pair"].items) {
      tests += pair["tests"].number();
      if (pair["a"].text == "sphere" && pair["b"].text == "sphere") {
        of_spheres += pair["tests"].number();
      }
    }
    EXPECT_EQ(tests, statistics["volume_tests"].number());
    // All but what is tested against the box of a whole mesh.
    EXPECT_GT(of_spheres, 0.9 * tests);
  }
  EXPECT_EQ(pairs_of({"range", a, "--sphere", "1,0,0,0.3"})["by_pair"].size(),
            0U);
  EXPECT_THAT(Output({"intersect", a, b, "--stats", "--volumes", "sphere"}),
              HasSubstr("sphere        sphere"));
}

TEST_F(CommandAnswersTest, EachPoseHasItsStatistics) {
  const std::string a = File("a.ply", meshes::Torus(20, 10));
  const std::string poses = folder_.Write(
      "p.csv", "1,0,0,0,0,1,0,0,0,0,1,0\n1,0,0,0.5,0,1,0,0,0,0,1,0\n");
  const Json json =
      JsonOf({"intersect", a, a, "--pose", "@" + poses, "--stats"});
  ExpectStatistics(json["statistics"]);
  double tests = 0;
  for (const Json& result : json["results"].items) {
    ExpectStatistics(result["statistics"]);
    tests += result["statistics"]["volume_tests"].number();
  }
  EXPECT_EQ(json["statistics"]["volume_tests"].number(), tests);
}

TEST_F(CommandAnswersTest, GenMakesTheSameMeshEveryTime) {
  const std::string one = folder_.Path("one.ply"),
                    two = folder_.Path("two.ply");
  const Words command = {"gen", "--shape", "torus_knot", "--triangles", "500"};
  Words first = command, second = command;
  first.insert(first.end(), {"-o", one});
  second.insert(second.end(), {"-o", two});
  const Json made = JsonOf(first);
  Output(second);
  EXPECT_EQ(ScratchDirectory::Read(one), ScratchDirectory::Read(two));
  const Json info = JsonOf({"info", one});
  EXPECT_EQ(made["triangles"].text, info["triangles"].text);
  EXPECT_NEAR(info["triangles"].number(), 500, 100);
  EXPECT_TRUE(info["closed"].boolean());

  // On standard output the mesh stands alone.
  Words to_stdout = command;
  to_stdout.insert(to_stdout.end(), {"-o", "-"});
  const std::string off = Output(to_stdout);
  EXPECT_THAT(off, StartsWith("OFF"));
  EXPECT_EQ(JsonOf({"info", "-"}, {.input = off})["bounds"]["hi"][0].text,
            info["bounds"]["hi"][0].text);
}

TEST_F(CommandAnswersTest, ResultsGoToAFile) {
  const std::string mesh = File("m.ply", meshes::Cube());
  const std::string out = folder_.Path("out.json");
  const std::string expected = Output({"info", mesh, "--format", "json"});
  EXPECT_EQ(Output({"info", mesh, "--format", "json", "-o", out}), "");
  EXPECT_EQ(ScratchDirectory::Read(out), expected);
  EXPECT_EQ(Output({"info", mesh, "--format", "json", "-o", "-"}), expected);
}

TEST_F(CommandAnswersTest, HelpAndVersionGoToStandardOutput) {
  EXPECT_EQ(Output({"--version"}), "orbox " ORBOX_VERSION "\n");
  EXPECT_THAT(Output({"--help"}), HasSubstr("usage: orbox COMMAND"));
  EXPECT_EQ(Output({"-h"}), Output({"--help"}));
  for (const std::string command :
       {"info", "range", "nearest", "intersect", "clearance", "hausdorff",
        "self-intersect", "build", "gen"}) {
    EXPECT_THAT(Output({"--help"}), HasSubstr("\n  " + command + " "));
    EXPECT_THAT(Output({command, "--help"}),
                AllOf(HasSubstr("usage: orbox " + command),
                      HasSubstr("examples:"), HasSubstr("--volumes")));
  }
  EXPECT_THAT(Output({"gen", "--help"}), HasSubstr("torus_knot"));
}

}  // namespace
}  // namespace orbox
