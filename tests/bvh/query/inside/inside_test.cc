// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/inside.h"

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/mesh/mesh.h"
#include "tests/support/exact_place.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using oracle::Place;

// In and around the mesh, on its vertices and edges, and nowhere.
std::vector<Vec3> Points(const Mesh& mesh) {
  meshes::Random random(3);
  std::vector<Vec3> points;
  for (int i = 0; i < 40; ++i) {
    const Triangle t = mesh.triangle(random.Below(mesh.triangle_count()));
    points.push_back(random.Point(-1.5, 1.5));
    points.push_back(t.a);
    points.push_back(t.a * 0.5 + t.b * 0.5);
  }
  return points;
}

TEST(InsideTest, AgreesWithExactArithmetic) {
  size_t inside = 0;
  for (const Mesh& mesh : {meshes::Icosphere(1), meshes::Torus(12, 6),
                           meshes::Cube({-0.5, -0.5, -0.5}, 1)}) {
    const std::vector<Vec3> points = Points(mesh);
    std::vector<uint8_t> expected;
    for (const Vec3& p : points) {
      expected.push_back(oracle::PlaceOf(mesh, p) == Place::kInside ? 1 : 0);
      inside += expected.back();
    }
    for (const trees::Named& v : trees::Variants(mesh)) {
      SCOPED_TRACE(v.name);
      EXPECT_EQ(IsInside(v.tree, points, {.threads = 2}).value(), expected);
      for (size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(IsInside(v.tree, points[i]), expected[i] != 0) << i;
      }
    }
  }
  EXPECT_GT(inside, 0u);
}

TEST(InsideTest, EverySizeTakesAsManySteps) {
  const Mesh torus = meshes::Torus(48, 20);
  const Tree usual = trees::Make(torus);
  meshes::Random random(9);
  std::vector<Vec3> points(200);
  for (Vec3& p : points) {
    p = random.Point(-1, 1);
    for (size_t k = 0; k < 3; ++k) p[k] = meshes::Rounded(p[k]);
  }
  for (const int exponent : {-140, 190}) {
    SCOPED_TRACE(exponent);
    const double size = std::ldexp(1.0, exponent);
    const Tree tree = trees::Make(meshes::Scaled(torus, size));
    TraversalStatistics expected;
    TraversalStatistics steps;
    for (const Vec3& p : points) {
      EXPECT_EQ(IsInside(tree, p * size, {.statistics = &steps}).value(),
                IsInside(usual, p, {.statistics = &expected}).value());
    }
    EXPECT_LE(steps.triangle_tests, 2 * expected.triangle_tests);
  }
}

TEST(InsideTest, BadOptions) {
  const Tree tree = trees::Make(meshes::Cube({-1, -1, -1}, 2));
  EXPECT_TRUE(IsInside(tree, Vec3{0, 0, 0}));
  EXPECT_EQ(IsInside(tree, Vec3{0, 0, 0}, {.threads = -1}).status().code(),
            absl::StatusCode::kInvalidArgument);
  const std::vector<Vec3> points(2);
  EXPECT_EQ(IsInside(tree, points, {.threads = -1}).status().code(),
            absl::StatusCode::kInvalidArgument);
  std::atomic<bool> cancelled = true;
  EXPECT_EQ(IsInside(tree, points, {.cancelled = &cancelled}).status().code(),
            absl::StatusCode::kCancelled);
  EXPECT_EQ(
      IsInside(tree, points[0], {.cancelled = &cancelled}).status().code(),
      absl::StatusCode::kCancelled);
  EXPECT_EQ(
      WindingNumber(tree, points[0], {.cancelled = &cancelled}).status().code(),
      absl::StatusCode::kCancelled);
}

