// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/surface_side.h"

#include <limits>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/inside/inside.h"
#include "orbox/overlap/triangles/predicates.h"
#include "tests/support/meshes.h"
#include "tests/support/poses.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

SurfaceSideField FieldOf(const Mesh& mesh) {
  return SurfaceSideField::Of(trees::Make(mesh));
}

SurfaceSide SideOfSign(int sign) { return static_cast<SurfaceSide>(sign); }

// The sign of the height above the triangle of a terrain that is over or under
// p. 0 also on edges of the projection.
int HeightAboveTerrain(const Mesh& terrain, const Vec3& p) {
  for (size_t i = 0; i < terrain.triangle_count(); ++i) {
    const Triangle t = terrain.triangle(i);
    if (Orient2d(t.a, t.b, p, 0, 1) > 0 && Orient2d(t.b, t.c, p, 0, 1) > 0 &&
        Orient2d(t.c, t.a, p, 0, 1) > 0) {
      return Orient3d(t.a, t.b, t.c, p);
    }
  }
  return 0;
}

// A terrain has one point over each point of the plane, so the side next to a
// point is decided by its height, if the border is farther away.
TEST(SurfaceSideTest, OfATerrainIsDecidedByTheHeight) {
  const Mesh terrain = meshes::Grid(12, 0.3, 4);
  const SurfaceSideField field = FieldOf(terrain);
  meshes::Random random(5);
  int above = 0;
  for (int i = 0; i < 3000 && !testing::Test::HasFailure(); ++i) {
    const Vec3 p{random.Uniform(0.35, 0.65), random.Uniform(0.35, 0.65),
                 random.Uniform(-0.05, 0.35)};
    const int height = HeightAboveTerrain(terrain, p);
    if (height == 0) continue;
    SCOPED_TRACE(testing::PrintToString(std::vector<double>{p.x, p.y, p.z}));
    EXPECT_EQ(field.Side(p), SideOfSign(height));
    above += height > 0 ? 1 : 0;
  }
  EXPECT_GT(above, 1000);
  EXPECT_LT(above, 2000);
}

// By winding numbers, which count crossings of a ray.
TEST(SurfaceSideTest, OfAClosedMeshIsOutside) {
  meshes::Random random(6);
  for (const Mesh& mesh : {meshes::Cube(), meshes::Torus(9, 5),
                           meshes::Icosphere(1), meshes::Tetrahedron({}, 1)}) {
    const Tree tree = trees::Make(mesh);
    const SurfaceSideField field = SurfaceSideField::Of(tree);
    std::vector<Vec3> points(mesh.vertices().begin(), mesh.vertices().end());
    for (int i = 0; i < 400; ++i) {
      points.push_back(random.Point(-1.5, 1.5));
      const Vec3& vertex = mesh.vertices()[random.Below(mesh.vertex_count())];
      points.push_back(vertex + random.Point(-0.2, 0.2));
      points.push_back(vertex * random.Uniform(0.9, 1.5));
    }
    for (const Vec3& p : points) {
      const std::optional<int> winding = WindingNumber(tree, p);
      EXPECT_EQ(field.Side(p),
                SideOfSign(winding.has_value() ? 1 - 2 * *winding : 0))
          << p.x << ' ' << p.y << ' ' << p.z;
    }
  }
}

TEST(SurfaceSideTest, BeyondABorderThePlaneContinues) {
  const SurfaceSideField field = FieldOf(meshes::Grid(2, 0, 1));
  for (const Vec3& p : {Vec3{0.3, 0.4, 0}, Vec3{1, 1, 0}, Vec3{0.5, -3, 0},
                        Vec3{-1, -2, 0}, Vec3{1e6, 0.5, 0}}) {
    EXPECT_EQ(field.Side(p), SurfaceSide::kOn);
    for (const double height : {0x1p-60, 0.25, 1e9}) {
      EXPECT_EQ(field.Side({p.x, p.y, height}), SurfaceSide::kAbove);
      EXPECT_EQ(field.Side({p.x, p.y, -height}), SurfaceSide::kBelow);
    }
  }
}

// A roof over the y axis, and the same as a gutter. Beside the edge, the plane
// of one face has p on its other side.
TEST(SurfaceSideTest, AtConvexAndConcaveEdges) {
  const auto fold = [](double height) {
    return meshes::Make({{0, 0, height}, {0, 2, height}, {-1, 1, 0}, {1, 1, 0}},
                        {{0, 1, 2}, {1, 0, 3}});
  };
  const SurfaceSideField roof = FieldOf(fold(4));
  const SurfaceSideField gutter = FieldOf(fold(-4));
  for (const double x : {-0.5, 0.0, 0.5}) {
    EXPECT_EQ(roof.Side({x, 1, 5}), SurfaceSide::kAbove);
    EXPECT_EQ(gutter.Side({x, 1, -5}), SurfaceSide::kBelow);
  }
  EXPECT_EQ(roof.Side({0, 1, 3}), SurfaceSide::kBelow);
  EXPECT_EQ(gutter.Side({0, 1, -3}), SurfaceSide::kAbove);
}

