// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/penetration.h"
#include "orbox/bvh/base/query_cancelled.h"

#include <atomic>
#include <cmath>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/mesh_relation.h"
#include "orbox/bvh/query/pair_overlap.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

PosedTree At(const Tree& tree, const Pose& pose) {
  return PosedTree::Create(tree, pose).value();
}

PosedTree MovedBy(const PosedTree& a, const Vec3& t) {
  Pose pose = a.pose();
  pose.translation += t;
  return At(a.tree(), pose);
}

// What the header promises, whatever the meshes.
PenetrationEstimate ExpectWayOut(const PosedTree& a, const PosedTree& b) {
  const auto way = EstimatePenetration(a, b);
  EXPECT_TRUE(way.has_value());
  if (!way.has_value()) return {};
  const Vec3& t = way->translation;
  EXPECT_NEAR(way->depth, SafeNorm(t), 1e-12 * way->depth);
  const PosedTree moved = MovedBy(a, way->translation);
  EXPECT_FALSE(AnyOverlap(moved, b));
  const MeshRelation relation = RelationOfMeshes(moved, b);
  EXPECT_TRUE(relation == MeshRelation::kApart ||
              relation == MeshRelation::kUndefined);
  const MeshRelation before = RelationOfMeshes(a, b);
  if (before == MeshRelation::kApart) {
    EXPECT_EQ(way->depth, 0);
  }
  if (before != MeshRelation::kApart && before != MeshRelation::kUndefined) {
    EXPECT_GT(way->depth, 0);
  }
  return *way;
}

TEST(PenetrationTest, TheWayOutIsAWayOut) {
  meshes::Random random(1);
  const auto all = meshes::Assortment();
  for (size_t i = 0; i < all.size(); ++i) {
    const meshes::Named& b = all[(i + 1) % all.size()];
    SCOPED_TRACE(all[i].name + " out of " + b.name);
    const Tree tree_a = trees::Make(all[i].mesh);
    const Tree tree_b = trees::Make(b.mesh);
    for (const double move : {0.3, 1.0}) {
      ExpectWayOut(At(tree_a, Pose::Rotation(random.Direction(), 1,
                                             random.Point(-move, move))),
                   At(tree_b, Pose::Rotation(random.Direction(), 1)));
    }
    ExpectWayOut(tree_a, tree_a);
  }
}

// The shortest way out of a cube is along a face.
TEST(PenetrationTest, CubesComeApartAlongTheNearestFace) {
  const Tree cube = trees::Make(meshes::Cube());
  meshes::Random random(2);
  for (int i = 0; i < 20; ++i) {
    const Vec3 t = random.Point(-0.99, 0.99);
    const double expected = 1 - MaxCoordinate(Abs(t));
    const auto way = ExpectWayOut(At(cube, Pose::Translation(t)), cube);
    EXPECT_GE(way.depth, expected * (1 - 1e-15));
    EXPECT_NEAR(way.depth, expected, 1e-9);
    // Both turned alike: normals, not axes, show the way.
    const Pose turn = Pose::Rotation(random.Direction(), 1);
    Pose turned = turn;
    turned.translation = turn.Apply(t);
    EXPECT_NEAR(ExpectWayOut(At(cube, turned), At(cube, turn)).depth, expected,
                1e-9);
  }
}

TEST(PenetrationTest, BallsComeApartAlongTheirCenters) {
  const Tree ball = trees::Make(meshes::Icosphere(3));
  const auto way =
      ExpectWayOut(At(ball, Pose::Translation({1.2, 0.9, 0})), ball);
  EXPECT_NEAR(way.depth, 0.5, 0.05);
}

TEST(PenetrationTest, OutOfTheInside) {
  const Tree outer = trees::Make(meshes::Cube({-4, -4, -4}, 8));
  const Tree inner = trees::Make(meshes::Cube({1, -1, -1}, 2));
  EXPECT_NEAR(ExpectWayOut(inner, outer).depth, 3, 1e-9);
  EXPECT_NEAR(ExpectWayOut(outer, inner).depth, 3, 1e-9);
  // Not just out of the wall and back into the inside.
  const Tree at_wall = trees::Make(meshes::Cube({2.5, -1, -1}, 2));
  EXPECT_NEAR(ExpectWayOut(at_wall, outer).depth, 1.5, 1e-9);
}

