// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/points/closest_point.h"

#include <cmath>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/points/k_nearest.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"
#include "tests/support/witnesses.h"

namespace orbox {
namespace {

// Closest point and k nearest against brute force, from one point.
void CheckNearest(const Mesh& mesh, const std::vector<trees::Named>& variants,
                  const Vec3& p, double max_distance = kInf) {
  const auto all = brute_force::Nearest(mesh, p, max_distance);
  for (const trees::Named& v : variants) {
    SCOPED_TRACE(v.name);
    const auto found = ClosestPoint(v.tree, p, max_distance);
    ASSERT_EQ(found.has_value(), !all.empty());
    if (found) ExpectSame(*found, all[0]);
    for (const size_t k : {size_t{1}, size_t{7}, all.size() + 3}) {
      ExpectSame(KNearest(v.tree, p, k, max_distance), all, k);
    }
  }
}

TEST(ClosestPointTest, AgreesWithBruteForceOnEveryMesh) {
  meshes::Random random(2);
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const auto variants = trees::Variants(m.mesh);
    const Aabb& b = m.mesh.bounds();
    const double size = Norm(b.hi - b.lo);
    for (int i = 0; i < 12; ++i) {
      const Vec3 far = b.Center() + random.Point(-1, 1) * size;
      CheckNearest(m.mesh, variants, far);
      CheckNearest(m.mesh, variants, far, random.Uniform(0, size));
      // About half of all distances are above what they are rounded to.
      CheckNearest(m.mesh, variants, far,
                   brute_force::Nearest(m.mesh, far)[0].distance);
      const Triangle t = m.mesh.triangle(random.Below(m.mesh.triangle_count()));
      const Vec3 near = t.a * 0.3 + t.b * 0.5 + t.c * 0.2 +
                        random.Direction() * (1e-4 * size);
      CheckNearest(m.mesh, variants, near);
      // Exactly on a vertex: everything around it is at distance 0.
      CheckNearest(m.mesh, variants, t.b);
    }
  }
}

// On the axis of a torus, and in the middle of a cube, whole rings and faces
// are equally near: the lowest id is reported, for any tree.
TEST(ClosestPointTest, TiesGoToTheLowestId) {
  const Mesh cube = meshes::Cube({-1, -1, -1}, 2);
  CheckNearest(cube, trees::Variants(cube), {0, 0, 0});
  CheckNearest(cube, trees::Variants(cube), {3, 3, 3});
  const Mesh grid = meshes::Grid(16, 0);
  for (int i = 0; i <= 16; ++i) {
    CheckNearest(grid, trees::Variants(grid), {i / 16.0, 0.25, 0.5});
  }
  const Mesh copies = meshes::Identical(300);
  for (const trees::Named& v : trees::Variants(copies)) {
    EXPECT_EQ(ClosestPoint(v.tree, {0, 0, 1})->triangle, 0u);
  }
}

TEST(ClosestPointTest, EveryScaleAndPlace) {
  const Mesh torus = meshes::Torus(24, 10);
  const Vec3 p{0.7, 0.4, 0.5};
  const auto expected = brute_force::Nearest(torus, p);
  for (const int exponent : {-140, -40, 40, 190}) {
    SCOPED_TRACE(exponent);
    const double s = std::ldexp(1.0, exponent);
    for (const trees::Named& v : trees::Variants(meshes::Scaled(torus, s))) {
      SCOPED_TRACE(v.name);
      const auto found = ClosestPoint(v.tree, p * s);
      ASSERT_TRUE(found);
      ExpectSame(*found, {expected[0].triangle, expected[0].distance * s,
                          expected[0].point * s});
    }
  }
  for (const double offset : {0x1p20, 0x1p40}) {
    const Vec3 t{offset, offset, -offset};
    const Mesh moved = meshes::Moved(torus, Pose::Translation(t));
    CheckNearest(moved, trees::Variants(moved), p + t);
  }
}

// Many triangles are equally near: any of them, but always the same.
TEST(ClosestPointTest, FromVeryFarAway) {
  const Mesh mesh = meshes::Icosphere(1);
  const std::vector<trees::Named> variants = trees::Variants(mesh);
  std::vector<Vec3> points;
  for (const double far : {1e3, 1e6, 1e9, 1e15, 1e60, 1e100, 1e300}) {
    points.push_back({far, 0.3 * far, -0.2 * far});
    points.push_back({0, -far, 0});
  }
  std::vector<std::optional<SurfacePoint>> first;
  for (const Vec3& p : points) {
    SCOPED_TRACE(MaxCoordinate(Abs(p)));
    const auto all = brute_force::Nearest(mesh, p);
    const double d = all[0].distance;
    first.push_back(ClosestPoint(variants[0].tree, p));
    for (const trees::Named& v : variants) {
      SCOPED_TRACE(v.name);
      const bool is_very_far = MaxCoordinate(Abs(p)) > 0x1p36;
      if (is_very_far) {
        ExpectAsNear(KNearest(v.tree, p, 7), all, 7);
      } else {
        ExpectSame(KNearest(v.tree, p, 7), all, 7);
      }
      const auto found = ClosestPoint(v.tree, p);
      ASSERT_TRUE(found);
      ExpectIsClosest(*found, mesh, p, d);
      if (!is_very_far) ExpectSame(*found, *first.back());
      const auto within = ClosestPoint(v.tree, p, d);
      const auto all_within = brute_force::Nearest(mesh, p, d);
      ASSERT_EQ(within.has_value(), !all_within.empty());
      if (within) {
        ExpectIsClosest(*within, mesh, p, d);
        EXPECT_TRUE(WithinDistance(p, mesh.triangle(within->triangle), d));
      }
      EXPECT_FALSE(ClosestPoint(v.tree, p, std::nextafter(d, 0)));
    }
  }
  trees::OnEachInstructionSet([&] {
    for (const int threads : {1, 3}) {
      const auto batch =
          ClosestPoint(variants[0].tree, points, {.threads = threads}).value();
      for (size_t i = 0; i < points.size(); ++i) {
        ExpectSame(*batch[i], *first[i]);
      }
    }
  });
}

// From up to a million sizes away: the lowest of those that are equally near,
// as from nearby, and few steps.
TEST(ClosestPointTest, FromFarAwayInFewSteps) {
  const Mesh torus = meshes::Torus(64, 32);
  const Mesh stray = meshes::Joined(
      meshes::Torus(24, 12),
      meshes::FromTriangles({{{1e5, 0, 0}, {1e5, 1, 0}, {1e5, 0, 1}}}));
  meshes::Random random(7);
  for (const Mesh* mesh : {&torus, &stray}) {
    const std::vector<trees::Named> variants = trees::Variants(*mesh);
    const double size = mesh == &torus ? 1 : 1e5;
    for (const double away : {150.0, 1e3, 1e6, 1e9}) {
      SCOPED_TRACE(away);
      for (int i = 0; i < 4; ++i) {
        // From above, all along a ring is about as near.
        const Vec3 way = i == 3 ? Vec3{0, 0, 1} : random.Direction();
        const Vec3 p = way * (away * size);
        const auto all = brute_force::Nearest(*mesh, p);
        for (const trees::Named& v : variants) {
          SCOPED_TRACE(v.name);
          const auto found = ClosestPoint(v.tree, p);
          if (mesh == &torus) {
            ExpectSame(*found, all[0]);
          } else {
            ExpectIsClosest(*found, *mesh, p, all[0].distance);
          }
        }
      }
    }
  }
  const Tree tree = trees::Make(torus);
  for (const double away : {150.0, 1e3, 1e6, 1e9, 1e12, 1e15, 1e25}) {
    TraversalStatistics steps;
    TraversalStatistics steps_of_ten;
    for (int i = 0; i < 20; ++i) {
      const Vec3 p = random.Direction() * away;
      ClosestPoint(tree, p, {.statistics = &steps}).value();
      KNearest(tree, p, 10, {.statistics = &steps_of_ten}).value();
    }
    EXPECT_LE(steps_of_ten.triangle_tests, 20u * 300) << away;
    EXPECT_LE(steps_of_ten.settled_by_double, 20u * 64) << away;
    EXPECT_LE(steps.triangle_tests, 20u * 150) << away;
    EXPECT_LE(steps.settled_by_double, 20u * 20) << away;
    EXPECT_EQ(steps.settled_by_expansion + steps.settled_by_exact, 0u) << away;
  }
  for (const double away : {1e3, 1e6, 1e9}) {
    TraversalStatistics steps;
    ClosestPoint(tree, {0, 0, away}, {.statistics = &steps}).value();
    EXPECT_LE(steps.settled_by_double, 5u * 64) << away;
  }
  // All of a face is as near: not each of its triangles is measured.
  const Mesh grid = meshes::Grid(32, 0);
  for (const double away : {1e3, 1e6}) {
    TraversalStatistics steps;
    const Vec3 p{0.4, 0.3, away};
    const auto found =
        ClosestPoint(trees::Make(grid), p, {.statistics = &steps}).value();
    EXPECT_EQ(found->distance, away);
    EXPECT_LE(steps.settled_by_expansion + steps.settled_by_exact, 64u);
  }
}

TEST(ClosestPointTest, TheRadiusIsInclusive) {
  const Tree tree = trees::Make(meshes::Cube());
  EXPECT_TRUE(ClosestPoint(tree, {0.5, 0.5, 3}, 2));
  EXPECT_FALSE(ClosestPoint(tree, {0.5, 0.5, 3}, std::nextafter(2, 0)));
  EXPECT_TRUE(ClosestPoint(tree, {0.5, 0.5, 1}, 0));
}

TEST(ClosestPointTest, TheRadiusIsExact) {
  const Vec3 p{meshes::kBarelyBelow0, 0, 0};
  for (const trees::Named& v : trees::Variants(meshes::WallsAt({1, -1}))) {
    SCOPED_TRACE(v.name);
    EXPECT_EQ(ClosestPoint(v.tree, p)->triangle, 0);
    EXPECT_EQ(KNearest(v.tree, p, 2).size(), 2);
    const auto within = ClosestPoint(v.tree, p, 1);
    ASSERT_TRUE(within);
    EXPECT_EQ(within->triangle, 1);
    EXPECT_EQ(within->distance, 1);
    const std::vector<SurfacePoint> near = KNearest(v.tree, p, 2, 1);
    ASSERT_EQ(near.size(), 1);
    EXPECT_EQ(near[0].triangle, 1);
  }
  const Tree beyond = trees::Make(meshes::WallsAt({1}));
  EXPECT_FALSE(ClosestPoint(beyond, p, 1));
  EXPECT_TRUE(ClosestPoint(beyond, p, std::nextafter(1, 2)));
}

// A distance above the largest double rounds to infinity, which is no bound.
TEST(ClosestPointTest, NoDistanceIsBeyondInfinity) {
  const Tree tree = trees::Make(meshes::WallsAt({-1.5}));
  const Vec3 far{1.5e308, 1.5e308, 0};
  const auto found = ClosestPoint(tree, far);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->distance, kInf);
  EXPECT_FALSE(ClosestPoint(tree, far, 1.7e308));
}

