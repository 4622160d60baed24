// SPDX-License-Identifier: Apache-2.0

// Cases in which widely used libraries have wrong results: models far from unit
// size or from the origin, contact without depth, triangles without area, rays
// at edges and vertices, vertices that no triangle uses. Each is compared with
// brute force, or with an easy form of the query.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/orbox.h"
#include "orbox/overlap/triangles/ray_triangle.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"
#include "tests/support/witnesses.h"

namespace orbox {
namespace {

Tree MovedTree(const Mesh& mesh, const Vec3& by) {
  return trees::Make(meshes::Moved(mesh, Pose::Translation(by)));
}

// Scaling by a power of two changes no answer but the unit. Absolute cutoffs
// call small models in contact, or lose their distance.
TEST(HardCasesTest, SmallAndLargeModelsAnswerAsTheOriginal) {
  const Mesh torus = meshes::Torus(20, 10);
  const Mesh ball = meshes::Icosphere(2, {2, 0.25, 0}, 0.5);
  meshes::Random random(1);
  for (int round = 0; round < 20; ++round) {
    const Mesh other =
        meshes::Moved(ball, Pose::Translation(random.Point(0, 0.5)));
    const Witness expected =
        *ClosestPair(trees::Make(torus), trees::Make(other));
    for (const int exponent : {-140, -40, -20, -10, 10, 40, 190}) {
      const double scale = std::ldexp(1.0, exponent);
      const Tree a = trees::Make(meshes::Scaled(torus, scale));
      const Tree b = trees::Make(meshes::Scaled(other, scale));
      const Witness found = *ClosestPair(a, b);
      EXPECT_EQ(found.distance, scale * expected.distance) << exponent;
      EXPECT_EQ(found.triangles, expected.triangles) << exponent;
      EXPECT_EQ(AnyOverlap(a, b), expected.distance == 0) << exponent;
    }
  }
}

// Two fine meshes there, one moved, leave few pairs to double: vertices are
// rounded to a hundredth of their triangles. (Before, 6,840 pairs were.)
TEST(HardCasesTest, ADistanceFarFromTheOriginTakesFewSteps) {
  const Tree tree = MovedTree(meshes::Torus(254, 63), {1e12, -1e12, 1e12});
  const PosedTree moved =
      PosedTree::Create(tree, Pose::Translation({2.8, 0, 0})).value();
  TraversalStatistics steps;
  EXPECT_TRUE(ClosestPair(moved, tree, {}, {.statistics = &steps}).value());
  EXPECT_LE(steps.settled_by_double, 1000u);
}

// Those of two meshes, as brute force has them.
void ExpectAnswersOfPairs(const Tree& a, const Tree& b) {
  const Witness expected = brute_force::Closest(a.mesh(), b.mesh());
  const Witness found = *ClosestPair(a, b);
  ExpectIsClosest(found, a.mesh(), b.mesh(), expected.distance);
  EXPECT_EQ(ClosestPairWithError(a, b, {})->nearest.distance,
            expected.distance);
  EXPECT_EQ(AllOverlaps(a, b), brute_force::Overlapping(a.mesh(), b.mesh()));
  EXPECT_EQ(AnyOverlap(a, b), expected.distance == 0);
  EXPECT_TRUE(AnyWithin(a, b, expected.distance * (1 + 0x1p-50)));
  EXPECT_EQ(AnyWithin(a, b, expected.distance / 2), expected.distance == 0);
  EXPECT_EQ(AllWithin(a, b, 2 * expected.distance),
            brute_force::Within(a.mesh(), b.mesh(), 2 * expected.distance));
}

// In the space of the small tree, which may hold a single point, the large one
// is past the range of floats; and in the large one's, whole leaves are a
// point.
TEST(HardCasesTest, OneMeshMayBeManyTimesAsLargeAsTheOther) {
  const Mesh point = meshes::FromTriangles({{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}});
  const Mesh box = meshes::Scaled(meshes::Icosphere(0, {0, 0, 0}, 1), 8);
  for (const int exponent : {20, 40, 64, 100, 120, 126, 140, 198}) {
    const double y = std::ldexp(1.0, exponent);
    const Mesh plates =
        meshes::FromTriangles({{{9, -y, 1}, {1, -y, 7}, {2, -y, 3}},
                               {{9, -y, 1}, {2, -y, 3}, {5, -y, 2}},
                               {{9, y, 1}, {1, y, 7}, {2, y, 3}},
                               {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}},
                               {{9, y, 1}, {2, y, 3}, {5, y, 2}}});
    for (const Mesh* const other : {&point, &box, &plates}) {
      for (const Volumes volumes : {Volumes::kMixed, Volumes::kSphere}) {
        for (const Storage storage : {Storage::kWide, Storage::kCompact}) {
          for (const int leaf : {1, 8}) {
            SCOPED_TRACE(::testing::Message() << exponent << " " << leaf);
            const BuildOptions options{.volumes = volumes,
                                       .max_leaf_triangles = leaf,
                                       .storage = storage};
            const Tree a = Build(plates, options).value();
            const Tree b = Build(*other, options).value();
            ExpectAnswersOfPairs(a, b);
            ExpectAnswersOfPairs(b, a);
          }
        }
      }
    }
  }
}

// Gaps of a millionth of the size and less, down to the last bit, at any size.
TEST(HardCasesTest, ATinyGapIsAGap) {
  for (const double size : {0x1p-40, 0x1p-10, 1.0, 0x1p30}) {
    const Tree cube = trees::Make(meshes::Cube({}, size));
    for (const double gap : {1e-5, 1e-7, 1e-9, 0x1p-52}) {
      const double at = size * (1 + gap);
      const Tree apart = trees::Make(meshes::Cube({at, 0, 0}, size));
      EXPECT_FALSE(AnyOverlap(cube, apart)) << size << " " << gap;
      EXPECT_EQ(ClosestPair(cube, apart)->distance, at - size);
      EXPECT_TRUE(AllOverlaps(cube, apart).empty());
    }
  }
}

// Faces, edges and corners that just touch; and faces within each other's
// planes, which float rounds apart.
TEST(HardCasesTest, ContactWithoutDepthIsFoundToTheLastPair) {
  const Mesh cube = meshes::Cube();
  const Tree a = trees::Make(cube);
  for (const Vec3& by :
       {Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{1, 1, 1}, Vec3{1, 0.5, 0.25},
        Vec3{0, -1, 0.125}, Vec3{-1, 1, 0.3}, Vec3{0.1, 0.2, 1}}) {
    const Mesh other = meshes::Moved(cube, Pose::Translation(by));
    EXPECT_TRUE(AnyOverlap(a, trees::Make(other)));
    EXPECT_EQ(ClosestPair(a, trees::Make(other))->distance, 0);
    EXPECT_EQ(AllOverlaps(a, trees::Make(other)),
              brute_force::Overlapping(cube, other));
  }
  // Two grids in one plane.
  const Mesh grid = meshes::Grid(8);
  const Mesh shifted =
      meshes::Moved(grid, Pose::Translation({0.0625, 0.03125, 0}));
  EXPECT_EQ(AllOverlaps(trees::Make(grid), trees::Make(shifted)),
            brute_force::Overlapping(grid, shifted));
  const Mesh above = meshes::Moved(grid, Pose::Translation({0, 0, 1e-9}));
  EXPECT_FALSE(AnyOverlap(trees::Make(grid), trees::Make(above)));
}

TEST(HardCasesTest, TrianglesWithoutAreaAreAsNearAsTheyAre) {
  meshes::Random random(2);
  const Mesh mesh = meshes::DegenerateMix(300, 5);
  for (const trees::Named& v : trees::Variants(mesh)) {
    SCOPED_TRACE(v.name);
    for (int i = 0; i < 100; ++i) {
      const Vec3 p = random.Point(-0.5, 1.5);
      double least = std::numeric_limits<double>::infinity();
      for (uint32_t id = 0; id < mesh.triangle_count(); ++id) {
        least = std::min(least, Distance(p, mesh.triangle(id)).distance);
      }
      EXPECT_EQ(ClosestPoint(v.tree, p)->distance, least);
      EXPECT_FALSE(AnyOverlap(v.tree, Sphere{p, std::nextafter(least, 0.0)}));
    }
  }
}

// From inside a closed mesh there is no way out, least of all at a vertex or
// along an edge.
TEST(HardCasesTest, NoRayLeavesThroughAVertexOrAnEdge) {
  const Mesh mesh = meshes::Torus(40, 20, 1, 0.5);
  meshes::Random random(3);
  for (const trees::Named& v : trees::Variants(mesh)) {
    SCOPED_TRACE(v.name);
    for (int i = 0; i < 4000; ++i) {
      // In the tube.
      const Vec3 from = Vec3{1, 0, 0} + random.Point(-0.2, 0.2);
      const Triangle t = mesh.triangle(random.Below(mesh.triangle_count()));
      const Vec3 target =
          i % 2 == 0 ? t.a : t.a + (t.b - t.a) * random.Uniform(0, 1);
      const Ray ray{from, target - from};
      const std::optional<RayHit> hit = ClosestHit(v.tree, ray);
      ASSERT_TRUE(hit.has_value()) << i;
      EXPECT_TRUE(AnyHit(v.tree, ray));
      if (hit->t <= 1 + 1e-9) continue;
      // The ray passes the target, which bulges inwards, by a rounding.
      for (uint32_t id = 0; id < mesh.triangle_count(); ++id) {
        const auto other = Intersect(ray, mesh.triangle(id), 2);
        ASSERT_TRUE(!other || other->t >= hit->t) << id;
      }
    }
  }
}

// Steps of queries of two meshes, and of a mesh against itself.
TraversalStatistics StepsOfPairs(const Tree& a, const Tree& b) {
  TraversalStatistics steps;
  CountOverlaps(a, b, {.statistics = &steps}).value();
  CountWithin(a, b, 0.01, {.statistics = &steps}).value();
  ClosestPair(a, b, {}, {.statistics = &steps}).value();
  CountSelfOverlaps(a, {}, {.statistics = &steps}).value();
  CountSelfWithin(b, 0.01, {}, {.statistics = &steps}).value();
  return steps;
}

// A translation that rounds no coordinate changes no result.
TEST(HardCasesTest, FarFromTheOriginNothingIsLost) {
  const Mesh torus = meshes::Torus(20, 10);
  const Mesh ball = meshes::Icosphere(2, {1.5, 0.5, 0}, 0.5);
  // Multiples of 2^-12, of which 2^40 leaves none without its place.
  const auto coarse = [](const Mesh& mesh) {
    std::vector<Vec3> vertices(mesh.vertices().begin(), mesh.vertices().end());
    for (Vec3& p : vertices) {
      for (size_t k = 0; k < 3; ++k) p[k] = std::round(p[k] * 0x1p12) * 0x1p-12;
    }
    return Mesh::Create(vertices,
                        {mesh.triangles().begin(), mesh.triangles().end()})
        .value();
  };
  const Mesh a = coarse(torus);
  const Mesh b = coarse(ball);
  const Tree near_a = trees::Make(a);
  const Tree near_b = trees::Make(b);
  for (const double offset : {0x1p7, 0x1p20, -0x1p40}) {
    const Vec3 by{offset, -offset, 2 * offset};
    // Twice 2^40 has one place less.
    const Vec3 move = offset < 0 ? Vec3{offset, -offset, offset} : by;
    const Tree far_a = MovedTree(a, move);
    const Tree far_b = MovedTree(b, move);
    EXPECT_EQ(ClosestPair(far_a, far_b)->distance,
              ClosestPair(near_a, near_b)->distance);
    EXPECT_EQ(AllOverlaps(far_a, far_b), AllOverlaps(near_a, near_b));
    EXPECT_EQ(StepsOfPairs(far_a, far_b), StepsOfPairs(near_a, near_b));
    const Vec3 p{0.5, 0.25, 1.75};
    EXPECT_EQ(ClosestPoint(far_a, p + move)->distance,
              ClosestPoint(near_a, p)->distance);
    EXPECT_EQ(AllOverlaps(far_a, Sphere{p + move, 1.5}),
              AllOverlaps(near_a, Sphere{p, 1.5}));
  }
}

TEST(HardCasesTest, NoTriangleIsReportedTwice) {
  const Mesh mesh = meshes::Needles(400);
  for (const trees::Named& v : trees::Variants(mesh)) {
    std::vector<uint32_t> ids;
    AppendOverlaps(v.tree, Sphere{{0.5, 0.5, 0.5}, 0.5}, &ids,
                   IdOrder::kOfTree);
    std::sort(ids.begin(), ids.end());
    EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end()) << v.name;
  }
}

TEST(HardCasesTest, VerticesThatNoTriangleUsesAreNoSurface) {
  const Mesh cube = meshes::Cube();
  std::vector<Vec3> vertices(cube.vertices().begin(), cube.vertices().end());
  vertices.push_back({5, 5, 5});
  const Mesh mesh =
      Mesh::Create(vertices, {cube.triangles().begin(), cube.triangles().end()})
          .value();
  const Tree tree = trees::Make(mesh);
  EXPECT_EQ(ClosestPoint(tree, {5, 5, 5})->point, (Vec3{1, 1, 1}));
  EXPECT_FALSE(AnyOverlap(tree, Sphere{{5, 5, 5}, 1}));
}

}  // namespace
}  // namespace orbox
