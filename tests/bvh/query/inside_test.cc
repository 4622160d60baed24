// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/exact_place.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using oracle::Place;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

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

TEST(InsideTest, PointsThatAreNotFiniteAndBadOptions) {
  const Tree tree = trees::Make(meshes::Cube({-1, -1, -1}, 2));
  EXPECT_TRUE(IsInside(tree, Vec3{0, 0, 0}));
  EXPECT_FALSE(IsInside(tree, Vec3{kNan, 0, 0}));
  EXPECT_FALSE(IsInside(tree, Vec3{0, -kInf, 0}));
  EXPECT_FALSE(IsInside(tree, Vec3{0, 0, 0}, {.max_distance = -1}));
  EXPECT_TRUE(IsInside(tree, Vec3{0, 0, 0}, {.threads = -1}));
  const std::vector<Vec3> points(2);
  EXPECT_EQ(IsInside(tree, points, {.max_distance = kNan}).status().code(),
            absl::StatusCode::kInvalidArgument);
  std::atomic<bool> cancelled = true;
  EXPECT_EQ(IsInside(tree, points, {.cancelled = &cancelled}).status().code(),
            absl::StatusCode::kCancelled);
}

TEST(InsideTest, StatisticsOfABatchAreThoseOfItsQueries) {
  const Tree tree = trees::Make(meshes::Torus(24, 10));
  const std::vector<Vec3> points = Points(tree.mesh());
  TraversalStatistics batch;
  ASSERT_TRUE(IsInside(tree, points, {.statistics = &batch}).ok());
  TraversalStatistics sum;
  for (const Vec3& p : points) IsInside(tree, p, {.statistics = &sum});
  EXPECT_EQ(batch, sum);
  EXPECT_GT(sum.triangle_tests, 0u);
}

}  // namespace
}  // namespace orbox
