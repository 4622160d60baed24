// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/motion/time_of_contact.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

using std::numbers::pi;

MovingTree Moving(const Tree& tree, const RigidMotion& motion = {}) {
  auto body = MovingTree::Create(tree, motion);
  EXPECT_TRUE(body.ok()) << body.status();
  return *body;
}

// Checks with fine samples: no contact is missed, nothing touches before
// `earliest`, and each outcome is right.
TimeOfContactResult Check(const MovingTree& a, const MovingTree& b,
                          const TimeOfContactOptions& options = {},
                          int samples = 200) {
  const TimeOfContactResult r = TimeOfContact(a, b, options);
  EXPECT_LE(0, r.earliest);
  EXPECT_LE(r.earliest, r.latest);
  EXPECT_LE(r.latest, 1);
  EXPECT_NE(r.outcome, MotionOutcome::kUndecided);
  for (int i = 0; i <= samples; ++i) {
    const double t = static_cast<double>(i) / samples;
    if (r.outcome != MotionOutcome::kApart && t >= r.earliest) break;
    EXPECT_FALSE(AnyOverlap(a.At(t), b.At(t))) << "at " << t;
  }
  if (r.outcome != MotionOutcome::kApart) {
    EXPECT_FALSE(r.earliest > 0 && AnyOverlap(a.At(r.earliest * (1 - 1e-9)),
                                              b.At(r.earliest * (1 - 1e-9))));
    const Witness d = *ClosestPair(a.At(r.earliest), b.At(r.earliest));
    EXPECT_EQ(d.distance, r.distance);
    EXPECT_EQ(d.triangles, r.triangles);
    if (options.tolerance > 0) {
      EXPECT_LE(r.distance, options.tolerance);
    }
  }
  if (r.outcome == MotionOutcome::kContact) {
    EXPECT_TRUE(AnyOverlap(a.At(r.latest), b.At(r.latest)));
  }
  return r;
}

TEST(TimeOfContactTest, HeadOnTheTimeIsTheGapOverTheSpeed) {
  const Tree cube = *Build(meshes::Cube());
  for (const double speed : {1.5, 1000.0, 1e9}) {
    const TimeOfContactResult r =
        Check(Moving(cube, {.translation = {speed, 0, 0}}),
              Moving(cube, {.start = Pose::Translation({2.25, 0.25, 0.125})}));
    EXPECT_EQ(r.outcome, MotionOutcome::kContact);
    EXPECT_LE(r.earliest, 1.25 / speed);
    EXPECT_NEAR(r.earliest, 1.25 / speed, 1e-5 / speed + 1e-12);
    EXPECT_NEAR(r.latest, 1.25 / speed, 1e-5 / speed + 1e-12);
    EXPECT_LE(r.steps, 5);
  }
  // Just short of it, and just not.
  const auto wall = Moving(cube, {.start = Pose::Translation({2, 0, 0})});
  EXPECT_EQ(TimeOfContact(Moving(cube, {.translation = {0.99, 0, 0}}), wall,
                          {.tolerance = 1e-3})
                .outcome,
            MotionOutcome::kApart);
  EXPECT_NE(
      TimeOfContact(Moving(cube, {.translation = {1, 0, 0}}), wall).outcome,
      MotionOutcome::kApart);
}

// The corner of a square that turns about its middle reaches out by
// sqrt(1/2): the cosine law of its distance from the wall.
TEST(TimeOfContactTest, ATurnAloneTouchesWithTheCorner) {
  const Tree cube = *Build(meshes::Cube({-0.5, -0.5, -0.5}));
  const auto wall = Moving(*Build(meshes::Cube({0.6, -5, -5}, 10)));
  const TimeOfContactResult r =
      Check(Moving(cube, {.angle = pi / 2}), wall, {.tolerance = 1e-9});
  // sqrt(1/2) cos(pi/4 - angle) = 0.6.
  const double angle = pi / 4 - std::acos(0.6 * std::numbers::sqrt2);
  EXPECT_EQ(r.outcome, MotionOutcome::kContact);
  EXPECT_NEAR(r.earliest, angle / (pi / 2), 1e-8);
  EXPECT_LE(r.earliest, angle / (pi / 2));
  EXPECT_LE(r.steps, 60);
  // Further away it only passes, at half time.
  const double reach = std::numbers::sqrt2 / 2;
  const auto far = [&](double gap) {
    return Moving(*Build(meshes::Cube({reach + gap, -5, -5}, 10)));
  };
  const TimeOfContactResult pass =
      Check(Moving(cube, {.angle = pi / 2}), far(1e-6), {.tolerance = 1e-8});
  EXPECT_EQ(pass.outcome, MotionOutcome::kApart);
  EXPECT_LE(pass.steps, 60);
  const TimeOfContactResult graze =
      Check(Moving(cube, {.angle = pi / 2}), far(-1e-9), {.tolerance = 1e-8});
  EXPECT_NE(graze.outcome, MotionOutcome::kApart);
  EXPECT_NEAR(graze.earliest, 0.5, 1e-3);
  EXPECT_LE(graze.earliest, 0.5);
  EXPECT_LE(graze.steps, 60);
}

