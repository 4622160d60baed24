// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/penetration.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/inside/mesh_relation.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/meshes.h"
#include "tests/support/sanitized.h"
#include "tests/support/solids.h"
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

// Checks the contract of the header, for any meshes.
Penetration ExpectWayOut(const PosedTree& a, const PosedTree& b) {
  const auto way = PenetrationOf(a, b);
  EXPECT_TRUE(way.has_value());
  if (!way.has_value()) return {};
  EXPECT_EQ(way->depth.upper, SafeNorm(way->translation));
  EXPECT_LE(0, way->depth.lower);
  EXPECT_LE(way->depth.lower, way->depth.upper);
  const PosedTree moved = MovedBy(a, way->translation);
  EXPECT_FALSE(AnyOverlap(moved, b));
  const MeshRelation relation = RelationOfMeshes(moved, b);
  EXPECT_TRUE(relation == MeshRelation::kApart ||
              relation == MeshRelation::kUndefined);
  const MeshRelation before = RelationOfMeshes(a, b);
  if (before == MeshRelation::kApart) {
    EXPECT_EQ(way->depth, MeasureBounds{});
    EXPECT_EQ(way->normal, Vec3{});
    EXPECT_EQ(way->witness.distance, ClosestPair(a, b)->distance);
  }
  if (before != MeshRelation::kApart && before != MeshRelation::kUndefined) {
    EXPECT_GT(way->depth.upper, 0);
    EXPECT_NEAR(Norm(way->normal), 1, 1e-15);
    EXPECT_NEAR(Dot(way->normal, DirectionOf(way->translation)), 1, 1e-15);
    // The witness points are on the two surfaces, the translation apart.
    const Witness& w = way->witness;
    const double size = MaxCoordinate(Abs(w.on_a)) + MaxCoordinate(Abs(w.on_b));
    EXPECT_EQ(w.distance, 0);
    EXPECT_LE(Distance(w.on_a, a.triangle(w.triangles.a)).distance,
              1e-12 * size);
    EXPECT_LE(Distance(w.on_b, b.triangle(w.triangles.b)).distance,
              1e-12 * size);
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
    EXPECT_LE(way.depth.lower, expected * (1 + 1e-15));
    EXPECT_GE(way.depth.upper, expected * (1 - 1e-15));
    EXPECT_NEAR(way.depth.lower, expected, 1e-12);
    EXPECT_NEAR(way.depth.upper, expected, 1e-12);
    // Both turned alike: normals, not axes, show the way.
    const Pose turn = Pose::Rotation(random.Direction(), 1);
    Pose turned = turn;
    turned.translation = turn.Apply(t);
    const auto other = ExpectWayOut(At(cube, turned), At(cube, turn));
    EXPECT_NEAR(other.depth.lower, expected, 1e-12);
    EXPECT_NEAR(other.depth.upper, expected, 1e-12);
  }
}

// SOLIDS.md: rods that are rolled by 45 degrees and crossed at a right angle
// meet by two edges, whose normal is that of no face.
TEST(PenetrationTest, CrossedEdgesShowTheWay) {
  const Aabb rod{{-1, -0.05, -0.05}, {1, 0.05, 0.05}};
  const Tree single = trees::Make(solids::Box(rod));
  // With a part that keeps it from being convex.
  const Tree with_part = trees::Make(meshes::Joined(
      solids::Box(rod), solids::Box({{1.5, -0.05, -0.05}, {1.6, 0.05, 0.05}})));
  const Pose roll = Pose::Rotation({1, 0, 0}, std::numbers::pi / 4);
  const Pose cross = Pose::Rotation({0, 0, 1}, std::numbers::pi / 2);
  const Pose scene = Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.7, {3, 4, 5});
  for (const double apart : {0.14, 0.12, 0.10, 0.05}) {
    SCOPED_TRACE(apart);
    const double expected = 0.1 * std::numbers::sqrt2 - apart;
    const Pose a = scene * roll;
    const Pose b =
        scene * (Pose::Translation({0.1, 0.2, -apart}) * (cross * roll));
    const auto way = ExpectWayOut(At(single, a), At(single, b));
    EXPECT_NEAR(way.depth.lower, expected, 1e-10);
    EXPECT_NEAR(way.depth.upper, expected, 1e-12);
    const auto other = ExpectWayOut(At(with_part, a), At(with_part, b));
    EXPECT_LE(other.depth.lower, expected + 1e-12);
    EXPECT_GE(other.depth.upper, expected - 1e-12);
    EXPECT_LE(other.depth.upper, expected + 1e-9);
  }
}