TEST(ClosestPointTest, NoneOfTheNearest) {
  EXPECT_TRUE(KNearest(trees::Make(meshes::Cube()), {0, 0, 0}, 0).empty());
}

// Few stay in their order, many are sorted.
TEST(ClosestPointTest, BatchesOfFewAndOfManyPoints) {
  const Tree tree = trees::Make(meshes::Torus(24, 10));
  meshes::Random random(8);
  for (const size_t count : {300, 20'000}) {
    std::vector<Vec3> points = {{1e30, 1, 2}};
    while (points.size() < count) points.push_back(random.Point(-2, 2));
    for (const int threads : {1, 2}) {
      const auto batch =
          ClosestPoint(tree, points, {.threads = threads}).value();
      ASSERT_EQ(batch.size(), count);
      for (size_t i = 0; i < count; ++i) {
        const auto alone = ClosestPoint(tree, points[i]);
        ASSERT_EQ(batch[i].has_value(), alone.has_value()) << i;
        if (alone) ExpectSame(*batch[i], *alone);
      }
    }
  }
}

// Tests lists that are all full, and lists of which some are not.
TEST(ClosestPointTest, BatchesOfNearestTriangles) {
  const Tree tree = trees::Make(meshes::Torus(24, 10));
  const Tree small = trees::Make(meshes::Cube({-1, -1, -1}, 2));
  meshes::Random random(8);
  std::vector<Vec3> points = {
      {1e30, 1, 2}, {1e308, -1e308, 1e308}, {1e160, 0, 0}};
  while (points.size() < 600) points.push_back(random.Point(-2, 2));
  for (const Tree& t : {tree, small}) {
    for (const auto& of : {points, {}}) {
      for (const size_t k : {0, 1, 3, 10, 16, 17, 40}) {
        for (const double max_distance : {kInf, 0.5}) {
          const auto batch =
              KNearest(t, of, k, max_distance, {.threads = 2}).value();
          ASSERT_EQ(batch.size(), of.size());
          for (size_t i = 0; i < of.size(); ++i) {
            const auto alone = KNearest(t, of[i], k, max_distance);
            ASSERT_EQ(batch[i].size(), alone.size()) << i;
            for (size_t n = 0; n < alone.size(); ++n) {
              ExpectSame(batch[i][n], alone[n]);
            }
          }
        }
      }
    }
  }
}

TEST(ClosestPointTest, EveryInstructionSetAgreesToTheLastCount) {
  const Mesh mesh = meshes::Grid(40, 0.2);
  meshes::Random random(3);
  for (const trees::Kind& kind : trees::Kinds()) {
    const Tree tree = trees::Make(mesh, kind.volumes);
    for (int i = 0; i < 20; ++i) {
      const Vec3 p = random.Point(-0.5, 1.5);
      TraversalStatistics first;
      SetInstructionSet(SupportedInstructionSets().front());
      const auto expected =
          ClosestPoint(tree, p, {.statistics = &first}).value();
      trees::OnEachInstructionSet([&] {
        TraversalStatistics statistics;
        ExpectSame(*ClosestPoint(tree, p, {.statistics = &statistics}).value(),
                   *expected);
        EXPECT_EQ(statistics, first);
      });
    }
  }
}

}  // namespace
}  // namespace orbox
