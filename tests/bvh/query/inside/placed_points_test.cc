// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/internal/placed_points.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/base/internal/workers.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

std::vector<uint32_t> QueriesOf(const PlacedPoints& placed) {
  std::vector<uint32_t> queries;
  for (const PlacedPoint& p : placed.points()) queries.push_back(p.query());
  return queries;
}

TEST(PlacedPointsTest, HasThosePointsThatAreInTheBounds) {
  const Tree tree = trees::Make(meshes::Cube({1, 2, 3}, 2));
  const std::vector<Vec3> points = {
      {1, 2, 3},    {3, 4, 5},    {2, 3, kNan},       {0.999, 3, 4},
      {kInf, 3, 4}, {3, 4, 5.01}, {2, 3, 1 + 0x1p-9}, {2, 3, 4},
      {-2, -3, -4}, {1, 4, 3}};
  const PlacedPoints placed(tree, points, Workers(1));
  std::vector<uint32_t> queries = QueriesOf(placed);
  std::sort(queries.begin(), queries.end());
  EXPECT_EQ(queries, (std::vector<uint32_t>{0, 1, 7, 9}));
  for (const PlacedPoint& p : placed.points()) {
    const Vec3 at = tree.space().FromModel(points[p.query()]);
    EXPECT_EQ(p.row[0], at.x);
    EXPECT_EQ(p.row[1], at.y);
    EXPECT_EQ(p.row[2], at.z);
  }
}

TEST(PlacedPointsTest, NoPointsAndPointsOfAFlatMesh) {
  const Tree tree = trees::Make(meshes::Grid(4));
  EXPECT_TRUE(PlacedPoints(tree, {}, Workers(1)).points().empty());
  const Aabb& bounds = tree.mesh().bounds();
  const std::vector<Vec3> points(100, bounds.Center());
  EXPECT_EQ(PlacedPoints(tree, points, Workers(1)).points().size(), 100u);
  // A mesh of one point has no size.
  const Tree dot = trees::Make(meshes::Make({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}},
                                            {TriangleIndices{0, 1, 2}}));
  const std::vector<Vec3> same(100, {1, 2, 3});
  EXPECT_EQ(PlacedPoints(dot, same, Workers(1)).points().size(), 100u);
}

// Each block's points follow each other, those of its halves in turn, and fill
// a box of its size.
void ExpectPointsInBlocks(const PlacedPoints& placed, PlacedPoints::Block block,
                          size_t end, double size) {
  const size_t begin = placed.BeginOf(block);
  ASSERT_LE(begin, end);
  float lo[3] = {2, 2, 2};
  float hi[3] = {-2, -2, -2};
  for (size_t i = begin; i < end; ++i) {
    for (size_t k = 0; k < 3; ++k) {
      lo[k] = std::min(lo[k], placed.points()[i].row[k]);
      hi[k] = std::max(hi[k], placed.points()[i].row[k]);
    }
  }
  if (block.bits % 3 == 0) {
    for (size_t k = 0; k < 3; ++k) EXPECT_LE(hi[k] - lo[k], size * 1.001);
    size /= 2;
  }
  if (block.bits == 0) return;
  const size_t middle = placed.BeginOf(block.High());
  ExpectPointsInBlocks(placed, block.Low(), middle, size);
  ExpectPointsInBlocks(placed, block.High(), end, size);
}

TEST(PlacedPointsTest, BlocksHaveNeighbours) {
  const Tree tree = trees::Make(meshes::Torus(12, 6));
  const Aabb& bounds = tree.mesh().bounds();
  const Vec3 half = bounds.HalfExtents();
  meshes::Random random(7);
  for (const size_t count : {1, 50, 3000, 150'000}) {
    std::vector<Vec3> points;
    for (size_t i = 0; i < count; ++i) {
      const Vec3 u = random.Point(-1, 1);
      points.push_back(bounds.Center() +
                       Vec3{u.x * half.x, u.y * half.y, u.z * half.z});
    }
    const PlacedPoints placed(tree, points, Workers(1));
    ASSERT_EQ(placed.points().size(), count);
    const PlacedPoints::Block all = placed.BlockOf(0, count - 1);
    EXPECT_EQ(all.first, 0u);
    ExpectPointsInBlocks(placed, all, count,
                         2 * MaxCoordinate(half) * tree.space().scale);
    // In many pieces, by several workers.
    EXPECT_EQ(QueriesOf(PlacedPoints(tree, points, Workers(2))),
              QueriesOf(placed));
    // The smallest block of two.
    const size_t i = count / 3;
    const size_t j = count / 2;
    const PlacedPoints::Block both = placed.BlockOf(i, j);
    EXPECT_LE(placed.BeginOf(both), i);
    if (both.bits > 0) {
      EXPECT_GT(placed.BeginOf(both.High()), i);
      EXPECT_LE(placed.BeginOf(both.High()), j);
    }
  }
}

}  // namespace
}  // namespace orbox
