// SPDX-License-Identifier: Apache-2.0

// orbox range, nearest and ray with --pose: the bytes that they print of a file
// with the moved mesh.

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/overlap/shapes/pose.h"
#include "tests/support/command_json.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tests/support/poses.h"
#include "tools/orbox/base/text.h"

namespace orbox {
namespace {

using cli::Cat;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kTurn[] = "0,-1,0,0.5,1,0,0,0.25,0,0,1,0.125";
constexpr char kFlat[] = "1,0,0,0,0,1,0,0,0,0,0,0";

class MeshPoseCommandTest : public OrboxCommandTest {
 protected:
  // Queries of each command about a mesh within `reach` of `center`.
  std::vector<Words> QueriesAbout(const Vec3& center, double reach) {
    meshes::Random random(3);
    std::string points, balls, boxes, rays;
    for (int i = 0; i < 40; ++i) {
      const Vec3 p = center + random.Point(-1, 1) * reach;
      const Vec3 to = center + random.Point(-0.5, 0.5) * reach;
      points += Row(p) + "\n";
      balls += Cat(Row(p), ",", random.Uniform(0, 1) * reach, "\n");
      boxes += Cat(Row(Min(p, to)), ",", Row(Max(p, to)), "\n");
      rays += Cat(Row(p), ",", Row(to - p), "\n");
    }
    const std::string plane = folder_.Write(
        "plane.csv", Cat("1,0.5,-1,", Dot({1, 0.5, -1}, center), "\n"));
    points = folder_.Write("points.csv", points);
    rays = folder_.Write("rays.csv", rays);
    return {
        {"range", "--spheres", folder_.Write("balls.csv", balls)},
        {"range", "--boxes", folder_.Write("boxes.csv", boxes)},
        {"range", "--half-spaces", plane},
        {"nearest", "--points", points},
        {"nearest", "--points", points, "--bounds"},
        {"nearest", "--points", points, "--k", "4"},
        {"nearest", "--points", points, "--max-distance", Cat(0.25 * reach)},
        {"nearest", "--points", points, "--signed"},
        {"nearest", "--points", points, "--signed", "--inside", "parity"},
        {"ray", "--rays", rays},
        {"ray", "--rays", rays, "--all"},
        {"ray", "--rays", rays, "--any", "--max-t", "0.75"}};
  }

  static std::string Row(const Vec3& p) { return Cat(p.x, ",", p.y, ",", p.z); }

  // JSON without its inputs and the pose, or other text.
  static std::string Compared(const std::string& text) {
    std::string results = WithoutInputs(text);
    const size_t begin = results.find(",\"pose\":[");
    if (begin == std::string::npos) return results;
    return results.erase(begin, results.find(']', begin) + 1 - begin);
  }

