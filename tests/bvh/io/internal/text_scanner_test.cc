// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/text_scanner.h"

#include <clocale>
#include <cmath>
#include <limits>
#include <string>

#include "gtest/gtest.h"

namespace orbox::mesh_internal {
namespace {

using Outcome = TextScanner::Outcome;

Outcome ReadDouble(const std::string& text, double& value) {
  TextScanner scan(text, {});
  return scan.ReadDouble(value);
}

TEST(TextScannerTest, ReadsDoublesToTheLastBit) {
  std::string padded_seven(1001, '0');
  padded_seven.back() = '7';
  const std::string padded_one = "0." + std::string(400, '0') + "1e401";
  const struct {
    std::string text;
    double value;
  } cases[] = {{"0.1", 0.1},
               {"-0.1", -0.1},
               {"+2.5", 2.5},
               {".5", 0.5},
               {"5.", 5},
               {"1e3", 1000},
               {"1E-3", 0.001},
               {"1.7976931348623157e308", 1.7976931348623157e308},
               {"2.2250738585072011e-308", 2.2250738585072011e-308},
               {"4.9406564584124654e-324", 4.9406564584124654e-324},
               // Halfway between two doubles, and a little more.
               {"9007199254740993", 9007199254740992.0},
               {"9007199254740993.00000000000000000000001", 9007199254740994.0},
               {padded_seven, 7},
               {padded_one, 1}};
  for (const auto& c : cases) {
    double value = 0;
    EXPECT_EQ(ReadDouble(c.text, value), Outcome::kRead) << c.text;
    EXPECT_EQ(value, c.value) << c.text;
  }
}

TEST(TextScannerTest, TooSmallIsZeroAndTooLargeIsNoNumber) {
  double value = 1;
  for (const std::string text :
       {"1e-400", "0.00001e-320", "1e-99999999999999999999999",
        "123456789e-400"}) {
    EXPECT_EQ(ReadDouble(text, value), Outcome::kRead) << text;
    EXPECT_EQ(value, 0) << text;
    EXPECT_EQ(ReadDouble("-" + text, value), Outcome::kRead) << text;
    EXPECT_TRUE(std::signbit(value)) << text;
  }
  for (const std::string text :
       {"1e400", "-1e400", "0.001e312", "1e99999999999999999999999", "inf",
        "-inf", "nan", "NaN", "infinity", "nan(17)"}) {
    EXPECT_EQ(ReadDouble(text, value), Outcome::kNotFinite) << text;
  }
  EXPECT_EQ(ReadDouble(std::string(400, '9'), value), Outcome::kNotFinite);
  EXPECT_EQ(ReadDouble("0." + std::string(400, '0') + "1", value),
            Outcome::kRead);
  EXPECT_EQ(value, 0);
}

TEST(TextScannerTest, RejectsWhatIsNotANumber) {
  double value = 0;
  for (const std::string text :
       {"x", "1.5x", "1,5", "0x10", "1e", "--1", "+-1", "-+1", "+", "-", ".",
        "1.#IND", "1.0f", "1/2", "\xff", "1\\"}) {
    EXPECT_EQ(ReadDouble(text, value), Outcome::kMalformed) << text;
  }
  EXPECT_EQ(ReadDouble("", value), Outcome::kLineEnd);
  EXPECT_EQ(ReadDouble("  \t\n1", value), Outcome::kLineEnd);
}

TEST(TextScannerTest, LocalesDoNotMatter) {
  // A locale with a decimal comma, if one is installed, must have no effect.
  const std::string old = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8"}) {
    std::setlocale(LC_ALL, name);
    double value = 0;
    EXPECT_EQ(ReadDouble("1.5", value), Outcome::kRead);
    EXPECT_EQ(value, 1.5);
    EXPECT_EQ(ReadDouble("1,5", value), Outcome::kMalformed);
  }
  std::setlocale(LC_ALL, old.c_str());
}

TEST(TextScannerTest, ReadsIntegers) {
  int64_t value = 0;
  TextScanner scan("12 -7 +3 5x 99999999999999999999 4.0 -", {});
  EXPECT_EQ(scan.ReadInteger(value), Outcome::kRead);
  EXPECT_EQ(value, 12);
  EXPECT_EQ(scan.ReadInteger(value), Outcome::kRead);
  EXPECT_EQ(value, -7);
  EXPECT_EQ(scan.ReadInteger(value), Outcome::kRead);
  EXPECT_EQ(value, 3);
  EXPECT_EQ(scan.ReadInteger(value), Outcome::kMalformed);
  EXPECT_EQ(scan.Word(), "5x");
  EXPECT_EQ(scan.ReadInteger(value), Outcome::kTooLarge);
  EXPECT_EQ(scan.Word(), "99999999999999999999");
  EXPECT_EQ(scan.ReadInteger(value), Outcome::kMalformed);
  EXPECT_EQ(scan.Word(), "4.0");
  EXPECT_EQ(scan.ReadInteger(value), Outcome::kMalformed);
}

TEST(TextScannerTest, CountsLinesWhateverEndsThem) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const std::string text = "a" + end + end + " b" + end + "c";
    TextScanner scan(text, {});
    EXPECT_EQ(scan.Word(), "a");
    EXPECT_EQ(scan.line(), 1u);
    EXPECT_TRUE(scan.AtLineEnd());
    EXPECT_TRUE(scan.SkipToContent());
    EXPECT_EQ(scan.line(), 3u);
    EXPECT_EQ(scan.Word(), "b");
    EXPECT_TRUE(scan.SkipToContent());
    EXPECT_EQ(scan.line(), 4u);
    EXPECT_EQ(scan.Word(), "c");
    EXPECT_FALSE(scan.SkipToContent());
    EXPECT_TRUE(scan.AtEnd());
  }
}

