// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/bcf_review.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/base/zip.h"
#include "tools/report/bcf.h"

namespace orbox::cli {
namespace {

using report::BcfTopic;
using report::Decision;
using report::IssueComment;
using report::Review;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Review BcfReviewOf(const std::string& bytes) {
  const absl::StatusOr<Review> review = ParseReview(bytes, "r.bcf");
  EXPECT_TRUE(review.ok()) << review.status();
  return review.ok() ? *review : Review();
}

// BCF needs Expat and zlib.
bool HasBcf() {
  return ParseBcfReview("", "").status().code() !=
         absl::StatusCode::kUnimplemented;
}

TEST(BcfReviewTest, ReadsItsOwnBcf) {
  if (!HasBcf()) GTEST_SKIP() << "built without Expat or zlib";
  const BcfTopic topics[] = {
      {.id = "4b1c9c0e-0a4b-5d4a-8888-000000000001",
       .title = "clash: a & b",
       .description = "x",
       .status = "Approved",
       .priority = "High",
       .assigned = "Mia <mia@example.org>",
       .labels = {"clash"},
       .links = {std::string(report::kClashesLink) +
                     "4b1c9c0e-0a4b 00000000-1111",
                 std::string(report::kPlaceLink) + "1,-2.5,3"},
       .files = {"a.ifc"},
       .comments = {{.text = "first\nline",
                     .author = "Ada",
                     .date = "2026-01-31T12:00:00Z"},
                    {.text = "second", .author = "", .date = "31.1.2026"}}},
      {.id = "4b1c9c0e-0a4b-5d4a-8888-000000000002",
       .title = "t",
       .status = "Open"}};
  const absl::StatusOr<std::string> bytes = report::BcfFile(
      topics, {.author = "orbox", .date = "2026-02-01T00:00:00Z"});
  ASSERT_TRUE(bytes.ok());
  const Review review = BcfReviewOf(*bytes);
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

TEST(BcfReviewTest, ReadsBcf3) {
  if (!HasBcf()) GTEST_SKIP() << "built without Expat or zlib";
  tools::ZipWriter zip;
  zip.Add("T/markup.bcf",
          "<Markup><Header/><Topic Guid=\"ABC\" TopicType=\"Clash\" "
          "TopicStatus=\"Closed\"><Title>t</Title><AssignedTo>Mia</AssignedTo>"
          "<Comments><Comment Guid=\"c\"><Date>2026-01-31T12:00:00Z</Date>"
          "<Author>Ada</Author><Comment>said</Comment></Comment></Comments>"
          "</Topic></Markup>");
  const Review review = BcfReviewOf(*zip.Finish());
  ASSERT_NE(review.Find("abc"), nullptr);
  EXPECT_EQ(review.Find("abc")->status, "Closed");
  EXPECT_EQ(review.Find("abc")->assigned, "Mia");
  EXPECT_THAT(
      review.Find("abc")->comments,
      ElementsAre(IssueComment{
          .text = "said", .author = "Ada", .date = "2026-01-31T12:00:00Z"}));
}

TEST(BcfReviewTest, OtherArchivesAreNoReview) {
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
}  // namespace orbox::cli
