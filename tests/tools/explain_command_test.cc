// SPDX-License-Identifier: Apache-2.0

// `orbox explain` counts what the queries count. A bench checks its times.

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tests/support/sanitized.h"

namespace orbox {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ExplainCommandTest : public OrboxCommandTest {
 protected:
  // Without time to measure: a few rounds.
  static Words Explained(const Words& query) {
    Words words = {"explain"};
    words.insert(words.end(), query.begin(), query.end());
    words.insert(words.end(), {"--seconds", "0"});
    return words;
  }

  static Words With(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  std::vector<Words> Queries() const {
    return {
        {"nearest", torus_, "--points", points_, "--k", "3"},
        {"range", torus_, "--sphere", "1,0,0,0.5"},
        {"ray", torus_, "--ray", "-3,0.1,0.1,1,0,0", "--all"},
        {"intersect", torus_, sphere_, "--contacts"},
        {"clearance", torus_, sphere_, "--pose", "1,0,0,5,0,1,0,0,0,0,1,0",
         "--within", "4"},
        {"hausdorff", sphere_, torus_, "--tolerance", "0.5"},
        {"self-intersect", torus_},
    };
  }

  const std::string torus_ = File("torus.ply", meshes::Torus(20, 12));
  const std::string sphere_ = File("sphere.ply", meshes::Icosphere(2));
  const std::string points_ =
      folder_.Write("points.csv", "0,0,0\n1,2,3\n-4,0.5,0.25\n");
};

void ExpectSameCounts(const Json& a, const Json& b) {
  ASSERT_EQ(a.type, b.type);
  EXPECT_EQ(a.text, b.text);
  ASSERT_EQ(a.Keys(), b.Keys());
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) ExpectSameCounts(a[i], b[i]);
  for (const auto& [key, value] : a.fields) ExpectSameCounts(value, b[key]);
}

void ExpectRowsToAddUp(const Json& explained) {
  // Null if the times do not distinguish them; such kinds have one share
  // together.
  const auto reported = [](const Json& json) {
    return json.is_null() ? 0 : json.number();
  };
  double share = reported(explained["leaves_time_share"]) +
                 reported(explained["beyond_float_time_share"]) +
                 reported(explained["rest_time_share"]) +
                 explained["untold_time_share"].number();
  double tests = 0, nodes = 0;
  for (const Json& row : explained["cost"].items) {
    share += reported(row["time_share"]);
    tests += row["volume_tests"].number();
    nodes += row["nodes_visited"].number();
  }
  EXPECT_NEAR(share, 1, 1e-9);
  EXPECT_EQ(tests, explained["statistics"]["volume_tests"].number());
  EXPECT_EQ(nodes, explained["statistics"]["nodes_visited"].number());
}

// Each kind of volume, each quality, each storage, once.
TEST_F(ExplainCommandTest, CountsWhatTheQueryCountsOnEachTree) {
  for (const Words& query : Queries()) {
    SCOPED_TRACE(query[0]);
    const Json explained = JsonOf(Explained(query));
    ExpectRowsToAddUp(explained);
    ASSERT_EQ(explained["variants"].size(), 7U);
    for (const Json& variant : explained["variants"].items) {
      const bool is_first = &variant == &explained["variants"][0];
      if (kSanitized && !is_first) continue;  // a process each
      const std::string volumes = variant["volumes"].text;
      const std::string quality = variant["quality"].text;
      const std::string storage = variant["storage"].text;
      SCOPED_TRACE(volumes + " " + quality + " " + storage);
      const Json queried =
          JsonOf(With(query, {"--stats", "--volumes", volumes, "--quality",
                              quality, "--storage", storage}))["statistics"];
      if (is_first) {
        ExpectSameCounts(explained["statistics"], queried);
      }
      for (const std::string count : {"nodes_visited", "volume_tests",
                                      "leaves_visited", "triangle_tests"}) {
        EXPECT_EQ(variant[count].text, queried[count].text) << count;
      }
      EXPECT_TRUE(variant["same_answers"].boolean());
      EXPECT_GT(variant["query_seconds"].number(), 0);
      EXPECT_GT(variant["build_seconds"].number(), 0);
    }
  }
}

TEST_F(ExplainCommandTest, ItsKeysAreStable) {
  const Json json = JsonOf(Explained({"nearest", torus_, "--point", "0,0,0"}));
  EXPECT_THAT(
      json.Keys(),
      ElementsAre("schema_version", "command", "version", "inputs", "query",
                  "threads", "statistics", "cost", "leaves_time_share",
                  "beyond_float_time_share", "rest_time_share",
                  "untold_time_share", "step_seconds", "trees", "variants",
                  "recommendation"));
  EXPECT_THAT(json["trees"][0].Keys(),
              ElementsAre("file", "nodes", "leaves", "depth", "bytes",
                          "expected_nodes", "expected_leaves", "levels"));
  EXPECT_THAT(
      json["variants"][0].Keys(),
      ElementsAre("volumes", "quality", "storage", "bytes", "build_seconds",
                  "query_seconds", "same_answers", "nodes_visited",
                  "volume_tests", "leaves_visited", "triangle_tests"));
  EXPECT_THAT(json["recommendation"].Keys(),
              ElementsAre("text", "once", "often", "pays_from", "rounds"));
  EXPECT_EQ(json["threads"].text, "1");
}

TEST_F(ExplainCommandTest, ATreeFromAFileIsAtHandWithoutABuild) {
  const std::string tree = folder_.Path("torus.orbox");
  Output({"build", torus_, "--volumes", "sphere", "-o", tree});
  const Json json = JsonOf(Explained({"nearest", tree, "--point", "0,0,0"}));
  const Json& at_hand = json["variants"][0];
  EXPECT_EQ(at_hand["volumes"].text, "sphere");
  EXPECT_EQ(at_hand["build_seconds"].number(), 0);
  EXPECT_GT(json["variants"][1]["build_seconds"].number(), 0);
}

TEST_F(ExplainCommandTest, TextAndCsvTellTheSame) {
  const Words query = {"clearance", torus_, sphere_, "--pose",
                       "1,0,0,5,0,1,0,0,0,0,1,0"};
  EXPECT_THAT(
      Output(Explained(query)),
      AllOf(StartsWith("orbox clearance "), HasSubstr("cost by depth and kind"),
            HasSubstr("pairs of kinds"), HasSubstr("tree of "),
            HasSubstr("expected cost (SAH)"), HasSubstr("recommendation: "),
            ::testing::Not(HasSubstr("DIFFERENT"))));
  const std::string csv = Output(With(Explained(query), {"--format", "csv"}));
  EXPECT_THAT(csv, StartsWith("part,item,measure,value\n"));
  const Json json = JsonOf(Explained(query));
  const Json& row = json["cost"][0];
  EXPECT_THAT(csv, HasSubstr("cost,depth " + row["depth"].text + " " +
                             row["kind"].text + ",volume_tests," +
                             row["volume_tests"].text + "\n"));
}

TEST_F(ExplainCommandTest, QueriesMayComeFromStandardInput) {
  const Words query = {"nearest", torus_, "--points", "-"};
  Words words = With(Explained(query), {"--format", "json"});
  const std::string text = Output(words, {.input = "0,0,0\n9,9,9\n"});
  const Json json = ParseJson(text).value();
  // Both points begin at the root.
  EXPECT_EQ(json["cost"][0]["nodes_visited"].text, "2");
}

TEST_F(ExplainCommandTest, SaysWhatIsWrong) {
  EXPECT_THAT(ErrorOf({"explain"}, kUsage), HasSubstr("no query given"));
  EXPECT_THAT(ErrorOf({"explain", "neerest", torus_}, kUsage),
              HasSubstr("did you mean 'nearest'?"));
  EXPECT_THAT(ErrorOf({"explain", "info", torus_}, kUsage),
              HasSubstr("'info' is no query"));
  EXPECT_THAT(
      ErrorOf({"explain", "nearest", torus_, "--pont", "0,0,0"}, kUsage),
      HasSubstr("did you mean '--point'?"));
  EXPECT_THAT(ErrorOf({"explain", "nearest"}, kUsage),
              HasSubstr("the argument MESH is missing"));
  EXPECT_THAT(ErrorOf({"explain", "nearest", torus_, "--point", "0,0,0",
                       "--seconds", "-1"},
                      kUsage),
              HasSubstr("--seconds"));
  const std::string broken = folder_.Write("broken.off", "OFF\n1 1 0\n0 0\n");
  ErrorOf({"explain", "nearest", broken, "--point", "0,0,0"}, kBadInput);
  EXPECT_THAT(Output({"explain", "--help"}),
              AllOf(HasSubstr("clearance"), HasSubstr("--seconds")));
}

}  // namespace
}  // namespace orbox