TEST(TimeOfContactTest, NothingTunnels) {
  meshes::Random random(1);
  const Tree sheet = *Build(meshes::Grid(8, 0.05, 2));
  const Tree bullet = *Build(meshes::Icosphere(1, {0, 0, 0}, 1e-4));
  for (int i = 0; i < 40; ++i) {
    // Through the unit square, from far above to far below: so far from its
    // border that bumps do not matter.
    const Vec3 aim{random.Uniform(0.1, 0.9), random.Uniform(0.1, 0.9), 0};
    const double speed = std::pow(10, random.Uniform(0, 6));
    const Vec3 way =
        Vec3{random.Uniform(-1, 1), random.Uniform(-1, 1), -1} * speed;
    const double at = random.Uniform(0.2, 0.8);
    const auto flying =
        Moving(bullet, {.start = Pose::Translation(aim - way * at),
                        .translation = way,
                        .axis = random.Direction(),
                        .angle = random.Uniform(-100, 100),
                        .center = aim - way * at});
    const TimeOfContactResult r = Check(flying, Moving(sheet));
    EXPECT_EQ(r.outcome, MotionOutcome::kContact);
    // The sheet is 0.05 thick at most.
    EXPECT_NEAR(r.earliest, at, 0.06 / Norm(way) * 2);
  }
}

TEST(TimeOfContactTest, AgreesWithSamplesAtRandom) {
  meshes::Random random(2);
  const Tree torus = *Build(meshes::Torus(16, 8));
  const Tree other = *Build(meshes::Torus(12, 6, 0.7, 0.2));
  int contacts = 0;
  int apart = 0;
  for (int i = 0; i < 60 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const auto motion = [&random](double far) {
      return RigidMotion{
          .start = Pose::Rotation(random.Direction(), random.Uniform(-3, 3),
                                  random.Point(-far, far)),
          .translation = random.Point(-3, 3),
          .axis = random.Direction(),
          .angle = random.Uniform(-5, 5),
          .center = random.Point(-2, 2)};
    };
    const auto a = Moving(torus, motion(2));
    const auto b = Moving(other, motion(3));
    const TimeOfContactResult r = Check(a, b, {.tolerance = 1e-4}, 100);
    contacts += r.outcome == MotionOutcome::kContact ? 1 : 0;
    apart += r.outcome == MotionOutcome::kApart ? 1 : 0;
    // The other way round it is the same motion.
    const TimeOfContactResult back = TimeOfContact(b, a, {.tolerance = 1e-4});
    EXPECT_NEAR(back.earliest, r.earliest, 1e-3);
    EXPECT_EQ(back.outcome == MotionOutcome::kApart,
              r.outcome == MotionOutcome::kApart);
  }
  EXPECT_GT(contacts, 5);
  EXPECT_GT(apart, 5);
}

// Both go along with each other, however fast: the time is the same.
TEST(TimeOfContactTest, ACommonMotionChangesNothing) {
  const Tree torus = *Build(meshes::Torus(16, 8));
  const Vec3 common{100, -50, 7};
  const RigidMotion falling{.start = Pose::Translation({0.3, 0.1, 3}),
                            .translation = {0, 0, -4}};
  RigidMotion both = falling;
  both.translation += common;
  const TimeOfContactResult alone =
      Check(Moving(torus, falling), Moving(torus), {.tolerance = 1e-6});
  const TimeOfContactResult together =
      Check(Moving(torus, both), Moving(torus, {.translation = common}),
            {.tolerance = 1e-6});
  EXPECT_EQ(together.outcome, MotionOutcome::kContact);
  EXPECT_NEAR(together.earliest, alone.earliest, 1e-6);
}

