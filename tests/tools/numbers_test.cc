// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/arguments/numbers.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(NumbersTest, ReadsWhatPeopleWrite) {
  EXPECT_EQ(*ParseReal("1"), 1);
  EXPECT_EQ(*ParseReal(" -2.5 "), -2.5);
  EXPECT_EQ(*ParseReal("+3"), 3);
  EXPECT_EQ(*ParseReal(".5"), 0.5);
  EXPECT_EQ(*ParseReal("1e-3"), 0.001);
  EXPECT_EQ(*ParseReal("5e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_TRUE(std::signbit(*ParseReal("-0")));
}

TEST(NumbersTest, RefusesWhatIsNotWhollyAFiniteNumber) {
  for (const std::string text :
       {"", " ", "x", "1x", "1 2", "--1", "+-1", "0x10", "1,", "1e", "1.2.3"}) {
    EXPECT_FALSE(ParseReal(text).ok()) << text;
    EXPECT_FALSE(LooksLikeNumber(text)) << text;
  }
  for (const std::string text : {"nan", "inf", "-inf", "infinity", "1e999"}) {
    EXPECT_FALSE(ParseReal(text).ok()) << text;
    EXPECT_TRUE(LooksLikeNumber(text)) << text;
  }
  EXPECT_THAT(std::string(ParseReal(std::string(1000, 'x')).status().message()),
              ::testing::SizeIs(::testing::Lt(100U)));
}

TEST(NumbersTest, RowsHaveTheirNumberOfNumbers) {
  EXPECT_THAT(*ParseReals("1, 2 ,-3", 3), ElementsAre(1, 2, -3));
  EXPECT_FALSE(ParseReals("1,2", 3).ok());
  EXPECT_FALSE(ParseReals("1,2,3,", 3).ok());
  EXPECT_FALSE(ParseReals("", 1).ok());
  EXPECT_THAT(std::string(ParseReals("1,2,3,4", 3).status().message()),
              HasSubstr("found 4 numbers where 3 are needed"));
}

TEST(NumbersTest, CountsStayInTheirRange) {
  EXPECT_EQ(*ParseCount("7", 1, 9), 7U);
  EXPECT_EQ(*ParseCount("18446744073709551615", 0, UINT64_MAX), UINT64_MAX);
  for (const std::string text :
       {"0", "10", "-1", "1.5", "", "x", "99999999999999999999"}) {
    EXPECT_FALSE(ParseCount(text, 1, 9).ok()) << text;
  }
}

TEST(NumbersTest, WrittenNumbersReadBackTheSame) {
  meshes::Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    // Any bits, and numbers of the size that models have.
    const double value = i % 2 == 0 ? std::bit_cast<double>(random.Bits())
                                    : random.Uniform(-100, 100);
    if (!std::isfinite(value)) continue;
    const std::string text = FormatReal(value);
    EXPECT_EQ(*ParseReal(text), value) << text;
    size_t digits = 0;
    for (const char c : text.substr(0, text.find('e'))) {
      const bool leading_zero = digits == 0 && c == '0';
      if (c >= '0' && c <= '9' && !leading_zero) ++digits;
    }
    EXPECT_LE(digits, 17U) << text;
  }
}

TEST(TextTest, GroupsCountsAndQuotes) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1000), "1,000");
  EXPECT_EQ(Grouped(1234567), "1,234,567");
  EXPECT_EQ(Counted(1, "pair"), "1 pair");
  EXPECT_EQ(Counted(2, "pair"), "2 pairs");
  EXPECT_EQ(OnOneLine("a\nb\x01 c"), "a\\nb\\x01 c");
  EXPECT_EQ(Quoted("x"), "'x'");
}

}  // namespace
}  // namespace orbox::cli
