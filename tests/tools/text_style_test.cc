// SPDX-License-Identifier: Apache-2.0

// Options for text that all commands have: digits, and a unit.

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tools/orbox/base/text.h"

namespace orbox {
namespace {

using cli::Length;
using cli::Phrase;
using cli::Say;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(PhraseTest, NumbersAreWrittenLast) {
  const Phrase phrase = Say("at ", Vec3{0, 0.1, 1 / 3.0}, ", ",
                            Length{2e-9 / 3}, " away, of ", 7U, " ", 0.5);
  EXPECT_EQ(phrase.Text({.digits = 4, .unit = "mm"}),
            "at (0, 0.1, 0.3333), 6.667e-10 mm away, of 7 0.5");
  EXPECT_EQ(Say(phrase, "!").Text({.digits = 17}),
            "at (0, 0.1, 0.3333333333333333), 6.666666666666667e-10 away, of 7 "
            "0.5!");
  EXPECT_EQ(Say(cli::Volume{0.25}).Text({.unit = "ft"}), "0.25 ft^3");
  EXPECT_EQ(Say(cli::Volume{0.25}).Text({}), "0.25");
}

class TextStyleTest : public OrboxCommandTest {
 protected:
  // A distance of which double keeps no more than 17 digits.
  const std::string a_ = File("a.ply", meshes::Icosphere(1));
  const Words command_ = {"nearest", a_, "--point", "1,2,3.7"};

  Words With(const Words& more) const {
    Words words = command_;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(TextStyleTest, TextHasNineDigitsUnlessOthersAreRequested) {
  const std::string exact = JsonOf(command_)["results"][0][0]["distance"].text;
  ASSERT_GT(exact.size(), 15U);
  const std::string text = Output(command_);
  EXPECT_THAT(text, Not(HasSubstr(exact)));
  EXPECT_THAT(text, HasSubstr(" at distance " + exact.substr(0, 9)));
  EXPECT_THAT(Output(With({"--digits", "17"})), HasSubstr(exact));
  EXPECT_THAT(Output(With({"--digits", "3"})),
              HasSubstr(" at distance " +
                        cli::Styled(std::stod(exact), {.digits = 3}) + ","));
  EXPECT_THAT(Output(With({"--digits", "3", "--format", "csv"})),
              HasSubstr(exact));
  EXPECT_THAT(Output(With({"--digits", "3", "--format", "json"})),
              HasSubstr(exact));
  for (const std::string wrong : {"0", "18", "x", ""}) {
    EXPECT_THAT(ErrorOf(With({"--digits", wrong}), 2), HasSubstr("--digits"));
  }
}

TEST_F(TextStyleTest, AUnitIsALabelOfLengths) {
  EXPECT_THAT(Output(With({"--unit", "mm", "--digits", "2"})),
              ::testing::ContainsRegex("at distance [0-9.]+ mm, at \\("));
  EXPECT_EQ(JsonOf(With({"--unit", "mm"}))["unit"].text, "mm");
  EXPECT_FALSE(JsonOf(command_).Has("unit"));
  const Words words = {
      "clearance", a_,  a_,       "--pose", "1,0,0,3,0,1,0,0,0,0,1,0",
      "--within",  "2", "--unit", "mm"};
  EXPECT_THAT(Output(words),
              AllOf(::testing::ContainsRegex("smallest distance [0-9.]+ mm"),
                    HasSubstr("within 2 mm: ")));
  EXPECT_THAT(ErrorOf(With({"--unit", "m\nm"}), 2), HasSubstr("--unit"));
}

TEST_F(TextStyleTest, BooleansAreAlikeInCsv) {
  EXPECT_EQ(Output({"ray", a_, "--ray", "9,0,0,-1,0,0", "--ray", "9,0,0,1,0,0",
                    "--any", "--format", "csv"}),
            "query,hit\n0,true\n1,false\n");
}

}  // namespace
}  // namespace orbox
