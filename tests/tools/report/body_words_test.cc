// SPDX-License-Identifier: Apache-2.0

#include "tools/report/body_words.h"

#include "gtest/gtest.h"

namespace orbox::report {
namespace {

constexpr char kGuid[] = "10k69mF8j4eeUjUpzCXCG7";

TEST(BodyWordsTest, ABodyIsNamedByTypeAndName) {
  const BodyWords words = WordsOf(kGuid, {{"guid", kGuid},
                                          {"type", "IfcWallStandardCase"},
                                          {"name", "Interior:138062"},
                                          {"storey", "Level 1"},
                                          {"file", "a.ifc"}});
  EXPECT_EQ(words.title, "Wall Interior");
  EXPECT_EQ(words.type, "Wall");
  EXPECT_EQ(words.storey, "Level 1");
  EXPECT_EQ(words.file, "a.ifc");
  EXPECT_EQ(words.guid, kGuid);
}

TEST(BodyWordsTest, AGlobalIdIsNoName) {
  EXPECT_EQ(WordsOf(kGuid, {{"type", "IfcBeam"}}).title, "Beam");
  EXPECT_EQ(WordsOf(kGuid, {}).title, kGuid);
  EXPECT_EQ(WordsOf("wall 7", {{"type", "IfcWall"}}).title, "wall 7");
  EXPECT_EQ(WordsOf("x", {{"type", "IfcWall"}}).title, "Wall x");
  EXPECT_EQ(WordsOf("x", {}).title, "x");
  // Not the number of an element: too short, or nothing before it.
  EXPECT_EQ(WordsOf("x", {{"name", "axis:12"}}).title, "axis:12");
  EXPECT_EQ(WordsOf("x", {{"name", ":123456"}}).title, ":123456");
}

TEST(BodyWordsTest, TypesAreWords) {
  EXPECT_EQ(TypeInWords("IfcFlowTerminal"), "Flow terminal");
  EXPECT_EQ(TypeInWords("IfcWallElementedCase"), "Wall");
  EXPECT_EQ(TypeInWords("Pump X"), "Pump X");
  EXPECT_EQ(TypeInWords("Ifc"), "Ifc");
  EXPECT_EQ(CountedType(1, "Joist"), "1 Joist");
  EXPECT_EQ(CountedType(1200, "Joist"), "1,200 Joists");
  EXPECT_EQ(CountedType(2, "Discrete accessory"), "2 Discrete accessories");
  EXPECT_EQ(CountedType(2, "Stairs"), "2 Stairs");
}

}  // namespace
}  // namespace orbox::report
