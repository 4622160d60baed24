// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/arguments/rows.h"

#include <span>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/scratch_directory.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class RowsTest : public ::testing::Test {
 protected:
  absl::StatusOr<Rows> Read(const std::string& content) {
    return ReadRows(folder_.Write("q.csv", content), "x,y",
                    [](std::span<const double> row) {
                      return row[1] >= 0
                                 ? absl::OkStatus()
                                 : absl::InvalidArgumentError("y is negative");
                    });
  }
  // The message after the file's path.
  std::string ErrorOf(const std::string& content) {
    const absl::StatusOr<Rows> rows = Read(content);
    EXPECT_EQ(rows.status().code(), absl::StatusCode::kInvalidArgument);
    const std::string message(rows.status().message());
    EXPECT_THAT(message, StartsWith(folder_.Path("q.csv") + ":"));
    return message.substr(folder_.Path("q.csv").size());
  }

  ScratchDirectory folder_;
};

TEST_F(RowsTest, SkipsWhatIsNoRow) {
  const auto rows = Read(
      "\xef\xbb\xbfx, y\r\n"
      "\r\n"
      "# a comment, 1\n"
      " 1 ,\t2 # and another\r\n"
      "   \n"
      "-3e0,+4");
  ASSERT_TRUE(rows.ok()) << rows.status();
  ASSERT_EQ(rows->size(), 2U);
  EXPECT_THAT(rows->row(0), ElementsAre(1, 2));
  EXPECT_THAT(rows->row(1), ElementsAre(-3, 4));
  EXPECT_EQ(rows->Place(0), folder_.Path("q.csv") + ":4");
  EXPECT_EQ(rows->Place(1), folder_.Path("q.csv") + ":6");
}

TEST_F(RowsTest, ErrorsNameTheLine) {
  EXPECT_THAT(ErrorOf("1,2\n3,x\n"), StartsWith(":2: 'x' is not a number"));
  EXPECT_THAT(ErrorOf("1,2\n\n3\n"), StartsWith(":3: found 1 number"));
  EXPECT_THAT(ErrorOf("3\n"), HasSubstr("give x,y"));
  EXPECT_THAT(ErrorOf("1,-2\n"), StartsWith(":1: y is negative"));
  EXPECT_THAT(ErrorOf("1,inf\n"), HasSubstr("finite"));
  EXPECT_THAT(ErrorOf("1,2\n1e999,2"), StartsWith(":2: "));
  EXPECT_THAT(ErrorOf("1\t\t2\n"), StartsWith(":1: '' is not a number"));
  EXPECT_THAT(ErrorOf("1,,2\n"), StartsWith(":1: '' is not a number"));
  EXPECT_THAT(ErrorOf("1 2\n0,5;1,5\n"), StartsWith(":2: '0,5;1,5' is not"));
  EXPECT_THAT(ErrorOf("ply\nformat ascii 1.0\n"), StartsWith(":1: a PLY file"));
}

TEST_F(RowsTest, SeparatorsAreCommasSemicolonsTabsOrSpaces) {
  for (const std::string content :
       {"1,2\n3 , 4\n", "1;2\n3 ;4\n", "1\t2\n3\t 4\n", " 1   2 \n3 4",
        "1 2\n3\t4\n", "\"1\",\"2\"\n3,4\n"}) {
    const auto rows = Read(content);
    ASSERT_TRUE(rows.ok()) << content << rows.status();
    ASSERT_EQ(rows->size(), 2U);
    EXPECT_THAT(rows->row(0), ElementsAre(1, 2)) << content;
    EXPECT_THAT(rows->row(1), ElementsAre(3, 4)) << content;
  }
}

TEST_F(RowsTest, OnlyTheSeparatorOfTheFirstLineSeparates) {
  for (const std::string content :
       {"point id,x,y\n7,1,2\n", "GPS time;x;y\n101.5;1;2\n",
        "name,x,y\nold tree,1,2\n", "name;x;y\noak, old;1;2\n",
        "name\tx\ty\nold tree\t1\t2\n", "name\tx\ty\n\t1\t2\t3\n",
        "id,x [m],y [m]\n7,1,2\n", "id x [m] y (m)\n7 1 2\n",
        "\"the id\" x y\n\"old tree\" 1 2\n", "\"a;b\",x,y\n\"oak, old\",1,2\n",
        "1;2;oak, old\n", "x,y,name\n1,2,\"oak; old\"\n",
        "scan of a tree\n1,2\n", "old tree,1,2\n", "oak, old;tall;1;2;3\n"}) {
    const auto rows = Read(content);
    ASSERT_TRUE(rows.ok()) << content << rows.status();
    ASSERT_EQ(rows->size(), 1U) << content;
    EXPECT_THAT(rows->row(0), ElementsAre(1, 2)) << content;
  }
  EXPECT_THAT(ErrorOf("1,2\n3;4\n"), StartsWith(":2: '3;4' is not one number"));
}

