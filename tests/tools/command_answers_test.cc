// SPDX-License-Identifier: Apache-2.0

// Results of the orbox command for one mesh, read from its JSON and compared
// with tests of every triangle; and behaviour that all commands share.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"
#include "tests/support/brute_force.h"
#include "tests/support/command_json.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tools/orbox/base/text.h"

namespace orbox {
namespace {

using cli::Cat;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class CommandAnswersTest : public OrboxCommandTest {};

TEST_F(CommandAnswersTest, InfoTellsWhatIsInTheMesh) {
  const Mesh mesh = meshes::DegenerateMix(50);
  const std::string path = File("m.ply", mesh);
  const Json info = JsonOf({"info", path});
  EXPECT_THAT(
      info.Keys(),
      ElementsAre("schema_version", "command", "version", "inputs", "format",
                  "bytes", "vertices", "triangles", "degenerate", "closed",
                  "bounds", "size", "solid", "parts", "faces_agree", "advice"));
  EXPECT_EQ(info["format"].text, "PLY");
  EXPECT_EQ(info["bytes"].number(), ScratchDirectory::Read(path).size());
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
  EXPECT_THAT(json.Keys(), ElementsAre("schema_version", "command", "version",
                                       "inputs", "results"));
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

constexpr const char* kVolumes[] = {"mixed", "sphere", "aabb", "obb"};

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

  // Standard output has only the mesh.
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
  EXPECT_THAT(
      Output({"--version"}),
      ::testing::MatchesRegex("orbox " ORBOX_VERSION "( \\([0-9a-f]+\\))?\n"));
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