TEST(TextScannerTest, CommentsEndLines) {
  TextScanner with("a # b\n# c\nd#e", {.comments = true});
  EXPECT_EQ(with.Word(), "a");
  EXPECT_TRUE(with.AtLineEnd());
  EXPECT_TRUE(with.SkipToContent());
  EXPECT_EQ(with.Word(), "d#e");
  TextScanner without("a # b", {});
  without.Word();
  EXPECT_EQ(without.Word(), "#");
}

TEST(TextScannerTest, BackslashesContinueLines) {
  TextScanner scan("1 \\\n2\\\r\n 3\n4", {.continuations = true});
  int64_t value = 0;
  for (int64_t expected : {1, 2, 3}) {
    ASSERT_EQ(scan.ReadInteger(value), Outcome::kRead);
    EXPECT_EQ(value, expected);
  }
  EXPECT_EQ(scan.line(), 3u);
  EXPECT_TRUE(scan.AtLineEnd());
  scan.SkipLine();
  EXPECT_EQ(scan.line(), 4u);

  TextScanner skipped("g \\\n 5\n6", {.continuations = true});
  skipped.SkipLine();
  EXPECT_EQ(skipped.Word(), "6");
  TextScanner not_followed("g \\\n5\n6", {.continuations = true});
  not_followed.SkipLine(TextScanner::Continuations::kIgnore);
  EXPECT_EQ(not_followed.Word(), "5");
  TextScanner at_the_end("1 \\", {.continuations = true});
  EXPECT_EQ(at_the_end.Word(), "1");
  EXPECT_EQ(at_the_end.Word(), "\\");
}

TEST(TextScannerTest, StepsOverAByteOrderMark) {
  TextScanner scan("\xef\xbb\xbfOFF", {});
  EXPECT_EQ(scan.Word(), "OFF");
}

TEST(TextScannerTest, DescribesWhatItCouldNotRead) {
  double value = 0;
  TextScanner scan("1.5x \n", {});
  const Outcome outcome = scan.ReadDouble(value);
  EXPECT_EQ(DescribeNumber(scan, outcome, "y coordinate"),
            "the y coordinate is '1.5x', which is not a number; correct it");
  TextScanner binary("\x01\x1b[2J", {});
  EXPECT_EQ(DescribeNumber(binary, binary.ReadDouble(value), "weight"),
            "the weight is '\\x01\\x1b[2J', which is not a number; correct it");
}

}  // namespace
}  // namespace orbox::mesh_internal
