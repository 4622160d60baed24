// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/mesh_distance_bounds.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/orbox.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/exact_triangles.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using oracle::Rational;

bool AreTightestOfRoot(const DistanceInterval& bounds,
                       const Rational& squared) {
  const Rational lower(bounds.lower);
  if (bounds.lower == bounds.upper) return lower * lower == squared;
  const Rational upper(bounds.upper);
  return bounds.upper == std::nextafter(bounds.lower, kInf) &&
         lower * lower < squared && upper * upper > squared;
}

Rational SquaredDistance(const Vec3& p, const Mesh& mesh) {
  Rational least = oracle::SquaredDistance(p, mesh.triangle(0));
  for (size_t id = 1; id < mesh.triangle_count(); ++id) {
    least = std::min(least, oracle::SquaredDistance(p, mesh.triangle(id)));
  }
  return least;
}

DistanceInterval BoundsAt(const Tree& tree, const Vec3& p) {
  return BoundsOfDistance(tree, p, *ClosestPoint(tree, p));
}

DistanceInterval BoundsBetween(const PosedTree& a, const PosedTree& b) {
  return BoundsOfDistance(a, b, *ClosestPair(a, b));
}

// Points at random, at corners, straight above them by a whole number, and in
// the middle of edges.
std::vector<Vec3> PointsAround(const Mesh& mesh) {
  meshes::Random random(1);
  std::vector<Vec3> points;
  for (int i = 0; i < 6; ++i) {
    const Triangle t = mesh.triangle(random.Below(mesh.triangle_count()));
    points.push_back(random.Point(-2, 2));
    points.push_back(t.a);
    points.push_back(t.a + Vec3{0, 0, 3});
    points.push_back(t.a + (t.b - t.a) * 0.5);
  }
  return points;
}

TEST(MeshDistanceBounds, OfAPointAreTheNeighboursOfTheRationalDistance) {
  for (const meshes::Named& m : meshes::Assortment()) {
    if (m.mesh.triangle_count() > 120) continue;
    SCOPED_TRACE(m.name);
    const Tree tree = trees::Make(m.mesh);
    for (const Vec3& p : PointsAround(m.mesh)) {
      EXPECT_TRUE(
          AreTightestOfRoot(BoundsAt(tree, p), SquaredDistance(p, m.mesh)));
    }
  }
}

TEST(MeshDistanceBounds, OfMeshesAreTheNeighboursOfTheRationalDistance) {
  const Mesh a = meshes::Icosphere(0);
  const Mesh cube = meshes::Cube({0.25, 2, 0.5});
  meshes::Random random(2);
  for (int i = 0; i < 6; ++i) {
    const Pose pose =
        i < 3 ? Pose::Translation(i * Vec3{0.25, 0.5, 1})
              : Pose::Rotation(random.Direction(), random.Uniform(0, 6),
                               random.Point(1, 2));
    const PosedTree posed = PosedTree::Create(trees::Make(a), pose).value();
    const Mesh moved = meshes::Moved(a, pose);
    Rational least = -1;
    for (size_t j = 0; j < moved.triangle_count(); ++j) {
      for (size_t k = 0; k < cube.triangle_count(); ++k) {
        const Rational d =
            oracle::SquaredDistance(moved.triangle(j), cube.triangle(k));
        least = least < 0 ? d : std::min(least, d);
      }
    }
    const PosedTree other = trees::Make(cube);
    const DistanceInterval bounds = BoundsBetween(posed, other);
    EXPECT_TRUE(AreTightestOfRoot(bounds, least)) << i;
    EXPECT_EQ(BoundsBetween(other, posed), bounds) << i;
  }
}