// Scaled by a power of two, nothing changes but the unit, to the last bit.
TEST(TimeOfContactTest, EveryScale) {
  const auto run = [](double scale) {
    const Mesh unit = meshes::Torus(16, 8);
    std::vector<Vec3> vertices;
    for (const Vec3& v : unit.vertices()) vertices.push_back(v * scale);
    const Tree torus = *Build(*Mesh::Create(
        vertices, {unit.triangles().begin(), unit.triangles().end()}));
    const RigidMotion motion{
        .start = Pose::Translation(Vec3{0.3, 0.1, 3} * scale),
        .translation = Vec3{0, 0.2, -4} * scale,
        .axis = {1, 2, 3},
        .angle = 2,
        .center = Vec3{0, 0, 2} * scale};
    return TimeOfContact(Moving(torus, motion), Moving(torus));
  };
  const TimeOfContactResult one = run(1);
  EXPECT_EQ(one.outcome, MotionOutcome::kContact);
  for (const int exponent : {-140, -40, -10, 10, 40, 190}) {
    const double scale = std::ldexp(1.0, exponent);
    const TimeOfContactResult r = run(scale);
    EXPECT_EQ(r.outcome, one.outcome);
    EXPECT_EQ(r.earliest, one.earliest);
    EXPECT_EQ(r.latest, one.latest);
    EXPECT_EQ(r.distance, one.distance * scale);
    EXPECT_EQ(r.triangles, one.triangles);
    EXPECT_EQ(r.steps, one.steps);
  }
}

TEST(TimeOfContactTest, FarFromTheOrigin) {
  const Vec3 offset{0x1p20, -0x1p20, 0x1p20};
  const Tree cube = *Build(meshes::Cube());
  const TimeOfContactResult r =
      Check(Moving(cube, {.start = Pose::Translation(offset),
                          .translation = {4, 0, 0},
                          .angle = 1,
                          .center = offset + Vec3{0.5, 0.5, 0.5}}),
            Moving(cube, {.start = Pose::Translation(offset + Vec3{3, 0, 0})}),
            {.tolerance = 1e-4});
  EXPECT_EQ(r.outcome, MotionOutcome::kContact);
  // Corners reach out by up to 0.21 more than sides do.
  EXPECT_LE(r.earliest, 0.5);
  EXPECT_GE(r.earliest, (2 - 0.3) / 4);
}

// Along a wall: no nearer than the gap, for as long as it takes.
TEST(TimeOfContactTest, SlidingIsSeenToBeFree) {
  const Tree cube = *Build(meshes::Cube());
  const Tree floor = *Build(meshes::Cube({-50, -50, -100}, 100));
  for (const double gap : {1e-2, 1e-4, 1e-6}) {
    const TimeOfContactResult r =
        Check(Moving(cube, {.start = Pose::Translation({-20, 0, gap}),
                            .translation = {40, 3, 0}}),
              Moving(floor), {.tolerance = gap / 8});
    EXPECT_EQ(r.outcome, MotionOutcome::kApart) << gap;
    EXPECT_LE(r.steps, 100);
  }
}

TEST(TimeOfContactTest, ContactAtTheStartIsToldAtOnce) {
  const Tree cube = *Build(meshes::Cube());
  for (const double x : {0.5, 1.0}) {
    const TimeOfContactResult r =
        Check(Moving(cube, {.translation = {-5, 0, 0}}),
              Moving(cube, {.start = Pose::Translation({x, 0, 0})}));
    EXPECT_EQ(r.outcome, MotionOutcome::kContact);
    EXPECT_EQ(r.earliest, 0);
    EXPECT_EQ(r.latest, 0);
    EXPECT_EQ(r.distance, 0);
  }
  // One inside the other: surfaces are apart, until they touch.
  const Tree small = *Build(meshes::Cube({0.25, 0.25, 0.25}, 0.5));
  const TimeOfContactResult r =
      Check(Moving(small, {.translation = {1, 0, 0}}), Moving(cube));
  EXPECT_EQ(r.outcome, MotionOutcome::kContact);
  EXPECT_NEAR(r.earliest, 0.25, 1e-5);
}