TEST(PenetrationTest, TouchingIsLeftAndApartStays) {
  const Tree cube = trees::Make(meshes::Cube());
  const auto touching =
      ExpectWayOut(At(cube, Pose::Translation({1, 0, 0})), cube);
  EXPECT_GT(touching.depth, 0);
  EXPECT_LT(touching.depth, 1e-9);
  EXPECT_EQ(ExpectWayOut(At(cube, Pose::Translation({1.5, 0, 0})), cube).depth,
            0);
}

TEST(PenetrationTest, ScaleAndKindOfTreeDoNotMatter) {
  const Mesh a = meshes::Torus(12, 6);
  const Mesh b = meshes::Icosphere(1, {0.9, 0.1, 0.2}, 0.5);
  const auto expected = ExpectWayOut(trees::Make(a), trees::Make(b));
  for (const trees::Named& variant : trees::Variants(a)) {
    const auto way = ExpectWayOut(variant.tree, trees::Make(b));
    EXPECT_EQ(way.depth, expected.depth);
    EXPECT_EQ(way.translation, expected.translation);
  }
  for (const int exponent : {-140, -40, 40, 190}) {
    const double s = std::ldexp(1.0, exponent);
    const auto way = ExpectWayOut(trees::Make(meshes::Scaled(a, s)),
                                  trees::Make(meshes::Scaled(b, s)));
    EXPECT_NEAR(way.depth / s, expected.depth, 1e-9);
  }
}

TEST(PenetrationTest, EveryInstructionSetAgreesToTheLastCount) {
  const Tree a = trees::Make(meshes::Torus(20, 8));
  const Tree b = trees::Make(meshes::Icosphere(2, {1, 0, 0}, 0.4));
  TraversalStatistics first;
  SetInstructionSet(SupportedInstructionSets().front());
  const auto expected = EstimatePenetration(a, b, {.statistics = &first});
  ASSERT_TRUE(expected.has_value());
  trees::OnEachInstructionSet([&] {
    TraversalStatistics statistics;
    const auto way = EstimatePenetration(a, b, {.statistics = &statistics});
    EXPECT_EQ(way->depth, expected->depth);
    EXPECT_EQ(way->translation, expected->translation);
    EXPECT_EQ(statistics, first);
  });
}

TEST(PenetrationTest, OptionsAreThoseOfQueries) {
  const Tree a = trees::Make(meshes::Torus(40, 16));
  const Tree b = trees::Make(meshes::Icosphere(2, {1, 0, 0}, 0.4));
  TraversalStatistics one;
  const auto expected = EstimatePenetration(a, b, {.statistics = &one});
  ASSERT_TRUE(expected.has_value());
  TraversalStatistics many;
  double share = 0;
  const auto way = EstimatePenetration(
      a, b, {.statistics = &many, .threads = 3, .progress = [&](double done) {
               EXPECT_GT(done, share);
               share = done;
             }});
  EXPECT_EQ(way->translation, expected->translation);
  EXPECT_EQ(many, one);
  EXPECT_EQ(share, 1);
  const double depth = expected->depth;
  EXPECT_TRUE(EstimatePenetration(a, b, {.max_distance = depth}));
  EXPECT_FALSE(
      EstimatePenetration(a, b, {.max_distance = std::nextafter(depth, 0.0)}));
}

// The flag comes on at ever later times.
TEST(PenetrationTest, WhatIsCancelledThrows) {
  const Tree a = trees::Make(meshes::Torus(40, 16));
  const Tree b = trees::Make(meshes::Icosphere(2, {1, 0, 0}, 0.4));
  for (int reports = 0; reports < 8; ++reports) {
    std::atomic<bool> cancelled = reports == 0;
    int left = reports;
    EXPECT_THROW(EstimatePenetration(
                     a, b,
                     {.progress = [&](double) { cancelled = --left <= 0; },
                      .cancelled = &cancelled}),
                 QueryCancelled);
  }
}

}  // namespace
}  // namespace orbox