// The corners of triangles are theirs alone; along the common edge are slivers
// and points.
TEST(SurfaceSideTest, WithoutAreaAndWithoutSharedIndices) {
  const Vec3 a{0, 0, 0};
  const Vec3 b{0, 2, 0};
  const Mesh mesh = meshes::FromTriangles({{a, b, {0, 1, 0}},
                                           {a, a, a},
                                           {b, a, b},
                                           {a, b, {-2, 1, -1}},
                                           {b, a, {2, 1, -1}}});
  const SurfaceSideField field = FieldOf(mesh);
  for (const Vec3& p : {Vec3{0, 1, 1}, Vec3{0, 0, 1}, Vec3{0, -1, 1},
                        Vec3{0.1, 1, 1}, Vec3{1, 1, 1}}) {
    EXPECT_EQ(field.Side(p), SurfaceSide::kAbove) << p.x << ' ' << p.y;
    EXPECT_EQ(field.Side({p.x, p.y, -p.z}), SurfaceSide::kBelow);
  }
  EXPECT_EQ(FieldOf(meshes::FromTriangles({{a, a, a}})).Side({1, 2, 3}),
            SurfaceSide::kOn);
}

// A turned surface has its other side up. A pose that mirrors keeps the front.
TEST(SurfaceSideTest, OfAPosedTreeMovesWithIt) {
  const Mesh terrain = meshes::Grid(6, 0.2, 8);
  const Tree tree = trees::Make(terrain);
  meshes::Random random(9);
  for (const Pose& pose : poses::OfEveryKind()) {
    const PosedTree posed = PosedTree::Create(tree, pose).value();
    const SurfaceSideField field = SurfaceSideField::Of(posed);
    const Mesh moved = meshes::Moved(terrain, pose);
    const SurfaceSideField expected = FieldOf(moved);
    const auto& r = pose.rows;
    const int front = Dot(Cross(r[0], r[1]), r[2]) < 0 ? -1 : 1;
    for (int i = 0; i < 20; ++i) {
      const Vec3 p = pose.Apply(random.Point(-0.5, 1.5));
      const auto side = static_cast<int>(expected.Side(p).value());
      EXPECT_EQ(field.Side(p), SideOfSign(front * side));
    }
  }
  const Pose over = Pose::Rotation({1, 0, 0}, 3);
  EXPECT_EQ(SurfaceSideField::Of(PosedTree::Create(tree, over).value())
                .Side({0.5, -0.5, 1}),
            SurfaceSide::kBelow);
}

// The products of coordinates of such points are above the range of double.
TEST(SurfaceSideTest, OfPointsAtTheEndOfTheRange) {
  const SurfaceSideField peak =
      FieldOf(meshes::Make({{0, 0, 0x1p-10},
                            {0x1p-10, 0, 0},
                            {-0x1p-10, 0x1p-10, 0},
                            {-0x1p-10, -0x1p-10, 0}},
                           {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}}));
  for (const double far : {0x1p10, 0x1p499, 0x1p501, 0x1p1015, 0x1p1023}) {
    for (const double aside : {0.0, 0x1p-6}) {
      const Vec3 p = Vec3{aside, 2 * aside, 1} * far;
      EXPECT_EQ(peak.Side(p), SurfaceSide::kAbove) << far << ' ' << aside;
    }
  }
}

TEST(SurfaceSideTest, ABatchHasTheResultsOfItsQueries) {
  const Mesh terrain = meshes::Grid(6, 0.2, 8);
  const SurfaceSideField field = FieldOf(terrain);
  meshes::Random random(10);
  std::vector<Vec3> points;
  for (int i = 0; i < 300; ++i) points.push_back(random.Point(-1, 2));
  const auto sides = field.Side(points, {.threads = 2});
  ASSERT_TRUE(sides.ok()) << sides.status();
  ASSERT_EQ(sides->size(), points.size());
  for (size_t i = 0; i < points.size(); ++i) {
    EXPECT_TRUE((*sides)[i].has_value());
    EXPECT_EQ((*sides)[i], field.Side(points[i]));
    EXPECT_EQ((*sides)[i], field.Side(points[i], RunOptions()).value());
  }
  const std::vector<Vec3> wrong = {
      {std::numeric_limits<double>::quiet_NaN(), 0, 0}};
  EXPECT_EQ(field.Side(wrong).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace orbox
