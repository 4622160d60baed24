// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/arguments/suggest.h"

#include <string>
#include <string_view>

#include "gtest/gtest.h"

namespace orbox::cli {
namespace {

constexpr std::string_view kKnown[] = {"info", "intersect", "clearance",
                                       "--within", "--stats"};

TEST(SuggestTest, FindsWhatWasMeant) {
  EXPECT_EQ(Suggest("inof", kKnown), "info");
  EXPECT_EQ(Suggest("infos", kKnown), "info");
  EXPECT_EQ(Suggest("intersec", kKnown), "intersect");
  EXPECT_EQ(Suggest("clearence", kKnown), "clearance");
  EXPECT_EQ(Suggest("--witihn", kKnown), "--within");
  EXPECT_EQ(Suggest("--stat", kKnown), "--stats");
}

TEST(SuggestTest, StaysSilentWhereNothingIsClose) {
  EXPECT_EQ(Suggest("", kKnown), "");
  EXPECT_EQ(Suggest("frobnicate", kKnown), "");
  EXPECT_EQ(Suggest("--sphere", kKnown), "");
  EXPECT_EQ(Suggest(std::string(1'000'000, 'i'), kKnown), "");
  EXPECT_EQ(DidYouMean("frobnicate", kKnown), "");
}

TEST(SuggestTest, SwappingNeighboursIsOneEdit) {
  // Two replacements in three letters would be too many.
  constexpr std::string_view kShort[] = {"abc"};
  EXPECT_EQ(Suggest("acb", kShort), "abc");
  EXPECT_EQ(Suggest("axx", kShort), "");
}

}  // namespace
}  // namespace orbox::cli
