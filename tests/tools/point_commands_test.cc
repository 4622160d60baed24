// SPDX-License-Identifier: Apache-2.0

// orbox range and nearest: convex sets, signed distances, winding numbers, and
// the same bytes from any number of threads.

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/query/inside/signed_distance.h"
#include "orbox/overlap/triangles/half_spaces.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tests/support/trees.h"
#include "tools/orbox/base/text.h"

namespace orbox {
namespace {

using cli::Cat;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string RowsOf(const std::vector<Vec3>& points) {
  std::string rows;
  for (const Vec3& p : points) rows += Cat(p.x, ",", p.y, ",", p.z, "\n");
  return rows;
}

std::vector<Vec3> PointsAbout(double reach, int count) {
  meshes::Random random(1);
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.push_back(random.Point(-reach, reach));
  return points;
}

class PointCommandsTest : public OrboxCommandTest {};

TEST_F(PointCommandsTest, RangeTakesConvexSets) {
  const Mesh mesh = meshes::Torus(40, 24);
  const std::string path = File("m.ply", mesh);
  const std::vector<HalfSpace> wedge = {{{1, 0.5, 0}, 0.3},
                                        {{-1, 0.5, 1}, 0.2}};
  const std::vector<HalfSpace> slab = {{{0, 0, 1}, 0.1}, {{0, 0, -1}, 0.05}};
  Words words = {"range", path};
  for (const auto& set : {wedge, slab}) {
    std::string rows = "nx,ny,nz,d\n";
    for (const HalfSpace& h : set) {
      rows += Cat(h.normal.x, ",", h.normal.y, ",", h.normal.z, ",", h.offset,
                  "\n");
    }
    words.insert(words.end(),
                 {"--half-spaces", folder_.Write(Cat(rows.size()), rows)});
  }
  const Json json = JsonOf(words);
  ASSERT_EQ(json["results"].size(), 2U);
  size_t query = 0;
  for (const auto& set : {wedge, slab}) {
    const auto expected = brute_force::InRange(mesh, HalfSpaces(set));
    const Json& found = json["results"][query++];
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(found[i].number(), expected[i]);
    }
    EXPECT_FALSE(expected.empty());
  }
  EXPECT_THAT(ErrorOf({"range", path}, kUsage), HasSubstr("--half-spaces"));
  EXPECT_THAT(ErrorOf({"range", path, "--half-spaces",
                       folder_.Write("bad.csv", "0,0,1\n")},
                      kBadInput),
              HasSubstr("bad.csv:1"));
}

TEST_F(PointCommandsTest, NearestTellsTheSide) {
  const Mesh torus = meshes::Torus(24, 12);
  const std::string path = File("torus.ply", torus);
  const std::vector<Vec3> points = PointsAbout(1.2, 300);
  const std::string file = folder_.Write("p.csv", RowsOf(points));
  const SignedDistanceField field =
      SignedDistanceField::Create(trees::Make(torus)).value();
  const Json is_signed =
      JsonOf({"nearest", path, "--points", file, "--signed"});
  const Json winding = JsonOf({"nearest", path, "--points", file, "--winding"});
  int inside = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const double distance = field.Distance(points[i]);
    const Json& found = is_signed["results"][i][0];
    EXPECT_THAT(found.Keys(), ElementsAre("triangle", "distance", "point",
                                          "signed_distance", "inside"));
    EXPECT_DOUBLE_EQ(found["distance"].number(), std::abs(distance));
    EXPECT_DOUBLE_EQ(found["signed_distance"].number(), distance);
    EXPECT_EQ(found["inside"].boolean(), distance < 0);
    const Json& wound = winding["results"][i][0];
    EXPECT_NEAR(wound["winding_number"].number(), distance < 0 ? 1 : 0, 2e-3);
    EXPECT_EQ(wound["inside"].boolean(), distance < 0);
    inside += distance < 0 ? 1 : 0;
  }
  EXPECT_GT(inside, 5);
  EXPECT_THAT(Output({"nearest", path, "--point", "1,0,0", "--signed"}),
              HasSubstr(", inside\n"));
  EXPECT_THAT(Output({"nearest", path, "--point", "0,0,0", "--winding"}),
              AllOf(HasSubstr("winding "), HasSubstr(", not inside\n")));
  EXPECT_THAT(Output({"nearest", path, "--point", "1,0,0", "--signed",
                      "--format", "csv"}),
              StartsWith("query,triangle,distance,x,y,z,signed_distance\n0,"));
}

