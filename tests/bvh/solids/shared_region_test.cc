// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/shared_region.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/query/inside/inside.h"
#include "tests/support/meshes.h"
#include "tests/support/solids.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using solids::Box;
using solids::Prism;

PosedTree At(const Mesh& mesh, const Pose& pose = {}) {
  return PosedTree::Create(trees::Make(mesh), pose).value();
}

// Checks that the bounds enclose the value, as narrowly as requested.
void ExpectEncloses(const MeasureBounds& bounds, double expected,
                    double relative) {
  EXPECT_LE(bounds.lower, expected * (1 + 1e-12));
  EXPECT_GE(bounds.upper, expected * (1 - 1e-12));
  EXPECT_LE(bounds.upper, bounds.lower * (1 + relative) + 1e-6);
}

struct BoxCase {
  const char* name;
  Aabb a;
  Aabb b;
  double thickness;
  double volume;
};

const BoxCase kBoxes[] = {
    {"side by side", {{0, 0, 0}, {1, 1, 1}}, {{1, 0, 0}, {2, 1, 1}}, 0, 0},
    {"edge to edge", {{0, 0, 0}, {1, 1, 1}}, {{1, 1, 0}, {2, 2, 1}}, 0, 0},
    {"corner to corner", {{0, 0, 0}, {1, 1, 1}}, {{1, 1, 1}, {2, 2, 2}}, 0, 0},
    {"apart", {{0, 0, 0}, {1, 1, 1}}, {{3, 0, 0}, {4, 1, 1}}, 0, 0},
    {"slabs 5 mm deep",
     {{0, 0, 0}, {4, 3, 0.2}},
     {{0, 0, 0.195}, {4, 3, 0.4}},
     0.005,
     4 * 3 * 0.005},
    {"flush in a wall",
     {{0, 0, 0}, {4, 0.3, 3}},
     {{1, 0, 1}, {2, 0.3, 2}},
     0.3,
     0.3},
    {"through a wall",
     {{0, 0, 0}, {4, 0.3, 3}},
     {{1, -1, 1}, {1.1, 1, 1.2}},
     0.1,
     0.1 * 0.2 * 0.3},
    {"the same", {{0, 0, 0}, {1, 2, 3}}, {{0, 0, 0}, {1, 2, 3}}, 1, 6},
    {"a corner inside",
     {{0, 0, 0}, {1, 1, 1}},
     {{0.5, 0.75, 0.25}, {2, 2, 2}},
     0.25,
     0.5 * 0.25 * 0.75},
};

TEST(SharedRegionTest, BoxesShareWhatTheyShareInEveryPose) {
  const Pose poses[] = {
      {},
      Pose::Rotation({0, 0, 1}, std::numbers::pi / 6),
      Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.7, {100, -50, 7}),
      Pose::Translation({155000.125, 463000.5, 12.25})};
  for (const BoxCase& c : kBoxes) {
    for (const Pose& pose : poses) {
      SCOPED_TRACE(c.name);
      const PosedTree a = At(Box(c.a), pose);
      const PosedTree b = At(Box(c.b), pose);
      const SharedThickness s = ThicknessOfShared(a, b, {.relative = 0.01});
      const double noise = 1e-9;  // what the pose rounds
      EXPECT_LE(s.thickness.lower, c.thickness + noise);
      EXPECT_GE(s.thickness.upper, c.thickness - noise);
      EXPECT_LE(s.thickness.upper, s.thickness.lower * 1.01 + 1e-5);
      const MeasureBounds v = VolumeOfShared(a, b, {.relative = 0.001});
      EXPECT_LE(v.lower, c.volume + noise);
      EXPECT_GE(v.upper, c.volume - noise);
      EXPECT_LE(v.upper, v.lower * 1.0011 + 1e-7);
      if (c.thickness > 0) {
        EXPECT_TRUE(IsSharedThicker(a, b, 0.99 * c.thickness));
      }
      EXPECT_FALSE(IsSharedThicker(a, b, 1.01 * c.thickness + 1e-6));
    }
  }
}

