// SPDX-License-Identifier: Apache-2.0

// Inside by winding numbers and by parity, on meshes where they differ.

#include "orbox/bvh/mesh/inside_rule.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/inside/inside.h"
#include "orbox/bvh/query/inside/mesh_relation.h"
#include "tests/support/exact_place.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using meshes::Cube;
using meshes::Joined;
using meshes::TurnedOver;

Mesh Mirrored(const Mesh& mesh) {
  return meshes::Moved(
      mesh, {.rows = {{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, .translation = {}});
}

Mesh OverlappingCubes() { return Joined(Cube(), Cube({0.5, 0.25, 0.125})); }

struct Case {
  meshes::Named mesh;
  bool agrees;
};

// All within [-1, 2]^3.
std::vector<Case> Cases() {
  const Mesh torus = meshes::Torus(12, 6);
  const Mesh ball = meshes::Icosphere(1);
  const Mesh inner = Cube({0.25, 0.25, 0.25}, 0.5);
  return {
      {{"cube", Cube()}, true},
      {{"overlapping", OverlappingCubes()}, true},
      {{"overlapping, inward", TurnedOver(OverlappingCubes())}, true},
      {{"overlapping, mirrored", Mirrored(OverlappingCubes())}, true},
      {{"shell in a shell", Joined(Cube(), inner)}, true},
      {{"cavity", Joined(Cube(), TurnedOver(inner))}, true},
      {{"inward with a cavity", TurnedOver(Joined(Cube(), TurnedOver(inner)))},
       true},
      {{"twice", Joined(Cube(), Cube())}, true},
      {{"three times", Joined(Cube(), Joined(Cube(), Cube()))}, true},
      {{"there and back", Joined(Cube(), TurnedOver(Cube()))}, true},
      {{"flush", Joined(Cube(), Cube({1, 0, 0}))}, true},
      {{"torus through a ball", Joined(torus, ball)}, true},
      {{"torus out of a ball", Joined(torus, TurnedOver(ball))}, true},
      {{"two faces turned", TurnedOver(Cube(), 3, 2)}, false},
      {{"overlapping, one face turned", TurnedOver(OverlappingCubes(), 5, 1)},
       false},
  };
}

// In and around the mesh, on it, and at the middle of its edges.
std::vector<Vec3> Points(const Mesh& mesh, size_t count) {
  meshes::Random random(3);
  std::vector<Vec3> points;
  while (points.size() < count) {
    const Triangle t = mesh.triangle(random.Below(mesh.triangle_count()));
    points.push_back(random.Point(-1.1, 2));
    points.push_back(random.Point(0, 1));
    points.push_back(t.a * 0.5 + t.b * 0.5);
    points.push_back((t.a + t.b + t.c) * (1.0 / 3) +
                     random.Point(-0x1p-12, 0x1p-12));
  }
  return points;
}

TEST(InsideRuleTest, FacesAgreeWhereEdgesAreUsedBothWays) {
  for (const Case& c : Cases()) {
    SCOPED_TRACE(c.mesh.name);
    EXPECT_TRUE(IsClosed(c.mesh.mesh));
    EXPECT_EQ(DoFacesAgree(c.mesh.mesh), c.agrees);
    EXPECT_EQ(oracle::DoFacesAgree(c.mesh.mesh), c.agrees);
  }
  EXPECT_FALSE(DoFacesAgree(meshes::Grid(3)));
  // Vertices with equal coordinates are one.
  const Mesh cube = Cube();
  std::vector<Triangle> apart;
  for (size_t i = 0; i < cube.triangle_count(); ++i) {
    apart.push_back(cube.triangle(i));
  }
  EXPECT_TRUE(DoFacesAgree(meshes::FromTriangles(apart)));
  std::swap(apart[0].a, apart[0].b);
  EXPECT_FALSE(DoFacesAgree(meshes::FromTriangles(apart)));
  EXPECT_TRUE(IsClosed(meshes::FromTriangles(apart)));
}

TEST(InsideRuleTest, PointsAreWhereExactArithmeticSays) {
  size_t differ = 0;
  for (const Case& c : Cases()) {
    SCOPED_TRACE(c.mesh.name);
    const std::vector<Vec3> points = Points(c.mesh.mesh, 32);
    std::vector<std::optional<int>> windings;
    std::vector<uint8_t> by_winding;
    std::vector<uint8_t> by_parity;
    for (const Vec3& p : points) {
      windings.push_back(oracle::WindingOf(c.mesh.mesh, p));
      const int number = windings.back().value_or(0);
      by_parity.push_back(number % 2 != 0 ? 1 : 0);
      by_winding.push_back(c.agrees && number != 0 ? 1 : by_parity.back());
      differ += by_winding.back() - by_parity.back();
    }
    for (const trees::Named& v : trees::Variants(c.mesh.mesh)) {
      SCOPED_TRACE(v.name);
      constexpr InsideRule kParity = InsideRule::kParity;
      const auto all_windings =
          WindingNumber(v.tree, points, {.threads = 2}).value();
      EXPECT_EQ(IsInside(v.tree, points).value(), by_winding);
      EXPECT_EQ(IsInside(v.tree, points, kParity).value(), by_parity);
      for (size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(IsInside(v.tree, points[i]), by_winding[i] != 0);
        EXPECT_EQ(IsInside(v.tree, points[i], kParity), by_parity[i] != 0);
        EXPECT_EQ(all_windings[i], c.agrees ? windings[i] : std::nullopt);
        EXPECT_EQ(WindingNumber(v.tree, points[i]),
                  c.agrees ? windings[i] : std::nullopt);
      }
    }
  }
  EXPECT_GT(differ, 20u);
  EXPECT_EQ(WindingNumber(trees::Make(OverlappingCubes()), {0.75, 0.75, 0.75}),
            2);
  EXPECT_EQ(WindingNumber(trees::Make(meshes::Grid(4)), {0.5, 0.5, 1}),
            std::nullopt);
}

// Finely meshed, so that cells of points have many triangles, and one point
// decides others across several shells.
TEST(InsideRuleTest, ManyPointsOfShellsThatOverlap) {
  const Mesh torus = meshes::Torus(24, 10);
  const Mesh ball = meshes::Icosphere(3, {1, 0, 0}, 0.5);
  const Mesh again = Joined(torus, Joined(torus, ball));
  for (const Mesh& mesh :
       {Joined(torus, ball), again, Joined(torus, TurnedOver(ball)),
        Joined(TurnedOver(torus), Joined(ball, TurnedOver(ball, 0, 5)))}) {
    const Tree tree = trees::Make(mesh);
    meshes::Random random(5);
    std::vector<Vec3> points;
    for (int i = 0; i < 6000; ++i) {
      points.push_back(i % 2 == 0 ? random.Point(-1.3, 1.3)
                                  : Vec3{1, 0, 0} + random.Point(-0.3, 0.3));
    }
    for (const InsideRule rule : {InsideRule::kWinding, InsideRule::kParity}) {
      std::vector<uint8_t> expected;
      for (const Vec3& p : points) {
        expected.push_back(IsInside(tree, p, rule) ? 1 : 0);
      }
      EXPECT_EQ(IsInside(tree, points, rule, {.threads = 2}).value(), expected);
    }
  }
}

// A probe deep within what two boxes of one mesh share, and a pipe through a
// bolt and its nut: inside, where parity has them apart.
TEST(InsideRuleTest, RelationOfMeshesThatOverlapThemselves) {
  const Tree boxes = trees::Make(OverlappingCubes());
  const Tree probe = trees::Make(Cube({0.7, 0.7, 0.7}, 0.1));
  EXPECT_EQ(RelationOfMeshes(boxes, probe), MeshRelation::kSecondInFirst);
  EXPECT_EQ(RelationOfMeshes(probe, boxes), MeshRelation::kFirstInSecond);
  EXPECT_EQ(RelationOfMeshes(boxes, probe, {.inside = InsideRule::kParity}),
            MeshRelation::kApart);
  for (const double angle : {0.5, 2.0}) {
    const Pose pose = Pose::Rotation({0, 0.6, 0.8}, angle, {3, 4, 5});
    EXPECT_EQ(RelationOfMeshes(PosedTree::Create(boxes, pose).value(),
                               PosedTree::Create(probe, pose).value()),
              MeshRelation::kSecondInFirst);
  }
  // Parity, where faces do not agree.
  const Tree turned = trees::Make(TurnedOver(OverlappingCubes(), 2, 1));
  EXPECT_EQ(RelationOfMeshes(turned, probe), MeshRelation::kApart);
}

}  // namespace
}  // namespace orbox
