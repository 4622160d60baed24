// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/body_sets.h"

#include "gtest/gtest.h"

namespace orbox::cli {
namespace {

TEST(IsLikeTest, StarsAndQuestionMarks) {
  for (const auto& [text, pattern] : {std::pair{"", ""},
                                      {"", "*"},
                                      {"abc", "abc"},
                                      {"abc", "a*"},
                                      {"abc", "*c"},
                                      {"abc", "a?c"},
                                      {"abc", "*"},
                                      {"abc", "**b**"},
                                      {"aXbXc", "a*b*c"},
                                      {"aab", "*ab"},
                                      {"mississippi", "m*iss*p*i"}}) {
    EXPECT_TRUE(IsLike(text, pattern)) << text << " " << pattern;
  }
  for (const auto& [text, pattern] : {std::pair{"", "?"},
                                      {"abc", ""},
                                      {"abc", "ab"},
                                      {"abc", "?"},
                                      {"abc", "b*"},
                                      {"abc", "*b"},
                                      {"ABC", "abc"},
                                      {"abc", "a*d"}}) {
    EXPECT_FALSE(IsLike(text, pattern)) << text << " " << pattern;
  }
}

TEST(PropertyOfTest, PropertiesComeBeforeTheBodysOwn) {
  SceneBody body;
  body.name = "wall";
  body.mesh = "w.ply";
  EXPECT_EQ(PropertyOf(body, "name"), "wall");
  EXPECT_EQ(PropertyOf(body, "mesh"), "w.ply");
  EXPECT_EQ(PropertyOf(body, "type"), std::nullopt);
  body.properties = {{"type", "IfcWall"}, {"name", "W 1"}};
  EXPECT_EQ(PropertyOf(body, "type"), "IfcWall");
  EXPECT_EQ(PropertyOf(body, "name"), "W 1");
}

}  // namespace
}  // namespace orbox::cli