TEST(TimeOfContactTest, BodiesAtRestAreApartForEver) {
  const Tree cube = *Build(meshes::Cube());
  const TimeOfContactResult r = TimeOfContact(
      Moving(cube), Moving(cube, {.start = Pose::Translation({3, 0, 0})}));
  EXPECT_EQ(r.outcome, MotionOutcome::kApart);
  EXPECT_EQ(r.distance, 2);
  EXPECT_EQ(r.steps, 1);
}

// Two bodies close to each other and far from the axis, over several turns.
TEST(TimeOfContactTest, BodiesThatOneMotionCarriesAreAtRest) {
  const Tree cube = *Build(meshes::Cube());
  RigidMotion carried{.start = Pose::Translation({7, 0, 0}),
                      .translation = {1, 2, 3},
                      .axis = {1, 2, 2},
                      .angle = 20 * pi,
                      .center = {0, 1, 0}};
  const MovingTree a = Moving(cube, carried);
  carried.start = Pose::Translation({8 + 1e-4, 0, 0});
  const TimeOfContactResult r = Check(a, Moving(cube, carried));
  EXPECT_EQ(r.outcome, MotionOutcome::kApart);
  EXPECT_EQ(r.steps, 1);
  // If their motions differ in anything, they are not reported as apart.
  RigidMotion other = carried;
  other.angle *= -1;
  EXPECT_NE(TimeOfContact(a, Moving(cube, other)).outcome,
            MotionOutcome::kApart);
  other = carried;
  other.translation.x -= 1;
  EXPECT_NE(TimeOfContact(a, Moving(cube, other)).outcome,
            MotionOutcome::kApart);
  // They may touch at the start.
  carried.start = Pose::Translation({8, 0, 0});
  EXPECT_EQ(Check(a, Moving(cube, carried)).earliest, 0);
}

TEST(TimeOfContactTest, TooFewStepsDecideNothing) {
  const Tree torus = *Build(meshes::Torus(16, 8));
  const auto a = Moving(torus, {.start = Pose::Translation({0, 0, 4}),
                                .translation = {0, 0, -8},
                                .axis = {1, 0, 0},
                                .angle = 6,
                                .center = {0, 0, 4}});
  const TimeOfContactResult all = Check(a, Moving(torus));
  ASSERT_EQ(all.outcome, MotionOutcome::kContact);
  ASSERT_GT(all.steps, 2);
  const TimeOfContactResult cut =
      TimeOfContact(a, Moving(torus), {.max_steps = all.steps - 1});
  EXPECT_EQ(cut.outcome, MotionOutcome::kUndecided);
  EXPECT_LE(cut.earliest, all.earliest);
  EXPECT_EQ(cut.latest, 1);
}

TEST(TimeOfContactTest, RunOptionsWatchAndCancel) {
  const Tree torus = *Build(meshes::Torus(24, 12));
  const MovingTree a = Moving(
      torus, {.translation = {4, 0.5, 0}, .axis = {0, 1, 0}, .angle = 2});
  const MovingTree b = Moving(*Build(meshes::Torus(20, 10)),
                              {.start = Pose::Translation({3, 0, 0})});
  const TimeOfContactResult expected = TimeOfContact(a, b);
  ASSERT_EQ(expected.outcome, MotionOutcome::kContact);
  TraversalStatistics steps;
  double share = 0;
  const RunOptions watched{.statistics = &steps, .progress = [&](double done) {
                             EXPECT_GE(done, share);
                             share = done;
                           }};
  const TimeOfContactResult found = TimeOfContact(a, b, {}, watched).value();
  EXPECT_EQ(found.earliest, expected.earliest);
  EXPECT_EQ(found.latest, expected.latest);
  EXPECT_EQ(found.triangles, expected.triangles);
  EXPECT_EQ(found.steps, expected.steps);
  EXPECT_EQ(share, 1);
  EXPECT_GT(steps.triangle_tests, 0);
  // It ends at a report in the middle.
  std::atomic<bool> cancelled = false;
  const RunOptions ending{
      .progress = [&](double done) { cancelled = done > 0; },
      .cancelled = &cancelled};
  EXPECT_EQ(TimeOfContact(a, b, {}, ending).status().code(),
            absl::StatusCode::kCancelled);
  EXPECT_EQ(TimeOfContact(a, b, {}, {.threads = -1}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace orbox