// Enough points that a batch decides some by others: scattered, close together
// on both sides of the surface, on it, twice and outside.
std::vector<Vec3> ManyPoints(const Mesh& mesh, size_t count) {
  meshes::Random random(4);
  std::vector<Vec3> points = {{0, 0, 0}};
  while (points.size() < count) {
    const Triangle t = mesh.triangle(random.Below(mesh.triangle_count()));
    const Vec3 middle = (t.a + t.b + t.c) * (1.0 / 3);
    points.push_back(random.Point(-1.5, 1.5));
    points.push_back(random.Point(-1, 1));
    points.push_back(points[random.Below(points.size())]);
    points.push_back(middle);
    points.push_back(middle + random.Point(-0x1p-50, 0x1p-50));
    points.push_back(middle + random.Point(-0x1p-20, 0x1p-20));
    points.push_back(t.a);
    points.push_back(Vec3{random.Uniform(-1, 1), t.a.y, t.b.z});
  }
  return points;
}

void ExpectABatchToAgreeWithItsQueries(const Mesh& mesh, size_t count) {
  const std::vector<Vec3> points = ManyPoints(mesh, count);
  for (const trees::Named& v : trees::Variants(mesh)) {
    SCOPED_TRACE(v.name);
    std::vector<uint8_t> expected;
    for (const Vec3& p : points) expected.push_back(IsInside(v.tree, p));
    EXPECT_EQ(IsInside(v.tree, points, {.threads = 2}).value(), expected);
    EXPECT_EQ(
        IsInside(v.tree, std::span(points).first(count / 2)).value(),
        std::vector<uint8_t>(expected.begin(), expected.begin() + count / 2));
  }
}

TEST(InsideTest, ManyPointsOfClosedMeshes) {
  const Mesh torus = meshes::Torus(24, 10);
  ASSERT_TRUE(IsClosed(torus));
  ExpectABatchToAgreeWithItsQueries(torus, 1600);
  // Through each other, and covering each other twice and three times.
  const Mesh cube = meshes::Cube({-0.75, -0.5, -0.5}, 1);
  const Mesh crossing =
      meshes::Joined(torus, meshes::Joined(cube, meshes::Icosphere(1)));
  ExpectABatchToAgreeWithItsQueries(crossing, 1600);
  ExpectABatchToAgreeWithItsQueries(meshes::Joined(cube, cube), 400);
  ExpectABatchToAgreeWithItsQueries(
      meshes::Joined(cube, meshes::Joined(cube, cube)), 400);
}

Mesh WithoutTriangles(const Mesh& mesh, size_t first, size_t count) {
  std::vector<TriangleIndices> triangles(mesh.triangles().begin(),
                                         mesh.triangles().end());
  triangles.erase(triangles.begin() + static_cast<ptrdiff_t>(first),
                  triangles.begin() + static_cast<ptrdiff_t>(first + count));
  return meshes::Make({mesh.vertices().begin(), mesh.vertices().end()},
                      triangles);
}

// Cells of many points and of many triangles, in which one point decides
// others: uniform, in one cell after another, and near a detail tree.
TEST(InsideTest, CellsOfPoints) {
  const Mesh torus = meshes::Torus(48, 20);
  const Mesh screw =
      meshes::Moved(meshes::Scaled(meshes::Icosphere(2), 0x1p-24),
                    {.translation = torus.bounds().Center()});
  const Mesh far = meshes::Moved(torus, {.translation = {0x1p30, 0, 1}});
  for (const Mesh& mesh : {torus, far, meshes::Joined(torus, screw),
                           WithoutTriangles(torus, 100, 3)}) {
    const Aabb& bounds = mesh.bounds();
    const Vec3 center = bounds.Center();
    const Vec3 half = bounds.HalfExtents();
    meshes::Random random(6);
    std::vector<Vec3> points;
    for (int i = 0; i < 6000; ++i) {
      // Most fill the bounds, many a place of them, and some a smaller one.
      const double size = i % 4 != 0 ? 1 : i % 8 != 0 ? 0.1 : 0x1p-23;
      const Vec3 u = random.Point(-size, size);
      points.push_back(center + Vec3{u.x * half.x, u.y * half.y, u.z * half.z});
    }
    const Tree tree = trees::Make(mesh);
    std::vector<uint8_t> expected;
    for (const Vec3& p : points) expected.push_back(IsInside(tree, p));
    EXPECT_EQ(IsInside(tree, points, {.threads = 2}).value(), expected);
  }
}

