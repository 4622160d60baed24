// SPDX-License-Identifier: Apache-2.0

// orbox ray, compared with the library and with the contract of its output.

#include <cmath>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tests/support/trees.h"
#include "tools/orbox/base/text.h"

namespace orbox {
namespace {

using cli::Cat;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class RayCommandTest : public OrboxCommandTest {
 protected:
  static std::string RowOf(const Ray& r) {
    return Cat(r.origin.x, ",", r.origin.y, ",", r.origin.z, ",", r.direction.x,
               ",", r.direction.y, ",", r.direction.z);
  }

  static void ExpectHit(const Json& json, const RayHit& hit) {
    EXPECT_THAT(json.Keys(), ElementsAre("triangle", "t", "point"));
    EXPECT_EQ(json["triangle"].number(), hit.triangle);
    EXPECT_EQ(json["t"].number(), hit.t);
    for (size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(json["point"][k].number(), hit.point[k]);
    }
  }
};

TEST_F(RayCommandTest, FirstAnyAndAllHits) {
  const Mesh mesh = meshes::Torus(40, 20);
  const std::string path = File("m.ply", mesh);
  const Tree tree = trees::Make(mesh);
  meshes::Random random(1);
  std::vector<Ray> rays;
  std::string rows = "ox,oy,oz,dx,dy,dz\n";
  for (int i = 0; i < 300; ++i) {
    const Vec3 o = random.Point(-2, 2);
    rays.push_back({o, random.Point(-1, 1) - o});
    rows += RowOf(rays.back()) + "\n";
  }
  const std::string file = folder_.Write("rays.csv", rows);
  for (const std::string volumes : {"mixed", "sphere", "aabb", "obb"}) {
    const Words command = {"ray",       path,        "--rays", file,
                           "--max-t=2", "--volumes", volumes};
    const auto with = [&command](const std::string& flag) {
      Words words = command;
      words.push_back(flag);
      return words;
    };
    const Json first = JsonOf(command);
    const Json any = JsonOf(with("--any"));
    const Json all = JsonOf(with("--all"));
    EXPECT_THAT(first.Keys(), ElementsAre("schema_version", "command",
                                          "version", "inputs", "results"));
    ASSERT_EQ(first["results"].size(), rays.size());
    ASSERT_EQ(any["results"].size(), rays.size());
    ASSERT_EQ(all["results"].size(), rays.size());
    size_t count = 0;
    for (size_t i = 0; i < rays.size(); ++i) {
      Ray ray = rays[i];
      ray.max_t = 2;
      const std::vector<RayHit> expected = AllHits(tree, ray);
      EXPECT_EQ(any["results"][i].boolean(), !expected.empty());
      ASSERT_EQ(all["results"][i].size(), expected.size());
      for (size_t j = 0; j < expected.size(); ++j) {
        ExpectHit(all["results"][i][j], expected[j]);
      }
      if (expected.empty()) {
        EXPECT_EQ(first["results"][i].text, "null");
      } else {
        ExpectHit(first["results"][i], expected[0]);
        ++count;
      }
    }
    EXPECT_GT(count, 50u);
    EXPECT_LT(count, rays.size());
  }
}

TEST_F(RayCommandTest, TextAndCsv) {
  const std::string path = File("cube.ply", meshes::Cube());
  const Words command = {
      "ray", path, "--ray", "0.75,0.25,3,0,0,-1", "--ray", "-1,0.5,3,0,0,-1"};
  EXPECT_EQ(Output(command),
            "query 0: triangle 2 at t = 2, at (0.75, 0.25, 1)\n"
            "query 1: no hit\n");
  Words words = command;
  words.push_back("--any");
  EXPECT_EQ(Output(words), "query 0: a hit\nquery 1: no hit\n");
  words.insert(words.end(), {"--format", "csv"});
  EXPECT_EQ(Output(words), "query,hit\n0,true\n1,false\n");
  words = command;
  words.insert(words.end(), {"--format", "csv", "--all"});
  EXPECT_THAT(Output(words),
              StartsWith("query,triangle,t,x,y,z\n0,2,2,0.75,0.25,1\n0,"));
  words = command;
  words.insert(words.end(), {"--max-t", "1.5"});
  EXPECT_EQ(Output(words), "query 0: no hit\nquery 1: no hit\n");
  words = command;
  words.push_back("--stats");
  const Json json = JsonOf(words);
  EXPECT_GE(json["statistics"]["triangle_tests"].number(), 2);
}

TEST_F(RayCommandTest, LimitsOfRays) {
  const std::string cube = File("cube.ply", meshes::Cube());
  const Tree tree = trees::Make(meshes::Cube());
  const Ray ray{{0.75, 0.25, 1}, {0, 0, -1}};
  const uint32_t own = ClosestHit(tree, ray)->triangle;
  const uint32_t other =
      ClosestHit(tree, {ray.origin, ray.direction, 0.5})->triangle;
  ASSERT_NE(own, other);
  const auto expected = [](uint32_t triangle, double t) {
    return Cat("query 0: triangle ", triangle, " at t = ", t, ", at (0.75, ",
               "0.25, ", 1 - t, ")\n");
  };
  const Words words = {"ray", cube, "--ray", RowOf(ray)};
  const auto with = [&words](const Words& more) {
    Words all = words;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  EXPECT_EQ(Output(words), expected(own, 0));
  EXPECT_EQ(Output(with({"--min-t", "0"})), expected(own, 0));
  EXPECT_EQ(Output(with({"--min-t", "1"})), expected(other, 1));
  EXPECT_EQ(Output(with({"--min-t", "1.5"})), "query 0: no hit\n");
  EXPECT_EQ(Output(with({"--skip", Cat(own)})), expected(other, 1));
  EXPECT_EQ(Output(with({"--skip", Cat(other)})), expected(own, 0));
  const std::string rows = folder_.Write(
      "skips.csv", Cat(RowOf(ray), ",", own, "\n", RowOf(ray), ",-1\n"));
  EXPECT_EQ(Output({"ray", cube, "--rays", rows, "--skip", "rows", "--format",
                    "csv"}),
            Cat("query,triangle,t,x,y,z\n0,", other, ",1,0.75,0.25,0\n1,", own,
                ",0,0.75,0.25,1\n"));
  EXPECT_THAT(ErrorOf({"ray", cube, "--rays",
                       folder_.Write("half.csv", RowOf(ray) + ",0.5\n"),
                       "--skip", "rows"},
                      kBadInput),
              HasSubstr("half.csv:1: the triangle to skip is no whole number"));
  ErrorOf(with({"--skip", "rows"}), kUsage);
  ErrorOf(with({"--skip", "-1"}), kUsage);
  ErrorOf(with({"--min-t", "-1"}), kUsage);
}

TEST_F(RayCommandTest, CrossingsAndNormals) {
  const std::string cube = File("cube.ply", meshes::Cube());
  const Words diagonal = {"ray", cube, "--ray=-1,-1,-1,1,1,1"};
  const auto with = [&diagonal](const Words& more) {
    Words all = diagonal;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const Json json = JsonOf(with({"--crossings"}))["results"][0];
  ASSERT_EQ(json.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_THAT(json[i].Keys(), ElementsAre("kind", "t", "triangle", "hits",
                                            "winding", "point"));
    EXPECT_EQ(json[i]["kind"].text, i == 0 ? "entering" : "leaving");
    EXPECT_EQ(json[i]["t"].number(), i + 1);
    EXPECT_EQ(json[i]["winding"].number(), i == 0 ? 1 : -1);
    EXPECT_GE(json[i]["hits"].number(), 3);
  }
  EXPECT_EQ(Output({"ray", cube, "--ray=-1,0,0.5,1,1,0", "--crossings"})
                .substr(0, 29),
            "query 0: grazing at t = 1, tr");
  const Json hit = JsonOf(with({"--normals"}))["results"][0];
  EXPECT_THAT(hit.Keys(), ElementsAre("triangle", "t", "point", "barycentric",
                                      "normal", "feature_normal"));
  for (size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(hit["feature_normal"][k].number(), -std::sqrt(1.0 / 3), 1e-15);
  }
  ErrorOf(with({"--crossings", "--all"}), kUsage);
  ErrorOf(with({"--crossings", "--normals"}), kUsage);
  ErrorOf(with({"--any", "--normals"}), kUsage);
}

TEST_F(RayCommandTest, WrongInputIsExplained) {
  const std::string cube = File("cube.ply", meshes::Cube());
  const std::string good = "0,0,3,0,0,-1";
  const std::vector<Words> commands = {
      {"ray", cube},
      {"ray", cube, "--ray", "0,0,0"},
      {"ray", cube, "--ray", "0,0,0,nan,0,1"},
      {"ray", cube, "--ray", good, "--rays", "q.csv"},
      {"ray", cube, "--ray", good, "--any", "--all"},
      {"ray", cube, "--ray", good, "--max-t", "-1"},
      {"ray", cube, "--ray", good, "--max-t", "far"},
      {"ray", "-", "--rays", "-"},
  };
  for (const Words& command : commands) {
    SCOPED_TRACE(::testing::PrintToString(command));
    ErrorOf(command, kUsage);
  }
  EXPECT_THAT(ErrorOf({"ray", cube, "--ray", "1,2,3,0,-0,0"}, kUsage),
              HasSubstr("direction"));
  EXPECT_THAT(ErrorOf({"ray", cube, "--rays",
                       folder_.Write("q.csv", good + "\n0,0,3,0,0,0\n")},
                      kBadInput),
              HasSubstr("q.csv:2: the direction of the ray is zero"));
}

}  // namespace
}  // namespace orbox