// The widths of the common extent along all normals of faces and cross products
// of edges: one of them is the depth of two convex solids.
double SeparatingAxesDepth(const PosedTree& a, const PosedTree& b) {
  const auto points_of = [](const PosedTree& tree) {
    std::vector<Vec3> points;
    for (const Vec3& v : tree.tree().mesh().vertices()) {
      points.push_back(tree.pose().Apply(v));
    }
    return points;
  };
  const std::vector<Vec3> p = points_of(a);
  const std::vector<Vec3> q = points_of(b);
  double depth = 1e300;
  const auto try_axis = [&](const Vec3& axis) {
    if (MaxCoordinate(Abs(axis)) < 1e-9) return;
    const Vec3 n = Normalized(axis);
    double a_lo = 1e300, a_hi = -1e300, b_lo = 1e300, b_hi = -1e300;
    for (const Vec3& v : p) {
      a_lo = std::min(a_lo, Dot(n, v));
      a_hi = std::max(a_hi, Dot(n, v));
    }
    for (const Vec3& v : q) {
      b_lo = std::min(b_lo, Dot(n, v));
      b_hi = std::max(b_hi, Dot(n, v));
    }
    depth = std::min({depth, a_hi - b_lo, b_hi - a_lo});
  };
  const uint32_t a_count = a.tree().mesh().triangle_count();
  const uint32_t b_count = b.tree().mesh().triangle_count();
  for (uint32_t i = 0; i < a_count; ++i) {
    const Triangle s = a.triangle(i);
    try_axis(Cross(s.b - s.a, s.c - s.a));
    for (uint32_t j = 0; j < b_count; ++j) {
      const Triangle t = b.triangle(j);
      if (i == 0) try_axis(Cross(t.b - t.a, t.c - t.a));
      for (size_t k = 0; k < 9; ++k) {
        try_axis(
            Cross(s[(k / 3 + 1) % 3] - s[k / 3], t[(k + 1) % 3] - t[k % 3]));
      }
    }
  }
  return std::max(depth, 0.0);
}

// Rods of two boxes that overlap in their middle are the same solids as those
// of one: walls between shells hold nothing.
TEST(PenetrationTest, OverlappingShellsAreAsDeepAsTheirUnion) {
  const double r = 0.05;
  const Tree whole = trees::Make(solids::Box({{-1, -r, -r}, {1, r, r}}));
  const Tree halves =
      trees::Make(meshes::Joined(solids::Box({{-1, -r, -r}, {0.3, r, r}}),
                                 solids::Box({{-0.2, -r, -r}, {1, r, r}})));
  const Pose roll = Pose::Rotation({1, 0, 0}, std::numbers::pi / 4);
  const Pose cross = Pose::Rotation({0, 0, 1}, std::numbers::pi / 2);
  const Pose scene = Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.7, {3, 4, 5});
  for (const double apart : {0.14, 0.12, 0.10, 0.05}) {
    SCOPED_TRACE(apart);
    const double expected = 2 * std::numbers::sqrt2 * r - apart;
    const Pose a = scene * roll;
    // Across both boxes, and across one.
    for (const double along : {0.05, 0.7}) {
      const Pose b =
          scene * (Pose::Translation({along, 0.02, -apart}) * (cross * roll));
      for (const Tree& other : {whole, halves}) {
        const auto way = ExpectWayOut(At(halves, a), At(other, b));
        EXPECT_GT(way.depth.lower, 0);
        EXPECT_LE(way.depth.lower, expected + 1e-12);
        EXPECT_GE(way.depth.upper, expected - 1e-12);
        EXPECT_LE(way.depth.upper, expected + 1e-9);
      }
    }
  }
}

