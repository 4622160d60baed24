// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/motion/rigid_motion.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/overlap/shapes/range.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

using std::numbers::pi;
using LongVec = BasicVec3<long double>;

Pose RandomPose(meshes::Random& random) {
  const Vec3 axis = random.Direction();
  return Pose::Rotation(axis, random.Uniform(-7, 7), random.Point(-5, 5));
}

RigidMotion RandomMotion(meshes::Random& random) {
  return {.start = RandomPose(random),
          .translation = random.Point(-3, 3),
          .axis = random.Direction() * random.Uniform(0.1, 10),
          .angle = random.Uniform(-10, 10),
          .center = random.Point(-4, 4)};
}

LongVec Long(const Vec3& v) { return {v.x, v.y, v.z}; }

// The header's formula, in long double.
LongVec Moved(const RigidMotion& m, const Vec3& v, double t) {
  LongVec p = Long(m.start.translation) - Long(m.center);
  for (size_t i = 0; i < 3; ++i) p[i] += Dot(Long(m.start.rows[i]), Long(v));
  const LongVec axis = Long(m.axis);
  const LongVec k = axis * (1 / std::sqrt(SquaredNorm(axis)));
  const long double angle = static_cast<long double>(m.angle) * t;
  return Long(m.center) + Long(m.translation) * static_cast<long double>(t) +
         p * std::cos(angle) + Cross(k, p) * std::sin(angle) +
         k * (Dot(k, p) * (1 - std::cos(angle)));
}

double DistanceOf(const LongVec& a, const LongVec& b) {
  return static_cast<double>(std::sqrt(SquaredNorm(a - b)));
}

TEST(RigidMotionTest, PosesAreTheFormulasToWithinTheErrorTold) {
  meshes::Random random(1);
  const Tree tree = *Build(meshes::Soup(20, 0.5, 3));
  for (int i = 0; i < 100; ++i) {
    RigidMotion motion = RandomMotion(random);
    if (i % 4 == 0) motion.angle = 0;
    if (i % 5 == 0) motion.center += Vec3{0x1p20, 0, -0x1p20};
    const auto body = MovingTree::Create(tree, motion);
    ASSERT_TRUE(body.ok());
    for (const double t : {0.0, 0.125, random.Uniform(0, 1), 1.0}) {
      const Pose pose = motion.PoseAt(t);
      for (const Vec3& v : tree.mesh().vertices()) {
        const LongVec exact = Moved(motion, v, t);
        EXPECT_LE(DistanceOf(Long(pose.Apply(v)), exact), body->error());
        // And the radius: how far it is from the axis.
        const LongVec r = Moved(motion, v, 0) - Long(motion.center);
        const LongVec turned = Cross(Long(body->turn()), r);
        EXPECT_LE(std::sqrt(SquaredNorm(turned)),
                  Norm(body->turn()) * body->radius() * (1 + 1e-15));
      }
    }
    EXPECT_LE(body->error(), 0x1p-44 * 0x1p22);
  }
}

TEST(RigidMotionTest, TurnsByWhatItSays) {
  const RigidMotion quarter{.angle = pi / 2, .center = {1, 0, 0}};
  const Vec3 p = quarter.PoseAt(1).Apply(Vec3{2, 0, 0});
  EXPECT_NEAR(p.x, 1, 1e-15);
  EXPECT_NEAR(p.y, 1, 1e-15);
  EXPECT_EQ(quarter.PoseAt(0).rows, Pose().rows);
  const RigidMotion screw{
      .translation = {0, 0, 4}, .angle = 2 * pi, .center = {1, 0, 0}};
  const Vec3 q = screw.PoseAt(0.5).Apply(Vec3{2, 0, 0});
  EXPECT_NEAR(q.x, 0, 1e-15);
  EXPECT_NEAR(q.z, 2, 1e-15);
}

