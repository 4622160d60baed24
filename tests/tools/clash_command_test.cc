// SPDX-License-Identifier: Apache-2.0

// The answers of `orbox clash`, read from JSON and compared with those of
// asking every pair of bodies for every pair of triangles. That kinds are right
// is tested in bvh/query/clash_test.cc.

#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/mesh/write_mesh.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/brute_force.h"
#include "tests/support/command_json.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tools/orbox/text.h"

namespace orbox {
namespace {

using cli::Cat;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using Pairs = std::set<std::pair<size_t, size_t>>;

Pairs PairSetOf(const Json& json) {
  Pairs pairs;
  for (const Json& pair : json.items) {
    pairs.emplace(pair[0].number(), pair[1].number());
  }
  EXPECT_EQ(pairs.size(), json.size());
  return pairs;
}

class ClashCommandTest : public OrboxCommandTest {
 protected:
  // Four bodies of three meshes, of which some meet in some of the frames.
  void SetUp() override {
    const Mesh ring = meshes::Torus(12, 6);
    const Mesh ball = meshes::Icosphere(1, {0, 0, 0}, 0.5);
    const Mesh cube = meshes::Cube();
    File("ring.ply", ring);
    File("ball.ply", ball);
    File("cube.ply", cube);
    meshes_ = {ring, ball, ball, cube};
    poses_ = {Pose::Identity(), Pose::Translation({1, 0.1, 0}),
              Pose::Rotation({0, 0, 1}, 0.3, {-0.05, 0, 0.1}),
              Pose::Translation({1.5, 1.5, 0.25})};
    scene_ = folder_.Write(
        "scene.json",
        Cat("{\"bodies\": [{\"name\": \"ring\", \"mesh\": \"ring.ply\"},\n",
            "{\"name\": \"<b> & c\", \"mesh\": \"ball.ply\", \"pose\": [",
            RowOf(poses_[1]), "]},\n{\"mesh\": \"./ball.ply\", \"pose\": [",
            RowOf(poses_[2]), "]},\n{\"name\": \"box\", \"mesh\": ",
            "\"cube.ply\", \"pose\": [", RowOf(poses_[3]), "]}]}\n"));
  }

  // Moves the balls to and fro; the ring rises in the end. Returns the poses
  // of all bodies in each frame.
  std::vector<std::vector<Pose>> WriteMotion() {
    std::vector<std::vector<Pose>> frames;
    std::vector<Pose> poses = poses_;
    std::string rows = "frame,body,pose\n";
    for (int i = 0; i < 8; ++i) {
      const std::string frame = Cat(10 + 3 * i);
      poses[1] = Pose::Translation({1 + 0.25 * (i % 5), 0.1, 0});
      rows += Cat(frame, ",<b> & c,", RowOf(poses[1]), "\n");
      if (i % 2 == 1) {
        poses[2] = Pose::Rotation({1, 0, 0}, 0.2 * i, {-0.1 * i, 0, 0});
        rows += Cat(frame, ",2,", RowOf(poses[2]), "\n");
      }
      if (i == 7) {
        poses[0] = Pose::Translation({0.5, 0.5, 2});
        rows += Cat(frame, ",0,", RowOf(poses[0]), "\n");
      }
      frames.push_back(poses);
    }
    motion_ = folder_.Write("motion.csv", rows);
    return frames;
  }

  struct Close {
    size_t a, b;
    Witness nearest;
  };
  std::vector<Mesh> MovedTo(const std::vector<Pose>& poses) const {
    std::vector<Mesh> moved;
    for (size_t i = 0; i < poses.size(); ++i) {
      moved.push_back(meshes::Moved(meshes_[i], poses[i]));
    }
    return moved;
  }
  std::vector<Close> BruteForce(const std::vector<Pose>& poses,
                                double within) const {
    const std::vector<Mesh> moved = MovedTo(poses);
    std::vector<Close> pairs;
    for (size_t a = 0; a < moved.size(); ++a) {
      for (size_t b = a + 1; b < moved.size(); ++b) {
        const auto nearest = brute_force::Closest(moved[a], moved[b]);
        if (nearest.distance <= within) pairs.push_back({a, b, nearest});
      }
    }
    return pairs;
  }

