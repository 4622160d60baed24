// SPDX-License-Identifier: Apache-2.0

// Pairs of a mesh with itself if it is a fan: a cap whose triangles all meet in
// its middle. Compared with brute force.
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/orbox.h"
#include "orbox/overlap/triangles/adjacent_triangles.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/support/meshes.h"
#include "tests/support/sanitized.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// A cone or, with no height, a disc; `turns` around the apex.
Mesh Fan(uint32_t count, double height, double turns = 1) {
  std::vector<Vec3> vertices = {{0, 0, height}};
  std::vector<TriangleIndices> triangles;
  for (uint32_t i = 0; i <= count; ++i) {
    const double angle = 2 * std::numbers::pi * turns * i / count;
    vertices.push_back({std::cos(angle), std::sin(angle), 0});
    if (i > 0) triangles.push_back({0, i, i + 1});
  }
  return meshes::Make(std::move(vertices), std::move(triangles));
}

std::vector<TrianglePair> BruteForce(const Mesh& mesh) {
  std::vector<TrianglePair> pairs;
  for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    for (uint32_t j = i + 1; j < mesh.triangle_count(); ++j) {
      const Triangle s = mesh.triangle(i);
      const Triangle t = mesh.triangle(j);
      if (OverlapsBeyond(s, t, CommonCorners(s, t).points())) {
        pairs.push_back({i, j});
      }
    }
  }
  return pairs;
}

TEST(SelfPairsOfFansTest, OverlapsAreThoseOfBruteForce) {
  for (const double height : {0.0, 0.25, 3.0, -0.5}) {
    for (const double turns : {0.4, 0.999, 1.5}) {
      SCOPED_TRACE(::testing::Message() << height << " " << turns);
      const Mesh fan = Fan(kSanitized ? 300 : 700, height, turns);
      const Mesh mesh = meshes::Joined(
          meshes::Joined(fan, meshes::Moved(Fan(100, 1),
                                            Pose::Translation({0.3, 0, -0.2}))),
          meshes::Soup(50, 0.3));
      const std::vector<TrianglePair> expected = BruteForce(mesh);
      for (const int leaf : {1, 8}) {
        const Tree tree = trees::Make(mesh, Volumes::kMixed, leaf);
        for (const int threads : {1, 4}) {
          EXPECT_EQ(AllSelfOverlaps(tree, {}, {.threads = threads}).value(),
                    expected);
        }
        EXPECT_EQ(AnySelfOverlap(tree), !expected.empty());
      }
    }
  }
}

TEST(SelfPairsOfFansTest, NeighboursAreNoPairsWithinADistance) {
  const Mesh mesh = meshes::Joined(Fan(600, 0.5), meshes::Soup(40, 0.3));
  std::vector<TrianglePair> expected;
  for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    for (uint32_t j = i + 1; j < mesh.triangle_count(); ++j) {
      const Triangle s = mesh.triangle(i);
      const Triangle t = mesh.triangle(j);
      if (CommonCorners(s, t).size() == 0 && WithinDistance(s, t, 0.05)) {
        expected.push_back({i, j});
      }
    }
  }
  std::vector<TrianglePair> found;
  for (const PairDistance& pair : AllSelfWithin(trees::Make(mesh), 0.05)) {
    found.push_back(pair.triangles);
  }
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace orbox
