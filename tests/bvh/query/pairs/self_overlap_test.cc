// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/self_overlap.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/overlap/triangles/contact.h"
#include "tests/support/brute_force.h"
#include "tests/support/exact_triangles.h"
#include "tests/support/meshes.h"
#include "tests/support/sanitized.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// The definition, in rational arithmetic, where these corners are shared, some
// perhaps more than once.
bool Intersect(const Triangle& s, const Triangle& t,
               const std::vector<Vec3>& shared) {
  const auto is_shared = [&shared](const Vec3& p) {
    return std::find(shared.begin(), shared.end(), p) != shared.end();
  };
  bool all_shared = true;
  for (size_t i = 0; i < 3; ++i) {
    all_shared = all_shared && is_shared(s[i]) && is_shared(t[i]);
  }
  if (all_shared) return true;
  const auto common = oracle::CommonCorners(s, t);
  if (shared.empty()) return !common.empty();
  // All of them except those that exist twice.
  Triangle hull{shared[0], shared[0], shared[0]};
  for (const Vec3& p : shared) {
    if (p == hull.a || p == hull.b) continue;
    (hull.a == hull.b ? hull.b : hull.c) = p;
  }
  if (hull.a == hull.c) hull.c = hull.b;
  return std::any_of(common.begin(), common.end(), [&](const auto& p) {
    return oracle::ToTriangle(p, oracle::Lift(hull)) != 0;
  });
}

struct SelfTruth {
  std::vector<TrianglePair> by_position;
  std::vector<TrianglePair> by_index;
};

SelfTruth TrueSelfOverlaps(const Mesh& mesh) {
  SelfTruth truth;
  for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    for (uint32_t j = i + 1; j < mesh.triangle_count(); ++j) {
      const Triangle s = mesh.triangle(i);
      const Triangle t = mesh.triangle(j);
      // Rational arithmetic is for those that are not simply apart.
      if (!Overlaps(s, t)) continue;
      std::vector<Vec3> positions;
      std::vector<Vec3> indices;
      for (size_t k = 0; k < 3; ++k) {
        for (size_t l = 0; l < 3; ++l) {
          if (s[k] != t[l]) continue;
          positions.push_back(s[k]);
          if (mesh.triangles()[i][k] == mesh.triangles()[j][l]) {
            indices.push_back(s[k]);
          }
        }
      }
      const bool by_position = Intersect(s, t, positions);
      const bool by_index =
          indices == positions ? by_position : Intersect(s, t, indices);
      if (by_position) truth.by_position.push_back({i, j});
      if (by_index) truth.by_index.push_back({i, j});
    }
  }
  return truth;
}

void Check(const Mesh& mesh) {
  const SelfTruth truth = TrueSelfOverlaps(mesh);
  for (const trees::Named& variant : trees::Variants(mesh)) {
    SCOPED_TRACE(variant.name);
    const Tree& tree = variant.tree;
    EXPECT_EQ(AllSelfOverlaps(tree), truth.by_position);
    EXPECT_EQ(AnySelfOverlap(tree), !truth.by_position.empty());
    EXPECT_EQ(AllSelfOverlaps(tree, SharedCorners::kByIndex), truth.by_index);
    EXPECT_EQ(AnySelfOverlap(tree, SharedCorners::kByIndex),
              !truth.by_index.empty());
  }
}

// The mesh without indices: each triangle has corners of its own.
Mesh Unwelded(const Mesh& mesh) {
  std::vector<Triangle> triangles;
  for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    triangles.push_back(mesh.triangle(i));
  }
  return meshes::FromTriangles(triangles);
}

TEST(SelfOverlapTest, AgreesWithTheDefinitionOnEveryMesh) {
  for (const meshes::Named& m : meshes::Assortment()) {
    if (kSanitized && m.mesh.triangle_count() > 500) continue;  // all pairs
    SCOPED_TRACE(m.name);
    Check(m.mesh);
  }
}

TEST(SelfOverlapTest, ASurfaceDoesNotMeetItself) {
  for (const Mesh& mesh :
       {meshes::Cube(), meshes::Icosphere(3), meshes::Torus(40, 20),
        meshes::Grid(20), meshes::Grid(20, 0.3)}) {
    const Tree tree = trees::Make(mesh);
    EXPECT_FALSE(AnySelfOverlap(tree));
    EXPECT_FALSE(AnySelfOverlap(tree, SharedCorners::kByIndex));
    // Without indices, neighbours still share positions.
    const Tree unwelded = trees::Make(Unwelded(mesh));
    EXPECT_FALSE(AnySelfOverlap(unwelded));
    EXPECT_TRUE(AnySelfOverlap(unwelded, SharedCorners::kByIndex));
  }
}

// Slivers are near strangers by the dozen, and a surface to its neighbours: one
// after the other, in leaves of their own and in common ones.
TEST(SelfOverlapTest, SliversAndSurfacesAgreeWithTheDefinition) {
  for (const double size : {0.1, 1.0, 8.0}) {
    SCOPED_TRACE(size);
    const Mesh slivers = meshes::Scaled(meshes::Needles(160, 7), size);
    Check(meshes::Joined(slivers, meshes::Torus(14, 7)));
  }
}

