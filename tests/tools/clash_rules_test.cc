// SPDX-License-Identifier: Apache-2.0

// Rules, thresholds and tables for spreadsheets of `orbox clash`.

#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tools/orbox/base/text.h"

namespace orbox {
namespace {

using cli::Cat;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class ClashRulesTest : public OrboxCommandTest {
 protected:
  // Three unit cubes in a row: the first two share 1/8, and the third is 1/8
  // apart from the second.
  void SetUp() override {
    File("cube.ply", meshes::Cube());
    const auto body = [](const std::string& name, const std::string& x,
                         const std::string& properties) {
      return Cat(R"({"name": ")", name,
                 R"(", "mesh": "cube.ply", "pose": [1,0,0,)", x,
                 R"(,0,1,0,0,0,0,1,0], "properties": {)", properties, "}}");
    };
    scene_ = folder_.Write(
        "row.json",
        Cat(R"({"bodies": [)", body("=1+1", "0", R"("type": "A, left")"), ",",
            body("second", "0.875", R"("type": "B", "cover": 0.0625)"), ",",
            body("third", "2", R"("type": "-C", "cover": 0.09375)"), "]}"));
  }

  std::string RuleFile(const std::string& rows) const {
    return folder_.Write("rules.json", Cat(R"({"rules": [)", rows, "]}"));
  }

  // Pairs with their kinds, such as "second+third clearance".
  std::set<std::string> KindsOf(const std::string& rows) {
    const Json json = JsonOf({"clash", scene_, "--rules", RuleFile(rows)});
    std::set<std::string> kinds;
    for (const Json& clash : json["clashes"].items) {
      kinds.insert(Cat(clash["a_name"].text, "+", clash["b_name"].text, " ",
                       clash["kind"].text));
    }
    return kinds;
  }

