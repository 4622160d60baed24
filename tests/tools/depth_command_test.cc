// SPDX-License-Identifier: Apache-2.0

// orbox clearance --depth: how deep A is in B, and a way out.

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tools/orbox/text.h"

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

}  // namespace
}  // namespace orbox
