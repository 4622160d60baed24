// SPDX-License-Identifier: Apache-2.0

// Meshes, queries, poses and scenes, out of pipes that give the command a byte
// at a time. (Trees: tree_file_test.cc.)
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/io/write_mesh.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"

namespace orbox {
namespace {

class ShortReadsTest : public OrboxCommandTest {
 protected:
  // Checks that the command prints equal results for `bytes` from a file and
  // from a pipe. "FILE" in `command` stands for the name.
  void Check(const std::string& name, const std::string& bytes,
             Words command) const {
    SCOPED_TRACE(name + testing::PrintToString(command));
    const std::string file = folder_.Write("file." + name, bytes);
    const std::string pipe = folder_.Path("pipe." + name);
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::string expected = Output(With(command, file));
    std::thread writer([&] {
      const int out = open(pipe.c_str(), O_WRONLY);
      for (const char byte : bytes) EXPECT_EQ(write(out, &byte, 1), 1);
      close(out);
    });
    std::string found = Output(With(command, pipe));
    writer.join();
    unlink(pipe.c_str());
    EXPECT_EQ(WithoutInputs(found), WithoutInputs(expected));
    EXPECT_FALSE(found.empty());
  }

 private:
  static Words With(Words command, const std::string& file) {
    for (std::string& word : command) {
      const size_t at = word.find("FILE");
      if (at != std::string::npos) word.replace(at, 4, file);
    }
    return command;
  }
};

TEST_F(ShortReadsTest, Meshes) {
  const Mesh mesh = meshes::Icosphere(1);
  const struct {
    const char* name;
    MeshFormat format;
  } formats[] = {{"obj", MeshFormat::kObj},
                 {"ply", MeshFormat::kPly},
                 {"stl", MeshFormat::kStl},
                 {"off", MeshFormat::kOff}};
  const Words command = {"nearest", "FILE", "--point", "2,1,0", "--k", "5"};
  for (const auto& [name, format] : formats) {
    Check(name, EncodeMesh(mesh, format).value(), command);
  }
}

TEST_F(ShortReadsTest, QueriesAndPoses) {
  const std::string cube = File("cube.ply", meshes::Cube());
  Check("csv", "x,y,z,r\n0,0,0,0.5\n\n# two\n1e0, 1, 1 ,.25\r\n",
        {"range", cube, "--spheres", "FILE"});
  Check("csv", "-1,-1,-1,2,2,2", {"range", cube, "--boxes", "FILE"});
  Check("csv", "1,0,0,0.5\n", {"range", cube, "--half-spaces", "FILE"});
  Check("csv", "3,3,3\n-3,0,0\n", {"nearest", cube, "--points", "FILE"});
  Check("csv", "0.5,0.5,9,0,0,-1\n", {"ray", cube, "--rays", "FILE"});
  Check("csv", "1,0,0,0.5,0,1,0,0,0,0,1,0\n1,0,0,3,0,1,0,0,0,0,1,0\n",
        {"clearance", cube, cube, "--pose", "@FILE"});
}

TEST_F(ShortReadsTest, ScenesAndMotions) {
  File("cube.ply", meshes::Cube());
  const std::string scene =
      "{\"bodies\": [{\"mesh\": \"cube.ply\"}, {\"name\": \"w\xc3\xa9\",\n"
      "\"mesh\": \"cube.ply\", \"pose\": [1,0,0,3,0,1,0,0,0,0,1,0]}]}";
  const std::string path = folder_.Write("s.json", scene);
  Check("json", scene, {"clash", "FILE", "--within", "5", "--format", "json"});
  Check("csv",
        "f,b,p\n0,0,1,0,0,2,0,1,0,0,0,0,1,0\n\n3,w\xc3\xa9,1,0,0,9,0,1"
        ",0,0,0,0,1,0 # far\r\n",
        {"clash", path, "--motion", "FILE", "--format", "json"});
}

}  // namespace
}  // namespace orbox
