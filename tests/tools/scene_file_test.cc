// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/scene_file.h"

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string SceneErrorOf(std::string_view bytes) {
  const auto bodies = ParseScene(bytes, "s.json", "");
  EXPECT_EQ(bodies.status().code(), absl::StatusCode::kInvalidArgument)
      << bytes;
  const std::string message(bodies.status().message());
  EXPECT_THAT(message, StartsWith("s.json:"));
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  return message;
}

TEST(SceneFileTest, ReadsBodies) {
  const auto bodies = ParseScene(
      "\xef\xbb\xbf {\"bodies\": [\n"
      "  {\"pose\": [1,0,0,0.5, 0,-1,0,1e-3, 0,0,1,18446744073709551615],\n"
      "   \"mesh\": \"parts/a.obj\", \"name\": \"w\\u00e9, \\\"1\\\"\"},\n"
      "  {\"mesh\": \"/b.stl\"}, {\"mesh\": \"../c.ply\", \"name\": \"x\"}]}\n",
      "s.json", "folder/of");
  ASSERT_TRUE(bodies.ok()) << bodies.status();
  ASSERT_EQ(bodies->size(), 3U);
  const SceneBody& first = (*bodies)[0];
  EXPECT_EQ(first.name, "w\xc3\xa9, \"1\"");
  EXPECT_EQ(first.mesh, "parts/a.obj");
  EXPECT_EQ(first.path, "folder/of/parts/a.obj");
  EXPECT_EQ(first.pose.rows[1], (Vec3{0, -1, 0}));
  EXPECT_EQ(first.pose.translation, (Vec3{0.5, 1e-3, 0x1p64}));
  EXPECT_EQ((*bodies)[1].name, "1");
  EXPECT_EQ((*bodies)[1].path, "/b.stl");
  EXPECT_TRUE((*bodies)[1].pose.IsIdentity());
  EXPECT_EQ((*bodies)[2].path, "folder/c.ply");
}

TEST(SceneFileTest, ReadsProperties) {
  const auto bodies = ParseScene(
      "{\"bodies\": [{\"mesh\": \"a\", \"properties\": {\n"
      "\"type\": \"IfcWall\", \"storey\": 2, \"u\": 1.50e0,\n"
      "\"outer\": true, \"\u00e9\": \"\", \"mesh\": -7}},\n"
      "{\"mesh\": \"b\", \"properties\": {}}, {\"mesh\": \"c\"}]}",
      "s.json", "");
  ASSERT_TRUE(bodies.ok()) << bodies.status();
  const BodyProperties expected = {{"type", "IfcWall"}, {"storey", "2"},
                                   {"u", "1.50e0"},     {"outer", "true"},
                                   {"\xc3\xa9", ""},    {"mesh", "-7"}};
  EXPECT_EQ((*bodies)[0].properties, expected);
  EXPECT_TRUE((*bodies)[1].properties.empty());
  EXPECT_TRUE((*bodies)[2].properties.empty());
}

TEST(SceneFileTest, RefusesPropertiesThatCannotBeShown) {
  const auto of = [](const std::string& properties) {
    return SceneErrorOf("{\"bodies\": [{\"mesh\": \"a\", \"properties\": " +
                        properties + "}]}");
  };
  EXPECT_THAT(of("[]"), HasSubstr("bodies[0].properties: is an array; give an "
                                  "object of texts and numbers"));
  EXPECT_THAT(of("\"x\""), HasSubstr("is a string; give an object"));
  EXPECT_THAT(of("{\"a\": null}"),
              HasSubstr("bodies[0].properties.'a': is null; give a string"));
  EXPECT_THAT(of("{\"a\": {}}"), HasSubstr("is an object; give a string"));
  EXPECT_THAT(of("{\"a\": [1]}"), HasSubstr("is an array; give a string"));
  EXPECT_THAT(of("{\"\": 1}"), HasSubstr("a key is empty; give it a name"));
  EXPECT_THAT(of("{\"a\": 1, \"a\": 2}"),
              HasSubstr("properties: 'a' is given twice; give it once"));
  EXPECT_THAT(of("{\"a\": \"\\u0007\"}"), HasSubstr("cannot be shown"));
  EXPECT_THAT(of("{\"a\\n\": 1}"), HasSubstr("cannot be shown"));
  EXPECT_THAT(of("{}, \"properties\": {}"),
              HasSubstr("'properties' is given twice; give it once"));
}