// Random boxes, each in two that overlap along its longest side.
TEST(PenetrationTest, BoxesInTwoAreAsDeepAsBoxes) {
  meshes::Random random(17);
  const int pairs = kSanitized ? 5 : 60;
  int deep = 0;
  for (int i = 0; i < pairs; ++i) {
    SCOPED_TRACE(i);
    const auto make = [&](bool in_two) {
      const Vec3 half{random.Uniform(0.5, 1), random.Uniform(0.1, 0.5),
                      random.Uniform(0.1, 0.5)};
      const double to = random.Uniform(0, half.x);
      const double from = random.Uniform(-half.x, 0);
      if (!in_two) return trees::Make(solids::Box({-half, half}));
      return trees::Make(
          meshes::Joined(solids::Box({-half, {to, half.y, half.z}}),
                         solids::Box({{from, -half.y, -half.z}, half})));
    };
    meshes::Random same = random;
    const Tree whole_a = make(false);
    const Tree whole_b = make(false);
    random = same;
    const Tree a = make(true);
    const Tree b = make(true);
    const Pose pose_a = meshes::RandomRigidPose(random, 0.4);
    const Pose pose_b = meshes::RandomRigidPose(random, 0.4);
    const double expected =
        SeparatingAxesDepth(At(whole_a, pose_a), At(whole_b, pose_b));
    const auto way = ExpectWayOut(At(a, pose_a), At(b, pose_b));
    EXPECT_LE(way.depth.lower, expected + 1e-9);
    EXPECT_GE(way.depth.upper, expected - 1e-9);
    EXPECT_LE(way.depth.upper, 1.1 * expected + 1e-9);
    deep += expected > 0.01 ? 1 : 0;
    if (expected > 0.01) {
      EXPECT_GT(way.depth.lower, 0);
    }
  }
  EXPECT_GT(deep, pairs / 4);
}

// By parity, a probe where both shells of a body are is outside of it.
TEST(PenetrationTest, TheRuleOfInsideDecides) {
  const Tree body =
      trees::Make(meshes::Joined(solids::Box({{0, 0, 0}, {4, 4, 4}}),
                                 solids::Box({{1, 1, 1}, {5, 5, 5}})));
  const Tree probe = trees::Make(solids::Box({{2, 2, 2}, {3, 3, 3}}));
  EXPECT_GT(PenetrationOf(probe, body)->depth.lower, 0.9);
  const auto parity = PenetrationOf(probe, body, InsideRule::kParity);
  ASSERT_TRUE(parity.has_value());
  EXPECT_EQ(parity->depth, MeasureBounds{});
  // Across a wall between the two: into where both are, or out of the body.
  const auto across =
      PenetrationOf(trees::Make(solids::Box({{0.7, 2, 2}, {1.7, 3, 3}})), body,
                    InsideRule::kParity);
  ASSERT_TRUE(across.has_value());
  EXPECT_NEAR(across->depth.upper, 0.3, 1e-9);
  EXPECT_GT(across->depth.lower, 0.28);
}

TEST(PenetrationTest, OutOfACornerIsASumOfNormals) {
  const Tree walls =
      trees::Make(meshes::Joined(solids::Box({{-1, -1, 0}, {0, 1, 1}}),
                                 solids::Box({{0, -1, 0}, {1, 0, 1}})));
  const Tree peg =
      trees::Make(solids::Box({{-0.05, -0.05, 0.3}, {0.2, 0.2, 0.6}}));
  for (const Pose& pose :
       {Pose{}, Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.7, {3, 4, 5})}) {
    const double expected = 0.05 * std::numbers::sqrt2;
    const auto way = ExpectWayOut(At(peg, pose), At(walls, pose));
    EXPECT_NEAR(way.depth.upper, expected, 1e-9);
    EXPECT_LE(way.depth.lower, expected);
    EXPECT_GT(way.depth.lower, 0.048);
    EXPECT_NEAR(ExpectWayOut(At(walls, pose), At(peg, pose)).depth.upper,
                expected, 1e-9);
  }
}

TEST(PenetrationTest, ConvexSolidsAgreeWithSeparatingAxes) {
  meshes::Random random(7);
  const int pairs = kSanitized ? 20 : 300;
  for (int i = 0; i < pairs; ++i) {
    SCOPED_TRACE(i);
    const auto make = [&] {
      if (random.Below(4) == 0) {
        return trees::Make(solids::Prism(3 + random.Below(5),
                                         random.Uniform(0.05, 0.6), {},
                                         random.Direction()));
      }
      const Vec3 half{random.Uniform(0.02, 1), random.Uniform(0.02, 1),
                      random.Uniform(0.02, 1)};
      return trees::Make(solids::Box({-half, half}));
    };
    const PosedTree a = At(make(), meshes::RandomRigidPose(random, 0.6));
    const PosedTree b = At(make(), meshes::RandomRigidPose(random, 0.6));
    const double expected = SeparatingAxesDepth(a, b);
    const auto way = ExpectWayOut(a, b);
    EXPECT_LE(way.depth.lower, expected + 1e-12);
    EXPECT_GE(way.depth.upper, expected - 1e-12);
    EXPECT_NEAR(way.depth.lower, expected, 1e-9);
    EXPECT_NEAR(way.depth.upper, expected, 1e-9);
  }
}

