// SPDX-License-Identifier: Apache-2.0

// `orbox build -o NAME.orboxd`, and the other commands with such a folder in
// place of a mesh: what they print of it has the bytes that they print of the
// mesh.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tests/support/solids.h"

namespace orbox {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ChunksCommandTest : public OrboxCommandTest {
 protected:
  std::string Built(const Words& meshes, const std::string& name) const {
    Words words = {"build",    "-o", folder_.Path(name), "--chunk", "100",
                   "--memory", "64M"};
    words.insert(words.end(), meshes.begin(), meshes.end());
    Output(words);
    return folder_.Path(name);
  }

  // `words` with the mesh's path, and with that of its chunks.
  static void ExpectSame(Words words, const std::string& mesh,
                         const std::string& chunks,
                         const std::string& format = "csv") {
    words.insert(words.end(), {"--format", format});
    Words of_mesh = words;
    Words of_chunks = words;
    of_mesh.insert(of_mesh.begin() + 1, mesh);
    of_chunks.insert(of_chunks.begin() + 1, chunks);
    const ProcessResult result = Run(of_chunks);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(WithoutInputs(Output(of_mesh)), WithoutInputs(result.out))
        << words[0];
  }
};

TEST_F(ChunksCommandTest, BuildAndInfoTellOfTheChunks) {
  const std::string mesh = File("m.ply", meshes::Torus(40, 24));
  const std::string chunks = Built({mesh}, "m.orboxd");
  const Json json = JsonOf({"info", chunks});
  EXPECT_THAT(json.Keys(),
              ElementsAre("schema_version", "command", "version", "inputs",
                          "triangles", "degenerate", "bounds", "chunks",
                          "chunk_triangles", "bytes"));
  EXPECT_EQ(json["triangles"].number(), 1920);
  EXPECT_EQ(json["chunks"].number(), 20);
  EXPECT_THAT(Output({"info", chunks}),
              AllOf(HasSubstr("triangles  1,920"),
                    HasSubstr("chunks     20, of up to 100 triangles")));
  EXPECT_THAT(
      Output({"build", mesh, "-o", chunks, "--format", "csv"}),
      HasSubstr("triangles,degenerate,lo_x,lo_y,lo_z,hi_x,hi_y,hi_z,chunks,"
                "chunk_triangles,bytes\n1920,0,"));
}

TEST_F(ChunksCommandTest, QuestionsOfOneMeshHaveTheSameAnswers) {
  const std::string mesh = File("m.ply", meshes::Torus(40, 24));
  const std::string chunks = Built({mesh}, "m.orboxd");
  const Words questions[] = {
      {"range", "--sphere", "1,0,0,0.3"},
      {"range", "--box", "0,0,-1,2,2,1"},
      {"nearest", "--point", "0.2,0.1,3", "--point", "1,0,0"},
      {"nearest", "--point", "0.2,0.1,0.3", "--k", "7"},
      {"nearest", "--point", "9,9,9", "--max-distance", "1"},
      {"nearest", "--point", "1,0.1,0", "--point", "0,0,0", "--signed"},
      {"ray", "--ray", "3,0.1,0.01,-1,0,0"},
      {"ray", "--ray", "3,0.1,0.01,-1,0,0", "--all"},
      {"ray", "--ray", "3,0.1,0.01,-1,0,0", "--any", "--max-t", "0.5"},
      {"self-intersect"},
      {"self-intersect", "--within", "0.05"},
  };
  for (const Words& words : questions) {
    for (const char* format : {"csv", "json", "text"}) {
      ExpectSame(words, mesh, chunks, format);
    }
    Words threads = words;
    threads.insert(threads.end(), {"--memory", "1K", "--threads", "2"});
    ExpectSame(threads, mesh, chunks);
  }
}

TEST_F(ChunksCommandTest, QuestionsOfTwoMeshesHaveTheSameAnswers) {
  const std::string mesh = File("m.ply", meshes::Torus(40, 24));
  const std::string other =
      File("o.ply", meshes::Icosphere(2, {1, 0.1, 0.05}, 0.3));
  const std::string chunks = Built({mesh}, "m.orboxd");
  for (const char* pose :
       {"1,0,0,0,0,1,0,0,0,0,1,0", "0.8,-0.6,0,3,0.6,0.8,0,2,0,0,1,1"}) {
    ExpectSame({"intersect", other, "--pose", pose}, mesh, chunks);
    ExpectSame({"clearance", other, "--pose", pose, "--within", "0.05"}, mesh,
               chunks);
    ExpectSame({"hausdorff", other, "--pose", pose}, mesh, chunks);
    for (const char* format : {"csv", "json"}) {
      ExpectSame({"hausdorff", other, "--pose", pose, "--field"}, mesh, chunks,
                 format);
    }
  }
  ExpectSame({"clearance", other, "--pose", "0.8,-0.6,0,3,0.6,0.8,0,2,0,0,1,1"},
             mesh, chunks);
  EXPECT_THAT(Output({"clearance", chunks, other, "--within", "0.05"}),
              HasSubstr("A (m.orboxd) and B (o.ply) meet"));
  EXPECT_EQ(Run({"intersect", chunks, other, "--exit-code"}).exit_code, 1);
}

// A ball where two boxes overlap is inside both, or by parity outside.
TEST_F(ChunksCommandTest, RelationsOfSolidsAreTheSame) {
  const std::string ball = File("ball.ply", meshes::Icosphere(1, {}, 0.5));
  const std::string boxes = File(
      "boxes.ply",
      solids::UnionOf({{{-9, -2, -2}, {2, 2, 2}}, {{-2, -3, -3}, {8, 3, 3}}}));
  const std::string chunks = Built({boxes}, "c.orboxd");
  const std::string far = "1,0,0,40,0,1,0,0,0,0,1,0";
  for (const std::string command : {"intersect", "clearance"}) {
    const Words inside = {command, ball};
    const Words apart = {command, ball, "--pose", far};
    const Words parity = {command, ball, "--inside", "parity"};
    for (const Words& words : {inside, apart, parity}) {
      for (const char* format : {"csv", "json"}) {
        ExpectSame(words, boxes, chunks, format);
      }
    }
    EXPECT_EQ(JsonOf({command, ball, chunks})["relation"].text, "a_in_b");
    const auto code_of = [&](Words words) {
      words.insert(words.end(), {chunks, "--exit-code"});
      const ProcessResult result = Run(words);
      EXPECT_EQ(result.err, "");
      return result.exit_code;
    };
    EXPECT_EQ(code_of(inside), 1);
    EXPECT_EQ(code_of(apart), 0);
    EXPECT_EQ(code_of(parity), 0);
  }
}

TEST_F(ChunksCommandTest, ANoteSaysThatParityDecides) {
  const std::string ball = File("ball.ply", meshes::Icosphere(1));
  const std::string cube =
      File("cube.ply", meshes::TurnedOver(meshes::Cube({-2, -2, -2}, 4), 0, 1));
  const std::string chunks = Built({cube}, "c.orboxd");
  for (const Words& words :
       {Words{"intersect"}, Words{"clearance"},
        Words{"nearest", "--signed", "--point", "0,0,0"}}) {
    Words of_mesh = words;
    Words of_chunks = words;
    if (words.size() == 1) {
      of_mesh.push_back(ball);
      of_chunks.push_back(ball);
    }
    of_mesh.push_back(cube);
    of_chunks.push_back(chunks);
    EXPECT_THAT(Run(of_mesh).err, HasSubstr("parity"));
    EXPECT_THAT(Run(of_chunks).err, HasSubstr("parity"));
    of_chunks.insert(of_chunks.end(), {"--inside", "parity"});
    EXPECT_EQ(Run(of_chunks).err, "");
  }
}

// Within the same error; from afar, what is seen as a whole differs.
TEST_F(ChunksCommandTest, WindingNumbersOfChunks) {
  const std::string chunks =
      Built({File("m.ply", meshes::Torus(40, 24))}, "m.orboxd");
  EXPECT_THAT(Output({"nearest", chunks, "--point", "1,0.1,0", "--point",
                      "0,0,0", "--winding"}),
              AllOf(HasSubstr(", inside"), HasSubstr(", not inside")));
}

TEST_F(ChunksCommandTest, SeveralMeshesAreOne) {
  const Mesh torus = meshes::Torus(20, 10);
  const Mesh ball = meshes::Icosphere(2, {3, 0, 0});
  const std::string joined = File("joined.ply", meshes::Joined(torus, ball));
  const std::string chunks =
      Built({File("t.ply", torus), File("b.ply", ball)}, "both.orboxd");
  ExpectSame({"nearest", "--point", "3,3,0", "--k", "5"}, joined, chunks);
}

TEST_F(ChunksCommandTest, ErrorsSayWhatToDo) {
  const std::string mesh = File("m.ply", meshes::Torus(40, 24));
  const std::string chunks = Built({mesh}, "m.orboxd");
  EXPECT_THAT(
      ErrorOf({"nearest", chunks, "--point", "0,0,0", "--bounds"}, kUsage),
      HasSubstr("chunked tree"));
  EXPECT_THAT(
      ErrorOf({"nearest", chunks, "--point", "0,0,0", "--weld", "1"}, kUsage),
      HasSubstr("m.orboxd is a chunked tree, whose mesh is fixed"));
  EXPECT_THAT(ErrorOf({"self-intersect", chunks, "--by-index"}, kUsage),
              HasSubstr("--by-index"));
  EXPECT_THAT(
      ErrorOf({"hausdorff", chunks, mesh, "--report", folder_.Path("r.html")},
              kUsage),
      HasSubstr("chunked tree"));
  EXPECT_THAT(ErrorOf({"info", chunks, "--surface"}, kUsage),
              HasSubstr("--surface does not support chunked trees"));
  const std::string scene = folder_.Write(
      "s.json", R"({"bodies": [{"name": "a", "mesh": "m.orboxd"}]})");
  const std::vector<Words> need_meshes = {
      {"picture", chunks, "-o", folder_.Path("x.png")},
      {"explain", "nearest", chunks, "--point", "0,0,0"},
      {"split", chunks, "-o", folder_.Path("x.glb")},
      {"clash", chunks},
      {"clash", scene}};
  for (const Words& arguments : need_meshes) {
    EXPECT_THAT(ErrorOf(arguments, kBadInput),
                HasSubstr("m.orboxd: is a chunked tree"))
        << arguments[0];
  }
  EXPECT_THAT(
      ErrorOf({"nearest", folder_.Path("none.orboxd"), "--point", "0,0,0"},
              kBadInput),
      HasSubstr("none.orboxd: there is no chunked tree"));
  EXPECT_THAT(
      ErrorOf({"build", mesh, mesh, "-o", folder_.Path("x.orbox")}, kUsage),
      HasSubstr(".orboxd"));
  EXPECT_THAT(ErrorOf({"build", mesh, "-o", folder_.Path("x.orboxd"),
                       "--memory", "much"},
                      kUsage),
              HasSubstr("is no size"));
  std::filesystem::resize_file(chunks + "/00000003.orbox", 1000);
  EXPECT_THAT(ErrorOf({"info", chunks}, kBadInput),
              HasSubstr("00000003.orbox: has 1000 bytes"));
  std::filesystem::remove(chunks + "/manifest");
  EXPECT_THAT(ErrorOf({"build", mesh, "-o", chunks}, kBadInput),
              HasSubstr("no chunked tree"));
}

}  // namespace
}  // namespace orbox
