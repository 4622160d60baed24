// SPDX-License-Identifier: Apache-2.0

// orbox clearance --depth: how deep A is in B, and a way out.

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/clash/clash_measures.h"

namespace orbox {
namespace {

using cli::Cat;
using ::testing::HasSubstr;
using ::testing::Not;

class DepthCommandTest : public OrboxCommandTest {};

TEST_F(DepthCommandTest, ClearanceWritesBoundsAndAWayOut) {
  const std::string a = File("a.ply", meshes::Cube());
  const std::string b = File("b.ply", meshes::Cube({0.75, 0.25, 0.125}));
  const Json depth = JsonOf({"clearance", a, b, "--depth"})["depth"];
  ASSERT_EQ(depth["bounds"].size(), 2U);
  const double lower = depth["bounds"][0].number();
  const double upper = depth["bounds"][1].number();
  EXPECT_LE(lower, 0.25);
  EXPECT_GE(upper, 0.25);
  EXPECT_NEAR(lower, upper, 1e-12);
  EXPECT_EQ(depth["normal"][0].number(), -1);
  const double way = depth["translation"][0].number();
  EXPECT_EQ(way, -upper);
  EXPECT_NEAR(depth["witness"]["b"]["point"][0].number() -
                  depth["witness"]["a"]["point"][0].number(),
              way, 1e-12);
  const std::string text = Output({"clearance", a, b, "--depth"});
  EXPECT_THAT(text, HasSubstr("  depth             "));
  EXPECT_THAT(text, HasSubstr("\n  a way out         (-0.25, 0, 0)\n"));
  // Moved by it, A is free.
  const std::string pose = Cat("1,0,0,", way, ",0,1,0,0,0,0,1,0");
  const Json free =
      JsonOf({"clearance", a, b, "--depth", Cat("--pose=", pose)});
  EXPECT_FALSE(free["intersects"].boolean());
  EXPECT_EQ(free["depth"]["bounds"][1].number(), 0);
}

TEST_F(DepthCommandTest, CsvHasTheDepthOfEachPose) {
  const std::string a = File("a.ply", meshes::Cube());
  const std::string b = File("b.ply", meshes::Cube({0.75, 0.25, 0.125}));
  const std::string poses = folder_.Write(
      "poses.csv", "1,0,0,0,0,1,0,0,0,0,1,0\n1,0,0,-9,0,1,0,0,0,0,1,0\n");
  const Words words = {"clearance", a, b, "--depth", "--pose", Cat("@", poses)};
  Words csv = words;
  csv.insert(csv.end(), {"--format", "csv"});
  const std::string text = Output(csv);
  EXPECT_THAT(text, HasSubstr(",depth,depth_upper,way_x,way_y,way_z\n"));
  const Json results = JsonOf(words)["results"];
  ASSERT_EQ(results.size(), 2U);
  for (const Json& result : results.items) {
    const Json& depth = result["depth"];
    std::string row;
    for (const char* name : {"bounds", "translation"}) {
      for (const Json& number : depth[name].items) row += Cat(",", number.text);
    }
    EXPECT_THAT(text, HasSubstr(Cat(row, "\n")));
  }
  csv.insert(csv.end(), {"--within", "0.5"});
  EXPECT_THAT(Output(csv), Not(HasSubstr("depth")));
}

TEST_F(DepthCommandTest, InsideIsDeepAndApartIsNot) {
  const std::string outer = File("outer.ply", meshes::Cube({-4, -4, -4}, 8));
  const std::string inner = File("inner.ply", meshes::Cube({1, -1, -1}, 2));
  const Json depth = JsonOf({"clearance", inner, outer, "--depth"})["depth"];
  EXPECT_NEAR(depth["bounds"][0].number(), 3, 1e-12);
  const std::string far = File("far.ply", meshes::Cube({9, 9, 9}));
  const Json apart = JsonOf({"clearance", far, outer, "--depth"})["depth"];
  EXPECT_EQ(apart["bounds"][1].number(), 0);
  EXPECT_THAT(Output({"clearance", far, outer, "--depth"}),
              Not(HasSubstr("depth")));
}

// Three bodies in a row: 0.5 and 0.25 deep in each other.
class ClashDepthTest : public OrboxCommandTest {
 protected:
  void SetUp() override {
    File("cube.ply", meshes::Cube());
    const auto body = [](const char* name, const char* x) {
      return Cat(R"({"name": ")", name,
                 R"(", "mesh": "cube.ply", "pose": [1,0,)", "0,", x,
                 ",0,1,0,0,0,0,1,0]}");
    };
    scene_ = folder_.Write(
        "row.json",
        Cat(R"({"bodies": [)", body("left", "0"), ",", body("middle", "0.5"),
            ",", body("right", "1.25"), ",", body("beside", "2.25"), "]}"));
  }

