// SPDX-License-Identifier: Apache-2.0

// --pose: forms that are read, forms that are refused, and the messages.
#include "tools/orbox/commands/poses.h"

#include <algorithm>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"

namespace orbox::cli {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class PosesTest : public OrboxCommandTest {
 protected:
  // The pair of cubes, with A moved.
  Words At(const std::string& pose) const {
    return {"clearance", cube_, cube_, "--pose", pose};
  }
  double DistanceAt(const std::string& pose) const {
    return JsonOf(At(pose))["distance"].number();
  }
  // The note that the command prints in addition to its result: one line.
  std::string NoteAt(const Words& words) const {
    const ProcessResult result = Run(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, AllOf(StartsWith("orbox: note: "), EndsWith("\n")));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
    return result.err;
  }

  const std::string cube_ = File("cube.ply", meshes::Cube());
};

constexpr char kMoved[] = "1,0,0,5,0,1,0,0,0,0,1,0";

TEST_F(PosesTest, TwelveOrSixteenNumbersBetweenCommasOrSpaces) {
  const double expected = DistanceAt(kMoved);
  EXPECT_GT(expected, 0);
  for (const std::string pose :
       {"1 0 0 5 0 1 0 0 0 0 1 0", "1, 0, 0, 5,  0, 1, 0, 0,  0, 0, 1, 0",
        "1 0 0 5, 0 1 0 0, 0 0 1 0", "1 0 0 5\n0 1 0 0\n0 0 1 0\n0 0 0 1\n",
        "1,0,0,5,0,1,0,0,0,0,1,0,0,0,0,1", " 1\t0 0 5 0 1 0 0 0 0 1 0 "}) {
    EXPECT_EQ(DistanceAt(pose), expected) << pose;
  }
  EXPECT_EQ(DistanceAt("-1,0,0,6,0,-1,0,1,0,0,1,0"), expected);
}

TEST_F(PosesTest, FilesHaveSuchRows) {
  const std::string file = folder_.Write("p",
                                         "1 0 0 5 0 1 0 0 0 0 1 0\n"
                                         "1,0,0,6,0,1,0,0,0,0,1,0,0,0,0,1\n"
                                         "# nothing\n"
                                         "1 0 0 7 0 1 0 0 0 0 1 0 0 0 0 1\n");
  const Json json = JsonOf(At("@" + file))["results"];
  ASSERT_EQ(json.size(), 3U);
  EXPECT_EQ(json[2]["distance"].number(), json[0]["distance"].number() + 2);
  // Names of columns, between spaces.
  const std::string named =
      folder_.Write("n", "a b c x d e f y g h i z\n1 0 0 5 0 1 0 0 0 0 1 0\n");
  EXPECT_EQ(JsonOf(At("@" + named))["results"].size(), 1U);
}

TEST_F(PosesTest, OtherNumbersAreExplained) {
  EXPECT_THAT(ErrorOf(At("1,0,0,5,0,1,0,0,0,0,1"), kUsage),
              HasSubstr("found 11 numbers where 12 or 16 are needed"));
  EXPECT_THAT(ErrorOf(At("1,0,0,5,,1,0,0,0,0,1,0"), kUsage),
              HasSubstr("'' is not a number"));
  EXPECT_THAT(ErrorOf(At("1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 2"), kUsage),
              HasSubstr("has to be 0,0,0,1"));
  EXPECT_THAT(
      ErrorOf(At("1 0 0 0 0 1 0 0 0 0 1 0 5 0 0 1"), kUsage),
      AllOf(HasSubstr("has to be 0,0,0,1"), HasSubstr("column by column")));
  const std::string file = folder_.Write(
      "p", "1 0 0 5 0 1 0 0 0 0 1 0\n1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 2\n");
  EXPECT_THAT(ErrorOf(At("@" + file), kBadInput), HasSubstr("p:2: "));
}

// "1,0;0,0;..." would read as twice as many numbers.
TEST_F(PosesTest, DecimalCommasAreRefused) {
  const std::string decimals = "1,5;0;0;0;0;1,5;0;0;0;0;1,5;0";
  EXPECT_THAT(ErrorOf(At(decimals), kUsage), HasSubstr("semicolons"));
  const std::string file = folder_.Write("p", decimals + "\n");
  EXPECT_THAT(ErrorOf(At("@" + file), kBadInput),
              AllOf(HasSubstr("p:1: "), HasSubstr("semicolons")));
}

TEST_F(PosesTest, SingularOnesAreRefusedUnlessFlattened) {
  const std::string r_first = "1,0,0,0,1,0,0,0,1,5,0,0";
  EXPECT_THAT(ErrorOf(At(r_first), kUsage),
              AllOf(HasSubstr("singular"), HasSubstr("R first, then t"),
                    HasSubstr("--flatten")));
  for (const char* command : {"intersect", "hausdorff"}) {
    EXPECT_THAT(ErrorOf({command, cube_, cube_, "--pose", r_first}, kUsage),
                HasSubstr("singular"));
  }
  // To the plane z = 9.
  Words flat = At("1,0,0,0,0,1,0,0,0,0,0,9");
  EXPECT_THAT(ErrorOf(flat, kUsage), HasSubstr("singular"));
  flat.push_back("--flatten");
  EXPECT_THAT(NoteAt(flat), HasSubstr("flattens"));
  EXPECT_THAT(ErrorOf({"clearance", cube_, cube_, "--flatten"}, kUsage),
              HasSubstr("--pose"));

  const std::string file =
      folder_.Write("p", std::string(kMoved) + "\n" + r_first + "\n");
  EXPECT_THAT(ErrorOf(At("@" + file), kBadInput),
              AllOf(HasSubstr("p:2: "), HasSubstr("singular")));
  Words flat_file = At("@" + file);
  flat_file.push_back("--flatten");
  EXPECT_THAT(NoteAt(flat_file), HasSubstr("p:2: "));
}

TEST_F(PosesTest, WhatIsNotRigidIsSaidOnce) {
  EXPECT_THAT(NoteAt(At("2,0,0,9,0,2,0,0,0,0,2,0")),
              HasSubstr("scales by 2\n"));
  EXPECT_THAT(NoteAt(At("2,0,0,9,0,1,0,0,0,0,.5,0")),
              HasSubstr("stretches by 0.5 to 2\n"));
  EXPECT_THAT(NoteAt(At("-1,0,0,9,0,1,0,0,0,0,1,0")), HasSubstr("mirrors\n"));
  // Regular, and yet in another order: R first.
  EXPECT_THAT(NoteAt(At(".666667,-.333333,.666667,.666667,.666667,-.333333,"
                        "-.333333,.666667,.666667,5,6,7")),
              HasSubstr("R first, then t"));
  const std::string file = folder_.Write(
      "p", std::string(kMoved) +
               "\n2 0 0 9 0 2 0 0 0 0 2 0\n3 0 0 9 0 3 0 0 0 0 3 0\n");
  EXPECT_THAT(NoteAt(At("@" + file)),
              AllOf(HasSubstr("p:2: "), HasSubstr("scales by 2; 1 more")));
}

}  // namespace
}  // namespace orbox::cli
