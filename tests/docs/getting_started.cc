// SPDX-License-Identifier: Apache-2.0

// The C++ of the page "Getting started" (tools/docs/getting_started.md).
//
//   getting_started data
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "orbox/orbox.h"

int main(int argc, char** argv) {
  const std::string data = argc > 1 ? argv[1] : "data";
  const std::string path = data + "/torus_knot.ply";

  // [build]
  const absl::StatusOr<orbox::Mesh> mesh = orbox::ReadMeshFile(path);
  if (!mesh.ok()) return std::puts(mesh.status().ToString().c_str()), 1;
  const absl::StatusOr<orbox::Tree> tree = orbox::Build(*mesh);
  if (!tree.ok()) return std::puts(tree.status().ToString().c_str()), 1;
  // [build]

  // [one]
  const std::optional<orbox::SurfacePoint> hit =
      orbox::ClosestPoint(*tree, {2, 0, 0});
  std::printf("nearest: triangle %u, %g away, at (%g, %g, %g)\n", hit->triangle,
              hit->distance, hit->point.x, hit->point.y, hit->point.z);

  const std::vector<uint32_t> ids =
      orbox::AllOverlaps(*tree, orbox::Sphere{{1.25, 0, 0}, 0.2});
  std::printf("in the ball: %zu triangles, from %u on\n", ids.size(), ids[0]);
  // [one]

  // [two]
  const absl::StatusOr<orbox::PosedTree> moved =
      orbox::PosedTree::Create(*tree, orbox::Pose::Translation({3, 0, 0}));
  if (!moved.ok()) return std::puts(moved.status().ToString().c_str()), 1;
  const orbox::Witness gap = *orbox::ClosestPair(*moved, *tree);
  std::printf("meet: %s\n", orbox::AnyOverlap(*moved, *tree) ? "yes" : "no");
  std::printf("apart: %g, at triangles %u and %u\n", gap.distance,
              gap.triangles.a, gap.triangles.b);
  std::printf("pairs within 0.75: %zu\n",
              orbox::AllWithin(*moved, *tree, 0.75).size());
  // [two]

  // [many]
  const std::vector<orbox::Vec3> points = {{2, 0, 0}, {0, 0, 0}, {0, 0, 2}};
  const auto answers = orbox::ClosestPoint(*tree, points);
  if (!answers.ok()) return std::puts(answers.status().ToString().c_str()), 1;
  for (const auto& answer : *answers) std::printf("%g\n", answer->distance);
  // [many]

  // [cost]
  orbox::TraversalStatistics statistics;
  orbox::ClosestPoint(*tree, {2, 0, 0}, 1.0, {.statistics = &statistics})
      .value();
  std::printf("leaves opened: %llu of %zu\n",
              static_cast<unsigned long long>(statistics.leaves_visited),
              tree->leaf_count());
  // [cost]

  // [error]
  const auto bad =
      orbox::Mesh::Create({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 3}});
  std::printf("%s\n", bad.status().ToString().c_str());
  // [error]
}
