// SPDX-License-Identifier: Apache-2.0

// A million equal triangles. Their trees are as shallow and as small as those
// of any million, since the builders halve sets that they cannot order.
#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "tests/support/meshes.h"
#include "tests/support/sanitized.h"

namespace orbox {
namespace {

constexpr size_t kMany = kSanitized ? 100'000 : 1'000'000;

void CheckAnswers(const Tree& tree) {
  EXPECT_EQ(CountOverlaps(tree, Sphere{{0, 0, 0}, 1}), kMany);
  EXPECT_EQ(CountOverlaps(tree, Sphere{{0, 0, 2}, 1}), 0u);
  EXPECT_EQ(ClosestPoint(tree, {0.25, 0.25, 3})->triangle, 0u);
  EXPECT_EQ(ClosestHit(tree, Ray{{0.25, 0.25, 3}, {0, 0, -1}})->triangle, 0u);
}

TEST(IdenticalTrianglesTest, EachQuality) {
  const Mesh mesh = meshes::Identical(kMany);
  for (const Quality quality : {Quality::kFast, Quality::kBalanced}) {
    const Tree tree = Build(mesh, {.quality = quality}).value();
    // Eight to a leaf and eight children to a node: of a million, 125,000
    // leaves, 17,858 nodes and a depth of six are the least there can be.
    EXPECT_LE(tree.depth(), 9);
    EXPECT_LE(tree.leaf_count(), 2 * kMany / 8);
    EXPECT_LE(tree.node_count(), 2 * kMany / 8 / 4);
    CheckAnswers(tree);
  }
}

TEST(IdenticalTrianglesTest, PointsAndOneOtherFarAway) {
  std::vector<TriangleIndices> triangles(kMany, TriangleIndices{0, 0, 0});
  // Without areas, no node is better than another one, and all have two
  // children: 2^17 is above 125,000.
  const Tree points = Build(meshes::Make({{0.25, 0.25, 0}}, triangles)).value();
  EXPECT_LE(points.depth(), 17);
  EXPECT_LE(points.leaf_count(), 2 * kMany / 8);
  EXPECT_LE(points.node_count(), points.leaf_count());
  CheckAnswers(points);
  // The box of all is no help where all but one are in a corner of it.
  triangles.push_back({1, 1, 1});
  const Tree tree = Build(meshes::Make({{0, 0, 0}, {1e9, 1e9, 1e9}}, triangles),
                          {.quality = Quality::kFast})
                        .value();
  EXPECT_LE(tree.depth(), 20);
  EXPECT_EQ(ClosestPoint(tree, {1e9, 1e9, 0})->triangle, kMany);
}

}  // namespace
}  // namespace orbox