TEST(RigidMotionTest, BetweenEndsWhereItShall) {
  meshes::Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Pose from = RandomPose(random);
    Pose to = RandomPose(random);
    const Vec3 axis = random.Direction();
    // Small turns, half turns and nearly half turns as well.
    if (i % 4 == 1) {
      const double angle = std::pow(10.0, random.Uniform(-12, -1));
      to.rows = RigidMotion{.start = from, .axis = axis, .angle = angle}
                    .PoseAt(1)
                    .rows;
    }
    if (i % 4 == 2) {
      const double less = i % 8 == 2 ? 0 : std::pow(10, random.Uniform(-12, 0));
      to.rows = RigidMotion{.start = from, .axis = axis, .angle = pi - less}
                    .PoseAt(1)
                    .rows;
    }
    const Vec3 center = random.Point(-2, 2);
    const RigidMotion motion = RigidMotion::Between(from, to, center);
    EXPECT_GE(motion.angle, 0);
    EXPECT_LE(motion.angle, pi * (1 + 1e-15));
    EXPECT_EQ(motion.PoseAt(0).rows, from.rows);
    for (const Vec3& p : {Vec3{1, 0, 0}, Vec3{0, -3, 0}, center}) {
      EXPECT_LE(Norm(motion.PoseAt(1).Apply(p) - to.Apply(p)), 1e-13) << i;
    }
    // The centre moves along a line.
    const Vec3 half = (from.Apply(center) + to.Apply(center)) * 0.5;
    EXPECT_LE(Norm(motion.PoseAt(0.5).Apply(center) - half), 1e-13);
  }
  const Pose pose = RandomPose(random);
  EXPECT_EQ(RigidMotion::Between(pose, pose).angle, 0);
  EXPECT_EQ(RigidMotion::Between(pose, pose).translation, Vec3());
}

// A quarter turn on the way is half of the turn: constant speed.
TEST(RigidMotionTest, TheSpeedIsConstant) {
  const Pose to = Pose::Rotation({0, 0, 1}, 1.5, {3, 0, 0});
  const RigidMotion motion = RigidMotion::Between({}, to);
  for (const double t : {0.25, 0.5, 0.75}) {
    const Pose pose = motion.PoseAt(t);
    EXPECT_NEAR(std::atan2(pose.rows[1].x, pose.rows[0].x), 1.5 * t, 1e-15);
    EXPECT_NEAR(pose.translation.x, 3 * t, 1e-15);
  }
}

TEST(RigidMotionTest, BadMotionsAreRefused) {
  const Tree tree = *Build(meshes::Cube());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto code = [&](const RigidMotion& motion) {
    return MovingTree::Create(tree, motion).status().code();
  };
  using absl::StatusCode;
  EXPECT_EQ(code({}), StatusCode::kOk);
  EXPECT_EQ(code({.translation = {nan, 0, 0}}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({.angle = nan}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({.angle = 1e12}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({.axis = {}}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({.axis = {0, 1e-300, 0}, .angle = 1}), StatusCode::kOk);
  EXPECT_EQ(code({.translation = {1e200, 0, 0}}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({.center = {0, 1e200, 0}}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({.translation = {kLargestCoordinate / 8, 0, 0}}),
            StatusCode::kOk);
  EXPECT_EQ(code({.translation = {kLargestCoordinate / 2, 0, 0}}),
            StatusCode::kInvalidArgument);
  RigidMotion noisy;  // numbers that are read as 0
  noisy.start.rows[0].y = 1e-70;
  EXPECT_EQ(code(noisy), StatusCode::kOk);
  RigidMotion stretched;
  stretched.start.rows[0].x = 1.5;
  EXPECT_EQ(code(stretched), StatusCode::kInvalidArgument);
  stretched.start.rows[0].x = 100;
  EXPECT_EQ(code(stretched), StatusCode::kInvalidArgument);
  stretched.start.rows[0].x = nan;
  EXPECT_EQ(code(stretched), StatusCode::kInvalidArgument);
  RigidMotion scaled;
  for (size_t i = 0; i < 3; ++i) scaled.start.rows[i][i] = 1e-3;
  EXPECT_EQ(code(scaled), StatusCode::kOk);
}

}  // namespace
}  // namespace orbox
