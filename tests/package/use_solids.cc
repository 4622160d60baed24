// SPDX-License-Identifier: Apache-2.0

// Links orbox::solids: two cubes that share half of each.
#include <cstdio>

#include "absl/status/statusor.h"
#include "cube.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/solids/clash.h"

int main() {
  const absl::StatusOr<orbox::Tree> cube = Cube();
  if (!cube.ok()) return 1;
  const absl::StatusOr<orbox::PosedTree> moved =
      orbox::PosedTree::Create(*cube, orbox::Pose::Translation({0.5, 0, 0}));
  if (!moved.ok()) return 1;
  const orbox::Clash clash =
      orbox::ClashOf(*cube, *moved, {.tolerance = 0.001});
  std::printf("thickness %g\n", clash.thickness.lower);
  return clash.kind == orbox::ClashKind::kClash ? 0 : 1;
}
