// SPDX-License-Identifier: Apache-2.0

// Brute force confirms that vertices reported as simple are simple. Vertices of
// ordinary surfaces are reported so. The tests that this saves the search for
// self-intersections change no result.
#include "orbox/bvh/query/inside/internal/vertex_stars.h"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/io/generate.h"
#include "orbox/bvh/query/inside/internal/surface_sides.h"
#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/query/pairs/self_overlap.h"
#include "orbox/overlap/triangles/adjacent_triangles.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

Mesh Generated(const std::string& shape, size_t triangles) {
  GenerateOptions options;
  options.shape = shape;
  options.triangles = triangles;
  return GenerateMesh(options).value();
}

Mesh Shaken(const Mesh& mesh, double by, uint64_t seed) {
  meshes::Random random(seed);
  std::vector<Vec3> vertices(mesh.vertices().begin(), mesh.vertices().end());
  for (Vec3& v : vertices) v += random.Point(-by, by);
  return meshes::Make(std::move(vertices),
                      {mesh.triangles().begin(), mesh.triangles().end()});
}

// A cone over a polygon that winds `turns` times around its apex, closed below
// by another. Everything around the apex turns the same way.
Mesh DoubleCone(int corners, int turns) {
  std::vector<Vec3> v = {{0, 0, 1}, {0, 0, -1}};
  std::vector<TriangleIndices> t;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * std::numbers::pi * turns * i / corners;
    v.push_back({std::cos(angle), std::sin(angle), 0.01 * i});
    const auto a = static_cast<uint32_t>(2 + i);
    const auto b = static_cast<uint32_t>(2 + (i + 1) % corners);
    t.push_back({0, a, b});
    t.push_back({1, b, a});
  }
  return meshes::Make(std::move(v), std::move(t));
}

std::vector<CornerIds> SimpleCornersOf(const Mesh& mesh) {
  return SurfaceSides::Create(mesh).value().SimpleCorners();
}

size_t CountSimple(const std::vector<CornerIds>& corners) {
  size_t count = 0;
  for (const CornerIds& ids : corners) {
    for (const uint32_t id : ids) count += id != kNoCorner ? 1 : 0;
  }
  return count;
}

// No two triangles at a simple corner meet elsewhere.
void ExpectSimple(const Mesh& mesh, const std::vector<CornerIds>& corners) {
  const SelfPairs pairs(mesh, SharedCorners::kByPosition, {.simple = corners});
  for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    for (uint32_t j = i + 1; j < mesh.triangle_count(); ++j) {
      if (!pairs.AreKnownApart({i, j})) continue;
      const Triangle s = mesh.triangle(i);
      const Triangle t = mesh.triangle(j);
      const CornerSet common = CommonCorners(s, t);
      EXPECT_GT(common.size(), 0);
      EXPECT_LT(common.size(), 3);
      EXPECT_FALSE(OverlapsBeyond(s, t, common.points())) << i << " " << j;
    }
  }
}

TEST(VertexStarsTest, SimpleVerticesAreSimpleByBruteForce) {
  for (const Mesh& mesh :
       {meshes::Icosphere(1), meshes::Torus(12, 6),
        meshes::Joined(meshes::Cube(), meshes::Cube()),
        meshes::Joined(meshes::Cube({0, 0, 0}), meshes::Cube({1, 1, 0}))}) {
    ExpectSimple(mesh, SimpleCornersOf(mesh));
    size_t simple = 0;
    for (uint64_t seed = 1; seed <= 12; ++seed) {
      for (const double by : {0.05, 0.3, 1.5}) {
        const Mesh crumpled = Shaken(mesh, by, seed);
        const std::vector<CornerIds> corners = SimpleCornersOf(crumpled);
        ExpectSimple(crumpled, corners);
        simple += CountSimple(corners);
      }
    }
    EXPECT_GT(simple, 0);
  }
}

TEST(VertexStarsTest, ThoseOfOrdinarySurfacesAre) {
  const Pose turned = Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.7);
  for (const Mesh& mesh :
       {meshes::Cube(), meshes::Icosphere(2), meshes::Torus(24, 10),
        meshes::Scaled(meshes::Torus(24, 10), 1e-45),
        Generated("torus_knot", 600), Generated("box", 600),
        Generated("gear", 900), Generated("cylinder", 600)}) {
    EXPECT_EQ(CountSimple(SimpleCornersOf(mesh)), 3 * mesh.triangle_count());
    const Mesh moved = meshes::Moved(mesh, turned);
    EXPECT_EQ(CountSimple(SimpleCornersOf(moved)), 3 * mesh.triangle_count());
  }
}

// Surfaces wind twice around the apexes, which only the count of turns shows.
TEST(VertexStarsTest, WhatTurnsTwiceIsNotSimple) {
  for (const int turns : {1, 2, 3}) {
    const Mesh mesh = DoubleCone(11, turns);
    const std::vector<CornerIds> corners = SimpleCornersOf(mesh);
    EXPECT_EQ(corners[0][0] != kNoCorner, turns == 1);
    ExpectSimple(mesh, corners);
  }
}

