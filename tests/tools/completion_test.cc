// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/completion.h"

#include <unistd.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tests/support/terminal.h"

namespace orbox::cli {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

// Path of the shell, or an empty text.
std::string ShellAt(const std::string& name) {
  for (const std::string folder : {"/bin/", "/usr/bin/", "/usr/local/bin/"}) {
    if (access((folder + name).c_str(), X_OK) == 0) return folder + name;
  }
  return "";
}

class CompletionTest : public OrboxCommandTest {
 protected:
  // Completions that bash offers for the last of the words after "orbox".
  std::vector<std::string> Offers(const Words& words) const {
    std::string line = "COMP_WORDS=(orbox";
    for (const std::string& word : words) line += " '" + word + "'";
    line += ")\nCOMP_CWORD=" + std::to_string(words.size()) + "\ncd '" +
            folder_.Path("") + "'\n_orbox\n" +
            "printf '%s\\n' \"${COMPREPLY[@]}\"\n";
    const ProcessResult result =
        RunProcess(ShellAt("bash"), {"-c", BashCompletion() + line});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    std::vector<std::string> offers;
    std::string offer;
    for (const char c : result.out) {
      if (c != '\n') {
        offer += c;
        continue;
      }
      if (!offer.empty()) offers.push_back(offer);
      offer.clear();
    }
    return offers;
  }
};

TEST_F(CompletionTest, TheCommandPrintsTheScripts) {
  EXPECT_EQ(Output({"completion", "bash"}), BashCompletion());
  EXPECT_EQ(Output({"completion", "zsh"}), ZshCompletion());
  EXPECT_THAT(ErrorOf({"completion", "bsh"}, 2),
              HasSubstr("did you mean 'bash'?"));
  ErrorOf({"completion"}, 2);
}

// One table of values serves all commands.
TEST_F(CompletionTest, OptionsOfOneNameTakeValuesOfOneKind) {
  std::map<std::string, std::string> kinds;
  for (const CommandLine& line : CommandLines()) {
    for (const Option& option : line.options) {
      std::string kind = option.value.empty() ? "none"
                         : TakesFile(option)  ? "file"
                                              : "other";
      if (option.choices != nullptr) {
        for (const auto choice : option.choices()) {
          kind += " " + std::string(choice);
        }
      }
      const auto [known, is_new] =
          kinds.emplace(std::string(option.name), kind);
      EXPECT_EQ(known->second, kind) << line.words << " " << option.name;
    }
  }
}

TEST_F(CompletionTest, EachChoiceIsAccepted) {
  const std::string cube = File("cube.ply", meshes::Cube());
  for (const Option& option : CommonOptions()) {
    if (option.choices == nullptr) continue;
    EXPECT_GE(option.choices().size(), 2U);
    for (const auto choice : option.choices()) {
      Output({"nearest", cube, "--point", "0,0,0", std::string(option.name),
              std::string(choice)});
    }
  }
}

TEST_F(CompletionTest, BashOffersWhatTheTableHas) {
  if (ShellAt("bash").empty()) GTEST_SKIP() << "there is no bash";
  EXPECT_THAT(Offers({"cl"}), ElementsAre("clearance", "clash"));
  EXPECT_THAT(Offers({""}), IsSupersetOf({"info", "explain", "--version"}));
  EXPECT_THAT(Offers({"clearance", "--wi"}), ElementsAre("--within"));
  EXPECT_THAT(Offers({"nearest", "a.ply", "--format", ""}),
              ElementsAre("text", "json", "csv"));
  EXPECT_THAT(Offers({"nearest", "a.ply", "--format", "=", "j"}),
              ElementsAre("json"));
  EXPECT_THAT(Offers({"nearest", "a.ply", "--format", "="}),
              ElementsAre("text", "json", "csv"));
  EXPECT_THAT(Offers({"gen", "--shape", "torus"}),
              ElementsAre("torus_knot", "torus"));
  EXPECT_THAT(Offers({"explain", "ne"}), ElementsAre("nearest"));
  EXPECT_THAT(Offers({"explain", "nearest", "--poi"}),
              ElementsAre("--point", "--points"));
  EXPECT_THAT(Offers({"explain", "nearest", "--sec"}),
              ElementsAre("--seconds"));
  EXPECT_THAT(Offers({"completion", ""}), ElementsAre("bash", "zsh"));
  EXPECT_THAT(Offers({"help", "hau"}), ElementsAre("hausdorff"));
  for (const CommandLine& line : CommandLines()) {
    if (line.words.find(' ') != std::string::npos) continue;
    const std::vector<std::string> offers = Offers({line.words, "-"});
    for (const Option& option : line.options) {
      if (option.help.empty()) continue;
      EXPECT_THAT(offers, Contains(std::string(option.name))) << line.words;
    }
  }
}

TEST_F(CompletionTest, BashOffersFilesWhereFilesBelong) {
  if (ShellAt("bash").empty()) GTEST_SKIP() << "there is no bash";
  folder_.Write("my part.stl", "");
  folder_.Write("poses.csv", "");
  EXPECT_THAT(Offers({"info", ""}), ElementsAre("my part.stl", "poses.csv"));
  EXPECT_THAT(Offers({"nearest", "a", "--points", "p"}),
              ElementsAre("poses.csv"));
  EXPECT_THAT(Offers({"nearest", "a", "--points", "=", "p"}),
              ElementsAre("poses.csv"));
  EXPECT_THAT(Offers({"intersect", "a", "b", "--pose", "@", "p"}),
              ElementsAre("@poses.csv"));
  EXPECT_THAT(Offers({"intersect", "a", "b", "--pose", "=@", "p"}),
              ElementsAre("@poses.csv"));
  EXPECT_THAT(Offers({"intersect", "a", "b", "--pose", "@"}),
              ElementsAre("@my part.stl", "@poses.csv"));
  EXPECT_THAT(Offers({"nearest", "a", "--k", ""}), ElementsAre());
  EXPECT_THAT(Offers({"gen", ""}), ElementsAre());
}

TEST_F(CompletionTest, BashCompletesAtATerminal) {
  if (ShellAt("bash").empty()) GTEST_SKIP() << "there is no bash";
  if (!Terminal::IsThere()) GTEST_SKIP() << Terminal::kMissing;
  const std::string script = folder_.Write("orbox.sh", BashCompletion());
  folder_.Write("poses.csv", "");
  Terminal bash(ShellAt("bash"), {"--norc", "--noprofile", "-i"});
  bash.Type("cd '" + folder_.Path("") + "'; . '" + script +
            "'; orbox() { printf '<%s>' \"$@\"; echo; }; echo rea\"\"dy\r");
  bash.WaitFor("ready");
  bash.Type("orbox clea\ta b --for\tj\t--pose @po\t\r");
  bash.WaitFor("<clearance><a><b><--format><json><--pose><@poses.csv>");
}

TEST_F(CompletionTest, ZshCompletesAtATerminal) {
  if (ShellAt("zsh").empty()) GTEST_SKIP() << "there is no zsh";
  if (!Terminal::IsThere()) GTEST_SKIP() << Terminal::kMissing;
  folder_.Write("_orbox", ZshCompletion());
  folder_.Write("poses.csv", "");
  Terminal zsh(ShellAt("zsh"), {"-f", "-i"});
  zsh.Type("cd '" + folder_.Path("") + "'; fpath=($PWD $fpath); " +
           "autoload -Uz compinit; compinit -u -D; " +
           "orbox() { printf '<%s>' \"$@\"; echo; }; echo rea\"\"dy\r");
  zsh.WaitFor("ready");
  zsh.Type("orbox clea\ta b --for\tj\t--with\t1\r");
  zsh.WaitFor("<clearance><a><b><--format=json><--within=1>");
  zsh.Type("orbox explain nea\ta --points po\t--sec\t3\r");
  zsh.WaitFor("<explain><nearest><a><--points><poses.csv><--seconds=3>");
  zsh.Type("orbox completion z\t\r");
  zsh.WaitFor("<completion><zsh>");
}

}  // namespace
}  // namespace orbox::cli
