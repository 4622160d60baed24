// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/output/field_value.h"

#include <array>
#include <cstdint>
#include <string>

#include "gtest/gtest.h"

namespace orbox::cli {
namespace {

TEST(FieldValueTest, PatternsGroupDigitsAndTakeNumbersInTurn) {
  std::string text;
  AppendText(text, "{,} tests; ", uint64_t{1234567});
  AppendText(text, "{} to {}; ", std::array<double, 2>{0.5, 1});
  AppendText(text, "not there {}", {});
  EXPECT_EQ(text, "1,234,567 tests; 0.5 to 1; ");
}

}  // namespace
}  // namespace orbox::cli
