// SPDX-License-Identifier: Apache-2.0

// Clearance along a robot's motion: how close does a moving part come to a
// fixed one, at which step, and where is it closer than it may be?
//
//   motion_clearance data
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "orbox/orbox.h"
#include "tests/examples/or_exit.h"

namespace {

// The part is carried past the fixed one, and turned by half a turn meanwhile.
std::vector<orbox::Pose> Motion(size_t steps) {
  std::vector<orbox::Pose> poses;
  for (size_t i = 0; i < steps; ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(steps - 1);
    poses.push_back(
        orbox::Pose::Rotation({1, 0, 0}, 3.14159 * t, {8 * t - 4, 1.8, 0}));
  }
  return poses;
}

orbox::Tree TreeOfFile(const std::string& path) {
  return OrExit(orbox::Build(OrExit(orbox::ReadMeshFile(path))));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string data = argc > 1 ? argv[1] : "data";
  const orbox::Tree part = TreeOfFile(data + "/gear.stl");
  const orbox::Tree fixed = TreeOfFile(data + "/torus_knot.ply");
  const std::vector<orbox::Pose> poses = Motion(201);

  // The motion is known: all poses at once, on all cores.
  const std::vector<std::optional<orbox::Witness>> gaps =
      OrExit(orbox::ClosestPair(part, poses, fixed, {}, {.threads = 0}));
  const auto least = std::ranges::min_element(
      gaps, {}, [](const auto& gap) { return gap->distance; });
  std::printf("smallest clearance %.4f, at step %zu\n", (*least)->distance,
              static_cast<size_t>(least - gaps.begin()));

  // Testing a clearance is faster than measuring it.
  const std::vector<uint8_t> tight =
      OrExit(orbox::AnyWithin(part, poses, fixed, 0.3, {.threads = 0}));
  const auto first = std::ranges::find(tight, 1);
  std::printf("within 0.3 at %zu steps, from step %zu on\n",
              static_cast<size_t>(std::ranges::count(tight, 1)),
              static_cast<size_t>(first - tight.begin()));

  // The motion comes step by step: the last answer is the guess for the next
  // one, which it may bring sooner and does not change.
  orbox::TrianglePair guess;
  bool same = true;
  for (size_t i = 0; i < poses.size(); ++i) {
    const auto moved = OrExit(orbox::PosedTree::Create(part, poses[i]));
    const orbox::Witness gap =
        *orbox::ClosestPair(moved, fixed, {.guess = guess});
    guess = gap.triangles;
    same = same && gap.distance == gaps[i]->distance &&
           gap.triangles == gaps[i]->triangles;
  }
  std::printf("step by step: %s\n", same ? "the same to the last bit" : "not");
}
