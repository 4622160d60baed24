// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/mesh_relation.h"
#include "orbox/bvh/base/query_cancelled.h"

#include <atomic>
#include <cmath>
#include <numbers>
#include <ostream>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "tests/support/meshes.h"
#include "tests/support/solids.h"
#include "tests/support/trees.h"

namespace orbox {

void PrintTo(MeshRelation relation, std::ostream* out) {
  static const char* const kNames[] = {"kMeet",          "kApart",
                                       "kFirstInSecond", "kSecondInFirst",
                                       "kSolidsOverlap", "kUndefined"};
  *out << kNames[static_cast<size_t>(relation)];
}

namespace {

MeshRelation Swapped(MeshRelation relation) {
  switch (relation) {
    case MeshRelation::kFirstInSecond:
      return MeshRelation::kSecondInFirst;
    case MeshRelation::kSecondInFirst:
      return MeshRelation::kFirstInSecond;
    default:
      return relation;
  }
}

// On every kind of tree, both ways round.
void Expect(MeshRelation expected, const PosedTree& a, const PosedTree& b) {
  EXPECT_EQ(RelationOfMeshes(a, b), expected);
  EXPECT_EQ(RelationOfMeshes(b, a), Swapped(expected));
}
void Expect(MeshRelation expected, const Mesh& a, const Mesh& b) {
  for (const trees::Kind& kind : trees::Kinds()) {
    SCOPED_TRACE(kind.name);
    Expect(expected, trees::Make(a, kind.volumes),
           trees::Make(b, kind.volumes));
  }
}

// Winding number of the surface around p: the sum of the solid angles of its
// triangles, outward ones positive (Van Oosterom, Strackee, "The solid angle of
// a plane triangle", 1983). Independent of the library.
double Winding(const Mesh& mesh, const Vec3& p) {
  double sum = 0;
  for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    const Triangle t = mesh.triangle(i);
    const Vec3 a = t.a - p;
    const Vec3 b = t.b - p;
    const Vec3 c = t.c - p;
    sum += 2 * std::atan2(Dot(a, Cross(b, c)),
                          Norm(a) * Norm(b) * Norm(c) + Dot(a, b) * Norm(c) +
                              Dot(b, c) * Norm(a) + Dot(c, a) * Norm(b));
  }
  return sum / (4 * std::numbers::pi);
}

bool IsInside(const Mesh& mesh, const Vec3& p) {
  return std::lround(Winding(mesh, p)) != 0;
}

// A ball with a hollow: its inner surface faces inward.
Mesh Shell() {
  return meshes::Joined(meshes::Icosphere(2),
                        solids::TurnedOver(meshes::Icosphere(2, {}, 0.5)));
}

TEST(MeshRelationTest, SmallMeshesAreInsideWhereTheirPointsAre) {
  meshes::Random random(3);
  const std::vector<Mesh> solids = {meshes::Torus(20, 10), meshes::Icosphere(2),
                                    meshes::Cube({-0.5, -0.5, -0.5}), Shell()};
  const Tree small = trees::Make(meshes::Tetrahedron({}, 0.02));
  for (const Mesh& solid : solids) {
    for (const trees::Named& variant : trees::Variants(solid)) {
      SCOPED_TRACE(variant.name);
      int inside = 0;
      for (int i = 0; i < 40; ++i) {
        const Vec3 at = random.Point(-1.1, 1.1);
        const PosedTree posed =
            PosedTree::Create(small, Pose::Rotation(random.Direction(), i, at))
                .value();
        const bool is_inside = IsInside(solid, posed.triangle(0).a);
        if (AnyOverlap(posed, variant.tree)) {
          Expect(MeshRelation::kMeet, posed, variant.tree);
          continue;
        }
        inside += is_inside ? 1 : 0;
        Expect(is_inside ? MeshRelation::kFirstInSecond : MeshRelation::kApart,
               posed, variant.tree);
      }
      EXPECT_GT(inside, 0);
    }
  }
}

// Solids at poses: turned, and every third one skewed as well.
TEST(MeshRelationTest, PosedSolidsContainWhatIsInsideThem) {
  meshes::Random random(4);
  const Mesh mesh = meshes::Torus(20, 10);
  const Tree solid = trees::Make(mesh);
  const Tree small = trees::Make(meshes::Tetrahedron({}, 0.02));
  int inside = 0;
  for (int i = 0; i < 200; ++i) {
    Pose pose = Pose::Rotation(random.Direction(), i, random.Point(-9, 9));
    if (i % 3 == 2) pose.rows[0] = pose.rows[0] * 1.5;
    const Vec3 at = pose.Apply(random.Point(-1, 1));
    const PosedTree moved = PosedTree::Create(solid, pose).value();
    const PosedTree posed =
        PosedTree::Create(small, Pose::Translation(at)).value();
    if (AnyOverlap(posed, moved)) continue;
    const bool is_inside = IsInside(meshes::Moved(mesh, pose), at);
    inside += is_inside ? 1 : 0;
    Expect(is_inside ? MeshRelation::kFirstInSecond : MeshRelation::kApart,
           posed, moved);
  }
  EXPECT_GT(inside, 5);
}

// Rays along x that start on a lattice run into corners, along edges and in
// faces of the cubes: none may be counted twice or not at all.
TEST(MeshRelationTest, RaysThroughCornersAndAlongFacesAreCountedOnce) {
  const Mesh box = meshes::Cube({-2, -2, -2}, 4);
  for (double x : {-3.0, -1.0, 0.0, 1.0, 3.0}) {
    for (double y : {-1.5, -1.0, 0.0, 1.0}) {
      for (double z : {-1.5, -1.0, 0.0, 1.0}) {
        Expect(std::abs(x) < 2 ? MeshRelation::kFirstInSecond
                               : MeshRelation::kApart,
               meshes::Tetrahedron({x, y, z}, 0.5), box);
      }
    }
  }
  // Cubes in a row, which such rays pass along.
  Mesh row = meshes::Cube();
  for (double x : {2, 4, 6}) {
    row = meshes::Joined(row, meshes::Cube({x, 0, 0}));
  }
  for (double x : {-0.5, 1.25, 3.5, 7.5}) {
    for (double y : {-0.5, 0.0, 0.25, 1.0}) {
      for (double z : {0.0, 0.25, 1.0}) {
        Expect(MeshRelation::kApart, meshes::Tetrahedron({x, y, z}, 0.125),
               row);
      }
    }
  }
}

TEST(MeshRelationTest, OneInsideTheOther) {
  const Mesh outer = meshes::Cube({-4, -4, -4}, 8);
  const Mesh inner = meshes::Icosphere(1);
  Expect(MeshRelation::kSecondInFirst, outer, inner);
  Expect(MeshRelation::kApart, outer, meshes::Icosphere(1, {9, 0, 0}));
  Expect(MeshRelation::kMeet, outer, meshes::Icosphere(1, {4, 0, 0}));
  Expect(MeshRelation::kMeet, outer, outer);
  // In the hole of a shell is outside.
  Expect(MeshRelation::kApart, Shell(), meshes::Icosphere(1, {}, 0.25));
  // A ball in a ball that faces as it does is no hole.
  Expect(MeshRelation::kSecondInFirst,
         meshes::Joined(meshes::Icosphere(2), meshes::Icosphere(2, {}, 0.5)),
         meshes::Icosphere(1, {}, 0.25));
  // Around a shell is around it, hole and all.
  Expect(MeshRelation::kSecondInFirst, outer, Shell());
}

TEST(MeshRelationTest, PartsOnEitherSide) {
  const Mesh box = meshes::Cube({-4, -4, -4}, 8);
  const Mesh near_and_far =
      meshes::Joined(meshes::Cube(), meshes::Cube({9, 0, 0}));
  Expect(MeshRelation::kSolidsOverlap, box, near_and_far);
  // The hole of the shell is in the ball that is outside of the shell.
  const Mesh thick = meshes::Icosphere(2, {}, 0.75);
  Expect(MeshRelation::kSolidsOverlap, Shell(), thick);
}

TEST(MeshRelationTest, OpenMeshesHaveNoInside) {
  const Mesh cube = meshes::Cube({-1, -1, -1}, 2);
  const Mesh open =
      meshes::Make({cube.vertices().begin(), cube.vertices().end()},
                   {cube.triangles().begin(), cube.triangles().end() - 1});
  const Mesh inner = meshes::Cube({-0.5, -0.5, -0.5});
  Expect(MeshRelation::kUndefined, open, inner);
  Expect(MeshRelation::kApart, open, meshes::Cube({3, 0, 0}));
  Expect(MeshRelation::kMeet, open, cube);
  // An open mesh may well be inside a closed one.
  Expect(MeshRelation::kSecondInFirst, meshes::Cube({-4, -4, -4}, 8), open);
  Expect(MeshRelation::kUndefined, meshes::Grid(4, 0.3),
         meshes::Tetrahedron({0.4, 0.4, 0.1}, 0x1p-20));
}

// Meshes whose boxes are apart take no test, not even of whether they are open.
TEST(MeshRelationTest, SideBySideIsToldByBoxes) {
  const Mesh shell = Shell();
  const double x = shell.bounds().hi.x - shell.bounds().lo.x;
  const Tree closed = trees::Make(shell);
  const Tree open = trees::Make(meshes::Grid(4, 0.3));
  for (const double gap : {0x1p-40, 1e-3, 10.0}) {
    const PosedTree aside =
        PosedTree::Create(closed, Pose::Translation({x + gap, 0, 0})).value();
    TraversalStatistics statistics;
    EXPECT_EQ(RelationOfMeshes(aside, closed, {.statistics = &statistics}),
              MeshRelation::kApart);
    EXPECT_EQ(statistics, TraversalStatistics());
    Expect(MeshRelation::kApart, aside, closed);
    const PosedTree away =
        PosedTree::Create(open, Pose::Translation({2 * x + gap, 0, 0})).value();
    Expect(MeshRelation::kApart, away, closed);
    const MeshComponents parts = MeshComponents::Of(open.mesh());
    EXPECT_EQ(RelationOfApartMeshes(away, parts, open, parts),
              MeshRelation::kApart);
  }
}

TEST(MeshRelationTest, ScaleDoesNotMatter) {
  const Mesh outer = meshes::Torus(20, 10);
  const Mesh inner = meshes::Icosphere(1, {1, 0, 0}, 0.125);
  for (const int exponent : {-140, -40, 0, 40, 190}) {
    SCOPED_TRACE(exponent);
    const double s = std::ldexp(1.0, exponent);
    Expect(MeshRelation::kSecondInFirst, meshes::Scaled(outer, s),
           meshes::Scaled(inner, s));
  }
}

TEST(MeshRelationTest, EveryInstructionSetAgreesToTheLastCount) {
  const Tree a = trees::Make(meshes::Torus(40, 16));
  const Tree b = trees::Make(Shell());
  const PosedTree inner =
      PosedTree::Create(
          b, Pose{{{{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}}, {1, 0, 0}})
          .value();
  TraversalStatistics first;
  SetInstructionSet(SupportedInstructionSets().front());
  EXPECT_EQ(RelationOfMeshes(inner, a, {.statistics = &first}),
            MeshRelation::kFirstInSecond);
  EXPECT_GT(first.triangle_tests, 0U);
  trees::OnEachInstructionSet([&] {
    TraversalStatistics statistics;
    EXPECT_EQ(RelationOfMeshes(inner, a, {.statistics = &statistics}),
              MeshRelation::kFirstInSecond);
    EXPECT_EQ(statistics, first);
  });
}

TEST(MeshRelationTest, WhatIsCancelledThrows) {
  const Tree a = trees::Make(meshes::Torus(40, 16));
  const Tree b = trees::Make(meshes::Icosphere(1, {9, 0, 0}));
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(RelationOfMeshes(a, b), MeshRelation::kApart);
  const Tree inner = trees::Make(meshes::Icosphere(1, {0, 0, 0}, 0.01));
  const Tree outer = trees::Make(meshes::Cube({-3, -3, -3}, 6));
  EXPECT_THROW(RelationOfMeshes(inner, outer, {.cancelled = &cancelled}),
               QueryCancelled);
}

}  // namespace
}  // namespace orbox