TEST_F(RowsTest, OnlyTextsBeforeTheNumbersAreSkipped) {
  for (const std::string content :
       {",1,2\n", "oak,,1,2\n", "oak 1 2\n", "old tree,1,2\n3,4\n",
        "1,2\nold tree,3,4\n", "old tree,1\n", "1O,2,3\n"}) {
    EXPECT_FALSE(Read(content).ok()) << content;
  }
}

TEST_F(RowsTest, DecimalCommasAreErrors) {
  EXPECT_THAT(ErrorOf("5,0\t5,0\t12,0\n"), StartsWith(":1: '0\t5' is not"));
  EXPECT_THAT(ErrorOf("5,0 5,0 12,0\n"), StartsWith(":1: '0 5' is not"));
  for (const std::string content :
       {"x;y\n5,0;5,0\n", "5,0;6\n", "5,0;6,0\n", "5,0;6;7\n", "oak;5,0;6;7\n",
        "x\ty\n5,0\t6\n", "x y\n5,0 6\n"}) {
    EXPECT_THAT(ErrorOf(content),
                HasSubstr("'5,0' is not one number; the first line "
                          "separates by "))
        << content;
  }
}

TEST_F(RowsTest, FurtherColumnsAreIgnored) {
  const auto rows = Read("1,2,255,0,0\n3,4,a name,\n");
  ASSERT_TRUE(rows.ok()) << rows.status();
  EXPECT_THAT(rows->row(0), ElementsAre(1, 2));
  EXPECT_THAT(rows->row(1), ElementsAre(3, 4));
}

TEST_F(RowsTest, HeadersSayWhereColumnsAre) {
  for (const std::string content :
       {"id;y;\"X\"\n7;2;1\n", "//Id Y X\n7 2 1\n", "#\nn\ty\tx\n7\t2\t1\n"}) {
    const auto rows = Read(content);
    ASSERT_TRUE(rows.ok()) << rows.status();
    EXPECT_THAT(rows->row(0), ElementsAre(1, 2)) << content;
  }
  const auto unnamed = Read("east north\n1 2\n");
  ASSERT_TRUE(unnamed.ok()) << unnamed.status();
  EXPECT_THAT(unnamed->row(0), ElementsAre(1, 2));
  EXPECT_THAT(ErrorOf("id,x\n7,1\n"),
              StartsWith(":1: the header has no 'y' beside 'x'"));
  EXPECT_THAT(ErrorOf("id,y,x\n7,1\n"), StartsWith(":2: found 1 number"));
}

TEST_F(RowsTest, OnlyALineWithoutNumbersIsAHeader) {
  EXPECT_THAT(ErrorOf("x,y\nx,y\n1,2\n"), StartsWith(":2: "));
  EXPECT_THAT(ErrorOf("oops,2\n1,2\n"), StartsWith(":1: "));
  EXPECT_THAT(ErrorOf("nan,nan\n1,2\n"), StartsWith(":1: "));
}

TEST_F(RowsTest, RefusesFilesWithoutRows) {
  for (const std::string content : {"", "\n\n", "x,y\n", "# nothing"}) {
    EXPECT_THAT(ErrorOf(content), HasSubstr("there are no rows"));
  }
}

TEST_F(RowsTest, RefusesLinesWithoutEnd) {
  EXPECT_THAT(ErrorOf("1,2\n" + std::string(1 << 20, '1')),
              StartsWith(":2: a line of more than"));
}

TEST_F(RowsTest, ReadsAcrossTheBordersOfItsBuffer) {
  std::string content;
  constexpr int kRows = 100'000;
  for (int i = 0; i < kRows; ++i) content += Cat(i, ".25,", 2 * i, "\n");
  const auto rows = Read(content);
  ASSERT_TRUE(rows.ok()) << rows.status();
  ASSERT_EQ(rows->size(), static_cast<size_t>(kRows));
  for (int i = 0; i < kRows; ++i) {
    ASSERT_EQ(rows->row(i)[0], i + 0.25);
    ASSERT_EQ(rows->row(i)[1], 2.0 * i);
  }
}

TEST_F(RowsTest, SaysWhatTheSystemSays) {
  const auto any = [](std::span<const double>) { return absl::OkStatus(); };
  EXPECT_EQ(ReadRows(folder_.Path("none"), "x,y", any).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(ReadRows(folder_.Path(""), "x,y", any).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace orbox::cli