  std::string scene_;
};

TEST_F(ClashDepthTest, ClashesHaveTheirDepths) {
  EXPECT_THAT(JsonOf({"clash", scene_})["summary"].Keys(),
              Not(::testing::Contains("depths")));
  const Json json = JsonOf({"clash", scene_, "--depth"});
  const Json& depths = json["summary"]["depths"];
  EXPECT_EQ(depths["measured"].number(), 2);
  EXPECT_EQ(depths["of"].number(), 2);
  EXPECT_EQ(depths["budget"].number(), 2'000'000);
  ASSERT_EQ(json["clashes"].size(), 3U);
  const double expected[] = {0.5, 0.25};
  for (size_t i = 0; i < 2; ++i) {
    const Json& depth = json["clashes"][i]["depth"];
    EXPECT_LE(depth["bounds"][0].number(), expected[i]);
    EXPECT_GE(depth["bounds"][1].number(), expected[i]);
    EXPECT_NEAR(depth["bounds"][0].number(), depth["bounds"][1].number(), 1e-9);
    EXPECT_NEAR(depth["translation"][0].number(), -expected[i], 1e-9);
  }
  EXPECT_EQ(json["clashes"][2]["kind"].text, "touch");
  EXPECT_TRUE(json["clashes"][2]["depth"].is_null());

  const std::string text = Output({"clash", scene_, "--depth"});
  EXPECT_THAT(
      text,
      HasSubstr(
          "\ndepth of all 2 pairs that clash or cross, within a budget of "
          "2,000,000 triangles\n"));
  EXPECT_THAT(
      text,
      HasSubstr("\n    0.5 to 0.5 deep; free if left moves by (-0.5, 0, 0)\n"));
  EXPECT_THAT(Output({"clash", scene_}), Not(HasSubstr("deep")));
  EXPECT_THAT(
      Output({"clash", scene_, "--depth", "--between", "right", "beside"}),
      HasSubstr("\ndepth of nothing: no pair clashes or crosses, "));

  const std::string csv =
      Output({"clash", scene_, "--depth", "--format", "csv"});
  EXPECT_THAT(csv, HasSubstr(",id,depth,depth_upper,way_x,way_y,way_z\n"));
  EXPECT_THAT(csv, HasSubstr(",,,,,\n"));  // of what touches
}

TEST_F(ClashDepthTest, TheBudgetIsSpentOnTheWorst) {
  using cli::CountWithinBudget;
  const std::vector<size_t> triangles = {10, 20, 30, 5};
  EXPECT_EQ(CountWithinBudget(triangles, 65), 4U);
  EXPECT_EQ(CountWithinBudget(triangles, 64), 3U);
  // In order: a pair that exceeds it is not passed over.
  EXPECT_EQ(CountWithinBudget(triangles, 45), 2U);
  EXPECT_EQ(CountWithinBudget(triangles, 1), 1U);
  EXPECT_EQ(CountWithinBudget({}, 1), 0U);
  // The worst pair alone exceeds it: those after it are not measured, however
  // small.
  EXPECT_EQ(CountWithinBudget(std::vector<size_t>{100, 5, 5}, 50), 1U);
}

}  // namespace
}  // namespace orbox
