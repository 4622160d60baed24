// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/arguments/options.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/commands/command.h"

namespace orbox::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Option kOptions[] = {{"--pose", "P", "moves"},
                               {"--k", "K", "how many"},
                               {"--point", "x,y,z", "where", true},
                               {"--stats", "", "counts"},
                               {"-o", "FILE", "goes there"}};

absl::StatusOr<Arguments> Parse(const std::vector<std::string>& tokens) {
  return ParseArguments(tokens, kOptions);
}

std::string ErrorOf(const std::vector<std::string>& tokens) {
  const absl::StatusOr<Arguments> arguments = Parse(tokens);
  EXPECT_TRUE(IsUsageError(arguments.status()));
  return std::string(arguments.status().message());
}

TEST(OptionsTest, OptionsAndOperandsComeInAnyOrder) {
  const auto arguments = Parse({"a", "--stats", "-", "-o", "x", "b"});
  ASSERT_TRUE(arguments.ok());
  EXPECT_THAT(arguments->operands(), ElementsAre("a", "-", "b"));
  EXPECT_TRUE(arguments->Has("--stats"));
  EXPECT_FALSE(arguments->Has("--pose"));
  EXPECT_EQ(arguments->Value("-o"), "x");
  EXPECT_EQ(arguments->Value("--pose", "none"), "none");
}

TEST(OptionsTest, ValuesMayBeginWithAMinusSign) {
  EXPECT_EQ(Parse({"--pose", "-1,0"})->Value("--pose"), "-1,0");
  EXPECT_EQ(Parse({"--pose=-1,0"})->Value("--pose"), "-1,0");
  EXPECT_EQ(Parse({"--pose=--1"})->Value("--pose"), "--1");
  EXPECT_EQ(Parse({"--pose", "-"})->Value("--pose"), "-");
  EXPECT_EQ(Parse({"--pose=a=b"})->Value("--pose"), "a=b");
  EXPECT_EQ(Parse({"--pose="})->Value("--pose"), "");
}

TEST(OptionsTest, TwoMinusSignsEndTheOptions) {
  const auto arguments = Parse({"--stats", "--", "--k", "-x"});
  ASSERT_TRUE(arguments.ok());
  EXPECT_THAT(arguments->operands(), ElementsAre("--k", "-x"));
}

TEST(OptionsTest, RepeatableOptionsKeepTheirOrder) {
  const auto arguments = Parse({"--point", "1", "--point=2", "--point", "3"});
  ASSERT_TRUE(arguments.ok());
  EXPECT_THAT(arguments->Values("--point"), ElementsAre("1", "2", "3"));
  EXPECT_THAT(arguments->Values("--pose"), IsEmpty());
}

TEST(OptionsTest, ErrorsSayWhatAndSuggest) {
  EXPECT_THAT(ErrorOf({"--stat"}), HasSubstr("did you mean '--stats'?"));
  EXPECT_THAT(ErrorOf({"--xyzzy"}), HasSubstr("unknown option '--xyzzy'"));
  EXPECT_THAT(ErrorOf({"-1,0,0"}), HasSubstr("unknown option '-1,0,0'"));
  EXPECT_THAT(ErrorOf({"--pose"}), HasSubstr("--pose needs a value"));
  EXPECT_THAT(ErrorOf({"--pose", "--stats"}), HasSubstr("needs a value"));
  EXPECT_THAT(ErrorOf({"--stats=1"}), HasSubstr("takes no value"));
  EXPECT_THAT(ErrorOf({"--k", "1", "--k", "2"}), HasSubstr("given twice"));
}

TEST(OptionsTest, ValuesAreCheckedWhereTheyAreRead) {
  const auto arguments = Parse({"--k", "-3"});
  EXPECT_FALSE(arguments->Count("--k", 1, 9).ok());
  EXPECT_TRUE(IsUsageError(arguments->Real("--k", 0).status()));
  EXPECT_EQ(**arguments->Real("--k", -5), -3);
  EXPECT_EQ(*arguments->Real("--pose", 0), std::nullopt);
  constexpr std::string_view kNames[] = {"text", "json"};
  EXPECT_EQ(*Parse({"--k=json"})->Choice("--k", kNames, 0), 1U);
  EXPECT_EQ(*arguments->Choice("--pose", kNames, 0), 0U);
  EXPECT_THAT(
      std::string(arguments->Choice("--k", kNames, 0).status().message()),
      HasSubstr("none of text, json"));
}

// --help and the parser share these rows, so a row without a text or a name
// that occurs twice would be a mistake in both.
TEST(CommandTableTest, EveryCommandHasAWholeRow) {
  for (const Command* command : Commands()) {
    SCOPED_TRACE(std::string(command->name));
    EXPECT_EQ((command->run != nullptr) + (command->read_query != nullptr) +
                  (command->run_words != nullptr),
              1);
    EXPECT_FALSE(command->summary.empty());
    EXPECT_FALSE(command->examples.empty());
    std::vector<std::string_view> names;
    for (const Option& option : AllOptions(*command)) {
      EXPECT_THAT(names, ::testing::Not(::testing::Contains(option.name)));
      names.push_back(option.name);
      EXPECT_TRUE(option.name.starts_with("-")) << option.name;
    }
    const std::string help = HelpOf(*command);
    for (const std::string_view example : command->examples) {
      EXPECT_THAT(help, HasSubstr(std::string(example)));
    }
    EXPECT_THAT(help, HasSubstr("--format"));
    EXPECT_THAT(GeneralHelp(), HasSubstr(std::string(command->summary)));
  }
}

TEST(CommandTableTest, HelpFitsATerminal) {
  std::string all = GeneralHelp();
  for (const Command* command : Commands()) all += HelpOf(*command);
  std::string_view rest = all;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    EXPECT_LE(line.size(), 80U) << line;
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
}

}  // namespace
}  // namespace orbox::cli
