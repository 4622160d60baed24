// SPDX-License-Identifier: Apache-2.0

// The manual page and --help: made of one table, and shown as they should be.

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/orbox_command.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/command.h"

namespace orbox::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class ManPageTest : public OrboxCommandTest {
 protected:
  // Runs a line of the shell on the page; the page's path is $PAGE.
  ProcessResult Shell(const std::string& line) const {
    const std::string page = folder_.Write("orbox.1", ManPage());
    return RunProcess("/bin/sh", {"-c", "PAGE='" + page + "'\n" + line});
  }

  bool Has(const std::string& program) const {
    return Shell("command -v " + program).exit_code == 0;
  }
};

TEST_F(ManPageTest, NamesEveryCommandAndOption) {
  const std::string page = Output({"help", "--man"});
  EXPECT_EQ(page, ManPage());
  for (const Command* command : Commands()) {
    const auto escaped = [](std::string_view name) {
      std::string out;
      for (const char c : name) out += c == '-' ? "\\-" : std::string(1, c);
      return out;
    };
    EXPECT_THAT(page, HasSubstr(".SS " + escaped(command->name) + "\n"));
    for (const Option& option : AllOptions(*command)) {
      if (!option.help.empty()) {
        EXPECT_THAT(page, HasSubstr(escaped(option.name)));
      }
    }
    EXPECT_FALSE(command->examples.empty()) << command->name;
  }
}

TEST_F(ManPageTest, IsCleanToMandoc) {
  if (!Has("mandoc")) GTEST_SKIP() << "there is no mandoc";
  const ProcessResult lint = Shell("mandoc -T lint \"$PAGE\"");
  EXPECT_EQ(lint.out, "");
  EXPECT_EQ(lint.exit_code, 0);
}

TEST_F(ManPageTest, IsCleanToGroff) {
  if (!Has("groff")) GTEST_SKIP() << "there is no groff";
  const ProcessResult result = Shell("groff -man -Tascii -ww -rHY=0 \"$PAGE\"");
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("orbox clearance arm.stl wall.stl"));
}

TEST_F(ManPageTest, HelpSaysWhatHelpOptionsSay) {
  EXPECT_EQ(Output({"help"}), Output({"--help"}));
  for (const Command* command : Commands()) {
    const std::string name(command->name);
    const std::string help = Output({"help", name});
    EXPECT_EQ(help, Output({name, "--help"}));
    EXPECT_THAT(help, StartsWith("orbox " + name + ": "));
    for (const std::string_view example : command->examples) {
      EXPECT_THAT(help, HasSubstr(Cat("  ", example, "\n")));
    }
    for (const ExitCodeMeaning& code : ExitCodeMeanings()) {
      EXPECT_THAT(help, HasSubstr(Cat(static_cast<int>(code.code), "  ",
                                      code.meaning)));
    }
  }
  EXPECT_THAT(ErrorOf({"help", "rnage"}, 2),
              HasSubstr("did you mean 'range'?"));
  ErrorOf({"help", "info", "range"}, 2);
  ErrorOf({"help", "info", "--man"}, 2);
}

}  // namespace
}  // namespace orbox::cli
