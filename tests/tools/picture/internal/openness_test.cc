// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/openness.h"

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "tests/support/meshes.h"

namespace orbox::picture {
namespace {

Tree TreeOf(const Mesh& mesh) { return *Build(mesh); }

TEST(OpennessTest, NothingIsNearAPlaneOrASphere) {
  EXPECT_EQ(Openness(TreeOf(meshes::Grid(8)), {0.4, 0.3, 0}, {0, 0, 1}), 1);
  EXPECT_EQ(Openness(TreeOf(meshes::Icosphere(2)), {0, 0, 1.01}, {0, 0, 1}), 1);
}

TEST(OpennessTest, FallsTowardsAWallAndIsNoneInABox) {
  // Inside a cube of edge 1, at its floor.
  const Tree cube = TreeOf(meshes::Cube());
  double before = 1.1;
  for (const double x : {0.5, 0.3, 0.2, 0.1, 0.05, 0.01}) {
    const double open = Openness(cube, {x, 0.5, 0}, {0, 0, 1});
    EXPECT_LT(open, before) << x;
    before = open;
  }
  EXPECT_GT(before, 0.4);  // half of it is open still
  EXPECT_LT(Openness(TreeOf(meshes::Cube({0, 0, 0}, 0.01)), {0.005, 0.005, 0},
                     {0, 0, 1}),
            0.01);
}

TEST(OpennessTest, TheMapAgreesWithRays) {
  const Tree tree = TreeOf(meshes::Joined(
      meshes::Torus(60, 30), meshes::Cube({-0.3, -0.3, -0.3}, 0.6)));
  const std::vector<Vec3> points(tree.mesh().vertices().begin(),
                                 tree.mesh().vertices().end());
  constexpr int kWidth = 240, kHeight = 180;
  const Camera camera =
      Camera::Framing(points, {2, -3, 1.8}, {0, 0, kWidth, kHeight});
  const auto normal_at = [&tree](const Ray& ray, const RayHit& hit) {
    const Triangle t = tree.mesh().triangle(hit.triangle);
    const Vec3 n = Normalized(Cross(t.b - t.a, t.c - t.a));
    return Dot(n, ray.direction) > 0 ? -n : n;
  };
  const OpennessMap map(tree, camera, kWidth, kHeight, 2, normal_at);
  const OpennessMap alone(tree, camera, kWidth, kHeight, 1, normal_at);
  size_t count = 0;
  double off = 0;
  for (int y = 3; y < kHeight; y += 7) {
    for (int x = 1; x < kWidth; x += 7) {
      const Point2 pixel{x + 0.5, y + 0.5};
      const Ray ray = camera.RayThrough(pixel);
      const auto hit = ClosestHit(tree, ray);
      if (!hit.has_value()) continue;
      const Vec3 normal = normal_at(ray, *hit);
      const double open = map.At(pixel, hit->point, normal);
      EXPECT_EQ(open, alone.At(pixel, hit->point, normal));
      off += std::abs(open - Openness(tree, hit->point, normal));
      ++count;
    }
  }
  EXPECT_GT(count, 200U);
  EXPECT_LT(off / static_cast<double>(count), 0.04);
}

}  // namespace
}  // namespace orbox::picture
