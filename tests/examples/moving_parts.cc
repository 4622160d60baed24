// SPDX-License-Identifier: Apache-2.0

// A scene of parts that share their meshes. One part moves: its contacts on the
// way, and the parts near it at the end.
//
//   moving_parts data
#include <cstdio>
#include <string>
#include <vector>

#include "orbox/orbox.h"
#include "tests/examples/or_exit.h"

namespace {

orbox::Tree TreeOfFile(const std::string& path) {
  return OrExit(orbox::Build(OrExit(orbox::ReadMeshFile(path))));
}

const char* NameOf(orbox::ContactChange change) {
  switch (change) {
    case orbox::ContactChange::kBegin:
      return "begins";
    case orbox::ContactChange::kStay:
      return "stays";
    case orbox::ContactChange::kEnd:
      return "ends";
  }
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  const std::string data = argc > 1 ? argv[1] : "data";
  const orbox::Tree gear = TreeOfFile(data + "/gear.stl");
  const orbox::Tree ball = TreeOfFile(data + "/sphere.off");

  // Three gears on a line, and a ball that rolls over them.
  orbox::Scene scene;
  for (const double x : {0.0, 4.0, 8.0}) {
    OrExit(scene.Add(gear, orbox::Pose::Rotation({1, 0, 0}, 0.5, {x, 0, 0})));
  }
  const orbox::BodyId roller = OrExit(scene.Add(ball));
  orbox::ContactTracker tracker(0.05);
  orbox::Pose pose;
  for (int frame = 0; frame <= 100; ++frame) {
    pose = orbox::Pose::Rotation({0, 1, 0}, 0.1 * frame,
                                 {0.1 * frame - 2, 1, 1.1});
    if (!scene.Move(roller, pose).ok()) return 1;
    scene.Update();
    tracker.Update(scene);
    for (const orbox::ContactEvent& event : tracker.events()) {
      if (event.change == orbox::ContactChange::kStay) continue;
      std::printf("frame %d: contact with gear %u %s\n", frame, event.bodies.a,
                  NameOf(event.change));
    }
  }

  // The gears around the ball where it has come to rest.
  const auto resting = OrExit(orbox::PosedTree::Create(ball, pose));
  for (const orbox::BodyGap& near :
       orbox::AllWithin(scene, resting, 6, {.except = roller})) {
    std::printf("gear %u is %.4f away\n", near.body, near.gap.distance);
  }
  const auto hit = orbox::ClosestHit(scene, {{-5, 0.9, 0}, {1, 0, 0}});
  if (hit) std::printf("a ray hits gear %u first\n", hit->body);
}