TEST(SharedRegionTest, TheBallIsInsideBoth) {
  const Tree a = trees::Make(Box({{0, 0, 0}, {4, 0.3, 3}}));
  const Tree b = trees::Make(Prism(16, 0.1, {1, -1, 1}, {0.3, 2, 0.1}));
  const SharedThickness s = ThicknessOfShared(a, b);
  ASSERT_GT(s.thickness.lower, 0.15);
  meshes::Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 p =
        s.center + random.Direction() * (s.thickness.lower / 2 * 0.9999999);
    EXPECT_TRUE(IsInside(a, p));
    EXPECT_TRUE(IsInside(b, p));
  }
}

TEST(SharedRegionTest, APipeInAWallIsAsThickAsThePipe) {
  constexpr int kSides = 32;
  const double inner = 0.05 * std::cos(std::numbers::pi / kSides);
  const double area =
      kSides / 2.0 * 0.05 * 0.05 * std::sin(2 * std::numbers::pi / kSides);
  const Tree wall = trees::Make(Box({{0, 0, 0}, {4, 0.3, 3}}));
  const Tree pipe = trees::Make(Prism(kSides, 0.05, {1, -1, 1}, {0, 2, 0}));
  ExpectEncloses(ThicknessOfShared(wall, pipe).thickness, 2 * inner, 0.0101);
  ExpectEncloses(VolumeOfShared(wall, pipe), 0.3 * area, 0.0101);
  // Embedded along its length: an end of it is the wall's.
  const Tree embedded =
      trees::Make(Prism(kSides, 0.05, {1, 0, 1}, {0, 0.3, 0}));
  ExpectEncloses(ThicknessOfShared(wall, embedded).thickness, 2 * inner,
                 0.0101);
}

TEST(SharedRegionTest, BallsShareALens) {
  const Tree a = trees::Make(meshes::Icosphere(2, {0, 0, 0}, 1));
  const Tree b = trees::Make(meshes::Icosphere(2, {1.5, 0.1, 0.2}, 1));
  const SharedThickness s = ThicknessOfShared(a, b, {.relative = 0.02});
  // The balls themselves, which are a little larger than their meshes.
  const double lens = 2 - Norm(Vec3{1.5, 0.1, 0.2});
  EXPECT_LT(s.thickness.lower, lens);
  EXPECT_GT(s.thickness.upper, lens - 0.12);
  EXPECT_LE(s.thickness.upper, s.thickness.lower * 1.021);
  const double height = lens / 2;
  const double volume =
      2 * std::numbers::pi * height * height * (3 - height) / 3;
  const MeasureBounds v = VolumeOfShared(a, b, {.relative = 0.03});
  EXPECT_LT(v.lower, volume);
  EXPECT_GT(v.upper, 0.7 * volume);
  EXPECT_LE(v.upper, v.lower * 1.031);
}

TEST(SharedRegionTest, SolidsAreWhatWindingNumbersSay) {
  const Mesh outer = Box({{0, 0, 0}, {4, 4, 4}});
  const Mesh hole = solids::TurnedOver(Box({{1, 1, 1}, {3, 3, 3}}));
  const Mesh shell = meshes::Joined(outer, hole);
  // In the cavity, flush with it, and beyond it by 0.1.
  EXPECT_FALSE(IsSharedThicker(trees::Make(shell),
                               trees::Make(Box({{1, 1, 1}, {3, 3, 3}})), 1e-6));
  const Tree beyond = trees::Make(Box({{1, 1, 1}, {3.1, 3, 3}}));
  ExpectEncloses(ThicknessOfShared(trees::Make(shell), beyond).thickness, 0.1,
                 0.0101);
  ExpectEncloses(VolumeOfShared(trees::Make(shell), beyond), 0.4, 0.0101);
  // Facing inward.
  ExpectEncloses(
      ThicknessOfShared(trees::Make(solids::TurnedOver(shell)), beyond)
          .thickness,
      0.1, 0.0101);
}

TEST(SharedRegionTest, CopiesOfTrianglesCountOnceOrCancel) {
  const Mesh box = Box({{0, 0, 0}, {1, 1, 1}});
  const Mesh next = Box({{1, 0, 0}, {2, 1, 1}});
  const Tree other = trees::Make(Box({{0.5, 0.25, 0.25}, {1.5, 0.75, 0.75}}));
  // Each triangle twice is still a solid.
  ExpectEncloses(VolumeOfShared(trees::Make(meshes::Joined(box, box)), other),
                 0.5 * 0.5 * 0.5, 0.0101);
  // Faces at which two boxes are joined are none: the balls go through.
  ExpectEncloses(
      ThicknessOfShared(trees::Make(meshes::Joined(box, next)), other)
          .thickness,
      0.5, 0.0101);
  // A single copy does not open the mesh.
  std::vector<TriangleIndices> triangles(box.triangles().begin(),
                                         box.triangles().end());
  triangles.push_back(triangles[3]);
  const Mesh one_twice =
      Mesh::Create({box.vertices().begin(), box.vertices().end()}, triangles)
          .value();
  ExpectEncloses(VolumeOfShared(trees::Make(one_twice), other), 0.125, 0.0101);
}