// Two surfaces that cross: their pairs are those of mesh against mesh.
TEST(SelfOverlapTest, PartsThatCrossAreFound) {
  const Mesh a = meshes::Torus(20, 10);
  const Mesh b = meshes::Icosphere(2, {0.9, 0.1, 0.2}, 0.4);
  std::vector<TrianglePair> expected = brute_force::Overlapping(a, b);
  ASSERT_FALSE(expected.empty());
  for (TrianglePair& pair : expected) {
    pair.b += static_cast<uint32_t>(a.triangle_count());
  }
  EXPECT_EQ(AllSelfOverlaps(trees::Make(meshes::Joined(a, b))), expected);
}

TEST(SelfOverlapTest, AFoldAtAnEdgeIsFound) {
  const std::vector<Vec3> corners = {{0, 0, 0}, {4, 0, 0},  {1, 2, 0},
                                     {2, 1, 0}, {2, -1, 0}, {2, 1, 1}};
  const auto folds = [&corners](uint32_t apex) {
    return AllSelfOverlaps(
        trees::Make(meshes::Make(corners, {{0, 1, 2}, {1, 0, apex}})));
  };
  EXPECT_EQ(folds(3), (std::vector<TrianglePair>{{0, 1}}));
  EXPECT_TRUE(folds(4).empty());
  EXPECT_TRUE(folds(5).empty());
}

TEST(SelfOverlapTest, DuplicatesAreFoundHoweverTurned) {
  const Mesh mesh =
      meshes::Make({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}, {5, 5, 5}},
                   {{0, 1, 2}, {2, 1, 0}, {1, 3, 0}, {4, 4, 4}, {4, 4, 4}});
  Check(mesh);
  EXPECT_EQ(AllSelfOverlaps(trees::Make(mesh)),
            (std::vector<TrianglePair>{{0, 1}, {0, 2}, {1, 2}, {3, 4}}));
}

TEST(SelfOverlapTest, OrderScaleAndPlaceOfTheMeshDoNotMatter) {
  const Mesh mesh =
      meshes::Joined(meshes::Torus(12, 6), meshes::Soup(60, 0.5, 3));
  const std::vector<TrianglePair> expected = TrueSelfOverlaps(mesh).by_position;
  ASSERT_FALSE(expected.empty());
  for (const int exponent : {-140, -40, 40, 190}) {
    SCOPED_TRACE(exponent);
    EXPECT_EQ(AllSelfOverlaps(
                  trees::Make(meshes::Scaled(mesh, std::ldexp(1.0, exponent)))),
              expected);
  }
  // Triangles in reverse order, each turned around.
  const auto n = static_cast<uint32_t>(mesh.triangle_count());
  std::vector<TriangleIndices> reversed(mesh.triangles().rbegin(),
                                        mesh.triangles().rend());
  for (TriangleIndices& t : reversed) std::swap(t[0], t[2]);
  std::vector<TrianglePair> back = AllSelfOverlaps(trees::Make(meshes::Make(
      {mesh.vertices().begin(), mesh.vertices().end()}, reversed)));
  for (TrianglePair& pair : back) pair = {n - 1 - pair.b, n - 1 - pair.a};
  std::sort(back.begin(), back.end());
  EXPECT_EQ(back, expected);
  // Far away, coordinates are rounded so that triangles are on each other.
  Check(meshes::Moved(mesh, Pose::Translation({0x1p45, -0x1p44, 0x1p45})));
}

TEST(SelfOverlapTest, TheVisitorSeesEachPairOnceAndStops) {
  const Tree tree = trees::Make(meshes::Soup(120, 0.5));
  std::vector<TrianglePair> seen;
  VisitSelfOverlaps(tree, {}, [&](TrianglePair pair) {
    EXPECT_LT(pair.a, pair.b);
    seen.push_back(pair);
    return Visit::kContinue;
  });
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
  EXPECT_EQ(seen, AllSelfOverlaps(tree));
  int calls = 0;
  VisitSelfOverlaps(tree, {}, [&](TrianglePair) {
    return ++calls == 3 ? Visit::kStop : Visit::kContinue;
  });
  EXPECT_EQ(calls, 3);
}

TEST(SelfOverlapTest, EveryInstructionSetAgreesToTheLastCount) {
  const Mesh mesh =
      meshes::Joined(meshes::Torus(40, 16), meshes::Soup(200, 0.2));
  for (const trees::Kind& kind : trees::Kinds()) {
    const Tree tree = trees::Make(mesh, kind.volumes);
    TraversalStatistics first;
    SetInstructionSet(SupportedInstructionSets().front());
    const std::vector<TrianglePair> pairs =
        AllSelfOverlaps(tree, {}, {.statistics = &first}).value();
    EXPECT_EQ(first.settled_by_float + first.settled_by_double +
                  first.settled_by_expansion + first.settled_by_exact,
              first.triangle_tests);
    EXPECT_GE(first.Total().nodes_visited, tree.node_count() - 1);
    trees::OnEachInstructionSet([&] {
      TraversalStatistics statistics;
      EXPECT_EQ(AllSelfOverlaps(tree, {}, {.statistics = &statistics}).value(),
                pairs);
      EXPECT_EQ(statistics, first);
    });
  }
}

}  // namespace
}  // namespace orbox
