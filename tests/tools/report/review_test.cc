// SPDX-License-Identifier: Apache-2.0

#include "tools/report/review.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/base/zip.h"
#include "tools/report/bcf.h"

namespace orbox::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Review ReviewOf(const std::string& bytes) {
  const absl::StatusOr<Review> review = ParseReview(bytes, "r.csv");
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
    return std::string(ParseReview(bytes, "r.csv").status().message());
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

// BCF needs Expat and zlib.
bool HasBcf() {
  return ParseBcfReview("", "").status().code() !=
         absl::StatusCode::kUnimplemented;
}

TEST(ReviewTest, ReadsItsOwnBcf) {
  if (!HasBcf()) GTEST_SKIP() << "built without Expat or zlib";
  const BcfTopic topics[] = {
      {.id = "4b1c9c0e-0a4b-5d4a-8888-000000000001",
       .title = "clash: a & b",
       .description = "x",
       .status = "Approved",
       .priority = "High",
       .assigned = "Mia <mia@example.org>",
       .labels = {"clash"},
       .links = {std::string(kClashesLink) + "4b1c9c0e-0a4b 00000000-1111",
                 std::string(kPlaceLink) + "1,-2.5,3"},
       .files = {"a.ifc"},
       .comments = {{.text = "first\nline",
                     .author = "Ada",
                     .date = "2026-01-31T12:00:00Z"},
                    {.text = "second", .author = "", .date = "31.1.2026"}}},
      {.id = "4b1c9c0e-0a4b-5d4a-8888-000000000002",
       .title = "t",
       .status = "Open"}};
  const absl::StatusOr<std::string> bytes =
      BcfFile(topics, {.author = "orbox", .date = "2026-02-01T00:00:00Z"});
  ASSERT_TRUE(bytes.ok());
  const Review review = ReviewOf(*bytes);
  EXPECT_THAT(review.ids(), ElementsAre(topics[0].id, topics[1].id));
  const Decision& first = *review.Find(topics[0].id);
  EXPECT_EQ(first.title, "clash: a & b");
  EXPECT_EQ(first.status, "Approved");
  EXPECT_EQ(first.assigned, "Mia <mia@example.org>");
  EXPECT_THAT(first.clashes, ElementsAre("4b1c9c0e-0a4b", "00000000-1111"));
  ASSERT_TRUE(first.place.has_value());
  EXPECT_EQ(first.place->y, -2.5);
  ASSERT_EQ(first.comments.size(), 2U);
  EXPECT_EQ(first.comments[0], topics[0].comments[0]);
  EXPECT_EQ(first.comments[1].text, "second");
  EXPECT_EQ(first.comments[1].date, "2026-02-01T00:00:00Z");
  EXPECT_TRUE(review.Find(topics[1].id)->comments.empty());
}

TEST(ReviewTest, ReadsBcf3) {
  if (!HasBcf()) GTEST_SKIP() << "built without Expat or zlib";
  tools::ZipWriter zip;
  zip.Add("T/markup.bcf",
          "<Markup><Header/><Topic Guid=\"ABC\" TopicType=\"Clash\" "
          "TopicStatus=\"Closed\"><Title>t</Title><AssignedTo>Mia</AssignedTo>"
          "<Comments><Comment Guid=\"c\"><Date>2026-01-31T12:00:00Z</Date>"
          "<Author>Ada</Author><Comment>said</Comment></Comment></Comments>"
          "</Topic></Markup>");
  const Review review = ReviewOf(*zip.Finish());
  ASSERT_NE(review.Find("abc"), nullptr);
  EXPECT_EQ(review.Find("abc")->status, "Closed");
  EXPECT_EQ(review.Find("abc")->assigned, "Mia");
  EXPECT_THAT(review.Find("abc")->comments,
              ElementsAre(IssueComment{.text = "said",
                                       .author = "Ada",
                                       .date = "2026-01-31T12:00:00Z"}));
}

TEST(ReviewTest, OtherArchivesAreNoReview) {
  if (!HasBcf()) GTEST_SKIP() << "built without Expat or zlib";
  tools::ZipWriter zip;
  zip.Add("a.txt", "a");
  EXPECT_THAT(
      std::string(ParseReview(*zip.Finish(), "r.bcf").status().message()),
      HasSubstr("without topics of BCF"));
  tools::ZipWriter bad;
  bad.Add("T/markup.bcf", "<Markup><Topic></Markup>");
  EXPECT_FALSE(ParseReview(*bad.Finish(), "r.bcf").ok());
  EXPECT_FALSE(ParseReview("PK\x03\x04", "r.bcf").ok());
}

}  // namespace
}  // namespace orbox::report
