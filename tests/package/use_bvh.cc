// SPDX-License-Identifier: Apache-2.0

// Links orbox::bvh: two meshes, the smallest distance between them, and the
// error that bad input gets.
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/mesh/generate.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/closest_pair.h"
#include "orbox/bvh/query/pair_overlap.h"

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
  const absl::StatusOr<orbox::Mesh> mesh =
      orbox::GenerateMesh({.shape = "torus_knot", .triangles = 1000});
  if (!mesh.ok()) return 1;
  const absl::StatusOr<orbox::Tree> tree = orbox::Build(*mesh);
  if (!tree.ok()) return 1;

  // The same mesh, beside itself by 1.5 times its width: half a width apart or
  // a little more, since the nearest corners need not face each other.
  const double width = mesh->bounds().hi.x - mesh->bounds().lo.x;
  const absl::StatusOr<orbox::PosedTree> moved = orbox::PosedTree::Create(
      *tree, orbox::Pose::Translation({1.5 * width, 0, 0}));
  if (!moved.ok()) return 1;
  const double distance = orbox::ClosestPair(*moved, *tree)->distance;
  std::printf("width %g, distance %g\n", width, distance);
  const bool right = !orbox::AnyOverlap(*moved, *tree) &&
                     orbox::AnyOverlap(*tree, *tree) &&
                     distance > 0.499 * width && distance < width;
  return right && RejectsNan() ? 0 : 1;
}