TEST(VertexStarsTest, TrianglesWithoutAreaAndSharedEdgesAreLeftOut) {
  const Mesh flat = meshes::Make(
      {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 0, 0}},
      {{0, 2, 1}, {0, 4, 3}, {4, 1, 3}, {0, 1, 4}, {0, 3, 2}, {1, 2, 3}});
  const std::vector<CornerIds> corners = SimpleCornersOf(flat);
  EXPECT_EQ(corners[3], (CornerIds{kNoCorner, kNoCorner, kNoCorner}));
  EXPECT_NE(corners[5][1], kNoCorner);
  EXPECT_NE(corners[5][2], kNoCorner);
  // Each edge of a cube and its copy has four triangles.
  EXPECT_EQ(CountSimple(SimpleCornersOf(
                meshes::Joined(meshes::Cube(), meshes::Cube()))),
            0);
}

TEST(VertexStarsTest, TheSearchFindsTheSamePairsWithFewerDecisions) {
  for (const Mesh& mesh :
       {Generated("torus_knot", 600), Shaken(meshes::Torus(24, 10), 0.05, 3),
        meshes::Joined(meshes::Torus(12, 6), meshes::Torus(10, 7))}) {
    const std::vector<CornerIds> simple = SimpleCornersOf(mesh);
    for (const trees::Named& tree : trees::Variants(mesh)) {
      SCOPED_TRACE(tree.name);
      TraversalStatistics statistics;
      const RunOptions options{.statistics = &statistics};
      const std::vector<TrianglePair> found = OverlapSearch(options).All(
          SelfScope(tree.tree, {}, {.simple = simple}));
      EXPECT_EQ(found, AllSelfOverlaps(tree.tree));
      EXPECT_EQ(statistics.triangle_tests, statistics.settled_by_float +
                                               statistics.settled_by_double +
                                               statistics.settled_by_expansion +
                                               statistics.settled_by_exact);
    }
  }
}

// Cubes side by side in a lattice.
Mesh FlushCubes(int across) {
  Mesh all = meshes::Cube();
  for (int i = 1; i < across * across * across; ++i) {
    const Vec3 at{static_cast<double>(i % across),
                  static_cast<double>(i / across % across),
                  static_cast<double>(i / across / across)};
    all = meshes::Joined(all, meshes::Cube(at));
  }
  return all;
}

// The overlapping triangles are those of all pairs, found with fewer decisions.
// Faces that are on each other take none.
TEST(VertexStarsTest, OverlappingTrianglesAreThoseOfAllPairs) {
  for (const Mesh& mesh :
       {FlushCubes(4), Shaken(meshes::Torus(24, 10), 0.05, 3),
        meshes::Joined(meshes::Torus(12, 6), meshes::Torus(10, 7)),
        meshes::Joined(meshes::Cube(), meshes::Cube())}) {
    const SurfaceSides sides = SurfaceSides::Create(mesh).value();
    for (const trees::Named& tree : trees::Variants(mesh)) {
      SCOPED_TRACE(tree.name);
      std::vector<bool> expected(mesh.triangle_count());
      TraversalStatistics all;
      const std::vector<TrianglePair> pairs =
          AllSelfOverlaps(tree.tree, {}, {.statistics = &all}).value();
      for (const TrianglePair& pair : pairs) {
        expected[pair.a] = expected[pair.b] = true;
      }
      OverlappingTriangles overlapping(mesh.triangle_count());
      sides.AddCopies(&overlapping);
      TraversalStatistics some;
      const RunOptions options{.statistics = &some};
      OverlapSearch(options).Count(
          SelfScope(tree.tree, {}, {.overlapping = &overlapping}));
      EXPECT_FALSE(overlapping.HasSkippedTooMany());
      for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
        EXPECT_EQ(overlapping.Contains(i), expected[i]) << i;
      }
      EXPECT_EQ(some.triangle_tests,
                some.settled_by_float + some.settled_by_double +
                    some.settled_by_expansion + some.settled_by_exact);
      if (mesh.triangle_count() == FlushCubes(4).triangle_count()) {
        // 768 triangles, of which 576 are pairs of copies.
        EXPECT_LT(some.settled_by_double, all.settled_by_double / 2);
        EXPECT_EQ(some.settled_by_expansion + some.settled_by_exact, 0);
      }
    }
  }
}

TEST(VertexStarsTest, ASearchTiresOfCopiesOfCopies) {
  Mesh mesh = meshes::Cube();
  for (int i = 0; i < 6; ++i) mesh = meshes::Joined(mesh, mesh);
  const Tree tree = trees::Make(mesh);
  OverlappingTriangles overlapping(mesh.triangle_count());
  SurfaceSides::Create(mesh)->AddCopies(&overlapping);
  OverlapSearch(RunOptions())
      .Count(SelfScope(tree, {}, {.overlapping = &overlapping}));
  // All 768 touch 448 others at least.
  EXPECT_TRUE(overlapping.HasSkippedTooMany());
}

}  // namespace
}  // namespace orbox
