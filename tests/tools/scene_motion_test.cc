// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/scene_motion.h"

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/scratch_directory.h"

namespace orbox::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class SceneMotionTest : public ::testing::Test {
 protected:
  absl::StatusOr<Motion> Read(const std::string& content) {
    return ReadMotion(folder_.Write("m.csv", content), bodies_);
  }
  // The message after the file's path.
  std::string ErrorOf(const std::string& content) {
    const absl::StatusOr<Motion> motion = Read(content);
    EXPECT_EQ(motion.status().code(), absl::StatusCode::kInvalidArgument);
    const std::string message(motion.status().message());
    EXPECT_THAT(message, StartsWith(folder_.Path("m.csv") + ":"));
    return message.substr(folder_.Path("m.csv").size());
  }

  const std::string kStill = ",1,0,0,0,0,1,0,0,0,0,1,0\n";
  const std::vector<SceneBody> bodies_ = {
      {.name = "wheel", .mesh = "", .path = "", .pose = {}},
      {.name = "left, upper", .mesh = "", .path = "", .pose = {}},
      {.name = "0", .mesh = "", .path = "", .pose = {}}};
  ScratchDirectory folder_;
};

TEST_F(SceneMotionTest, ReadsFrames) {
  const auto motion = Read(
      "frame,body,r11,r12,r13,tx,r21,r22,r23,ty,r31,r32,r33,tz\r\n"
      "# at first\n"
      "2, wheel ,1,2,3,4, 5,6,7,8, 9,10,12,+12e0\n" +
      std::string("2,left, upper") + kStill + "2,0" + kStill +
      "\n7,1,1,0,0,0.5,0,1,0,0,0,0,1,0 # by its number\n");
  ASSERT_TRUE(motion.ok()) << motion.status();
  ASSERT_EQ(motion->frames.size(), 2U);
  EXPECT_EQ(motion->frames[0].number, 2U);
  ASSERT_EQ(motion->frames[0].steps.size(), 3U);
  const MotionStep& wheel = motion->frames[0].steps[0];
  EXPECT_EQ(wheel.body, 0U);
  EXPECT_EQ(wheel.line, 3U);
  EXPECT_EQ(wheel.pose.rows[2], (Vec3{9, 10, 12}));
  EXPECT_EQ(wheel.pose.translation, (Vec3{4, 8, 12}));
  EXPECT_EQ(motion->frames[0].steps[1].body, 1U);
  // A name comes before a number.
  EXPECT_EQ(motion->frames[0].steps[2].body, 2U);
  EXPECT_EQ(motion->frames[1].number, 7U);
  ASSERT_EQ(motion->frames[1].steps.size(), 1U);
  EXPECT_EQ(motion->frames[1].steps[0].body, 1U);
  EXPECT_EQ(motion->frames[1].steps[0].pose.translation, (Vec3{0.5, 0, 0}));
}

TEST_F(SceneMotionTest, SingularPosesAreRefusedUnlessRequested) {
  const std::string flat = "0,wheel,1,0,0,0,0,1,0,0,0,0,0,0\n";
  EXPECT_THAT(ErrorOf(flat), HasSubstr("flattens the body"));
  EXPECT_TRUE(
      ReadMotion(folder_.Write("f.csv", flat), bodies_, /*flatten=*/true).ok());
}

TEST_F(SceneMotionTest, SaysWhatIsWrongAndWhere) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", ": there are no rows in it; give rows of frame,body"},
      {"frame,body,pose\n", ": there are no rows in it"},
      {"1,wheel,1,0,0\n", ":1: found 5 of 14 parts; give rows of frame,body"},
      {"1,0,0,0,0,1,0,0,0,0,1,0,\n", ":1: found 13 of 14 parts"},
      {"1.5,wheel" + kStill, ":1: the frame: '1.5' is not a whole number"},
      {"-1,wheel" + kStill, ":1: the frame: '-1'"},
      {"9007199254740993,wheel" + kStill, ":1: the frame: "},
      {"1,weel" + kStill, ":1: there is no body 'weel'; did you mean 'wheel'?"},
      {"1,3" + kStill, "or a number from 0 to 2"},
      {"1," + kStill, "there is no body ''"},
      {"1,wheel,1,0,0,0,0,x,0,0,0,0,1,0\n", ":1: 'x' is not a number"},
      {"1,wheel,1,0,0,0,0,inf,0,0,0,0,1,0\n", "'inf' is not a finite number"},
      {"2,wheel" + kStill + "1,wheel" + kStill,
       ":2: frame 1 after frame 2; sort the rows by frame"},
      {"2,wheel" + kStill + "2,0" + kStill + "2,wheel" + kStill,
       ":3: body 'wheel' is given twice in frame 2; give it once"},
      {std::string(100'000, '1'), ":1: a line of more than 65,536 characters"},
  };
  for (const auto& [content, message] : cases) {
    EXPECT_THAT(ErrorOf(content), HasSubstr(message)) << content.substr(0, 99);
  }
  EXPECT_EQ(ReadMotion(folder_.Path("none.csv"), bodies_).status().code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace orbox::cli
