// SPDX-License-Identifier: Apache-2.0

#include "tools/report/review.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace orbox::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Review ReviewOf(const std::string& bytes) {
  const absl::StatusOr<Review> review = ParseReviewTable(bytes, "r.csv");
  EXPECT_TRUE(review.ok()) << review.status();
  return review.ok() ? *review : Review();
}

TEST(ReviewTest, ReadsATable) {
  const Review review = ReviewOf(
      "id,status,assigned,comment,author,date,title,clashes,x,y,z\r\n"
      "i1,Approved,Mia,\"two, \"\"quoted\"\"\r\nlines\",Ada,2026-01-31,T,"
      "4b1c9c0e-0a4b 00000000-1111-5,1,-2.5,3\r\n"
      "\r\n"
      "i1,,,second,,,,,,,\r\n"
      "i2,'=Open,,'-1 m,,,,,x,,\r\n");
  EXPECT_THAT(review.ids(), ElementsAre("i1", "i2"));
  const Decision& first = *review.Find("i1");
  EXPECT_EQ(first.status, "Approved");
  EXPECT_EQ(first.assigned, "Mia");
  EXPECT_EQ(first.title, "T");
  ASSERT_EQ(first.comments.size(), 2U);
  EXPECT_EQ(first.comments[0].text, "two, \"quoted\"\r\nlines");
  EXPECT_EQ(first.comments[0].author, "Ada");
  EXPECT_EQ(first.comments[1].text, "second");
  EXPECT_THAT(first.clashes, ElementsAre("4b1c9c0e-0a4b", "00000000-1111"));
  ASSERT_TRUE(first.place.has_value());
  EXPECT_EQ(first.place->y, -2.5);
  const Decision& second = *review.Find("i2");
  EXPECT_EQ(second.status, "=Open");
  EXPECT_EQ(second.comments[0].text, "-1 m");
  EXPECT_FALSE(second.place.has_value());
  EXPECT_EQ(review.Find("i3"), nullptr);
}

TEST(ReviewTest, ReadsTablesOfSpreadsheets) {
  // With a byte order mark, columns in another order, and semicolons or tabs.
  for (const std::string separator : {";", "\t"}) {
    const Review review =
        ReviewOf("\xef\xbb\xbfStatus" + separator + "note" + separator +
                 "ID\nClosed" + separator + "a, b" + separator + "i1\n");
    ASSERT_NE(review.Find("i1"), nullptr);
    EXPECT_EQ(review.Find("i1")->status, "Closed");
  }
  EXPECT_EQ(ReviewOf("id\n").size(), 0U);
}

TEST(ReviewTest, NamesTheLineOfAMistake) {
  const auto message = [](const std::string& bytes) {
    return std::string(ParseReviewTable(bytes, "r.csv").status().message());
  };
  EXPECT_THAT(message(""), HasSubstr("r.csv: has no column id"));
  EXPECT_THAT(message("a,b\n1,2\n"), HasSubstr("has no column id"));
  EXPECT_THAT(message("id,comment\ni,\"x\ny\"\n,z\n"),
              HasSubstr("r.csv:4: has no id"));
  EXPECT_THAT(message("id,comment\ni,\"x\n"),
              HasSubstr("r.csv:2: begins a quoted cell"));
}

TEST(ReviewTest, AStatusIsDoneOrNot) {
  for (const char* done : {"Closed", "APPROVED", "resolved", "Ignored"}) {
    EXPECT_TRUE(IsDone(done));
  }
  for (const char* other : {"Open", "In progress", "", "ReOpened"}) {
    EXPECT_FALSE(IsDone(other));
  }
}

}  // namespace
}  // namespace orbox::report
