// SPDX-License-Identifier: Apache-2.0

// A point cloud compared with a surface: the surface point nearest to each
// point, the points too far off to belong to it, and those inside.
//
//   point_cloud data
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "orbox/orbox.h"
#include "tests/examples/or_exit.h"

namespace {

// In place of a scanner's file: the corners of a finer mesh of the same part,
// every other one 0.01 aside, and ten points of something else.
std::vector<orbox::Vec3> Cloud() {
  const orbox::Mesh part =
      OrExit(orbox::GenerateMesh({.shape = "torus_knot", .triangles = 20'000}));
  std::vector<orbox::Vec3> points(part.vertices().begin(),
                                  part.vertices().end());
  for (size_t i = 0; i < points.size(); i += 2) points[i].x += 0.01;
  for (int i = 0; i < 10; ++i) points.push_back({0, 0, 1.0 + i});
  return points;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string data = argc > 1 ? argv[1] : "data";
  const orbox::Tree tree = OrExit(
      orbox::Build(OrExit(orbox::ReadMeshFile(data + "/torus_knot.ply"))));
  const std::vector<orbox::Vec3> points = Cloud();

  // An answer for each point, on all cores; none where nothing is within 0.2.
  const std::vector<std::optional<orbox::SurfacePoint>> nearest =
      OrExit(orbox::ClosestPoint(tree, points, 0.2));
  size_t matched = 0;
  double squares = 0;
  double largest = 0;
  for (const std::optional<orbox::SurfacePoint>& hit : nearest) {
    if (!hit) continue;
    ++matched;
    squares += hit->distance * hit->distance;
    largest = std::max(largest, hit->distance);
  }
  std::printf("%zu points, %zu of them stray\n", points.size(),
              points.size() - matched);
  std::printf("distance: root mean square %.4f, largest %.4f\n",
              std::sqrt(squares / static_cast<double>(matched)), largest);
  if (const auto& hit = nearest[1234]) {
    std::printf("point 1234: triangle %u at (%.3f, %.3f, %.3f)\n",
                hit->triangle, hit->point.x, hit->point.y, hit->point.z);
  }

  // The mesh is closed, so distances have a sign: negative inside.
  const auto field = OrExit(orbox::SignedDistanceField::Create(tree));
  size_t inside = 0;
  for (const auto& signed_hit : OrExit(field.ClosestPoint(points))) {
    if (signed_hit->distance < 0) ++inside;
  }
  std::printf("%zu of them inside\n", inside);
}
