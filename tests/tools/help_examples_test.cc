// SPDX-License-Identifier: Apache-2.0

// The examples of --help work unchanged, given files of the names in them.

#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/io/write_bodies.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tests/support/sanitized.h"
#include "tools/orbox/commands/command.h"

namespace orbox::cli {
namespace {

class HelpExamplesTest : public OrboxCommandTest {
 protected:
  void SetUp() override {
    File("part.stl", meshes::Icosphere(2));
    File("arm.stl", meshes::Icosphere(2));
    File("wall.stl", meshes::Cube({1.2, -1, -1}));
    File("scan.ply", meshes::Torus(20, 12));
    File("model.stl", meshes::Torus(16, 10));
    File("hall.ply", meshes::Cube());
    File("assembly.stl",
         meshes::Joined(meshes::Cube(), meshes::Cube({5, 0, 0})));
    File("cloth.obj", meshes::Grid(8));
    folder_.Write("scan.csv", "x,y,z\n0,0,2\n1,2,3\n");
    folder_.Write("probes.csv", "0,0,1,0.5\n");
    folder_.Write("cloud.xyz", "0 0 2 9\n1 2 3 9\n");
    folder_.Write("views.csv", "0,0,5,0,0,-1\n");
    folder_.Write("rays.csv", "0,0,5,0,0,-1\n");
    folder_.Write("pose.csv", "0,-1,0,1,1,0,0,0,0,0,1,0\n");
    folder_.Write("path.csv",
                  "1,0,0,0,0,1,0,0,0,0,1,0\n1,0,0,-1,0,1,0,0,0,0,1,0\n");
    ASSERT_TRUE(
        WriteBodiesFile(std::vector<NamedBody>{{"roof", meshes::Cube()},
                                               {"wall", meshes::Cube()}},
                        folder_.Path("house.glb"))
            .ok());
    folder_.Write("machine.json",
                  "{\"bodies\": [{\"name\": \"arm\", \"mesh\": \"arm.stl\"},"
                  " {\"mesh\": \"wall.stl\"}]}");
    folder_.Write("motion.csv",
                  "0,arm,1,0,0,-1,0,1,0,0,0,0,1,0\n"
                  "1,arm,1,0,0,1,0,1,0,0,0,0,1,0\n");
    folder_.Write("frustum.csv", "1,0,0,0.5\n-1,0,0,0.5\n");
  }

  // Runs it in the folder, as typed at a shell.
  ProcessResult Shell(const std::string& line) const {
    const std::string bin =
        std::filesystem::path(ORBOX_COMMAND).parent_path().string();
    const bool has_bash = access("/bin/bash", X_OK) == 0;
    return RunProcess(has_bash ? "/bin/bash" : "/bin/sh",
                      {"-c", "PATH='" + bin + "':$PATH\ncd '" +
                                 folder_.Path("") + "'\n" + line});
  }
};

// The example, with no time for measuring.
std::string WithoutTime(std::string line) {
  const size_t seconds = line.find(" --seconds ");
  if (seconds != std::string::npos) line.resize(seconds);
  return line + " --seconds 0";
}

TEST_F(HelpExamplesTest, EachWorks) {
  if (kSanitized) GTEST_SKIP() << "each command has tests of its own";
  for (const Command* command : Commands()) {
    for (const std::string_view example : command->examples) {
      std::string line(example);
      SCOPED_TRACE(line);
      if (command == &kExplainCommand) line = WithoutTime(line);
      // Needs a shell of its own.
      if (line.starts_with("eval ") && access("/bin/bash", X_OK) != 0) continue;
      const ProcessResult result = Shell(line);
      // It has nothing to make pictures with.
      if (result.err.find("without libpng") != std::string::npos) continue;
      const bool may_be_no = line.find("--exit-code") != std::string::npos ||
                             line.find("--expect") != std::string::npos;
      EXPECT_TRUE(result.exit_code == 0 || (may_be_no && result.exit_code == 1))
          << result.exit_code << " " << result.err;
      EXPECT_EQ(result.err, "");
    }
  }
}

}  // namespace
}  // namespace orbox::cli
