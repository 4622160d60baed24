// SPDX-License-Identifier: Apache-2.0

// Results of `orbox clash` in each frame of a motion, compared with tests of
// every pair of triangles of every pair of bodies.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/clash_scene.h"
#include "tests/support/command_json.h"
#include "tools/orbox/base/text.h"

namespace orbox {
namespace {

using cli::Cat;
using ::testing::ElementsAre;

class ClashMotionTest : public ClashSceneTest {
 protected:
  static Pairs PairSetOf(const Json& json) {
    Pairs pairs;
    for (const Json& pair : json.items) {
      pairs.emplace(pair[0].number(), pair[1].number());
    }
    EXPECT_EQ(pairs.size(), json.size());
    return pairs;
  }

  void ExpectPairs(const Json& found, const std::vector<Pose>& poses,
                   const std::vector<Close>& expected) const {
    const std::vector<Mesh> moved = MovedTo(poses);
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      const Witness& nearest = expected[i].nearest;
      const Json& pair = found[i];
      EXPECT_THAT(pair.Keys(),
                  ElementsAre("a", "b", "a_name", "b_name", "kind", "inner",
                              "thickness", "undecided", "volume", "distance",
                              "place", "witness"));
      EXPECT_EQ(pair["a"].number(), expected[i].a);
      EXPECT_EQ(pair["b"].number(), expected[i].b);
      EXPECT_EQ(pair["kind"].text == "clearance", nearest.distance > 0);
      EXPECT_EQ(pair["distance"].number(), nearest.distance);
      const Json& witness = pair["witness"];
      // Any of the pairs that are equally near.
      const auto triangle = [&](const char* side, const Mesh& mesh) {
        return mesh.triangle(
            static_cast<uint32_t>(witness[side]["triangle"].number()));
      };
      EXPECT_EQ(Distance(triangle("a", moved[expected[i].a]),
                         triangle("b", moved[expected[i].b]))
                    .distance,
                nearest.distance);
      EXPECT_NEAR(
          Norm(PointOf(witness["a"]["point"]) - PointOf(witness["b"]["point"])),
          nearest.distance, 1e-14);
    }
  }
};

TEST_F(ClashMotionTest, EachFrameOfAMotionIsQueried) {
  const std::vector<std::vector<Pose>> frames = WriteMotion();
  size_t most = 0, least = 99, ended = 0;
  for (const std::string within : {"0", "0.4"}) {
    Words command = {"clash", scene_, "--motion", motion_};
    if (within != "0") command.insert(command.end(), {"--within", within});
    const Json json = JsonOf(command);
    ASSERT_EQ(json["frames"].size(), frames.size());
    std::optional<Close> closest;
    size_t closest_frame = 0;
    Pairs before;
    for (size_t i = 0; i < frames.size(); ++i) {
      SCOPED_TRACE(i);
      const Json& frame = json["frames"][i];
      EXPECT_EQ(frame["frame"].number(), 10 + 3 * i);
      const std::vector<Close> expected =
          BruteForce(frames[i], std::stod(within));
      ExpectPairs(frame["pairs"], frames[i], expected);
      most = std::max(most, expected.size());
      least = std::min(least, expected.size());
      const Pairs meeting = MeetingOf(expected);
      Pairs began, stopped;
      for (const auto& pair : meeting) {
        if (!before.contains(pair)) began.insert(pair);
      }
      for (const auto& pair : before) {
        if (!meeting.contains(pair)) stopped.insert(pair);
      }
      EXPECT_EQ(PairSetOf(frame["began"]), began);
      EXPECT_EQ(PairSetOf(frame["ended"]), stopped);
      ended += stopped.size();
      before = meeting;
      for (const Close& pair : expected) {
        if (!closest || pair.nearest.distance < closest->nearest.distance) {
          closest = pair;
          closest_frame = 10 + 3 * i;
        }
      }
    }
    ASSERT_TRUE(closest.has_value());
    EXPECT_EQ(json["closest"]["frame"].number(), closest_frame);
    EXPECT_EQ(json["closest"]["a"].number(), closest->a);
    EXPECT_EQ(json["closest"]["b"].number(), closest->b);
    EXPECT_EQ(json["closest"]["distance"].number(), closest->nearest.distance);
  }
  // Some frames have more pairs than others.
  EXPECT_GT(most, least);
  EXPECT_GT(ended, 0U);
}

// Bodies that no frame moves are tested once; here they are moved to their own
// poses.
TEST_F(ClashMotionTest, NamingBodiesThatStayChangesNothing) {
  std::vector<Pose> poses = {
      Pose::Translation({0, 0, 0}), Pose::Translation({2, 0, 0}),
      Pose::Translation({-1.5, 0.1, 0}), Pose::Translation({4, 4, 0.25})};
  for (const double lift : {0.0, 0.75}) {
    poses[2].translation.z = lift;
    std::string scene = "{\"bodies\": [";
    const char* const files[] = {"ring.ply", "ball.ply", "ball.ply",
                                 "cube.ply"};
    for (size_t i = 0; i < 4; ++i) {
      scene += Cat(i > 0 ? "," : "", "{\"mesh\": \"", files[i],
                   "\", \"pose\": [", RowOf(poses[i]), "]}");
    }
    const std::string path = folder_.Write("still.json", scene + "]}");
    std::string few, all;
    for (int frame = 0; frame < 9; ++frame) {
      poses[3] = Pose::Translation({4 - 0.5 * frame, 1.5, 0.25});
      few += Cat(frame, ",3,", RowOf(poses[3]), "\n");
      for (size_t i = 0; i < 4; ++i) {
        all += Cat(frame, ",", i, ",", RowOf(poses[i]), "\n");
      }
    }
    for (const std::string within : {"", "0", "0.3", "2.5"}) {
      Words command = {"clash", path, "--format", "json"};
      if (!within.empty()) command.insert(command.end(), {"--within", within});
      Words named = command;
      command.insert(command.end(),
                     {"--motion", folder_.Write("few.csv", few)});
      named.insert(named.end(), {"--motion", folder_.Write("all.csv", all)});
      EXPECT_EQ(Output(command), Output(named)) << lift << " " << within;
    }
    // One of the balls meets the ring, or is apart from it.
    const Json json =
        JsonOf({"clash", path, "--motion", folder_.Write("few.csv", few)});
    EXPECT_EQ(json["closest"]["a"].number(), 0);
    EXPECT_EQ(json["closest"]["distance"].number() == 0, lift == 0.0);
  }
}

TEST_F(ClashMotionTest, TheClosestPairNeedNotMeet) {
  const std::vector<Pose> poses = {
      Pose::Translation({0, 0, 5}), Pose::Translation({4, 0, 0}),
      Pose::Translation({-3, 1, 0.5}), Pose::Translation({2, 9, 4})};
  std::string rows;
  for (size_t i = 0; i < poses.size(); ++i) {
    rows += Cat("4,", i, ",", RowOf(poses[i]), "\n");
  }
  const std::string motion = folder_.Write("apart.csv", rows);
  const std::vector<Close> all = BruteForce(poses, 1e9);
  const auto closest = std::min_element(
      all.begin(), all.end(),
      [](auto& x, auto& y) { return x.nearest.distance < y.nearest.distance; });
  const Json json = JsonOf({"clash", scene_, "--motion", motion});
  EXPECT_EQ(json["frames"][0]["pairs"].size(), 0U);
  EXPECT_EQ(json["clashes"].size(), 0U);
  EXPECT_EQ(json["closest"]["frame"].number(), 4);
  EXPECT_EQ(json["closest"]["a"].number(), closest->a);
  EXPECT_EQ(json["closest"]["b"].number(), closest->b);
  EXPECT_EQ(json["closest"]["distance"].number(), closest->nearest.distance);
  // Within a distance, it is one of those within it.
  EXPECT_TRUE(
      JsonOf({"clash", scene_, "--motion", motion, "--within", "1"})["closest"]
          .is_null());
}

}  // namespace
}  // namespace orbox
