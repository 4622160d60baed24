// SPDX-License-Identifier: Apache-2.0

// Poses of every kind, for tests of posed trees.
#ifndef ORBOX_TESTS_SUPPORT_POSES_H_
#define ORBOX_TESTS_SUPPORT_POSES_H_

#include <vector>

#include "orbox/overlap/shapes/pose.h"
#include "tests/support/meshes.h"

namespace orbox::poses {

// Rigid; then scaled, mirrored, stretched a little and a lot, sheared, all but
// flat, and far away, where moved vertices have few digits left.
inline std::vector<Pose> OfEveryKind() {
  meshes::Random random(2);
  std::vector<Pose> poses;
  for (int i = 0; i < 9; ++i) {
    Pose pose = Pose::Rotation(random.Direction(), i + 1, random.Point(-2, 2));
    Vec3& x = pose.rows[0];
    if (i == 1) {
      for (Vec3& row : pose.rows) row = row * 0x1p-30;
    }
    if (i == 2) x = x * -1;
    if (i == 3) x = x * (1 + 0x1p-20);
    if (i == 4) x = x * 2;
    if (i == 5) x = x + pose.rows[1] * 0.75;
    if (i == 6) x = x * 6;
    if (i == 7) x = x * 0x1p-12;
    if (i == 8) pose.translation = {0x1p40, -0x1p30, 0x1p44};
    poses.push_back(pose);
  }
  return poses;
}

}  // namespace orbox::poses

#endif  // ORBOX_TESTS_SUPPORT_POSES_H_
