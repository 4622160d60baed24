// SPDX-License-Identifier: Apache-2.0

// A scene of four bodies and its motion, for tests of `orbox clash`; and its
// pairs of bodies by testing every pair of their triangles.
#ifndef ORBOX_TESTS_SUPPORT_CLASH_SCENE_H_
#define ORBOX_TESTS_SUPPORT_CLASH_SCENE_H_

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/shapes/pose.h"
#include "tests/support/brute_force.h"
#include "tests/support/command_json.h"
#include "tests/support/meshes.h"
#include "tests/support/orbox_command.h"
#include "tools/orbox/base/text.h"

namespace orbox {

class ClashSceneTest : public OrboxCommandTest {
 protected:
  using Pairs = std::set<std::pair<size_t, size_t>>;

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
        cli::Cat(
            "{\"bodies\": [{\"name\": \"ring\", \"mesh\": \"ring.ply\"},\n",
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
      const std::string frame = cli::Cat(10 + 3 * i);
      poses[1] = Pose::Translation({1 + 0.25 * (i % 5), 0.1, 0});
      rows += cli::Cat(frame, ",<b> & c,", RowOf(poses[1]), "\n");
      if (i % 2 == 1) {
        poses[2] = Pose::Rotation({1, 0, 0}, 0.2 * i, {-0.1 * i, 0, 0});
        rows += cli::Cat(frame, ",2,", RowOf(poses[2]), "\n");
      }
      if (i == 7) {
        poses[0] = Pose::Translation({0.5, 0.5, 2});
        rows += cli::Cat(frame, ",0,", RowOf(poses[0]), "\n");
      }
      frames.push_back(poses);
    }
    motion_ = folder_.Write("motion.csv", rows);
    return frames;
  }

  std::vector<Mesh> MovedTo(const std::vector<Pose>& poses) const {
    std::vector<Mesh> moved;
    for (size_t i = 0; i < poses.size(); ++i) {
      moved.push_back(meshes::Moved(meshes_[i], poses[i]));
    }
    return moved;
  }

  // Two bodies, and how near they are.
  struct Close {
    size_t a, b;
    Witness nearest;
  };
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

  // Who meet among these.
  static Pairs MeetingOf(const std::vector<Close>& pairs) {
    Pairs meeting;
    for (const Close& pair : pairs) {
      if (pair.nearest.distance == 0) meeting.emplace(pair.a, pair.b);
    }
    return meeting;
  }

  std::vector<Mesh> meshes_;
  std::vector<Pose> poses_;
  std::string scene_, motion_;
};

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_CLASH_SCENE_H_