// Enough that their grid is as fine as possible, and that two threads share
// them.
TEST(InsideTest, AHundredThousandPoints) {
  const Tree tree = trees::Make(meshes::Torus(48, 20));
  const Aabb& bounds = tree.mesh().bounds();
  const Vec3 half = bounds.HalfExtents();
  meshes::Random random(9);
  std::vector<Vec3> points;
  for (int i = 0; i < 100'000; ++i) {
    // One in eight in a tenth of the bounds, where cells have many.
    const double size = i % 8 != 0 ? 1 : 0.1;
    const Vec3 u = random.Point(-size, size);
    points.push_back(bounds.Center() + half * (1 - size) +
                     Vec3{u.x * half.x, u.y * half.y, u.z * half.z});
  }
  std::vector<uint8_t> expected;
  for (const Vec3& p : points) expected.push_back(IsInside(tree, p));
  EXPECT_EQ(IsInside(tree, points, {.threads = 1}).value(), expected);
  EXPECT_EQ(IsInside(tree, points, {.threads = 2}).value(), expected);
}

TEST(InsideTest, ManyPointsOfOpenMeshes) {
  ExpectABatchToAgreeWithItsQueries(meshes::Grid(8), 400);
  ExpectABatchToAgreeWithItsQueries(meshes::Soup(60, 0.5), 800);
  // Mostly closed: points decide each other, but not past a hole.
  const Mesh torus = meshes::Torus(24, 10);
  ExpectABatchToAgreeWithItsQueries(WithoutTriangles(torus, 0, 1), 600);
  ExpectABatchToAgreeWithItsQueries(WithoutTriangles(torus, 100, 9), 600);
  const Mesh cube = meshes::Cube({-0.75, -0.5, -0.5}, 1);
  for (const size_t first : {0, 7}) {
    ExpectABatchToAgreeWithItsQueries(
        meshes::Joined(torus, WithoutTriangles(cube, first, 1)), 600);
  }
  ExpectABatchToAgreeWithItsQueries(
      meshes::Joined(torus, meshes::OneTriangle()), 600);
}

TEST(InsideTest, StatisticsOfABatch) {
  // For few points, the steps are those of single queries.
  const Tree tree = trees::Make(meshes::Torus(48, 20));
  const std::vector<Vec3> points = Points(tree.mesh());
  ASSERT_LT(4 * points.size(), tree.mesh().triangle_count());
  TraversalStatistics batch;
  ASSERT_TRUE(IsInside(tree, points, {.statistics = &batch}).ok());
  TraversalStatistics sum;
  for (const Vec3& p : points) IsInside(tree, p, {.statistics = &sum}).value();
  EXPECT_EQ(batch, sum);
  EXPECT_GT(sum.triangle_tests, 0u);
  // Many points save most steps, and have equal results for any number of
  // threads.
  meshes::Random random(5);
  std::vector<Vec3> many(3000);
  for (Vec3& p : many) p = random.Point(-1, 1);
  TraversalStatistics first;
  TraversalStatistics second;
  ASSERT_TRUE(IsInside(tree, many, {.statistics = &first}).ok());
  ASSERT_TRUE(IsInside(tree, many, {.statistics = &second, .threads = 2}).ok());
  EXPECT_EQ(first, second);
  sum = {};
  for (const Vec3& p : many) IsInside(tree, p, {.statistics = &sum}).value();
  EXPECT_LT(first.triangle_tests, sum.triangle_tests);
  EXPECT_EQ(first.triangle_tests,
            first.settled_by_float + first.settled_by_double +
                first.settled_by_expansion + first.settled_by_exact);
}

}  // namespace
}  // namespace orbox
