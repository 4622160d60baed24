// SPDX-License-Identifier: Apache-2.0

// A plan of any triangles has each of them in one chunk, and no chunk is too
// large. If there are enough triangles, few chunks are near any point.
#include "orbox/bvh/large/internal/chunk_plan.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/io/generate.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

// A plan, and the keys of the triangles in their order.
struct Planned {
  Planned(const Mesh& of, uint64_t most)
      : mesh(of), grid(of.bounds(), most), plan(PlanOf(of, grid)) {
    for (size_t i = 0; i < mesh.triangle_count(); ++i) {
      keyed.emplace_back(plan.KeyOf(mesh.triangle(i)), i);
    }
    std::sort(keyed.begin(), keyed.end());
  }

  static ChunkPlan PlanOf(const Mesh& mesh, const ChunkGrid& grid) {
    std::vector<uint64_t> counts(grid.cell_count());
    for (size_t i = 0; i < mesh.triangle_count(); ++i) {
      ++counts[grid.CellOf(mesh.triangle(i))];
    }
    return ChunkPlan(grid, counts);
  }

  Aabb BoxOf(size_t chunk) const {
    const size_t begin = plan.BeginOf(chunk);
    Aabb box = BoundsOf(mesh.triangle(keyed[begin].second));
    for (size_t at = begin; at < plan.BeginOf(chunk + 1); ++at) {
      box = Union(box, BoundsOf(mesh.triangle(keyed[at].second)));
    }
    return box;
  }

  const Mesh mesh;
  const ChunkGrid grid;
  const ChunkPlan plan;
  std::vector<std::pair<uint64_t, size_t>> keyed;
};

void ExpectLaws(const Planned& p, uint64_t most) {
  const size_t triangles = p.mesh.triangle_count();
  EXPECT_EQ(p.plan.BeginOf(0), 0);
  EXPECT_EQ(p.plan.BeginOf(p.plan.chunk_count()), triangles);
  for (size_t chunk = 0; chunk < p.plan.chunk_count(); ++chunk) {
    const uint64_t begin = p.plan.BeginOf(chunk);
    const uint64_t end = p.plan.BeginOf(chunk + 1);
    ASSERT_LT(begin, end);
    EXPECT_LE(end - begin, most);
    const auto group = p.plan.GroupOf(chunk);
    for (uint64_t at = begin; at < end; ++at) {
      const Triangle t = p.mesh.triangle(p.keyed[at].second);
      ASSERT_EQ(p.plan.ChunksOf(t), group) << at;
    }
    // Those of a group of their own are sorted by their ids.
    if (group.second == group.first + 1) {
      EXPECT_EQ(p.keyed[begin].first, p.keyed[end - 1].first);
    }
  }
  // A 32th of the room is left, at most.
  EXPECT_LE(p.plan.chunk_count(), (triangles - 1) / (most - most / 32) + 1);
}

TEST(ChunkPlanTest, EachTriangleIsInOneChunk) {
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    for (const uint64_t most : {1, 2, 7, 20, 33, 100, 1000, 100'000}) {
      SCOPED_TRACE(most);
      ExpectLaws(Planned(m.mesh, most), most);
    }
  }
}

TEST(ChunkPlanTest, FewChunksAreNearAPlace) {
  // Counts the boxes around points on the surface. Runs of a Morton curve with
  // as many triangles have 4.0 boxes around a point.
  const Mesh knot =
      GenerateMesh({.shape = "torus_knot", .triangles = 60'000}).value();
  const Planned p(knot, 2000);
  ExpectLaws(p, 2000);
  std::vector<Aabb> boxes;
  for (size_t c = 0; c < p.plan.chunk_count(); ++c) boxes.push_back(p.BoxOf(c));
  size_t around = 0;
  for (size_t i = 0; i < knot.triangle_count(); ++i) {
    const Vec3 corner = knot.triangle(i).a;
    around += static_cast<size_t>(
        std::count_if(boxes.begin(), boxes.end(), [&](const Aabb& box) {
          return GapOf({corner, corner}, box) == 0;
        }));
  }
  EXPECT_LT(around, 2 * knot.triangle_count());
}

TEST(ChunkPlanTest, WhatIsInOneCellIsCutAlongTheCurve) {
  // A screw of 500 triangles in a hall of twelve.
  const Mesh screw = meshes::Scaled(meshes::Soup(500, 0.1), 1e-4);
  const Planned p(meshes::Joined(screw, meshes::Cube({-1, -1, -1}, 2)), 64);
  ExpectLaws(p, 64);
  EXPECT_GT(p.plan.chunk_count(), 7);
}

TEST(ChunkPlanTest, FinerCellsForLargerChunks) {
  EXPECT_EQ(ChunkGrid({{0, 0, 0}, {1, 1, 1}}, 1000).cell_count(), 1u << 18);
  EXPECT_EQ(ChunkGrid({{0, 0, 0}, {1, 1, 1}}, 100'000).cell_count(), 1u << 21);
}

}  // namespace
}  // namespace orbox