// Numbers, and rows as numpy's tolist() and other programs write them.
TEST(SceneFileTest, PosesOf12And16Numbers) {
  for (const std::string pose :
       {"[0,-1,0,5, 1,0,0,6, 0,0,1,7]", "[0,-1,0,5, 1,0,0,6, 0,0,1,7, 0,0,0,1]",
        "[[0,-1,0,5],[1,0,0,6],[0,0,1,7]]",
        "[[0,-1,0,5],[1,0,0,6],[0,0,1,7],[0,0,0,1]]"}) {
    const auto bodies =
        ParseScene("{\"bodies\": [{\"mesh\": \"a\", \"pose\": " + pose +
                       "}, {\"mesh\": \"b\"}]}",
                   "s.json", "");
    ASSERT_TRUE(bodies.ok()) << bodies.status();
    EXPECT_EQ((*bodies)[0].pose.Apply(Vec3{1, 2, 3}), (Vec3{3, 7, 10})) << pose;
    EXPECT_EQ((*bodies)[1].pose.Apply(Vec3{1, 2, 3}), (Vec3{1, 2, 3}));
  }
}

TEST(SceneFileTest, SingularPosesAreRefusedUnlessRequested) {
  const std::string flat =
      "{\"bodies\": [\n{\"mesh\": \"a\", "
      "\"pose\": [1,0,0,0, 0,1,0,0, 0,0,0,0]}]}";
  EXPECT_THAT(SceneErrorOf(flat),
              AllOf(HasSubstr("s.json:2: bodies[0].pose"),
                    HasSubstr("flattens the body"), HasSubstr("--flatten")));
  EXPECT_TRUE(ParseScene(flat, "s.json", "", /*flatten=*/true).ok());
}

