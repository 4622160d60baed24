// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/internal/largest_ball.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/solids/internal/solid.h"
#include "orbox/bvh/solids/shared_region.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "tests/support/meshes.h"
#include "tests/support/solids.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using solids::Box;

// A pose that multiplies lengths by `scale`.
struct ScaledPose {
  Pose pose;
  double scale;
};

std::vector<ScaledPose> Poses() {
  const Pose turn =
      Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.7, {100, -50, 7});
  Pose large = turn;
  Pose mirrored = turn;
  for (Vec3& row : large.rows) row = row * 2.5;
  for (Vec3& row : mirrored.rows) row.x = -row.x;
  return {{{}, 1},
          {turn, 1},
          {Pose::Translation({155000.125, 463000.5, 12.25}), 1},
          {large, 2.5},
          {mirrored, 1}};
}

// Checks that the bound is that of the exact diameter, at each pose.
void ExpectBounds(const Mesh& mesh, double diameter) {
  const QueryOptions options;
  const Execution run(options);
  const Tree tree = trees::Make(mesh);
  for (const ScaledPose& p : Poses()) {
    const PosedTree posed = PosedTree::Create(tree, p.pose).value();
    for (const InsideRule rule : {InsideRule::kWinding, InsideRule::kParity}) {
      const double bound = LargestBallIn(Solid(posed, rule), run);
      EXPECT_GE(bound, p.scale * diameter * (1 - 1e-12));
      EXPECT_LE(bound, p.scale * diameter * (1 + 0x1p-7) + 1e-6);
    }
  }
}

// Moved copies of a mesh, 2 apart, in a cube.
Mesh Cubed(const Mesh& mesh, int side) {
  std::vector<Mesh> meshes;
  for (int i = 0; i < side * side * side; ++i) {
    const Vec3 by = Vec3{1.0 * (i % side), 1.0 * (i / side % side),
                         1.0 * (i / side / side)} *
                    2;
    meshes.push_back(meshes::Moved(mesh, Pose::Translation(by)));
  }
  Mesh all = meshes[0];
  for (size_t i = 1; i < meshes.size(); ++i) {
    all = meshes::Joined(all, meshes[i]);
  }
  return all;
}

// The largest ball in a sphere of triangles around the origin is around it,
// too, because the sphere is convex and symmetric.
double DiameterIn(const Mesh& sphere) {
  double least = 1e300;
  for (size_t i = 0; i < sphere.triangle_count(); ++i) {
    const Triangle t = sphere.triangle(i);
    least = std::min(least, std::abs(Dot(NormalOf(t), t.a)));
  }
  return 2 * least;
}

TEST(LargestBallTest, BoundsTheLargestBallAtEachPose) {
  ExpectBounds(Box({{0, 0, 0}, {1, 2, 3}}), 1);
  ExpectBounds(solids::Prism(32, 0.05, {1, -1, 1}, {0.3, 2, 0.1}),
               0.1 * std::cos(std::numbers::pi / 32));
  // The largest ball of a tube touches an inner edge and two outer faces.
  const double cosine = std::cos(std::numbers::pi / 24);
  ExpectBounds(solids::Tube(24, 1, 0.8, 3), 0.4 * cosine / (1 + cosine));
  const Mesh sphere = meshes::Icosphere(2, {0, 0, 0}, 0.75);
  ExpectBounds(sphere, DiameterIn(sphere));
}

// The largest part decides, wherever it is. Flush and overlapping parts have
// larger balls in common.
TEST(LargestBallTest, BoundsTheLargestBallOfAllParts) {
  const Mesh plates = Cubed(Box({{0, 0, 0}, {1, 1, 0.25}}), 3);
  ExpectBounds(plates, 0.25);
  const Mesh thick = Box({{-3, 0, 0}, {-2, 1, 0.5}});
  ExpectBounds(meshes::Joined(plates, thick), 0.5);
  ExpectBounds(meshes::Joined(thick, plates), 0.5);
  const QueryOptions options;
  const Execution run(options);
  const PosedTree flush = trees::Make(
      solids::UnionOf({{{0, 0, 0}, {2, 2, 1}}, {{0, 0, 1}, {2, 2, 2}}}));
  EXPECT_GE(LargestBallIn(Solid(flush), run), 2);
  const PosedTree overlapping = trees::Make(solids::UnionOf(
      {{{0, 0, 0}, {2, 2, 1.25}}, {{0.125, 0.125, 0.75}, {1.875, 1.875, 2}}}));
  EXPECT_GE(LargestBallIn(Solid(overlapping), run), 1.75);
  // Beside parts that are apart.
  const Mesh beside = meshes::Moved(overlapping.tree().mesh(),
                                    Pose::Translation({-9, 0.25, 0.25}));
  const PosedTree mixed = trees::Make(meshes::Joined(plates, beside));
  EXPECT_GE(LargestBallIn(Solid(mixed), run), 1.75);
  EXPECT_LE(LargestBallIn(Solid(mixed), run), 2.0);
}

// A pose that stretches has an upper bound.
TEST(LargestBallTest, StretchedSolidIsBounded) {
  const QueryOptions options;
  const Execution run(options);
  const Tree box = trees::Make(Box({{0, 0, 0}, {1, 2, 3}}));
  const PosedTree stretched =
      PosedTree::Create(box, {{{{5, 0, 0}, {0, 2, 0}, {0, 0, 1}}}, {}}).value();
  EXPECT_GE(LargestBallIn(Solid(stretched), run), 3);
}

// A body of many parts has too many faces for one search.
TEST(LargestBallTest, PartsInAWallAreAsThickAsOnePart) {
  const Mesh sphere = meshes::Icosphere(3, {0, 0, 0}, 0.75);
  const double diameter = DiameterIn(sphere);
  const Tree parts = trees::Make(Cubed(sphere, 4));
  const Tree wall = trees::Make(Box({{-1, -1, -1}, {7, 7, 7}}));
  for (const ScaledPose& p : Poses()) {
    const MeasureBounds bounds =
        ThicknessOfShared(PosedTree::Create(parts, p.pose).value(),
                          PosedTree::Create(wall, p.pose).value())
            .thickness;
    EXPECT_LE(bounds.lower, p.scale * diameter * (1 + 1e-12));
    EXPECT_GE(bounds.upper, p.scale * diameter * (1 - 1e-12));
    EXPECT_LE(bounds.upper, bounds.lower * 1.0101);
  }
}

// Bars that cross share less than each has.
TEST(LargestBallTest, BarsThatCrossShareTheirOverlap) {
  std::vector<Aabb> along;
  std::vector<Aabb> across;
  for (int i = 0; i < 12; ++i) {
    along.push_back({{0, 1.0 * i, 0}, {12, i + 0.5, 0.5}});
    across.push_back({{1.0 * i, 0, 0.375}, {i + 0.5, 12, 0.875}});
  }
  const Tree a = trees::Make(solids::UnionOf(along));
  const Tree b = trees::Make(solids::UnionOf(across));
  for (const ScaledPose& p : Poses()) {
    const MeasureBounds bounds =
        ThicknessOfShared(PosedTree::Create(a, p.pose).value(),
                          PosedTree::Create(b, p.pose).value())
            .thickness;
    EXPECT_LE(bounds.lower, p.scale * 0.125 * (1 + 1e-9));
    EXPECT_GE(bounds.upper, p.scale * 0.125 * (1 - 1e-9));
    EXPECT_LE(bounds.upper, bounds.lower * 1.0101);
  }
}

}  // namespace
}  // namespace orbox
