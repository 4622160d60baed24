// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/scene_bodies.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/io/write_bodies.h"
#include "orbox/bvh/io/write_mesh.h"
#include "tests/support/meshes.h"
#include "tests/support/scratch_directory.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(SceneFilesTest, FilesAreBesideTheScene) {
  const ScratchDirectory folder;
  const std::string path =
      folder.Write("s.json", "{\"bodies\": [{\"mesh\": \"a.ply\"}]}");
  const auto bodies = ReadSceneFile(path);
  ASSERT_TRUE(bodies.ok()) << bodies.status();
  EXPECT_EQ((*bodies)[0].path, folder.Path("a.ply"));
  EXPECT_EQ(ReadSceneFile(folder.Path("none.json")).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_THAT(
      std::string(
          ReadSceneFile(folder.Write("bad.json", "{")).status().message()),
      AllOf(StartsWith(folder.Path("bad.json") + ":1: "),
            HasSubstr("is no JSON")));
}

class SceneBodiesTest : public ::testing::Test {
 protected:
  // Two instances of a cube and one of a ball.
  void SetUp() override {
    const Mesh cube = meshes::Cube();
    const std::vector<NamedBody> bodies = {
        {"a//b", cube, Pose::Identity(), {{"type", "beam"}}},
        {"a/../c", cube, Pose::Translation({0.5, 0, 0}), {{"type", "beam"}}},
        {"ball", meshes::Icosphere(0), Pose::Translation({9, 0, 0}), {}}};
    ASSERT_TRUE(WriteBodiesFile(bodies, folder_.Path("h.glb")).ok());
    ASSERT_TRUE(WriteMeshFile(cube, folder_.Path("cube.ply")).ok());
  }

  absl::StatusOr<SceneBodies> LoadAt(const std::string& path) {
    const auto bodies = ReadSceneFile(path);
    if (!bodies.ok()) return bodies.status();
    return LoadSceneBodies(path, *bodies, settings_, progress_);
  }
  absl::StatusOr<SceneBodies> Load(const std::string& bodies) {
    return LoadAt(folder_.Write("s.json", Cat("{\"bodies\": [", bodies, "]}")));
  }
  static std::vector<std::string> NamesOf(const SceneBodies& scene) {
    std::vector<std::string> names;
    for (const SceneBody& body : scene.bodies) names.push_back(body.name);
    return names;
  }

  const ScratchDirectory folder_;
  const Settings settings_ = {};
  ProgressDisplay progress_;
};

TEST_F(SceneBodiesTest, AFileOfBodiesIsAScene) {
  for (const char* path : {"h.glb", "h.glb#*"}) {
    const auto scene = LoadAt(folder_.Path(path));
    ASSERT_TRUE(scene.ok()) << scene.status();
    EXPECT_THAT(NamesOf(*scene), ElementsAre("a//b", "a/../c", "ball"));
    EXPECT_EQ(scene->meshes, 2U);
    EXPECT_EQ(scene->trees[0].mesh().vertices().data(),
              scene->trees[1].mesh().vertices().data());
    EXPECT_EQ(scene->bodies[1].pose.translation.x, 0.5);
    EXPECT_EQ(scene->bodies[1].mesh, "h.glb#a/../c");
    EXPECT_EQ(scene->bodies[0].properties.at("type"), "beam");
  }
  const auto some = LoadAt(folder_.Path("h.glb#a*"));
  ASSERT_TRUE(some.ok());
  EXPECT_THAT(NamesOf(*some), ElementsAre("a//b", "a/../c"));
  const auto one = LoadAt(folder_.Path("h.glb#ball"));
  ASSERT_TRUE(one.ok());
  EXPECT_THAT(NamesOf(*one), ElementsAre("0"));
  const auto whole = LoadAt(folder_.Path("cube.ply"));
  ASSERT_TRUE(whole.ok());
  EXPECT_THAT(NamesOf(*whole), ElementsAre("cube"));
}

TEST_F(SceneBodiesTest, BodiesOfFilesAmongOthers) {
  const auto scene = Load(
      "{\"mesh\": \"cube.ply\"}, {\"mesh\": \"./h.glb#a//b\"},"
      "{\"name\": \"east\", \"mesh\": \"h.glb#*\","
      " \"pose\": [1,0,0,0, 0,1,0,7, 0,0,1,0],"
      " \"properties\": {\"type\": \"own\", \"file\": \"h\"}}");
  ASSERT_TRUE(scene.ok()) << scene.status();
  EXPECT_THAT(NamesOf(*scene),
              ElementsAre("0", "1", "east/a//b", "east/a/../c", "east/ball"));
  EXPECT_EQ(scene->meshes, 3U);
  EXPECT_EQ(scene->bodies[3].pose.translation, (Vec3{0.5, 7, 0}));
  EXPECT_EQ(scene->bodies[3].properties,
            (BodyProperties{{"type", "own"}, {"file", "h"}}));
  EXPECT_EQ(scene->bodies[1].properties.at("type"), "beam");

  // A motion moves them from where their file has them.
  Motion motion;
  motion.frames.push_back(
      {.number = 0,
       .steps = {{.body = 3, .pose = Pose::Translation({0, 1, 0})},
                 {.body = 0, .pose = Pose::Identity()}}});
  scene->Place(motion);
  EXPECT_EQ(motion.frames[0].steps[0].pose.translation, (Vec3{0.5, 1, 0}));
  EXPECT_EQ(motion.frames[0].steps[1].pose.translation, (Vec3{0, 0, 0}));
}

TEST_F(SceneBodiesTest, WhatIsWrongIsNamed) {
  const auto error = [](const absl::StatusOr<SceneBodies>& scene) {
    EXPECT_FALSE(scene.ok());
    return std::string(scene.status().message());
  };
  EXPECT_THAT(error(Load("{\"mesh\": \"h.glb#none*\"}")),
              AllOf(HasSubstr("s.json: bodies[0].mesh: "),
                    HasSubstr("h.glb: has no body 'none*'; give one of 3")));
  EXPECT_THAT(error(LoadAt(folder_.Path("h.glb#d*"))),
              StartsWith(folder_.Path("h.glb") + ": has no body "));
  EXPECT_THAT(error(Load("{\"mesh\": \"h.glb#*\"}, {\"mesh\": \"h.glb#*\"}")),
              AllOf(HasSubstr("s.json: bodies[1].name: 'a//b' of "),
                    HasSubstr("give one of them a name in the scene")));
  EXPECT_THAT(error(LoadAt(folder_.Write("house.ifc", "ISO-10303-21;"))),
              HasSubstr("house.ifc: "));
  EXPECT_THAT(error(LoadAt(folder_.Write("no.json", "ply"))),
              HasSubstr("is no JSON"));
}

}  // namespace
}  // namespace orbox::cli