// Two points at distances that round to the same double: whichever is reported,
// the other may be closer.
TEST(MeshDistanceBounds, AreThoseOfTheMeshNotOfTheTriangleReported) {
  const Vec3 p{1, 0x1p-30, 0};
  const Vec3 q{1, 0, 0};
  for (const bool swapped : {false, true}) {
    std::vector<TriangleIndices> triangles{{0, 0, 0}, {1, 1, 1}};
    if (swapped) std::swap(triangles[0], triangles[1]);
    const Tree tree = trees::Make(Mesh::Create({p, q}, triangles).value());
    const std::optional<SurfacePoint> closest = ClosestPoint(tree, Vec3{});
    EXPECT_EQ(closest->distance, 1);
    for (const uint32_t id : {0u, 1u}) {
      const PointTriangleDistance d =
          Distance(Vec3{}, tree.mesh().triangle(id));
      EXPECT_EQ(d.distance, 1);
      EXPECT_EQ(BoundsOfDistance(tree, {}, {id, d.distance, d.closest}),
                (DistanceInterval{1, 1}));
    }
    const Tree origin =
        trees::Make(Mesh::Create({Vec3{}}, {{0, 0, 0}}).value());
    EXPECT_EQ(BoundsBetween(tree, origin), (DistanceInterval{1, 1}));
  }
}

TEST(MeshDistanceBounds, ScaleByPowersOfTwo) {
  const Mesh mesh = meshes::Torus(10, 6);
  const Tree tree = trees::Make(mesh);
  const Tree other = trees::Make(meshes::Cube({1.5, 1.25, 0.75}));
  const DistanceInterval between = BoundsBetween(tree, other);
  for (const double factor : {0x1p-100, 0x1p-10, 0x1p60}) {
    const Tree scaled = trees::Make(meshes::Scaled(mesh, factor));
    for (const Vec3& p : PointsAround(mesh)) {
      const DistanceInterval bounds = BoundsAt(tree, p);
      EXPECT_EQ(
          BoundsAt(scaled, p * factor),
          (DistanceInterval{bounds.lower * factor, bounds.upper * factor}));
    }
    const Tree scaled_other = trees::Make(meshes::Scaled(other.mesh(), factor));
    EXPECT_EQ(
        BoundsBetween(scaled, scaled_other),
        (DistanceInterval{between.lower * factor, between.upper * factor}));
  }
}

TEST(MeshDistanceBounds, AreNegativeInside) {
  const Tree cube = trees::Make(meshes::Cube({0, 0, 0}, 2));
  const SignedDistanceField field = SignedDistanceField::Create(cube).value();
  const Vec3 middle{1, 1, 1};
  EXPECT_EQ(BoundsOfDistance(cube, middle, *field.ClosestPoint(middle)),
            (DistanceInterval{-1, -1}));
  const Tree ball = trees::Make(meshes::Icosphere(2));
  const SignedDistanceField round = SignedDistanceField::Create(ball).value();
  const Vec3 p{0.25, 0.125, 0.0625};
  const DistanceInterval unsigned_bounds = BoundsAt(ball, p);
  EXPECT_EQ(BoundsOfDistance(ball, p, *round.ClosestPoint(p)),
            (DistanceInterval{-unsigned_bounds.upper, -unsigned_bounds.lower}));
}

TEST(MeshDistanceBounds, OfWhatMeetsAreZero) {
  const Tree cube = trees::Make(meshes::Cube());
  EXPECT_EQ(BoundsAt(cube, {1, 0.5, 0.5}), (DistanceInterval{0, 0}));
  EXPECT_EQ(BoundsBetween(cube, trees::Make(meshes::Cube({1, 1, 1}))),
            (DistanceInterval{0, 0}));
}

TEST(MeshDistanceBounds, HaveAFormWithRunOptions) {
  const Tree ball = trees::Make(meshes::Icosphere(2));
  const PosedTree moved =
      PosedTree::Create(ball, Pose::Translation({3, 0.5, 0.25})).value();
  const Witness gap = *ClosestPair(moved, ball);
  const Vec3 p{3, 1, 2};
  const SurfacePoint near = *ClosestPoint(ball, p);
  TraversalStatistics steps;
  EXPECT_EQ(BoundsOfDistance(moved, ball, gap, {.statistics = &steps}).value(),
            BoundsOfDistance(moved, ball, gap));
  EXPECT_GT(steps.triangle_tests, 0);
  EXPECT_EQ(BoundsOfDistance(ball, p, near, RunOptions()).value(),
            BoundsOfDistance(ball, p, near));
  const std::atomic<bool> cancelled = true;
  const RunOptions ended{.cancelled = &cancelled};
  for (const absl::Status& status :
       {BoundsOfDistance(moved, ball, gap, ended).status(),
        BoundsOfDistance(ball, p, near, ended).status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  }
}

}  // namespace
}  // namespace orbox
