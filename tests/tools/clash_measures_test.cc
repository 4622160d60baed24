// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/clash_measures.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/query/pairs/pair_clusters.h"
#include "tests/support/command_json.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using ::testing::HasSubstr;

class ClashClustersTest : public OrboxCommandTest {
 protected:
  // Four legs, 0.25 and 0.5 above a floor of two triangles, and a stone that is
  // inside of one of them.
  void SetUp() override {
    table_ = meshes::Cube({0, 0, 0.5});
    for (int i = 1; i < 4; ++i) {
      table_ = meshes::Joined(
          table_,
          meshes::Cube({4.0 * (i % 2), 4.0 * (i / 2), i == 2 ? 0.25 : 0.5}));
    }
    floor_ = meshes::Cube({-5, -5, -20}, 20);
    File("table.ply", table_);
    File("floor.ply", floor_);
    File("stone.ply", meshes::Cube({0.25, 0.25, 0.75}, 0.5));
    scene_ = folder_.Write("room.json",
                           "{\"bodies\": [{\"mesh\": \"table.ply\"},"
                           " {\"mesh\": \"floor.ply\"},"
                           " {\"mesh\": \"stone.ply\"}]}");
  }

  Mesh table_ = meshes::Cube(), floor_ = table_;
  std::string scene_;
};

TEST_F(ClashClustersTest, AreThoseOfTheLibrary) {
  const std::vector<NearCluster> expected =
      AllClustersWithin(trees::Make(table_), trees::Make(floor_), 0.5);
  ASSERT_EQ(expected.size(), 4U);
  const Json json = JsonOf({"clash", scene_, "--within", "0.5", "--places"});
  bool found = false;
  for (const Json& clash : json["clashes"].items) {
    if (clash["kind"].text == "inside") {
      EXPECT_EQ(clash["places"].size(), 1U);  // its sides are near the leg's
    }
    if (clash["b_name"].text != "1") continue;
    found = true;
    ASSERT_EQ(clash["places"].size(), 4U);
    for (size_t i = 0; i < 4; ++i) {
      const Json& place = clash["places"][i];
      EXPECT_EQ(place["pairs"].number(), expected[i].pair_count);
      EXPECT_EQ(place["distance"].number(), expected[i].closest.distance);
      EXPECT_EQ(PointOf(place["bounds"]["lo"]), expected[i].box.lo);
      EXPECT_EQ(PointOf(place["witness"]["a"]["point"]),
                expected[i].closest.on_a);
    }
    EXPECT_EQ(clash["places"][0]["distance"].number(), 0.25);
  }
  EXPECT_TRUE(found);
  // Only if they are requested.
  EXPECT_FALSE(
      JsonOf({"clash", scene_, "--within", "0.5"})["clashes"][0].Has("places"));
}

TEST_F(ClashClustersTest, CsvHasARowForEach) {
  const std::string plain =
      Output({"clash", scene_, "--within", "0.5", "--format", "csv"});
  const std::string csv = Output(
      {"clash", scene_, "--within", "0.5", "--places", "--format", "csv"});
  const auto lines = [](const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_THAT(csv, HasSubstr(",id,pairs,lo_x,lo_y,lo_z,hi_x,hi_y,hi_z\n"));
  // Table and floor have three rows more.
  EXPECT_EQ(lines(csv), lines(plain) + 3);
  EXPECT_THAT(csv, HasSubstr("\n0,1,clearance,,,0.25,"));
  EXPECT_THAT(csv, HasSubstr("\n0,1,clearance,,,0.5,"));
}

TEST_F(ClashClustersTest, TextAndPageListThem) {
  const std::string page = folder_.Path("p.html");
  EXPECT_THAT(Output({"clash", scene_, "--within", "0.5", "--places",
                      "--report", page, "--pictures", "0"}),
              HasSubstr("    in 4 places\n    "));
  // The contents for the scripts have each place: four of the floor, and that
  // of the stone.
  const std::string bytes = ScratchDirectory::Read(page);
  size_t places = 0;
  for (size_t at = bytes.find(" apart at ("); at != std::string::npos;
       at = bytes.find(" apart at (", at + 1)) {
    ++places;
  }
  EXPECT_EQ(places, 5U);
}

}  // namespace
}  // namespace orbox