  // Which bodies, in which frame, how far apart.
  static std::vector<std::string> GapsOf(const Json& json) {
    std::vector<std::string> gaps;
    for (const Json& frame : json["frames"].items) {
      for (const Json& pair : frame["pairs"].items) {
        gaps.push_back(frame["frame"].text + " " + pair["a"].text + " " +
                       pair["b"].text + " " + pair["distance"].text);
      }
    }
    return gaps;
  }

  static Pairs MeetingOf(const std::vector<Close>& pairs) {
    Pairs meeting;
    for (const Close& pair : pairs) {
      if (pair.nearest.distance == 0) meeting.emplace(pair.a, pair.b);
    }
    return meeting;
  }

  void ExpectPairs(const Json& found, const std::vector<Pose>& poses,
                   const std::vector<Close>& expected) const {
    const std::vector<Mesh> moved = MovedTo(poses);
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      const Witness& nearest = expected[i].nearest;
      const Json& pair = found[i];
      EXPECT_THAT(pair.Keys(), ElementsAre("a", "b", "a_name", "b_name", "kind",
                                           "inner", "thickness", "volume",
                                           "distance", "place", "witness"));
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

  std::vector<Mesh> meshes_;
  std::vector<Pose> poses_;
  std::string scene_, motion_;
};

TEST_F(ClashCommandTest, OneFrameListsThePairsOfBodies) {
  const Json json = JsonOf({"clash", scene_, "--within", "0.6"});
  EXPECT_THAT(json.Keys(),
              ElementsAre("schema_version", "command", "version", "inputs",
                          "tolerance", "exact", "within", "bodies", "summary",
                          "clashes", "closest"));
  ASSERT_EQ(json["bodies"].size(), 4U);
  for (size_t i = 0; i < 4; ++i) {
    const Json& body = json["bodies"][i];
    EXPECT_THAT(body.Keys(),
                ElementsAre("name", "mesh", "triangles", "properties"));
    EXPECT_EQ(body["triangles"].number(), meshes_[i].triangle_count());
  }
  EXPECT_EQ(json["bodies"][1]["name"].text, "<b> & c");
  EXPECT_EQ(json["bodies"][2]["name"].text, "2");
  EXPECT_EQ(json["bodies"][2]["mesh"].text, "./ball.ply");
  const std::vector<Close> expected = BruteForce(poses_, 0.6);
  ASSERT_GE(expected.size(), 3U);
  EXPECT_EQ(json["clashes"].size(), expected.size());
  EXPECT_FALSE(MeetingOf(expected).empty());
  EXPECT_EQ(json["closest"]["distance"].text, "0");
  // Clashes come first, the thickest before; then gaps, the smallest before.
  double thickness = 1e9, distance = 0;
  for (const Json& clash : json["clashes"].items) {
    if (clash["kind"].text == "clash") {
      EXPECT_EQ(distance, 0);
      EXPECT_LE(clash["thickness"][0].number(), thickness);
      thickness = clash["thickness"][0].number();
      EXPECT_GT(thickness, 0);
      EXPECT_LE(thickness, clash["thickness"][1].number());
    } else {
      EXPECT_EQ(clash["kind"].text, "clearance");
      EXPECT_GE(clash["distance"].number(), distance);
      distance = clash["distance"].number();
      EXPECT_GT(distance, 0);
    }
  }
  EXPECT_GT(distance, 0);
  EXPECT_LT(thickness, 1e9);

  // Without a distance, those that meet.
  EXPECT_EQ(JsonOf({"clash", scene_})["clashes"].size(),
            BruteForce(poses_, 0).size());
}

TEST_F(ClashCommandTest, EachFrameOfAMotionIsAsked) {
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

// Bodies that no frame moves are asked about once; here they are moved to where
// they stand.
TEST_F(ClashCommandTest, NamingBodiesThatStayChangesNothing) {
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

TEST_F(ClashCommandTest, TheClosestPairNeedNotMeet) {
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

TEST_F(ClashCommandTest, ToleranceOfZeroIsExact) {
  // A box that sticks out of the plane x = 1 by the last bit.
  const auto box = [&](const char* name, double from, double to) {
    const Mesh mesh =
        meshes::Make({{from, 0, 0}, {to, 0, 0}, {from, 1, 0}, {from, 0, 1}},
                     {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}});
    EXPECT_TRUE(WriteMeshFile(mesh, folder_.Path(name)).ok());
  };
  box("left.ply", std::nextafter(1.0, 2.0), 0);
  box("right.ply", 1, 2);
  const std::string scene = folder_.Write(
      "two.json",
      "{\"bodies\": [{\"mesh\": \"left.ply\"}, {\"mesh\": \"right.ply\"}]}");
  const auto kind = [&](std::vector<std::string> more) {
    std::vector<std::string> command = {"clash", scene};
    command.insert(command.end(), more.begin(), more.end());
    const Json json = JsonOf(command);
    EXPECT_EQ(json["exact"].boolean(), !more.empty());
    return json["clashes"][0]["kind"].text;
  };
  EXPECT_EQ(kind({}), "touch");
  EXPECT_EQ(kind({"--tolerance", "0"}), "clash");
  EXPECT_THAT(Output({"clash", scene, "--tolerance", "0"}),
              HasSubstr("tolerance 0, exact\n"));
}

TEST_F(ClashCommandTest, TextAndCsv) {
  WriteMotion();
  const std::string text = Output({"clash", scene_, "--within", "0.6"});
  EXPECT_THAT(text,
              AllOf(StartsWith("scene.json: 4 bodies of 3 meshes, "),
                    HasSubstr("tolerance 0, clearance 0.6\n"),
                    HasSubstr(" to look at: "), HasSubstr("the worst first:"),
                    HasSubstr("ring and <b> & c clash, "),
                    HasSubstr(" thick\n    around ("),
                    HasSubstr(" apart\n    between (")));
  const std::string motion = Output({"clash", scene_, "--motion", motion_});
  EXPECT_THAT(motion, AllOf(HasSubstr("\nframe 10: "),
                            HasSubstr("  ring and <b> & c begin to meet\n"),
                            HasSubstr("  ring and <b> & c no longer meet\n"),
                            HasSubstr(" thick, in frame ")));
  const std::string csv =
      Output({"clash", scene_, "--motion", motion_, "--format", "csv"});
  EXPECT_THAT(csv, StartsWith("a,b,kind,thickness,volume,distance,ax,ay,az,bx,"
                              "by,bz,x,y,z,thickness_upper,volume_upper,inner,"
                              "frame,group,state,id\n"));
  EXPECT_THAT(csv, HasSubstr("\nring,<b> & c,clash,0."));
  const Json json = JsonOf({"clash", scene_, "--motion", motion_});
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'),
            1 + json["clashes"].size());
}

TEST_F(ClashCommandTest, TheSameForAnyThreadsVolumesAndTreeFiles) {
  WriteMotion();
  const Words plain = {"clash", scene_, "--motion", motion_, "--within", "0.4"};
  Words command = plain;
  command.insert(command.end(), {"--format", "json"});
  const std::string expected = Output(command);
  const auto with = [](Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  EXPECT_EQ(Output(with(command, {"--threads", "1"})), expected);
  EXPECT_EQ(Output(with(command, {"--threads", "3"})), expected);
  // Which of the pairs that are equally near are witnesses depends on the
  // trees.
  const std::vector<std::string> gaps = GapsOf(JsonOf(plain));
  EXPECT_GT(gaps.size(), 10U);
  EXPECT_EQ(GapsOf(JsonOf(with(plain, {"--volumes", "sphere"}))), gaps);
  EXPECT_EQ(GapsOf(JsonOf(with(plain, {"--storage", "compact"}))), gaps);
  Words stats = command;
  stats.push_back("--stats");
  const std::string with_stats = Output(stats);
  EXPECT_THAT(with_stats, HasSubstr(",\"statistics\":{"));
  stats.insert(stats.end(), {"--threads", "1"});
  EXPECT_EQ(Output(stats), with_stats);

  Output({"build", folder_.Path("ring.ply"), "-o", folder_.Path("ring.orbox")});
  std::string bytes = ScratchDirectory::Read(scene_);
  bytes.replace(bytes.find("ring.ply"), 8, "ring.orbox");
  Words of_tree = command;
  of_tree[1] = folder_.Write("trees.json", bytes);
  const auto json = ParseJson(Output(of_tree));
  ASSERT_TRUE(json.has_value());
  EXPECT_EQ((*json)["bodies"][0]["mesh"].text, "ring.orbox");
  const std::string frames = "\"frames\":";
  const std::string found = Output(of_tree);
  EXPECT_EQ(found.substr(found.find(frames)),
            expected.substr(expected.find(frames)));
}

TEST_F(ClashCommandTest, ReadsStandardInput) {
  const std::string cube = File("c.ply", meshes::Cube());
  const std::string bytes = Cat("{\"bodies\": [{\"mesh\": \"", cube,
                                "\"}, {\"mesh\": \"", cube, "\"}]}");
  const Json json = JsonOf({"clash", "-"}, {.input = bytes});
  EXPECT_EQ(json["clashes"][0]["kind"].text, "duplicate");
  const std::string rows = "0,1,1,0,0,3,0,1,0,0,0,0,1,0\n";
  const Json moved =
      JsonOf({"clash", folder_.Write("two.json", bytes), "--motion", "-"},
             {.input = rows});
  EXPECT_EQ(moved["closest"]["distance"].text, "2");
}

TEST_F(ClashCommandTest, ExitCode) {
  const std::string cube = "{\"mesh\": \"cube.ply\"}";
  const std::string far =
      "{\"mesh\": \"cube.ply\", \"pose\": [1,0,0,5,0,1,0,0,0,0,1,0]}";
  const std::string apart =
      folder_.Write("apart.json", Cat("{\"bodies\": [", cube, ",", far, "]}"));
  const std::string clash =
      folder_.Write("clash.json", Cat("{\"bodies\": [", cube, ",", cube, "]}"));
  const std::string alone =
      folder_.Write("alone.json", Cat("{\"bodies\": [", cube, "]}"));
  EXPECT_EQ(Run({"clash", clash, "--exit-code"}).exit_code, 1);
  EXPECT_EQ(Run({"clash", clash}).exit_code, 0);
  EXPECT_EQ(Run({"clash", apart, "--exit-code"}).exit_code, 0);
  EXPECT_EQ(Run({"clash", apart, "--exit-code", "--within", "4"}).exit_code, 1);
  EXPECT_EQ(Run({"clash", apart, "--exit-code", "--within", "3.9"}).exit_code,
            0);
  EXPECT_EQ(Run({"clash", alone, "--exit-code", "--within", "9"}).exit_code, 0);
  EXPECT_TRUE(JsonOf({"clash", alone})["closest"].is_null());
  // Only at the second of three moments: faces that touch, then a clash.
  for (const auto& [x, expected] : {std::pair("1", 0), {"0.5", 1}}) {
    const std::string motion =
        folder_.Write("m.csv", Cat("0,1,1,0,0,9,0,1,0,0,0,0,1,0\n1,1,1,0,0,", x,
                                   ",0,1,0,0,0,0,1,0\n"
                                   "2,1,1,0,0,9,0,1,0,0,0,0,1,0\n"));
    EXPECT_EQ(
        Run({"clash", apart, "--exit-code", "--motion", motion}).exit_code,
        expected);
  }
}

}  // namespace
}  // namespace orbox