  std::string scene_;
};

TEST_F(ClashRulesTest, ARuleHasItsOwnLimits) {
  EXPECT_THAT(KindsOf(""), ElementsAre("=1+1+second clash"));
  EXPECT_THAT(KindsOf(R"({"a": "type=B", "b": "type=A*", "tolerance": 0.2})"),
              ElementsAre("=1+1+second touch"));
  EXPECT_THAT(KindsOf(R"({"a": "third", "clearance": 0.125})"),
              ElementsAre("=1+1+second clash", "second+third clearance"));
  EXPECT_THAT(KindsOf(R"({"a": "third", "clearance": 0.12})"),
              ElementsAre("=1+1+second clash"));
  EXPECT_THAT(KindsOf(R"({"a": "second", "ignore": true})"), IsEmpty());
}

TEST_F(ClashRulesTest, TheFirstRuleDecides) {
  EXPECT_THAT(KindsOf(R"({"a": "second", "b": "type=A*", "ignore": true},
                         {"a": "second", "clearance": 1})"),
              ElementsAre("second+third clearance"));
  EXPECT_THAT(KindsOf(R"({"a": "second", "clearance": 1},
                         {"a": "second", "ignore": true})"),
              ElementsAre("=1+1+second clash", "second+third clearance"));
}

TEST_F(ClashRulesTest, InsulationIsAProperty) {
  // 1/16 and 3/32 are more than the gap, and 1/16 alone is less.
  EXPECT_THAT(KindsOf(R"({"insulation": "cover"})"),
              ElementsAre("=1+1+second clash", "second+third clearance"));
  const ProcessResult unknown =
      Run({"clash", scene_, "--rules", RuleFile(R"({"insulation": "none"})")});
  EXPECT_THAT(unknown.err, HasSubstr("no body has the property 'none' of "));
  EXPECT_THAT(ErrorOf({"clash", scene_, "--rules",
                       RuleFile(R"({"insulation": "type"})")},
                      kBadInput),
              HasSubstr("'=1+1' has the type 'A, left', which is no length"));
}

TEST_F(ClashRulesTest, ResultsNameTheRule) {
  const Json json = JsonOf(
      {"clash", scene_, "--rules", RuleFile(R"({"name": "tight", "a": "second",
                                         "severity": "high"})")});
  EXPECT_EQ(json["clashes"][0]["rule"].text, "tight");
  EXPECT_EQ(json["clashes"][0]["severity"].text, "high");
  EXPECT_EQ(json["summary"]["rules"][0]["kinds"]["clash"].number(), 1);
  const ProcessResult result =
      Run({"clash", scene_, "--rules",
           RuleFile(R"({"name": "tight", "a": "second", "severity": "high"},
                       {"name": "never", "a": "type=none"})")});
  EXPECT_THAT(result.out, HasSubstr("by rule:\n  tight: 1 clash\n"
                                    "  never: none\n  no rule: none\n"));
  EXPECT_THAT(result.out, HasSubstr("  high: =1+1 and second clash"));
  EXPECT_EQ(result.err,
            "orbox: note: --rules: no pair of bodies is like those of 'never'; "
            "it decides nothing\n");
}

TEST_F(ClashRulesTest, BadRulesAreNamed) {
  const auto error = [this](const std::string& rows) {
    return ErrorOf({"clash", scene_, "--rules", RuleFile(rows)}, kBadInput);
  };
  EXPECT_THAT(error("{},"), HasSubstr("is no JSON"));
  EXPECT_THAT(error("{}, 1"), HasSubstr("rules[1]: is no object"));
  EXPECT_THAT(error(R"({"tolerence": 1})"), HasSubstr("'tolerance'"));
  EXPECT_THAT(error(R"({"tolerance": -1})"),
              HasSubstr("tolerance is no length"));
  EXPECT_THAT(error(R"({"tolerance": 1e999})"), HasSubstr("rules.json: "));
  EXPECT_THAT(error(R"({"ignore": "yes"})"), HasSubstr("neither true"));
  EXPECT_THAT(error(R"({"a": 1})"), HasSubstr("a is no string"));
  EXPECT_THAT(ErrorOf({"clash", scene_, "--rules", scene_}, kBadInput),
              HasSubstr("has no rules"));
  EXPECT_THAT(
      ErrorOf({"clash", scene_, "--exact", "--rules", RuleFile("")}, kUsage),
      HasSubstr("--rules have tolerances"));
}

TEST_F(ClashRulesTest, ThresholdsLeaveOutAndCount) {
  const auto below = [this](const char* option, const char* value) {
    return JsonOf({"clash", scene_, option, value})["summary"];
  };
  EXPECT_EQ(below("--min-thickness", "0.12")["to_look_at"].number(), 1);
  EXPECT_EQ(below("--min-thickness", "0.13")["to_look_at"].number(), 0);
  EXPECT_EQ(below("--min-thickness", "0.13")["below_thresholds"].number(), 1);
  // The shared volume is 1/8.
  EXPECT_EQ(below("--min-volume", "0.11")["to_look_at"].number(), 1);
  EXPECT_EQ(below("--min-volume", "0.15")["to_look_at"].number(), 0);
  EXPECT_THAT(Output({"clash", scene_, "--min-volume", "1"}),
              HasSubstr("left out: 1 pair that shares less than "
                        "--min-thickness or --min-volume\n"));
  EXPECT_EQ(
      Run({"clash", scene_, "--min-volume", "1", "--exit-code"}).exit_code, 0);
}

TEST_F(ClashRulesTest, SpreadsheetsGetPropertiesAndNoFormulas) {
  const std::string plain =
      Output({"clash", scene_, "--within", "1", "--format", "csv", "--columns",
              "type,b.cover"});
  EXPECT_THAT(plain, HasSubstr(",id,a.type,b.type,b.cover\n=1+1,second,"));
  EXPECT_THAT(plain, HasSubstr(",\"A, left\",B,0.0625\n"));
  const std::string csv = Output({"clash", scene_, "--within", "1", "--format",
                                  "csv", "--columns", "type", "--excel"});
  EXPECT_THAT(csv, StartsWith("\xef\xbb\xbf"
                              "a,b,kind,"));
  EXPECT_THAT(csv, HasSubstr("\n'=1+1,second,clash,"));
  EXPECT_THAT(csv, HasSubstr(",B,'-C\n"));
  const std::string ruled =
      Output({"clash", scene_, "--format", "csv", "--excel", "--rules",
              RuleFile(R"({"name": "=1", "severity": "@x"})")});
  EXPECT_THAT(ruled, HasSubstr(",'=1,'@x\n"));
  // The table serves as a list of accepted pairs.
  const Json json = JsonOf({"clash", scene_, "--within", "1", "--accepted",
                            folder_.Write("accepted.csv", csv)});
  EXPECT_EQ(json["clashes"].size(), 0U);
  EXPECT_EQ(json["summary"]["accepted"].number(), 3);
  EXPECT_THAT(ErrorOf({"clash", scene_, "--columns", "typ"}, kBadInput),
              HasSubstr("--columns: no body has the property 'typ'"));
}

}  // namespace
}  // namespace orbox
