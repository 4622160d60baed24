// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/internal/boundary_shadow.h"

#include <cstddef>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/mesh/mesh.h"
#include "tests/support/meshes.h"

namespace orbox::mesh_internal {
namespace {

TEST(BoundaryShadowTest, CountsTheEdgesOfHoles) {
  EXPECT_TRUE(BoundaryOf(meshes::Torus(8, 5)).is_empty());
  EXPECT_EQ(BoundaryOf(meshes::OneTriangle()).edge_count(), 3u);
  EXPECT_EQ(BoundaryOf(meshes::Grid(6)).edge_count(), 24u);
  const Mesh mesh = meshes::Grid(3);
  const Mesh copy = mesh;
  EXPECT_EQ(&BoundaryOf(mesh), &BoundaryOf(copy));
}

bool Overlap(const Vec3& a, const Vec3& b, const Aabb& box) {
  const Vec3 lo = Min(a, b);
  const Vec3 hi = Max(a, b);
  return lo.y <= box.hi.y && hi.y >= box.lo.y && lo.z <= box.hi.z &&
         hi.z >= box.lo.z;
}

TEST(BoundaryShadowTest, NoEdgeBehindABoxIsMissed) {
  meshes::Random random(3);
  for (const double scale : {1.0, 1e-55, 1e60}) {
    std::vector<BoundaryShadow::Edge> edges;
    for (int i = 0; i < 20; ++i) {
      const Vec3 a = random.Point(-1, 1) * scale;
      edges.emplace_back(a, a + random.Point(-0.02, 0.02) * scale);
    }
    const Vec3 all = Vec3{1.1, 1.1, 1.1} * scale;
    const BoundaryShadow shadow({-all, all}, edges);
    size_t free = 0;
    for (int i = 0; i < 2000; ++i) {
      // Some begin or end where an edge does.
      Vec3 lo = random.Point(-1, 1) * scale;
      if (i % 4 == 0) lo = edges[random.Below(edges.size())].second;
      const Aabb box = {lo, lo + random.Point(0, 0.05) * scale};
      const bool may_overlap = shadow.MayOverlap(box);
      free += may_overlap ? 0 : 1;
      for (const auto& [a, b] : edges) {
        if (Overlap(a, b, box)) {
          ASSERT_TRUE(may_overlap);
        }
      }
    }
    if (scale <= 1) {
      EXPECT_GT(free, 500u);
    }
  }
}

TEST(BoundaryShadowTest, FlatMeshes) {
  for (const Vec3& size :
       {Vec3{0, 0, 0}, Vec3{1, 0, 1}, Vec3{1, 1, 0}, Vec3{0, 1, 1}}) {
    const BoundaryShadow shadow({{}, size}, {{{}, size}});
    EXPECT_TRUE(shadow.MayOverlap({{}, {}}));
    EXPECT_TRUE(shadow.MayOverlap({size, size}));
  }
}

}  // namespace
}  // namespace orbox::mesh_internal
