// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/self_within.h"
#include "orbox/bvh/query/pairs/self_overlap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// The definition, pair by pair.
std::vector<PairDistance> BruteForce(const Mesh& mesh, double distance,
                                     SharedCorners shared) {
  std::vector<PairDistance> pairs;
  for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    for (uint32_t j = i + 1; j < mesh.triangle_count(); ++j) {
      const Triangle s = mesh.triangle(i);
      const Triangle t = mesh.triangle(j);
      bool neighbours = false;
      for (size_t k = 0; k < 3; ++k) {
        for (size_t l = 0; l < 3; ++l) {
          neighbours |= shared == SharedCorners::kByPosition
                            ? s[k] == t[l]
                            : mesh.triangles()[i][k] == mesh.triangles()[j][l];
        }
      }
      if (neighbours || !WithinDistance(s, t, distance)) continue;
      pairs.push_back({{i, j}, DistanceBetween(s, t)});
    }
  }
  return pairs;
}

void Check(const Mesh& mesh, double distance) {
  for (const SharedCorners shared :
       {SharedCorners::kByPosition, SharedCorners::kByIndex}) {
    const std::vector<PairDistance> truth = BruteForce(mesh, distance, shared);
    for (const trees::Named& variant : trees::Variants(mesh)) {
      SCOPED_TRACE(variant.name);
      EXPECT_EQ(AllSelfWithin(variant.tree, distance, shared), truth);
      EXPECT_EQ(AnySelfWithin(variant.tree, distance, shared), !truth.empty());
    }
  }
}

TEST(SelfWithinTest, AgreesWithTheDefinitionOnEveryMesh) {
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const double size = Norm(m.mesh.bounds().hi - m.mesh.bounds().lo);
    for (const double share : {0.0, 0.003, 0.03}) {
      Check(m.mesh, share * size);
    }
  }
}

// Two plates a quarter apart: all pairs of one and the other that are near, and
// those within a plate that are further than neighbours.
TEST(SelfWithinTest, PlatesThatAreJustSoFarApart) {
  const Mesh plate = meshes::Grid(8);
  const Mesh both = meshes::Joined(
      plate, meshes::Moved(plate, Pose::Translation({0, 0, 0.25})));
  const auto across = [&](double distance) {
    size_t count = 0;
    for (const PairDistance& p : AllSelfWithin(trees::Make(both), distance)) {
      if (p.triangles.a >= plate.triangle_count() ||
          p.triangles.b < plate.triangle_count()) {
        continue;
      }
      EXPECT_EQ(p.distance, 0.25);
      ++count;
    }
    return count;
  };
  EXPECT_GE(across(0.25), plate.triangle_count());
  EXPECT_EQ(across(std::nextafter(0.25, 0)), 0u);
}

TEST(SelfWithinTest, AtZeroTheyAreTheIntersectionsThatShareNoCorner) {
  const Mesh mesh = meshes::Soup(600, 0.3);
  const Tree tree = trees::Make(mesh);
  std::vector<TrianglePair> meeting;
  for (const PairDistance& p : AllSelfWithin(tree, 0)) {
    EXPECT_EQ(p.distance, 0);
    meeting.push_back(p.triangles);
  }
  ASSERT_FALSE(meeting.empty());
  EXPECT_EQ(meeting, AllSelfOverlaps(tree));
}

// Neighbours that overlap are no pairs, at any distance: slivers, a fan of
// which all share a vertex, an edge that is folded flat, and copies.
TEST(SelfWithinTest, AtZeroNeighboursAreNoPairs) {
  const Mesh slivers = meshes::Needles(120, 7);
  Check(meshes::Joined(slivers, meshes::Torus(12, 6)), 0);
  Check(meshes::Identical(40), 0);
  std::vector<Vec3> vertices = {{0, 0, 0.5}};
  std::vector<TriangleIndices> triangles;
  for (uint32_t i = 0; i < 300; ++i) {
    vertices.push_back({std::cos(0.05 * i), std::sin(0.05 * i), 0.01 * i});
    if (i > 0) triangles.push_back({0, i, i + 1});
  }
  const Mesh fan = meshes::Make(vertices, triangles);
  EXPECT_TRUE(AllSelfWithin(trees::Make(fan), 0).empty());
  Check(meshes::Joined(fan, meshes::Soup(60, 0.5, 9)), 0);
  Check(meshes::Make({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25, 0.5, 0}},
                     {{0, 1, 2}, {0, 1, 3}}),
        0);
}

TEST(SelfWithinTest, ScalingByPowersOfTwoScalesTheAnswer) {
  const Mesh mesh = meshes::Torus(30, 12);
  const std::vector<PairDistance> expected =
      AllSelfWithin(trees::Make(mesh), 0.1);
  ASSERT_FALSE(expected.empty());
  for (const double scale : {0x1p-40, 0x1p40}) {
    std::vector<PairDistance> scaled =
        AllSelfWithin(trees::Make(meshes::Scaled(mesh, scale)), 0.1 * scale);
    for (PairDistance& p : scaled) p.distance /= scale;
    EXPECT_EQ(scaled, expected);
  }
}

TEST(SelfWithinTest, OddDistances) {
  const Mesh mesh = meshes::Soup(40, 0.1);
  const Tree tree = trees::Make(mesh);
  EXPECT_EQ(AllSelfWithin(tree, std::numeric_limits<double>::infinity()),
            BruteForce(mesh, 1e300, SharedCorners::kByPosition));
  EXPECT_TRUE(AllSelfWithin(trees::Make(meshes::OneTriangle()), 1).empty());
}

TEST(SelfWithinTest, TheVisitorMayStop) {
  const Tree tree = trees::Make(meshes::Soup(200, 0.2));
  int calls = 0;
  VisitSelfWithin(tree, 0.1, {}, [&](const PairDistance& p) {
    EXPECT_LT(p.triangles.a, p.triangles.b);
    return ++calls == 3 ? Visit::kStop : Visit::kContinue;
  });
  EXPECT_EQ(calls, 3);
}

TEST(SelfWithinTest, CountingChangesNothingAndAddsUp) {
  const Tree tree = trees::Make(meshes::Torus(40, 20));
  TraversalStatistics statistics;
  const std::vector<PairDistance> pairs =
      AllSelfWithin(tree, 0.1, {}, {.statistics = &statistics}).value();
  EXPECT_EQ(pairs, AllSelfWithin(tree, 0.1));
  EXPECT_GT(statistics.Total().volume_tests, 0u);
  EXPECT_GT(statistics.triangle_tests, pairs.size());
  EXPECT_EQ(statistics.settled_by_float + statistics.settled_by_double +
                statistics.settled_by_expansion + statistics.settled_by_exact,
            statistics.triangle_tests);
}

TEST(SelfWithinTest, EveryInstructionSetAgrees) {
  const Tree tree = trees::Make(meshes::Torus(40, 20));
  const std::vector<PairDistance> expected = AllSelfWithin(tree, 0.07);
  ASSERT_FALSE(expected.empty());
  trees::OnEachInstructionSet(
      [&] { EXPECT_EQ(AllSelfWithin(tree, 0.07), expected); });
}

}  // namespace
}  // namespace orbox