  std::string OutputOf(Words words, const std::string& path,
                       const Words& more) const {
    words.insert(words.begin() + 1, path);
    words.insert(words.end(), more.begin(), more.end());
    const ProcessResult result = Run(words);  // may have a note on the pose
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_FALSE(result.out.empty());
    return Compared(result.out);
  }
};

TEST_F(MeshPoseCommandTest, ResultsAreThoseOfTheMovedMesh) {
  const Mesh mesh = meshes::Joined(meshes::Torus(16, 10), meshes::Cube());
  const std::string path = File("mesh.ply", mesh);
  for (const Pose& pose : poses::OfEveryKind()) {
    const Mesh moved = meshes::Moved(mesh, pose);
    const std::string moved_path = File("moved.ply", moved);
    const double reach = Norm(moved.bounds().hi - moved.bounds().lo);
    for (const Words& query : QueriesAbout(moved.bounds().Center(), reach)) {
      EXPECT_EQ(
          OutputOf(query, path, {"--pose", RowOf(pose), "--format", "json"}),
          OutputOf(query, moved_path, {"--format", "json"}))
          << query[0] << " " << query.back() << " at " << RowOf(pose);
    }
  }
}

// Within the error that the help states; they depend on the tree.
TEST_F(MeshPoseCommandTest, WindingNumbersAreThoseOfTheMovedMesh) {
  const Mesh mesh = meshes::Grid(6);  // open
  const std::string path = File("mesh.ply", mesh);
  const Pose pose = Pose::Rotation({0, 0.6, 0.8}, 1, {1, 2, 3});
  const std::string moved = File("moved.ply", meshes::Moved(mesh, pose));
  const std::string point = Row(pose.Apply(Vec3{0.5, 0.5, -0.01}));
  const auto winding = [&](Words words) {
    words.insert(words.end(), {"--point", point, "--winding"});
    return JsonOf(words)["results"][0][0]["winding_number"].number();
  };
  const double found = winding({"nearest", path, "--pose", RowOf(pose)});
  EXPECT_NEAR(found, winding({"nearest", moved}), 2e-3);
  EXPECT_GT(std::abs(found), 0.4);
}

TEST_F(MeshPoseCommandTest, DegeneratePosesNeedAFlag) {
  const Mesh mesh = meshes::Torus(16, 10);
  const std::string path = File("mesh.ply", mesh);
  Pose pose;
  pose.rows[2] = {};
  const std::string moved = File("moved.ply", meshes::Moved(mesh, pose));
  for (const Words& query : QueriesAbout({0, 0, 0}, 2)) {
    EXPECT_EQ(OutputOf(query, path, {"--pose", kFlat, "--flatten"}),
              OutputOf(query, moved, {}));
    Words words = query;
    words.insert(words.begin() + 1, path);
    words.insert(words.end(), {"--pose", kFlat});
    EXPECT_THAT(ErrorOf(words, kUsage),
                AllOf(HasSubstr("--pose: the pose is singular: it flattens the "
                                "mesh"),
                      HasSubstr("--flatten")));
  }
}

TEST_F(MeshPoseCommandTest, PosesAreTypedOrInAFile) {
  const std::string path = File("mesh.ply", meshes::Cube());
  const Words query = {"nearest", path, "--point", "0.5,0.5,0.5"};
  const auto with = [&](const std::string& pose) {
    Words words = query;
    words.insert(words.end(), {"--pose", pose});
    return words;
  };
  const std::string turned = Compared(Output(with(kTurn)));
  EXPECT_NE(turned, Output(query));
  const std::string file = "@" + folder_.Write("pose.csv", Cat(kTurn, "\n"));
  EXPECT_EQ(Output(with(file)), turned);
  EXPECT_EQ(Output(with("@-"), {.input = Cat(kTurn, "\n")}), turned);
  EXPECT_THAT(JsonOf(with(kTurn)).Keys(),
              ElementsAre("schema_version", "command", "version", "inputs",
                          "pose", "results"));
  EXPECT_EQ(JsonOf(with(file))["pose"][3].number(), 0.5);
  EXPECT_THAT(JsonOf(query).Keys(), Not(::testing::Contains("pose")));
  EXPECT_THAT(Run(with("2,0,0,0,0,2,0,0,0,0,2,0")).err,
              HasSubstr("note: the pose is not rigid: it scales by 2"));
}

TEST_F(MeshPoseCommandTest, PosesThatCannotBeUsed) {
  const std::string path = File("mesh.ply", meshes::Cube());
  const std::string two =
      "@" + folder_.Write("two.csv", Cat(kTurn, "\n", kTurn, "\n"));
  const std::string chunks = folder_.Path("mesh.orboxd");
  Output({"build", path, "-o", chunks, "--chunk", "100", "--memory", "64M"});
  for (const Words& query : {Words{"nearest", "--point", "0,0,1"},
                             Words{"ray", "--ray", "3,0,0,1,0,0"},
                             Words{"range", "--sphere", "0,0,0,1"}}) {
    const auto error = [&](const std::string& mesh, const Words& more,
                           int exit_code) {
      Words words = query;
      words.insert(words.begin() + 1, mesh);
      words.insert(words.end(), more.begin(), more.end());
      return ErrorOf(words, exit_code);
    };
    EXPECT_THAT(error(path, {"--pose", two}, kBadInput),
                AllOf(HasSubstr("two.csv:2"), HasSubstr("second of 2 poses"),
                      HasSubstr("the mesh has one")));
    EXPECT_THAT(error(chunks, {"--pose", kTurn}, kUsage),
                HasSubstr("--pose does not support chunked trees"));
    EXPECT_THAT(error(path, {"--pose", "1,0,0"}, kUsage), HasSubstr("--pose"));
    EXPECT_THAT(error(path, {"--flatten"}, kUsage), HasSubstr("--pose"));
    EXPECT_THAT(error(path, {"--pose", "1,0,0,2e60,0,1,0,0,0,0,1,0"}, kUsage),
                AllOf(HasSubstr("--pose"), HasSubstr("scale")));
    EXPECT_THAT(error("-", {"--pose", "@-"}, kUsage),
                HasSubstr("standard input"));
  }
}

}  // namespace
}  // namespace orbox
