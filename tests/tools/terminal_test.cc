// The command at a terminal: progress is drawn there, and leaves nothing
// behind.

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
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

  const std::string cube_ = File("cube.off", meshes::Cube());
};

// A pipe whose end is late, which is longer than what is short.
TEST_F(TerminalTest, LongReadsAreShownAndErased) {
  Terminal shell("/bin/sh",
                 {"-c", "(cat '" + cube_ + "'; sleep 2) | '" + ORBOX_COMMAND +
                            "' info - -o '" + folder_.Path("out") + "'"});
  shell.WaitFor("reading standard input: 1 s");
  shell.WaitForEnd();
  EXPECT_THAT(shell.shown(), EndsWith(kErase));
}

TEST_F(TerminalTest, ShortWorkShowsItsResultsAlone) {
  Terminal orbox(ORBOX_COMMAND, {"nearest", cube_, "--point", "5,0,0"});
  orbox.WaitForEnd();
  EXPECT_THAT(orbox.shown(), HasSubstr("query 0: triangle "));
  EXPECT_THAT(orbox.shown(), Not(HasSubstr(kErase)));
}

}  // namespace
}  // namespace orbox