TEST_F(PointCommandsTest, NormalsOfFeatures) {
  const std::string path = File("cube.ply", meshes::Cube());
  const Words words = {"nearest", path, "--point", "0.5,3,3", "--normals"};
  const Json found = JsonOf(words)["results"][0][0];
  EXPECT_THAT(found.Keys(),
              ElementsAre("triangle", "distance", "point", "barycentric",
                          "normal", "feature_normal"));
  double sum = 0;
  for (size_t k = 0; k < 3; ++k) {
    sum += found["barycentric"][k].number();
    EXPECT_NEAR(found["feature_normal"][k].number(),
                k == 0 ? 0 : std::sqrt(0.5), 1e-15);
  }
  EXPECT_DOUBLE_EQ(sum, 1);
  EXPECT_THAT(Output(words), HasSubstr(", of the feature (0, 0.707106781, "));
}

TEST_F(PointCommandsTest, OpenMeshesHaveWindingNumbersOnly) {
  const std::string path = File("grid.ply", meshes::Grid(4));
  EXPECT_THAT(
      ErrorOf({"nearest", path, "--point", "0,0,1", "--signed"}, kBadInput),
      AllOf(HasSubstr("grid.ply: the mesh is not closed"),
            HasSubstr("16 edges")));
  EXPECT_THAT(
      Output({"nearest", path, "--point", "0.5,0.5,-0.001", "--winding"}),
      HasSubstr("winding 0.4"));
  ErrorOf({"nearest", path, "--point", "0,0,1", "--winding", "--k", "2"},
          kUsage);
  ErrorOf({"nearest", path, "--point", "0,0,1", "--winding", "--signed"},
          kUsage);
}

TEST_F(PointCommandsTest, SidesOfOpenMeshes) {
  const std::string path = File("grid.ply", meshes::Grid(4, 0, 1));
  const Words points = {"nearest", path,     "--side",  "--point", "0.3,0.4,2",
                        "--point", "5,5,-1", "--point", "2,2,0"};
  EXPECT_EQ(Output(points),
            "query 0: triangle 11 at distance 2, at (0.3, 0.4, 0), above\n"
            "query 1: triangle 30 at distance 5.74456265, at (1, 1, 0), below\n"
            "query 2: triangle 30 at distance 1.41421356, at (1, 1, 0), on\n");
  Words csv = points;
  csv.insert(csv.end(), {"--format", "csv"});
  EXPECT_THAT(Output(csv),
              AllOf(StartsWith("query,triangle,distance,x,y,z,side\n0,11,2,"),
                    HasSubstr(",above\n1,"), HasSubstr(",below\n2,")));
  const Json json = JsonOf(points);
  EXPECT_EQ(json["results"][2][0]["side"].text, "on");
  ErrorOf({"nearest", path, "--point", "0,0,1", "--side", "--signed"}, kUsage);
  ErrorOf({"nearest", path, "--point", "0,0,1", "--side", "--k", "2"}, kUsage);
}

TEST_F(PointCommandsTest, ParityDecidesWhereFacesDisagree) {
  const Mesh cube = meshes::Cube({-1, -1, -1}, 2);
  std::vector<TriangleIndices> triangles(cube.triangles().begin(),
                                         cube.triangles().end());
  std::swap(triangles[3][0], triangles[3][1]);
  const std::string path =
      File("turned.ply",
           meshes::Make({cube.vertices().begin(), cube.vertices().end()},
                        triangles));
  const ProcessResult reported =
      Run({"nearest", path, "--point", "0.25,0,0", "--point", "3,0,0",
           "--signed", "--format", "csv"});
  EXPECT_EQ(reported.exit_code, 0);
  EXPECT_THAT(reported.out, AllOf(HasSubstr(",-0.75\n"), HasSubstr(",2\n")));
  EXPECT_THAT(reported.err,
              AllOf(HasSubstr("turned.ply do not agree"), HasSubstr("parity")));
  EXPECT_EQ(Run({"nearest", path, "--point", "0,0,0", "--signed", "--inside",
                 "parity"})
                .err,
            "");
}

TEST_F(PointCommandsTest, ThreadsChangeNoByte) {
  const std::string path = File("m.ply", meshes::Torus(24, 12));
  const std::string points =
      folder_.Write("p.csv", RowsOf(PointsAbout(1.5, 3000)));
  std::string balls;
  for (const Vec3& p : PointsAbout(1.5, 3000)) {
    balls += Cat(p.x, ",", p.y, ",", p.z, ",0.2\n");
  }
  const std::string spheres = folder_.Write("s.csv", balls);
  for (const Words& words :
       {Words{"nearest", path, "--points", points, "--stats"},
        Words{"nearest", path, "--points", points, "--k", "3", "--stats"},
        Words{"nearest", path, "--points", points, "--signed", "--stats"},
        Words{"nearest", path, "--points", points, "--winding"},
        Words{"range", path, "--spheres", spheres, "--stats"}}) {
    const auto with_threads = [&](const std::string& threads) {
      Words all = words;
      all.insert(all.end(), {"--format", "json", "--threads", threads});
      return Output(all);
    };
    const std::string one = with_threads("1");
    EXPECT_EQ(with_threads("2"), one);
    EXPECT_EQ(with_threads("7"), one);
  }
}

}  // namespace
}  // namespace orbox
