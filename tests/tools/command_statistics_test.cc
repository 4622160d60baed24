// SPDX-License-Identifier: Apache-2.0

// The statistics that --stats adds to the answers of the orbox command.

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/overlap/shapes/pose.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"

namespace orbox {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CommandStatisticsTest : public OrboxCommandTest {};

void ExpectCounts(const Json& counts) {
  EXPECT_EQ(counts["accepted"].number() + counts["rejected"].number(),
            counts["volume_tests"].number());
  EXPECT_LE(counts["test_false_positives"].number(),
            counts["accepted"].number());
  EXPECT_LE(counts["subtree_false_positives"].number(),
            counts["accepted"].number());
}

void ExpectStatistics(const Json& statistics) {
  EXPECT_THAT(
      statistics.Keys(),
      ElementsAre("nodes_visited", "volume_tests", "accepted", "rejected",
                  "test_false_positives", "subtree_false_positives", "by_kind",
                  "by_pair", "by_depth", "leaf_box_tests", "leaves_visited",
                  "triangle_tests", "settled_by"));
  EXPECT_THAT(statistics["by_kind"].Keys(),
              ElementsAre("sphere", "aabb", "obb"));
  EXPECT_THAT(statistics["settled_by"].Keys(),
              ElementsAre("float", "double", "expansion", "exact"));
  ExpectCounts(statistics);
  for (const std::string key :
       {"nodes_visited", "volume_tests", "accepted", "rejected",
        "test_false_positives", "subtree_false_positives"}) {
    double by_kind = 0, by_depth = 0;
    for (const auto& [kind, counts] : statistics["by_kind"].fields) {
      ExpectCounts(counts);
      by_kind += counts[key].number();
    }
    for (const Json& counts : statistics["by_depth"].items) {
      by_depth += counts[key].number();
    }
    EXPECT_EQ(by_kind, statistics[key].number()) << key;
    EXPECT_EQ(by_depth, statistics[key].number()) << key;
  }
  for (const Json& pair : statistics["by_pair"].items) {
    EXPECT_THAT(pair.Keys(), ElementsAre("a", "b", "tests", "accepted",
                                         "rejected", "test_false_positives"));
    EXPECT_GT(pair["tests"].number(), 0);
    EXPECT_EQ(pair["accepted"].number() + pair["rejected"].number(),
              pair["tests"].number());
  }
  const Json& settled = statistics["settled_by"];
  EXPECT_EQ(settled["float"].number() + settled["double"].number() +
                settled["expansion"].number() + settled["exact"].number(),
            statistics["triangle_tests"].number());
  EXPECT_GT(statistics["nodes_visited"].number(), 0);
  EXPECT_GT(statistics["triangle_tests"].number(), 0);
}

TEST_F(CommandStatisticsTest, StatisticsAddUpAndComeOnlyWhenRequested) {
  const std::string a = File("a.ply", meshes::Torus(40, 20));
  const std::string b = File("b.ply", meshes::Icosphere(3, {1, 0, 0}, 0.4));
  const std::vector<Words> commands = {
      {"range", a, "--sphere", "1,0,0,0.3"},
      {"nearest", a, "--point", "1,0,2", "--point", "0,0,0"},
      {"intersect", a, b},
      {"clearance", a, b, "--within", "0.1"},
      {"hausdorff", a, b},
      {"self-intersect", a},
  };
  for (Words command : commands) {
    SCOPED_TRACE(command[0]);
    EXPECT_FALSE(JsonOf(command).Has("statistics"));
    EXPECT_THAT(Output(command), ::testing::Not(HasSubstr("volume tests")));
    command.push_back("--stats");
    ExpectStatistics(JsonOf(command)["statistics"]);
    EXPECT_THAT(Output(command), HasSubstr("volume tests"));
    // CSV has no room for them.
    command.insert(command.end(), {"--format", "csv"});
    const ProcessResult csv = Run(command);
    EXPECT_EQ(csv.exit_code, 0);
    EXPECT_THAT(csv.out, ::testing::Not(HasSubstr("volume tests")));
    EXPECT_THAT(csv.err, HasSubstr("volume tests"));
  }
}

TEST_F(CommandStatisticsTest, StatisticsOfTwoMeshesTellWhichKindsMet) {
  const std::string a = File("a.ply", meshes::Torus(40, 20));
  const std::string b = File("b.ply", meshes::Icosphere(3, {1, 0, 0}, 0.4));
  const auto pairs_of = [&](Words command) {
    command.insert(command.end(), {"--stats", "--volumes", "sphere"});
    return JsonOf(command)["statistics"];
  };
  for (const Words& command :
       {Words{"intersect", a, b}, Words{"self-intersect", a}}) {
    SCOPED_TRACE(command[0]);
    const Json statistics = pairs_of(command);
    double tests = 0, of_spheres = 0;
    for (const Json& pair : statistics["by_pair"].items) {
      tests += pair["tests"].number();
      if (pair["a"].text == "sphere" && pair["b"].text == "sphere") {
        of_spheres += pair["tests"].number();
      }
    }
    EXPECT_EQ(tests, statistics["volume_tests"].number());
    // All but what is tested against the box of a whole mesh.
    EXPECT_GT(of_spheres, 0.9 * tests);
  }
  EXPECT_EQ(pairs_of({"range", a, "--sphere", "1,0,0,0.3"})["by_pair"].size(),
            0U);
  EXPECT_THAT(Output({"intersect", a, b, "--stats", "--volumes", "sphere"}),
              HasSubstr("sphere        sphere"));
}

TEST_F(CommandStatisticsTest, EachPoseHasItsStatistics) {
  const std::string a = File("a.ply", meshes::Torus(20, 10));
  const std::string poses = folder_.Write(
      "p.csv", "1,0,0,0,0,1,0,0,0,0,1,0\n1,0,0,0.5,0,1,0,0,0,0,1,0\n");
  const Json json =
      JsonOf({"intersect", a, a, "--pose", "@" + poses, "--stats"});
  ExpectStatistics(json["statistics"]);
  double tests = 0;
  for (const Json& result : json["results"].items) {
    ExpectStatistics(result["statistics"]);
    tests += result["statistics"]["volume_tests"].number();
  }
  EXPECT_EQ(json["statistics"]["volume_tests"].number(), tests);
}

}  // namespace
}  // namespace orbox
