// SPDX-License-Identifier: Apache-2.0

// Links orbox::bvh alone: two meshes, the smallest distance between them, and
// the error that bad input gets.
#include <cstdio>
#include <limits>
#include <vector>

#include "absl/status/statusor.h"
#include "cube.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"

namespace {

bool RejectsNan() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const absl::StatusOr<orbox::Mesh> mesh =
      orbox::Mesh::Create({{0, 0, 0}, {1, 0, 0}, {0, nan, 0}}, {{0, 1, 2}});
  std::printf("%s\n", mesh.status().ToString().c_str());
  return mesh.status().code() == absl::StatusCode::kInvalidArgument;
}

}  // namespace

int main() {
  const absl::StatusOr<orbox::Tree> cube = Cube();
  if (!cube.ok()) return 1;
  const absl::StatusOr<orbox::PosedTree> moved =
      orbox::PosedTree::Create(*cube, orbox::Pose::Translation({1.5, 0, 0}));
  if (!moved.ok()) return 1;
  const double distance = orbox::ClosestPair(*moved, *cube)->distance;
  std::printf("distance %g\n", distance);
  const bool right = !orbox::AnyOverlap(*moved, *cube) &&
                     orbox::AnyOverlap(*cube, *cube) && distance == 0.5;
  return right && RejectsNan() ? 0 : 1;
}
