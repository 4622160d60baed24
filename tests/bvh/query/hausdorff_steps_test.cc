// SPDX-License-Identifier: Apache-2.0

// Number of steps that a Hausdorff distance takes, compared with those of a
// closest point for each vertex.
#include <algorithm>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

double FarthestCorner(const Mesh& a, const Tree& b) {
  double farthest = 0;
  for (const Vec3& p : a.vertices()) {
    farthest = std::max(farthest, ClosestPoint(b, p)->distance);
  }
  return farthest;
}

// A surface on another one, or nearly, takes a closest point for each vertex
// and for each triangle, and little more.
TEST(HausdorffStepsTest, SurfacesOnEachOtherTakeFewSteps) {
  const Mesh torus = meshes::Torus(48, 20);
  const Mesh grid = meshes::Grid(30, 0);
  for (const Mesh& mesh : {torus, grid}) {
    const Tree tree = trees::Make(mesh);
    std::vector<Vec3> points(mesh.vertices().begin(), mesh.vertices().end());
    TraversalStatistics corners;
    ASSERT_TRUE(ClosestPoint(tree, points, {.statistics = &corners}).ok());
    for (const double aside : {0.0, 1e-15, 1e-9}) {
      SCOPED_TRACE(aside);
      const PosedTree moved =
          PosedTree::Create(tree, Pose::Translation({0, 0, aside})).value();
      TraversalStatistics all;
      const auto h = HausdorffDistance(moved, tree, {}, {.statistics = &all});
      ASSERT_TRUE(h.ok());
      EXPECT_LE(h->lower, aside * (1 + 0x1p-20));
      EXPECT_LE(h->upper, 0.002 * Norm(mesh.bounds().HalfExtents()));
      EXPECT_LE(all.Total().nodes_visited, 2 * corners.Total().nodes_visited);
    }
  }
}

// From afar, one triangle of B is nearly nearest to all of A: it bounds them in
// a step each, where a closest point of each took dozens.
TEST(HausdorffStepsTest, MeshesFarApartTakeFewSteps) {
  const Mesh torus = meshes::Torus(48, 20);
  const Tree tree = trees::Make(torus);
  for (const double away : {1e5, 1e10, 1e15}) {
    SCOPED_TRACE(away);
    for (const Vec3& way : {Vec3{1, 0, 0}, Vec3{0, 0, 1}, Vec3{0.3, -0.5, 1}}) {
      const Pose pose = Pose::Translation(way * away);
      const PosedTree moved = PosedTree::Create(tree, pose).value();
      TraversalStatistics steps;
      const HausdorffResult h =
          HausdorffDistance(moved, tree, {}, {.statistics = &steps}).value();
      EXPECT_LE(h.upper - h.lower, 0.002 * Norm(torus.bounds().HalfExtents()));
      const Mesh there = meshes::Moved(torus, pose);
      TraversalStatistics corners;
      ASSERT_TRUE(
          ClosestPoint(tree, there.vertices(), {.statistics = &corners}).ok());
      EXPECT_LT(steps.triangle_tests, corners.triangle_tests / 4);
      // The farthest corner is as far as any.
      EXPECT_GE(h.lower, FarthestCorner(there, tree));
    }
  }
}

// If several triangles cover one, each is visited once or twice, for any
// tolerance.
TEST(HausdorffStepsTest, TrianglesThatAreSplitTakeFewSteps) {
  const Mesh coarse = meshes::Torus(24, 10);
  std::vector<Triangle> split;
  for (uint32_t i = 0; i < coarse.triangle_count(); ++i) {
    const Triangle t = coarse.triangle(i);
    const Vec3 ab = 0.5 * (t.a + t.b);
    const Vec3 bc = 0.5 * (t.b + t.c);
    const Vec3 ca = 0.5 * (t.c + t.a);
    for (const Triangle& part : {Triangle{t.a, ab, ca}, Triangle{ab, t.b, bc},
                                 Triangle{ca, bc, t.c}, Triangle{ab, bc, ca}}) {
      split.push_back(part);
    }
  }
  const Mesh fine = meshes::FromTriangles(split);
  const Tree a = trees::Make(coarse);
  const Tree b = trees::Make(fine);
  std::vector<Vec3> points(coarse.vertices().begin(), coarse.vertices().end());
  TraversalStatistics corners;
  ASSERT_TRUE(ClosestPoint(b, points, {.statistics = &corners}).ok());
  for (const double tolerance : {1e-2, 1e-4, 1e-8}) {
    SCOPED_TRACE(tolerance);
    TraversalStatistics all;
    const auto h =
        HausdorffDistance(a, b, {.tolerance = tolerance}, {.statistics = &all})
            .value();
    EXPECT_LE(h.lower, 1e-15);
    EXPECT_LE(h.upper, tolerance);
    // Two triangles for each vertex, and four visits of each.
    EXPECT_LE(all.Total().nodes_visited, 16 * corners.Total().nodes_visited);
    EXPECT_LE(HausdorffDistance(b, a, {.tolerance = tolerance}).value().upper,
              tolerance);
  }
}

}  // namespace
}  // namespace orbox
