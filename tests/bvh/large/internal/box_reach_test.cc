// SPDX-License-Identifier: Apache-2.0

// Boxes of chunks are left out only where nothing in them can matter.
#include "orbox/bvh/large/internal/chunk_gaps.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

TEST(BoxReachTest, RegionsThatHoldAPointOfABoxMayOverlapIt) {
  meshes::Random random(2);
  int apart = 0;
  for (int k = 0; k < 20000; ++k) {
    const Vec3 lo = random.LatticePoint(4);
    const Aabb box = {lo, lo + Abs(random.LatticePoint(2))};
    const Vec3 p = random.LatticePoint(6);
    const Vec3 inside = Max(Min(p, box.hi), box.lo);
    // Touches the box exactly at `inside`, where p is outside.
    const Vec3 aside = p - inside;
    if (aside.y == 0 && aside.z == 0) {
      EXPECT_TRUE(MayOverlap(Sphere{p, std::abs(aside.x)}, box));
    }
    EXPECT_TRUE(MayOverlap(Sphere{p, Norm(aside) * (1 + 1e-15)}, box));
    EXPECT_TRUE(MayOverlap(Aabb{Min(p, inside), Max(p, inside)}, box));
    const HalfSpace beyond = {aside, Dot(aside, inside)};
    const std::vector<HalfSpace> set = {beyond};
    EXPECT_TRUE(MayOverlap(HalfSpaces(set), box));
    if (Norm(aside) > 0) {
      EXPECT_FALSE(MayOverlap(Sphere{p, Norm(aside) * 0.9}, box));
      EXPECT_FALSE(MayOverlap(Aabb{p, p}, box));
      ++apart;
    }
  }
  EXPECT_GT(apart, 1000);
}

TEST(BoxReachTest, TurnedBoxesThatHoldAPointOfABoxMayOverlapIt) {
  meshes::Random random(3);
  int apart = 0;
  for (int k = 0; k < 5000; ++k) {
    const Pose turn =
        Pose::Rotation(random.Direction(), random.Uniform(0, 6), {});
    const Obb obb = {random.Point(-2, 2), turn.rows, random.Point(0, 1)};
    Vec3 p = obb.center;
    for (size_t i = 0; i < 3; ++i) {
      p = p + obb.axes[i] * (random.Uniform(-1, 1) * obb.half_extents[i]);
    }
    const Vec3 half = random.Point(0, 1e-3);
    EXPECT_TRUE(MayOverlap(obb, Aabb{p - half, p + half}));
    const Vec3 far = obb.center + obb.axes[1] * (obb.half_extents.y + 0.1);
    if (!MayOverlap(obb, Aabb{far, far})) ++apart;
  }
  EXPECT_EQ(apart, 5000);
}

TEST(BoxReachTest, WhatIsNotValidReachesNothing) {
  const Aabb box = {{0, 0, 0}, {1, 1, 1}};
  const double nan = std::nan("");
  EXPECT_FALSE(MayOverlap(Sphere{{}, nan}, box));
  EXPECT_FALSE(MayOverlap(Sphere{{}, -1}, box));
  EXPECT_FALSE(MayOverlap(Aabb{{nan, 0, 0}, {1, 1, 1}}, box));
  EXPECT_TRUE(MayOverlap(Sphere{{9, 9, 9}, kEndless}, box));
}

TEST(BoxReachTest, NumbersAtTheEndsOfDoubleLeaveNothingOut) {
  const double most = std::numeric_limits<double>::max();
  const double least = std::numeric_limits<double>::denorm_min();
  const Aabb huge = {{-most, -most, -most}, {most, most, most}};
  EXPECT_TRUE(MayOverlap(Sphere{{most, 0, 0}, 0}, huge));
  const Aabb tiny = {{least, least, least}, {2 * least, least, least}};
  EXPECT_TRUE(MayOverlap(Sphere{{0, least, least}, least}, tiny));
}

}  // namespace
}  // namespace orbox