TEST(SharedRegionTest, MeasuresOfEverySizeOfModelAreScaledOnes) {
  const Mesh two =
      meshes::Joined(Box({{0, 0, 0}, {4, 4, 4}}), Box({{2, 0, 0}, {7, 4, 4}}));
  const Mesh beam = Box({{1, 1, 1}, {5, 3, 3}});
  const Mesh slab = Box({{3, 1, 1}, {9, 3, 3}});
  for (const auto& [a, b] : {std::pair(two, beam), std::pair(beam, slab)}) {
    const Tree x = trees::Make(a);
    const Tree y = trees::Make(b);
    const SharedThickness thickness = ThicknessOfShared(x, y);
    const MeasureBounds volume = VolumeOfShared(x, y);
    EXPECT_GT(thickness.thickness.lower, 1.9);
    EXPECT_GT(volume.lower, 7.9);
    for (const double s : {0x1p-190, 0x1p-130, 0x1p130, 0x1p190}) {
      const Tree small = trees::Make(meshes::Scaled(a, s));
      const Tree other = trees::Make(meshes::Scaled(b, s));
      const SharedThickness scaled = ThicknessOfShared(small, other);
      EXPECT_EQ(scaled.thickness.lower, thickness.thickness.lower * s);
      EXPECT_EQ(scaled.thickness.upper, thickness.thickness.upper * s);
      EXPECT_EQ(scaled.center, thickness.center * s);
      const MeasureBounds cubes = VolumeOfShared(small, other);
      EXPECT_EQ(cubes.lower, volume.lower * s * s * s);
      EXPECT_EQ(cubes.upper, volume.upper * s * s * s);
    }
  }
}

// A notch between two boxes, filled by two others. A search gives up in it.
TEST(SharedRegionTest, SolidsThatFillANotchShareNothing) {
  const Tree notch = trees::Make(
      solids::UnionOf({{{0, 2, 4}, {2, 5, 5}}, {{1, 0, 3}, {3, 3, 6}}}));
  const Tree filled = trees::Make(solids::UnionOf({{{2, 3, 4}, {4, 5, 6}},
                                                   {{2, 3, 4}, {5, 6, 5}},
                                                   {{5, 3, 5}, {6, 4, 6}}}));
  meshes::Random random(11);
  for (int i = 0; i < 20; ++i) {
    const Pose pose = i == 0 ? Pose() : meshes::RandomRigidPose(random, 9);
    const MeasureBounds thickness =
        ThicknessOfShared(PosedTree::Create(notch, pose).value(),
                          PosedTree::Create(filled, pose).value())
            .thickness;
    EXPECT_EQ(thickness.lower, 0) << i;
    EXPECT_LE(thickness.upper, 1e-4) << i;
  }
}

TEST(SharedRegionTest, OpenMeshesShareNothing) {
  const Tree open = trees::Make(meshes::Grid(3));
  const Tree box = trees::Make(Box({{-9, -9, -9}, {9, 9, 9}}));
  EXPECT_EQ(ThicknessOfShared(open, box).thickness, MeasureBounds{});
  EXPECT_EQ(VolumeOfShared(open, box), MeasureBounds{});
  EXPECT_FALSE(IsSharedThicker(box, open, 0.001));
}

TEST(SharedRegionTest, QueriesAreCancelled) {
  const std::atomic<bool> cancelled{true};
  const Tree a = trees::Make(meshes::Icosphere(2));
  const Tree b = trees::Make(meshes::Icosphere(2, {0.5, 0, 0}));
  const RunOptions options{.cancelled = &cancelled};
  for (const absl::Status& status :
       {ThicknessOfShared(a, b, {}, {}, options).status(),
        IsSharedThicker(a, b, 0.1, {}, options).status(),
        VolumeOfShared(a, b, {}, {}, options).status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  }
}

}  // namespace
}  // namespace orbox