TEST(SceneFileTest, SaysWhatIsWrongAndWhere) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "s.json:1: is no JSON: "},
      {"{\n\"bodies\": [}", "s.json:2: is no JSON: "},
      {"{\"bodies\": [{\"mesh\": \"a\"}],}", "is no JSON"},
      {"{\"bodies\": [{\"mesh\": \"a\"}]} {}", "is no JSON"},
      {"{\"bodies\": [{\"mesh\": \"\xff\"}]}", "is no JSON"},
      {"{bodies: []}", "is no JSON"},
      {"NaN", "is no JSON"},
      {std::string("{\"bodies\": [{\"mesh\": \"a\"}]}\n\0x", 31),
       "s.json:2: is no JSON: it has a zero byte"},
      {"[]", "s.json:1: the scene: is an array; give an object"},
      {"\"bodies\"", "the scene: is a string; give an object"},
      {"null", "the scene: is null"},
      {"{}", "the scene: has no bodies"},
      {"{\"bodies\": []}", "bodies: is empty; give at least one"},
      {"{\"bodies\": {}}", "bodies: is an object; give an array of bodies"},
      {"{\"bodys\": []}", "unknown key 'bodys'; did you mean 'bodies'?"},
      {"{\"bodies\": [{\"mesh\": \"a\"}], \"bodies\": []}",
       "'bodies' is given twice"},
      {"{\"bodies\": [3]}", "bodies[0]: is a number; give an object"},
      {"{\"bodies\": [{\"mesh\": \"a\"},\n{}]}",
       "s.json:2: bodies[1]: has no mesh; name a mesh file"},
      {"{\"bodies\": [{\"name\": true}]}",
       "bodies[0].name: is true or false; give a string"},
      {"{\"bodies\": [{\"name\": \"\"}]}", "bodies[0].name: is empty"},
      {"{\"bodies\": [{\"name\": \"a\\nb\"}]}",
       "bodies[0].name: 'a\\nb' has characters that cannot be shown"},
      {"{\"bodies\": [{\"name\": \"\\uffff\"}]}", "cannot be shown"},
      {"{\"bodies\": [{\"mesh\": [\"a\"]}]}",
       "bodies[0].mesh: is an array; give a string"},
      {"{\"bodies\": [{\"mesh\": \"-\"}]}", "bodies[0].mesh: '-' is no name"},
      {"{\"bodies\": [{\"mesh\": \"a\\u0000b\"}]}", "is no name"},
      {"{\"bodies\": [{\"mesh\": \"a\", \"mesh\": \"b\"}]}",
       "bodies[0]: 'mesh' is given twice; give it once"},
      {"{\"bodies\": [{\"mesh\": \"a\", \"colour\": 1}]}",
       "bodies[0]: unknown key 'colour'; there are name, mesh, pose and "
       "properties"},
      {"{\"bodies\": [{\"pose\": \"1,0,0\"}]}",
       "bodies[0].pose: is a string; give an array of 12 or 16 numbers"},
      {"{\"bodies\": [{\"pose\": [1,\n2,\n3]}]}",
       "s.json:3: bodies[0].pose: found 3 numbers where 12 or 16 are needed"},
      {"{\"bodies\": [{\"pose\": [1,2,\"3\"]}]}",
       "bodies[0].pose[2]: is a string; give a number"},
      {"{\"bodies\": [{\"pose\": [[1]]}]}",
       "bodies[0].pose[1]: is after a row of 1 number; give 4 in each row"},
      {"{\"bodies\": [{\"pose\": [[[1]]]}]}", "bodies[0].pose[0]: is an array"},
      {"{\"bodies\": [{\"pose\": [1,0,0,0, 0,1,0,0, 0,0,1,0, 5,6,7,1]}]}",
       "bodies[0].pose: the last row of 4 x 4 numbers has to be 0,0,0,1"},
      {"{\"bodies\": [{\"pose\": [1,2,1e-999]}]}",
       "bodies[0].pose[2]: '1e-999' is beyond the range of double"},
      {"{\"bodies\": [{\"pose\": [1e999]}]}", "number overflow"},
      {"{\"bodies\": [{\"pose\": [null]}]}", "bodies[0].pose[0]: is null"},
      {"{\"bodies\": [{\"mesh\": \"a\", \"name\": \"x\"},\n"
       "{\"mesh\": \"a\", \"name\": \"x\"}]}",
       "s.json:2: bodies[1]: its name, 'x', is that of bodies[0] too"},
      // The second is called by its number.
      {"{\"bodies\": [{\"mesh\": \"a\", \"name\": \"1\"}, {\"mesh\": \"a\"}]}",
       "bodies[1]: its name, '1', is that of bodies[0] too"},
  };
  for (const auto& [bytes, message] : cases) {
    EXPECT_THAT(SceneErrorOf(bytes), HasSubstr(message)) << bytes;
  }
}

TEST(SceneFileTest, NeitherDepthNorLengthIsTrouble) {
  EXPECT_THAT(SceneErrorOf(std::string(1 << 20, '[')),
              HasSubstr("is an array"));
  EXPECT_THAT(SceneErrorOf("{\"bodies\": " + std::string(1 << 20, '[')),
              HasSubstr("bodies[0]: is an array"));
  EXPECT_LT(SceneErrorOf("{\"" + std::string(1 << 20, 'x') + "\":0}").size(),
            500U);
  EXPECT_LT(SceneErrorOf(std::string(1 << 20, 'x')).size(), 500U);
  std::string many;
  constexpr size_t kCount = 20'000;
  for (size_t i = 0; i < kCount; ++i) {
    many += Cat(i > 0 ? "," : "{\"bodies\":[", "{\"mesh\":\"m\"}");
  }
  const auto bodies = ParseScene(many + "]}", "s.json", "");
  ASSERT_TRUE(bodies.ok());
  EXPECT_EQ(bodies->size(), kCount);
}

}  // namespace
}  // namespace orbox::cli
