// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/motion/internal/ring_filter.h"

#include <algorithm>
#include <numbers>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/motion/time_of_contact.h"
#include "orbox/bvh/query/pair_overlap.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

using std::numbers::pi;

MovingTree Moving(const Mesh& mesh, const RigidMotion& motion = {}) {
  return MovingTree::Create(*Build(mesh), motion).value();
}

bool Holds(const std::vector<uint32_t>& ids, uint32_t id) {
  return std::binary_search(ids.begin(), ids.end(), id);
}

// Whatever touches at some time is among the neighbours.
TEST(RingFilterTest, WhatTouchesIsNotLeftOut) {
  meshes::Random random(1);
  size_t touching = 0;
  size_t left_out = 0;
  for (int i = 0; i < 30; ++i) {
    const bool slides = i % 3 == 0;
    const Vec3 axis = random.Direction();
    const RigidMotion turn{
        .start = Pose::Rotation(random.Direction(), random.Uniform(0, 3),
                                random.Point(-0.5, 0.5)),
        .translation = slides ? axis * random.Uniform(-1, 1) : Vec3{},
        .axis = axis,
        .angle = random.Uniform(-7, 7),
        .center = random.Point(-0.3, 0.3)};
    const RigidMotion move{
        .start = Pose::Translation(random.Point(-0.5, 0.5)),
        .translation = slides ? random.Point(-0.3, 0.3) : Vec3{}};
    const MovingTree a = Moving(meshes::Soup(60, 0.2, 1 + i), turn);
    const MovingTree b = Moving(meshes::Soup(60, 0.2, 100 + i), move);
    const auto near = RingNeighborsOf(a, b);
    const auto swapped = RingNeighborsOf(b, a);
    ASSERT_TRUE(near && swapped);
    left_out += 120 - near->of_a.size() - near->of_b.size();
    for (int k = 0; k <= 40; ++k) {
      const double t = k / 40.0;
      for (const TrianglePair& pair : AllOverlaps(a.At(t), b.At(t))) {
        ++touching;
        EXPECT_TRUE(Holds(near->of_a, pair.a) && Holds(near->of_b, pair.b));
        EXPECT_TRUE(Holds(swapped->of_b, pair.a) &&
                    Holds(swapped->of_a, pair.b));
      }
    }
  }
  EXPECT_GT(touching, 1000u);
  EXPECT_GT(left_out, 300u);
  const MovingTree still = Moving(meshes::Cube());
  EXPECT_FALSE(RingNeighborsOf(still, still));
}

// A ring that turns in a shell around it: few steps, however small the gap is
// beside the way of its points.
TEST(RingFilterTest, ABearingTakesFewSteps) {
  const RigidMotion turn{.angle = 1.5 * pi};
  const MovingTree ring = Moving(meshes::Torus(96, 16), turn);
  const MovingTree shell = Moving(meshes::Torus(96, 16, 1, 0.259));
  const TimeOfContactResult free = TimeOfContact(ring, shell);
  EXPECT_EQ(free.outcome, MotionOutcome::kApart);
  EXPECT_LE(free.steps, 20);
  EXPECT_EQ(TimeOfContact(shell, ring).outcome, MotionOutcome::kApart);
  // Rings with few sides, whose middles are far nearer to the axis than their
  // corners: 1.25 is 0.3 % less than 1.32 cos(pi / 10).
  const MovingTree coarse = Moving(meshes::Torus(10, 12), turn);
  const MovingTree around = Moving(meshes::Torus(10, 12, 1.0005, 0.32));
  const auto near = RingNeighborsOf(coarse, around);
  ASSERT_TRUE(near.has_value());
  EXPECT_LT(near->of_a.size(), coarse.tree().mesh().triangle_count());

  // With an arm that meets a wall: the time, and the triangles of the whole.
  const Mesh arm = meshes::Cube({1.5, -0.05, -0.05}, 0.1);
  const Mesh wall = meshes::Cube({-0.5, 1.4, -0.5}, 1);
  const MovingTree with_arm =
      Moving(meshes::Joined(meshes::Torus(96, 16), arm), turn);
  const MovingTree with_wall =
      Moving(meshes::Joined(meshes::Torus(96, 16, 1, 0.259), wall));
  const TimeOfContactResult hit = TimeOfContact(with_arm, with_wall);
  const MovingTree bare_arm = Moving(arm, turn);
  const MovingTree bare_wall = Moving(wall);
  const TimeOfContactResult bare = TimeOfContact(bare_arm, bare_wall);
  EXPECT_EQ(hit.outcome, MotionOutcome::kContact);
  EXPECT_LE(hit.steps, 60);
  EXPECT_NEAR(hit.earliest, bare.earliest, 1e-4);
  EXPECT_LE(hit.earliest, bare.latest);
  EXPECT_LE(bare.earliest, hit.latest);
  // What is nearest then.
  EXPECT_GE(hit.triangles.a, 3072u);
  EXPECT_GE(hit.triangles.b, 3072u);
  EXPECT_TRUE(AnyOverlap(with_arm.At(hit.latest), with_wall.At(hit.latest)));
}

// The same where the axis is a little beside that of the shell.
TEST(RingFilterTest, AnAxisBesideTheMiddleIsAllowedFor) {
  const MovingTree ring =
      Moving(meshes::Torus(48, 16), {.angle = pi / 2, .center = {0.001, 0, 0}});
  const MovingTree shell = Moving(meshes::Torus(48, 16, 1, 0.26));
  const TimeOfContactResult r = TimeOfContact(ring, shell);
  EXPECT_EQ(r.outcome, MotionOutcome::kApart);
  EXPECT_LE(r.steps, 20);
}

}  // namespace
}  // namespace orbox
