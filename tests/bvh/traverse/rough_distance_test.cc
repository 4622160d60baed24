// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/pair_search.h"

#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/traverse/statistics.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

std::vector<Pose> Poses(double scale) {
  meshes::Random random(1);
  std::vector<Pose> poses;
  for (int i = 0; i < 40; ++i) {
    Pose pose = Pose::Rotation(random.Direction(), random.Uniform(-3, 3),
                               random.Direction() * random.Uniform(0, 4));
    if (i % 4 == 1) pose.rows[1] = pose.rows[1] * 3;  // stretched
    if (i % 4 == 2) {
      for (Vec3& row : pose.rows) row = row * 0x1p-7;
    }
    pose.translation = pose.translation * scale;
    poses.push_back(pose);
  }
  return poses;
}

// Against the distance itself, for limits on both sides of it.
void Check(const PosedTree& a, const PosedTree& b) {
  const double distance = ClosestPair(a, b)->distance;
  for (const double within : {0.0, 0.25 * distance, distance, 2 * distance}) {
    for (const double reach : {within, 0.5 * distance, 4 * distance, kInf}) {
      if (reach < within) continue;
      SCOPED_TRACE(testing::Message() << within << " to " << reach);
      const double apart = RoughDistance(a, b, within, reach, nullptr);
      EXPECT_GE(apart, within);
      EXPECT_LE(apart, reach);
      // A result above `within` is a certain lower bound.
      if (apart > within) {
        EXPECT_LE(apart, distance);
      }
      TraversalStatistics statistics;
      EXPECT_EQ(RoughDistance(a, b, within, reach, &statistics), apart);
    }
  }
}

TEST(RoughDistanceTest, ItIsNoMoreThanTheDistance) {
  for (const double scale : {1.0, 0x1p-140, 0x1p190}) {
    SCOPED_TRACE(scale);
    const Mesh torus = meshes::Scaled(meshes::Torus(20, 8, 1, 0.3), scale);
    const Tree other = trees::Make(torus);
    for (const trees::Form& form : trees::Forms()) {
      SCOPED_TRACE(form.name);
      const Tree tree = trees::Make(torus, form);
      for (const Pose& pose : Poses(scale)) {
        const PosedTree posed = PosedTree::Create(tree, pose).value();
        Check(posed, other);
        Check(PosedTree::Create(other, pose).value(), posed);
      }
    }
  }
}

TEST(RoughDistanceTest, ItIsNotMuchLess) {
  const Tree torus = trees::Make(meshes::Torus(80, 40, 1, 0.3));
  for (const double gap : {0.1, 1.0, 10.0}) {
    SCOPED_TRACE(gap);
    const PosedTree posed =
        PosedTree::Create(torus, Pose::Translation({2.6 + gap, 0, 0})).value();
    EXPECT_GT(RoughDistance(torus, posed, 0, kInf, nullptr), 0.5 * gap);
    EXPECT_EQ(RoughDistance(torus, posed, 0, 0.5 * gap, nullptr), 0.5 * gap);
    EXPECT_EQ(RoughDistance(torus, posed, gap, 2 * gap, nullptr), gap);
  }
}

TEST(RoughDistanceTest, PartsAreLookedInto) {
  // A small mesh in a corner of a large one.
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (const auto& [mesh, shift] :
       {std::pair(meshes::Torus(40, 20, 0x1p-14, 0x1p-16), Vec3{0, 0, 0}),
        std::pair(meshes::Torus(40, 20, 1, 0.3), Vec3{3, 0, 0})}) {
    const auto first = static_cast<uint32_t>(vertices.size());
    for (const Vec3& v : mesh.vertices()) vertices.push_back(v + shift);
    for (const TriangleIndices& t : mesh.triangles()) {
      triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    }
  }
  const Tree tree = trees::Make(Mesh::Create(vertices, triangles).value());
  for (const double gap : {0x1p-16, 0.5}) {
    Check(tree,
          PosedTree::Create(tree, Pose::Translation({0, 0, 0x1p-14 + gap}))
              .value());
  }
}

}  // namespace
}  // namespace orbox
