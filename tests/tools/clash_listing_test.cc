// SPDX-License-Identifier: Apache-2.0

// Listings of `orbox clash`: sets, rules, groups, ids, and the comparison with
// an earlier run.

#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/command_json.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tools/orbox/base/text.h"
#include "tools/report/clash_id.h"

namespace orbox {
namespace {

using cli::Cat;
using report::ClashId;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class ClashListingTest : public OrboxCommandTest {
 protected:
  // Two pipes through two walls, which overlap each other.
  void SetUp() override {
    File("cube.ply", meshes::Cube());
    scene_ = SceneWith(0);
  }

  // `move` takes pipe 2 out of the walls.
  std::string SceneWith(double move) {
    const auto body = [](const std::string& name, const std::string& at,
                         const std::string& properties) {
      return Cat("{\"name\": \"", name,
                 "\", \"mesh\": \"cube.ply\", \"pose\": [1,0,0,", at,
                 "], \"properties\": {", properties, "}}");
    };
    const std::string walls = R"("type": "IfcWall", "file": "arch")";
    const std::string pipes = R"("type": "IfcPipe", "file": "mep")";
    return folder_.Write(
        "house.json",
        Cat("{\"bodies\": [",
            body("wall 1", "0,0,1,0,0,0,0,1,0", walls + ", \"guid\": \"w\""),
            ",", body("wall, 2", "0.75,0,1,0,0,0,0,1,0", walls), ",",
            body("pipe 1", "0.5,0,1,0,0.5,0,0,1,0.5", pipes), ",",
            body("pipe 2", Cat("0.5,0,1,0,-0.25,0,0,1,", 0.75 + move), pipes),
            "]}"));
  }

  // The pairs of an answer.
  std::set<std::string> PairsOf(const Words& more) {
    Words words = {"clash", scene_, "--tolerance", "0.001"};
    words.insert(words.end(), more.begin(), more.end());
    std::set<std::string> pairs;
    const Json json = JsonOf(words);
    for (const Json& clash : json["clashes"].items) {
      pairs.insert(Cat(clash["a_name"].text, "+", clash["b_name"].text));
    }
    return pairs;
  }

  std::string scene_;
};

TEST_F(ClashListingTest, SetsAndRulesChoosePairs) {
  const std::set<std::string> all = PairsOf({});
  EXPECT_EQ(all.size(), 6U);
  EXPECT_THAT(PairsOf({"--between", "type=IfcPipe", "type=Ifc?all*"}),
              UnorderedElementsAre("wall 1+pipe 1", "wall 1+pipe 2",
                                   "wall, 2+pipe 1", "wall, 2+pipe 2"));
  EXPECT_THAT(
      PairsOf(
          {"--between", "wall 1", "pipe*", "--between", "pipe 1", "pipe 2"}),
      UnorderedElementsAre("wall 1+pipe 1", "wall 1+pipe 2", "pipe 1+pipe 2"));
  EXPECT_EQ(PairsOf({"--ignore", "same:file"}).size(), 4U);
  EXPECT_THAT(PairsOf({"--ignore", "same:type", "--ignore", "*2"}),
              UnorderedElementsAre("wall 1+pipe 1"));
  EXPECT_EQ(PairsOf({"--ignore", "guid=w"}).size(), 3U);
  EXPECT_THAT(PairsOf({"--between", "mesh=*", "name=*", "--ignore", "wall*",
                       "--ignore", "pipe 1"}),
              IsEmpty());
}

TEST_F(ClashListingTest, ARuleThatLeavesOutNothingIsNamed) {
  const ProcessResult plain = Run({"clash", scene_});
  // The three without the property are like no others.
  const ProcessResult result =
      Run({"clash", scene_, "--ignore", "same:guid", "--ignore", "pipe 9",
           "--ignore", "guid=x"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, plain.out);
  EXPECT_EQ(result.err,
            "orbox: note: --ignore: no pair of bodies is like 'same:guid'; it "
            "leaves out nothing\n"
            "orbox: note: --ignore: no pair of bodies is like 'pipe 9'; it "
            "leaves out nothing\n"
            "orbox: note: --ignore: no pair of bodies is like 'guid=x'; it "
            "leaves out nothing\n");
  EXPECT_EQ(Run({"clash", scene_, "--ignore", "same:type"}).err, "");
}

TEST_F(ClashListingTest, AcceptedPairsAreLeftOut) {
  const std::string csv = Output({"clash", scene_, "--format", "csv"});
  EXPECT_THAT(PairsOf({"--accepted", folder_.Write("all.csv", csv)}),
              IsEmpty());
  const std::string some = folder_.Write(
      "some.csv", Cat("# seen in March\n\"wall, 2\",wall 1\npipe 9,wall 1\n",
                      ClashId("pipe 2", "pipe 1"), "\n"));
  EXPECT_EQ(PairsOf({"--accepted", some}).size(), 4U);
  const Json json = JsonOf({"clash", scene_, "--accepted", some});
  EXPECT_EQ(json["summary"]["accepted"].number(), 2);
}

TEST_F(ClashListingTest, GroupsAreOfTwoLabels) {
  const Json json = JsonOf({"clash", scene_, "--group", "file,type"});
  ASSERT_EQ(json["groups"].size(), 3U);
  size_t count = 0;
  for (const Json& group : json["groups"].items) {
    EXPECT_EQ(group["a"].size(), 2U);
    count += static_cast<size_t>(group["kinds"]["clash"].number());
  }
  EXPECT_EQ(count, 6U);
  const Json& worst = json["groups"][0];
  EXPECT_EQ(worst["worst"].text, json["clashes"][0]["id"].text);
  EXPECT_EQ(json["clashes"][0]["group"].text, "0");
  EXPECT_THAT(Output({"clash", scene_, "--group", "type"}),
              AllOf(HasSubstr("groups by type:\n"),
                    HasSubstr("  IfcPipe | IfcWall: 4 clash\n")));
}

TEST_F(ClashListingTest, RunsAreCompared) {
  const std::string last = folder_.Path("last.json");
  Output({"clash", scene_, "--format", "json", "-o", last});
  Json json = JsonOf({"clash", scene_, "--compare", last});
  EXPECT_EQ(json["summary"]["active"].number(), 6);
  EXPECT_EQ(json["summary"]["new"].number(), 0);
  EXPECT_EQ(json["resolved"].size(), 0U);
  EXPECT_EQ(json["clashes"][0]["state"].text, "active");

  scene_ = SceneWith(3);
  json = JsonOf({"clash", scene_, "--compare", last});
  EXPECT_EQ(json["summary"]["active"].number(), 3);
  EXPECT_EQ(json["resolved"].size(), 3U);
  EXPECT_EQ(json["resolved"][0]["kind"].text, "clash");
  // Pairs outside of the sets are not reported as resolved, since they may
  // still clash.
  json = JsonOf(
      {"clash", scene_, "--compare", last, "--between", "wall 1", "pipe 2"});
  EXPECT_EQ(json["resolved"].size(), 1U);
  EXPECT_THAT(Output({"clash", scene_, "--compare", last}),
              AllOf(HasSubstr("0 new, 3 active, 3 resolved\n"),
                    HasSubstr("\nresolved:\n  wall 1 and pipe 2, once")));

  Output({"clash", scene_, "--format", "json", "-o", last});
  scene_ = SceneWith(0);
  EXPECT_EQ(
      JsonOf({"clash", scene_, "--compare", last})["summary"]["new"].number(),
      3);
}

TEST_F(ClashListingTest, IdsDependOnNothingButTheBodies) {
  const Json json = JsonOf({"clash", scene_});
  std::set<std::string> ids;
  for (const Json& clash : json["clashes"].items) {
    EXPECT_EQ(clash["id"].text,
              ClashId(clash["b_name"].text, clash["a_name"].text));
    ids.insert(clash["id"].text);
  }
  EXPECT_EQ(ids.size(), 6U);
  // By a property, which those without it replace by their names.
  std::set<std::string> by_guid;
  const Json with_guids = JsonOf({"clash", scene_, "--id", "guid"});
  for (const Json& clash : with_guids["clashes"].items) {
    by_guid.insert(clash["id"].text);
  }
  EXPECT_TRUE(by_guid.contains(ClashId("w", "pipe 1")));
  EXPECT_TRUE(by_guid.contains(ClashId("pipe 1", "pipe 2")));
  EXPECT_THAT(ErrorOf({"clash", scene_, "--id", "type"}, 3),
              HasSubstr("'wall 1' and 'wall, 2' have one type, 'IfcWall'"));
}

TEST_F(ClashListingTest, WrongInputIsExplained) {
  const auto error = [&](const Words& more, int code) {
    Words words = {"clash", scene_};
    words.insert(words.end(), more.begin(), more.end());
    return ErrorOf(words, code);
  };
  EXPECT_THAT(error({"--between", "wall*"}, 2), HasSubstr("--between A B"));
  EXPECT_THAT(error({"--between", "wall*", "duct*"}, 3),
              HasSubstr("--between: no body is like 'duct*'"));
  EXPECT_THAT(error({"--ignore", "same:flie"}, 3),
              HasSubstr("did you mean 'file'?"));
  EXPECT_THAT(error({"--group", "storey"}, 3),
              HasSubstr("there are file, guid, mesh, name, type"));
  EXPECT_THAT(error({"--group", "file,"}, 2), HasSubstr("empty part"));
  EXPECT_THAT(
      error({"--accepted", folder_.Write("x.csv", "a,b\n\nwall 1\n")}, 3),
      HasSubstr("x.csv:3: 'wall 1' is no pair"));
  EXPECT_THAT(error({"--compare", folder_.Write("x.json", "{")}, 3),
              HasSubstr("x.json: is no JSON"));
  EXPECT_THAT(error({"--compare", folder_.Write("y.json", "[1]")}, 3),
              HasSubstr("y.json: is no answer of orbox clash"));
  EXPECT_THAT(
      error({"--compare",
             folder_.Write("z.json",
                           R"({"command": "clash", "clashes": [{"id": 3}]})")},
            3),
      HasSubstr("clashes[0] lacks one of"));
  EXPECT_THAT(error({"--tolerance", "-1"}, 2), HasSubstr("--tolerance"));
}

}  // namespace
}  // namespace orbox
