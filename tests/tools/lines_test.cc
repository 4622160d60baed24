// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/arguments/lines.h"

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/scratch_directory.h"

namespace orbox::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

using Numbered = std::vector<std::pair<size_t, std::string>>;

class LinesTest : public ::testing::Test {
 protected:
  Numbered Lines(const std::string& content) {
    Numbered lines;
    const absl::Status status = VisitLines(
        folder_.Write("f", content), "words", [&lines](const Line& line) {
          lines.emplace_back(line.number, line.text);
          return absl::OkStatus();
        });
    EXPECT_TRUE(status.ok()) << status;
    return lines;
  }

  ScratchDirectory folder_;
};

TEST_F(LinesTest, SkipsCommentsAndBlankLines) {
  EXPECT_THAT(Lines("\xef\xbb\xbf one \r\n\n# two\n\t\n three # 3\nfour"),
              ElementsAre(Pair(1, "one"), Pair(5, "three"), Pair(6, "four")));
  EXPECT_THAT(Lines(""), ElementsAre());
  EXPECT_THAT(Lines("#"), ElementsAre());
}

TEST_F(LinesTest, RefusesTextInUtf16) {
  const std::string content(
      "\xff\xfe"
      "1\0\n\0",
      6);
  const absl::Status status =
      VisitLines(folder_.Write("f", content), "words",
                 [](const Line&) { return absl::OkStatus(); });
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("f:1: is text in UTF-16"));
}

TEST_F(LinesTest, PutsPiecesOfLongFilesTogether) {
  std::string content;
  for (size_t i = 1; i <= 100'000; ++i) content += std::to_string(i) + "\n";
  const Numbered lines = Lines(content);
  ASSERT_EQ(lines.size(), 100'000U);
  for (const auto& [number, text] : lines) {
    ASSERT_EQ(text, std::to_string(number));
  }
}

TEST_F(LinesTest, ErrorsHaveAPlaceAndEndTheVisit) {
  size_t visited = 0;
  const std::string path = folder_.Write("f", "a\n\nb\nc\n");
  const absl::Status status =
      VisitLines(path, "words", [&visited](const Line& line) {
        ++visited;
        return line.text == "b" ? absl::InvalidArgumentError("is b")
                                : absl::OkStatus();
      });
  EXPECT_EQ(status, absl::InvalidArgumentError(path + ":3: is b"));
  EXPECT_EQ(visited, 2U);

  const auto any = [](const Line&) { return absl::OkStatus(); };
  EXPECT_EQ(VisitLines(folder_.Path("none"), "words", any).code(),
            absl::StatusCode::kNotFound);
  const absl::Status folder = VisitLines(folder_.Path(""), "words", any);
  EXPECT_EQ(folder.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(folder.message()), HasSubstr("is a directory"));
  const absl::Status endless = VisitLines("/dev/zero", "words", any);
  EXPECT_THAT(std::string(endless.message()),
              HasSubstr("a line of more than 65,536 characters; give words"));
}

}  // namespace
}  // namespace orbox::cli
