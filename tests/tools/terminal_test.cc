// SPDX-License-Identifier: Apache-2.0

// The command at a terminal: progress is drawn there, and leaves nothing
// behind.

#include <cstdlib>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tests/support/sanitized.h"
#include "tests/support/terminal.h"

namespace orbox {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kErase[] = "\r\x1b[K";

class TerminalTest : public OrboxCommandTest {
 protected:
  void SetUp() override {
    if (!Terminal::IsThere()) GTEST_SKIP() << Terminal::kMissing;
  }

  // The commands of a test show their progress at once, or never.
  static void ShowProgress(bool at_once) {
    setenv("ORBOX_PROGRESS_AFTER", at_once ? "0" : "1000000", 1);
  }
  void TearDown() override { unsetenv("ORBOX_PROGRESS_AFTER"); }

  const std::string cube_ = File("cube.off", meshes::Cube());
};

// A pipe that ends when somebody types a line.
TEST_F(TerminalTest, LongReadsAreShownAndErased) {
  Terminal shell(
      "/bin/sh",
      {"-c", "(cat '" + cube_ + "'; read x </dev/tty) | '" + ORBOX_COMMAND +
                 "' info - -o '" + folder_.Path("out") + "'"});
  shell.WaitFor("reading standard input: ");
  shell.WaitFor(" s");
  shell.Type("\r");
  shell.WaitForEnd();
  EXPECT_THAT(shell.shown(), EndsWith(kErase));
}

// Standard output is the terminal too.
TEST_F(TerminalTest, LongQuestionsAreShownAboveTheirAnswers) {
  ShowProgress(true);
  const std::string knot = folder_.Path("knot.ply");
  Output({"gen", "--triangles", "100000", "-o", knot});
  // They take several of the intervals at which progress is drawn.
  std::string rows;
  constexpr int kPoses = kSanitized ? 5 : 60;
  for (int i = 0; i < kPoses; ++i) rows += "1,0,0,0.4,0,1,0,0.3,0,0,1,0.2\n";
  Terminal orbox(ORBOX_COMMAND, {"hausdorff", knot, knot,
                                 "--pose=@" + folder_.Write("poses.csv", rows),
                                 "--threads", "1"});
  orbox.WaitFor("queries: ");
  orbox.WaitFor(" %");
  orbox.WaitForEnd();
  EXPECT_THAT(orbox.shown(), HasSubstr(std::string(kErase) + "pose 0: "));
}

// Files that are written after the result are shown.
TEST_F(TerminalTest, FilesBesideTheAnswerAreShown) {
  ShowProgress(true);
  const std::string knot = folder_.Path("knot.ply");
  Output({"gen", "--triangles", kSanitized ? "4000" : "20000", "-o", knot});
  Terminal orbox(ORBOX_COMMAND,
                 {"clearance", knot, knot, "--pose=1,0,0,9,0,1,0,0,0,0,1,0",
                  "--ply", folder_.Path("out.ply"), "--threads", "1"});
  orbox.WaitFor("smallest distance");
  orbox.WaitFor("distances of faces: ");
  orbox.WaitForEnd();
  EXPECT_THAT(orbox.shown(), EndsWith(kErase));
}

// It waits for a mesh that nobody types.
TEST_F(TerminalTest, SignalsEraseTheLine) {
  Terminal orbox(ORBOX_COMMAND, {"info", "-"});
  orbox.WaitFor("reading standard input: ");
  orbox.Type("\x03");
  orbox.WaitForEnd();
  EXPECT_THAT(orbox.shown(), EndsWith(kErase));
}

TEST_F(TerminalTest, ShortWorkShowsItsResultsAlone) {
  ShowProgress(false);
  Terminal orbox(ORBOX_COMMAND, {"nearest", cube_, "--point", "5,0,0"});
  orbox.WaitForEnd();
  EXPECT_THAT(orbox.shown(), HasSubstr("query 0: triangle "));
  EXPECT_THAT(orbox.shown(), Not(HasSubstr(kErase)));
}

}  // namespace
}  // namespace orbox
