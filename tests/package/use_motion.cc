// SPDX-License-Identifier: Apache-2.0

// Links orbox::motion: a cube that moves by 2 meets one that is 1 away from it,
// half way.
#include <cstdio>

#include "absl/status/statusor.h"
#include "cube.h"
#include "orbox/bvh/motion/rigid_motion.h"
#include "orbox/bvh/motion/time_of_contact.h"

int main() {
  const absl::StatusOr<orbox::Tree> cube = Cube();
  if (!cube.ok()) return 1;
  const auto moving =
      orbox::MovingTree::Create(*cube, {.translation = {2, 0, 0}});
  const auto still = orbox::MovingTree::Create(
      *cube, {.start = orbox::Pose::Translation({2, 0, 0})});
  if (!moving.ok() || !still.ok()) return 1;
  const orbox::TimeOfContactResult contact =
      orbox::TimeOfContact(*moving, *still, {.tolerance = 0.001});
  std::printf("at %g\n", contact.earliest);
  return contact.earliest > 0.49 && contact.earliest <= 0.5 ? 0 : 1;
}
