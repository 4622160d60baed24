// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/refit.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/check_tree.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// A copy of `mesh` with each coordinate moved by up to `by` times its size.
Mesh Shaken(const Mesh& mesh, double by, uint64_t seed) {
  meshes::Random random(seed);
  const double size = Norm(mesh.bounds().hi - mesh.bounds().lo);
  std::vector<Vec3> vertices(mesh.vertices().begin(), mesh.vertices().end());
  for (Vec3& v : vertices) v += random.Point(-by, by) * size;
  return meshes::Make(std::move(vertices),
                      {mesh.triangles().begin(), mesh.triangles().end()});
}

TEST(RefitTest, LawsHoldWhereverTheVerticesGo) {
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const Mesh shaken = Shaken(m.mesh, 0.3, 1);
    const Mesh far = meshes::Moved(
        m.mesh, Pose::Rotation({0, 0, 1}, 2, {0x1p40, -3, 0x1p20}));
    for (const trees::Named& v : trees::Variants(m.mesh)) {
      SCOPED_TRACE(v.name);
      for (const Mesh& moved : {shaken, far, meshes::Scaled(m.mesh, 1e-43)}) {
        const Tree refitted = Refit(v.tree, moved).value();
        EXPECT_EQ(refitted.volumes(), v.tree.volumes());
        TreeChecker(refitted).Check();
      }
    }
  }
}

TEST(RefitTest, QueriesAreThoseOfANewTree) {
  const Mesh mesh = meshes::Torus(40, 20);
  const Mesh moved = Shaken(mesh, 0.2, 2);
  meshes::Random random(3);
  for (const trees::Kind& kind : trees::Kinds()) {
    SCOPED_TRACE(kind.name);
    const Tree refitted = Refit(trees::Make(mesh, kind.volumes), moved).value();
    for (int i = 0; i < 50; ++i) {
      const Vec3 p = random.Point(-2, 2);
      const auto best = ClosestPoint(refitted, p);
      ASSERT_TRUE(best.has_value());
      double least = std::numeric_limits<double>::infinity();
      std::vector<uint32_t> near;
      for (uint32_t id = 0; id < moved.triangle_count(); ++id) {
        const double d = Distance(p, moved.triangle(id)).distance;
        least = std::min(least, d);
        if (d <= 0.3) near.push_back(id);
      }
      EXPECT_EQ(best->distance, least);
      EXPECT_EQ(AllOverlaps(refitted, Sphere{p, 0.3}), near);
    }
  }
}

// Nothing has moved: the tree is the same, byte for byte.
TEST(RefitTest, UnmovedTreesStayAsTheyAre) {
  const Mesh mesh = meshes::Joined(meshes::Soup(5000, 0.03), meshes::Grid(30));
  for (const trees::Kind& kind : trees::Kinds()) {
    const Tree tree = trees::Make(mesh, kind.volumes);
    for (const int threads : {1, 2}) {
      const Tree refitted = Refit(tree, mesh, {.threads = threads}).value();
      ASSERT_EQ(refitted.nodes().size_bytes(), tree.nodes().size_bytes());
      EXPECT_EQ(std::memcmp(refitted.nodes().data(), tree.nodes().data(),
                            tree.nodes().size_bytes()),
                0);
      EXPECT_EQ(std::memcmp(refitted.leaves().data(), tree.leaves().data(),
                            tree.leaves().size_bytes()),
                0);
    }
    EXPECT_EQ(ExpectedVisits(Refit(tree, mesh).value()), ExpectedVisits(tree));
  }
}

TEST(RefitTest, OtherTrianglesAreAnError) {
  const Tree tree = trees::Make(meshes::Cube());
  const auto fewer = Refit(tree, meshes::Tetrahedron());
  EXPECT_EQ(fewer.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(fewer.status().message()),
              testing::HasSubstr("12 triangles"));
  std::vector<TriangleIndices> turned(tree.mesh().triangles().begin(),
                                      tree.mesh().triangles().end());
  std::swap(turned[5][0], turned[5][1]);
  const auto other = Refit(tree, meshes::Make({tree.mesh().vertices().begin(),
                                               tree.mesh().vertices().end()},
                                              turned));
  EXPECT_EQ(other.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(other.status().message()),
              testing::HasSubstr("triangle 5 "));
  EXPECT_EQ(Refit(tree, tree.mesh(), {.threads = -1}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

// The further neighbours move apart, the more nodes a query has to expand.
// ExpectedVisits estimates the number of visits, to within a factor.
TEST(ExpectedVisitsTest, GrowsWithDisorder) {
  const Mesh mesh = meshes::Torus(60, 30);
  const Tree tree = trees::Make(mesh);
  double before = ExpectedVisits(tree);
  for (const double by : {0.01, 0.05, 0.2}) {
    const double after =
        ExpectedVisits(Refit(tree, Shaken(mesh, by, 4)).value());
    EXPECT_GT(after, before);
    before = after;
  }
}

TEST(ExpectedVisitsTest, IsThatOfRandomBalls) {
  const Mesh mesh = meshes::Torus(60, 30);
  const Tree tree = trees::Make(mesh, Volumes::kAabb);
  const Aabb& b = mesh.bounds();
  const double r = 0.01 * 0.5 * Norm(b.hi - b.lo);
  // Points in the box grown by the ball reach all of what is counted.
  const Vec3 half = b.HalfExtents() + Vec3{r, r, r};
  meshes::Random random(5);
  TraversalStatistics statistics;
  constexpr int kBalls = 20'000;
  for (int i = 0; i < kBalls; ++i) {
    const Vec3 u = random.Point(-1, 1);
    const Vec3 p = b.Center() + Vec3{u.x * half.x, u.y * half.y, u.z * half.z};
    AllOverlaps(tree, Sphere{p, r}, {.statistics = &statistics}).value();
  }
  // The grown box is a little more than the box dilated, and whole subtrees in
  // a ball are not opened.
  const double visits = static_cast<double>(statistics.Total().nodes_visited +
                                            statistics.leaves_visited) /
                        kBalls;
  EXPECT_NEAR(ExpectedVisits(tree) / visits, 1, 0.3);
}

TEST(ExpectedVisitsTest, APointHasItsVisitsToo) {
  const Mesh point =
      meshes::Make({{1, 2, 3}}, std::vector<TriangleIndices>(20, {0, 0, 0}));
  const Tree tree = trees::Make(point, Volumes::kSphere);
  EXPECT_GT(ExpectedVisits(tree), 0);
  EXPECT_TRUE(std::isfinite(ExpectedVisits(tree)));
}

}  // namespace
}  // namespace orbox
