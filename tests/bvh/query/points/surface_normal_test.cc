// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/points/surface_normal.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/inside/inside.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "tests/support/meshes.h"
#include "tests/support/poses.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

void ExpectNear(const Vec3& x, const Vec3& y, double error) {
  EXPECT_LE(MaxCoordinate(Abs(x - y)), error) << TextOf(x) << TextOf(y);
}

TEST(SurfaceNormalTest, FacesEdgesAndVerticesOfACube) {
  const Tree cube = trees::Make(meshes::Cube());
  const auto normal_at = [&](const Vec3& p) {
    const SurfacePoint near = ClosestPoint(cube, p).value();
    return FeatureNormal(cube, near.triangle,
                         BarycentricAt(cube, near.triangle, near.point));
  };
  const double h = std::sqrt(0.5);
  const double d = std::sqrt(1.0 / 3);
  ExpectNear(normal_at({0.25, 0.5, 2}), {0, 0, 1}, 1e-15);
  ExpectNear(normal_at({0.5, 0.5, 2}), {0, 0, 1}, 1e-15);  // on a diagonal
  ExpectNear(normal_at({2, 2, 0.3}), {h, h, 0}, 1e-15);
  ExpectNear(normal_at({2, 3, 4}), {d, d, d}, 1e-15);
  ExpectNear(normal_at({-1, 3, -4}), {-d, d, -d}, 1e-15);
}

TEST(SurfaceNormalTest, WeightsAreThoseOfThePoint) {
  meshes::Random random(1);
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const Tree tree = trees::Make(m.mesh);
    const Aabb& box = m.mesh.bounds();
    const double size = Norm(box.hi - box.lo);
    const double near = 0x1p-45 * MaxCoordinate(Max(Abs(box.lo), Abs(box.hi)));
    for (int i = 0; i < 100; ++i) {
      const Vec3 p = box.Center() + random.Point(-1, 1) * size;
      const SurfacePoint found = ClosestPoint(tree, p).value();
      const Vec3 w = BarycentricAt(tree, found.triangle, found.point);
      const Triangle t = m.mesh.triangle(found.triangle);
      EXPECT_GE(std::min({w.x, w.y, w.z}), 0);
      EXPECT_NEAR(w.x + w.y + w.z, 1, 1e-15);
      ExpectNear(t.a * w.x + t.b * w.y + t.c * w.z, found.point, near);
      const Ray ray{p, random.Direction()};
      if (const auto hit = ClosestHit(tree, ray)) {
        const Triangle s = m.mesh.triangle(hit->triangle);
        const Vec3 v = BarycentricAt(tree, hit->triangle, hit->point);
        ExpectNear(s.a * v.x + s.b * v.y + s.c * v.z, hit->point, near);
      }
    }
  }
}

// The side of the surface that the normal of the feature shows is exact.
TEST(SurfaceNormalTest, FeatureNormalsShowTheSide) {
  meshes::Random random(2);
  for (const Mesh& mesh : {meshes::Cube({-1, -1, -1}, 2), meshes::Icosphere(1),
                           meshes::Torus(12, 6), meshes::Tetrahedron()}) {
    const Tree tree = trees::Make(mesh);
    size_t vertices = 0;
    for (const Pose& pose : poses::OfEveryKind()) {
      if (pose.translation.x > 1e6) continue;  // too few digits
      const PosedTree posed = PosedTree::Create(tree, pose).value();
      for (int i = 0; i < 60; ++i) {
        const Vec3 p = pose.Apply(random.Point(-1.5, 1.5));
        const SurfacePoint near = ClosestPoint(posed, p).value();
        const Vec3 w = BarycentricAt(posed, near.triangle, near.point);
        const Vec3 n = FeatureNormal(posed, near.triangle, w);
        EXPECT_NEAR(Norm(n), 1, 1e-15);
        const double along = Dot(n, p - near.point);
        if (std::abs(along) < 1e-9 * near.distance) continue;
        EXPECT_EQ(along < 0, IsInside(posed, p)) << i;
        vertices += MaxCoordinate(w) == 1 ? 1 : 0;
      }
    }
    EXPECT_GT(vertices, 10u);
  }
}

TEST(SurfaceNormalTest, NeedlesHavePreciseNormals) {
  // At right angles to (1, 1, 1) up to the rounding of one coordinate.
  const Mesh mesh = meshes::Make({{0x1p30, -0x1p30, 0},
                                  {0x1p30 + 1, -0x1p30 - 1, 0},
                                  {0x1p30 + 2, -0x1p30 - 2, 0x1p-20},
                                  {0x1p30 + 2, -0x1p30 - 2, 0}},
                                 {{0, 1, 2}, {0, 1, 3}, {0, 0, 1}});
  const Tree tree = trees::Make(mesh);
  const double h = std::sqrt(0.5);
  ExpectNear(TriangleNormal(tree, 0), {-h, -h, 0}, 0x1p-50);
  // Segments have no normal.
  EXPECT_EQ(TriangleNormal(tree, 1), Vec3());
  EXPECT_EQ(TriangleNormal(tree, 2), Vec3());
  // Vertices have the one of the triangle with an area.
  ExpectNear(FeatureNormal(tree, 1, {1, 0, 0}), {-h, -h, 0}, 0x1p-50);
  EXPECT_EQ(FeatureNormal(tree, 1, {0, 0, 1}), Vec3());
  EXPECT_EQ(BarycentricAt(tree, 2, mesh.vertices()[1]), (Vec3{0, 0, 1}));
}

TEST(SurfaceNormalTest, OpposedTrianglesCancel) {
  const Mesh mesh =
      meshes::Make({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}});
  const Tree tree = trees::Make(mesh);
  EXPECT_EQ(FeatureNormal(tree, 0, {0.5, 0.5, 0}), Vec3());
  EXPECT_EQ(TriangleNormal(tree, 0), (Vec3{0, 0, 1}));
  EXPECT_EQ(TriangleNormal(tree, 1), (Vec3{0, 0, -1}));
  // The edge of one triangle has its normal.
  const Tree one = trees::Make(meshes::OneTriangle());
  EXPECT_EQ(FeatureNormal(one, 0, {0.5, 0, 0.5}), TriangleNormal(one, 0));
}

}  // namespace
}  // namespace orbox
