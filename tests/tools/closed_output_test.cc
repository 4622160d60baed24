// SPDX-License-Identifier: Apache-2.0

// Standard output that nobody reads, and devices that are full.

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"

namespace orbox {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class ClosedOutputTest : public OrboxCommandTest {
 protected:
  const std::string cube_ = File("cube.ply", meshes::Cube());
};

TEST_F(ClosedOutputTest, NobodyReadsAndNothingIsSaid) {
  const std::vector<Words> commands = {
      {"--help"},
      {"--version"},
      {"completion", "bash"},
      {"info", cube_},
      {"nearest", cube_, "--point", "0,0,9", "--format", "json"},
      {"intersect", cube_, cube_, "--format", "csv"},
      {"clearance", cube_, cube_, "--report", folder_.Path("r.html"),
       "--picture-size", "16x16"},
      {"build", cube_, "-o", "-"},
      {"gen", "--triangles", "100000", "-o", "-"},
  };
  for (const Words& command : commands) {
    SCOPED_TRACE(::testing::PrintToString(command));
    const ProcessResult result = Run(command, {.unread_output = true});
    EXPECT_EQ(result.signal, SIGPIPE);
    EXPECT_EQ(result.err, "");
  }
  EXPECT_THAT(folder_.Names(), ElementsAre("cube.ply"));
}

// The program that starts the command may ignore the signal, like Python.
TEST_F(ClosedOutputTest, AlsoWhereTheSignalIsIgnored) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  const ProcessResult result =
      Run({"gen", "--triangles", "100000", "-o", "-"}, {.unread_output = true});
  std::signal(SIGPIPE, before);
  EXPECT_EQ(result.signal, SIGPIPE);
  EXPECT_EQ(result.err, "");
}

TEST_F(ClosedOutputTest, AShellSeesWhatItSeesOfOthers) {
  const ProcessResult result = RunProcess(
      "/bin/bash", {"-c", "'" ORBOX_COMMAND
                          "' gen --triangles 100000 -o - | head -n 1 | cat; "
                          "echo ${PIPESTATUS[0]}"});
  EXPECT_EQ(result.out, "OFF\n141\n");
  EXPECT_EQ(result.err, "");
}

TEST_F(ClosedOutputTest, AFullDeviceIsCalledFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  for (const Words& command : {Words{"gen", "-o", "/dev/full"},
                               Words{"build", cube_, "-o", "/dev/full"},
                               Words{"info", cube_, "-o", "/dev/full"}}) {
    EXPECT_THAT(ErrorOf(command, 4),
                AllOf(HasSubstr("/dev/full"), HasSubstr("No space left"),
                      Not(HasSubstr("triangle"))));
  }
  EXPECT_EQ(Run({"gen", "-o", "/dev/null"}).exit_code, 0);
}

}  // namespace
}  // namespace orbox