// The lower bound holds for each direction of a dense search, which also
// measures the quality of the upper one.
TEST(PenetrationTest, NoWayIsShorterThanTheLowerBound) {
  const Tree corner =
      trees::Make(meshes::Joined(solids::Box({{-1, -1, -1}, {0, 1, 1}}),
                                 solids::Box({{0, -1, -1}, {1, 0, 1}})));
  const Tree shapes[] = {corner, trees::Make(meshes::Torus(12, 6)),
                         trees::Make(meshes::Cube({-0.3, -0.3, -0.3}, 0.6))};
  const int pairs = kSanitized ? 2 : 12;
  const int directions = kSanitized ? 50 : 400;
  int shortened = 0;
  for (int i = 0; i < pairs; ++i) {
    SCOPED_TRACE(i);
    meshes::Random random(100 + i);
    const PosedTree a =
        At(shapes[random.Below(3)], meshes::RandomRigidPose(random, 0.4));
    const PosedTree b =
        At(shapes[random.Below(2)], meshes::RandomRigidPose(random, 0.4));
    const auto way = ExpectWayOut(a, b);
    const bool meet = way.depth.upper > 0;
    bool is_shortened = false;
    for (int k = 0; meet && k < directions; ++k) {
      // Half of them near the way that was found.
      const Vec3 d = k % 2 == 0
                         ? random.Direction()
                         : Normalized(way.normal + random.Direction() * 0.3);
      const auto is_free = [&](double length) {
        return RelationOfMeshes(MovedBy(a, d * length), b) ==
               MeshRelation::kApart;
      };
      EXPECT_FALSE(is_free(way.depth.lower * 0.999999));
      is_shortened = is_shortened || is_free(way.depth.upper * 0.95);
    }
    shortened += is_shortened ? 1 : 0;
  }
  EXPECT_LE(shortened, 2);
}

TEST(PenetrationTest, BallsComeApartAlongTheirCenters) {
  const Tree ball = trees::Make(meshes::Icosphere(3));
  const auto way =
      ExpectWayOut(At(ball, Pose::Translation({1.2, 0.9, 0})), ball);
  EXPECT_NEAR(way.depth.upper, 0.5, 0.01);
  EXPECT_NEAR(way.depth.lower, way.depth.upper, 1e-6);
}

TEST(PenetrationTest, OutOfTheInside) {
  const Tree outer = trees::Make(meshes::Cube({-4, -4, -4}, 8));
  const Tree inner = trees::Make(meshes::Cube({1, -1, -1}, 2));
  EXPECT_NEAR(ExpectWayOut(inner, outer).depth.upper, 3, 1e-9);
  EXPECT_NEAR(ExpectWayOut(outer, inner).depth.lower, 3, 1e-9);
  // Not just out of the wall and back into the inside.
  const Tree at_wall = trees::Make(meshes::Cube({2.5, -1, -1}, 2));
  EXPECT_NEAR(ExpectWayOut(at_wall, outer).depth.upper, 1.5, 1e-9);
}

TEST(PenetrationTest, TouchingIsLeftAndApartStays) {
  const Tree cube = trees::Make(meshes::Cube());
  const auto touching =
      ExpectWayOut(At(cube, Pose::Translation({1, 0, 0})), cube);
  EXPECT_EQ(touching.depth.lower, 0);
  EXPECT_GT(touching.depth.upper, 0);
  EXPECT_LT(touching.depth.upper, 1e-12);
  const auto apart =
      ExpectWayOut(At(cube, Pose::Translation({1.5, 0, 0})), cube);
  EXPECT_EQ(apart.depth, MeasureBounds{});
  EXPECT_EQ(apart.witness.distance, 0.5);
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
    EXPECT_NEAR(way.depth.upper / s, expected.depth.upper, 1e-9);
  }
}

}  // namespace
}  // namespace orbox
