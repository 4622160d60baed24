// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/motion/internal/profile_filter.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/motion/time_of_contact.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

using std::numbers::pi;

MovingTree Moving(const Mesh& mesh, const RigidMotion& motion = {}) {
  return MovingTree::Create(*Build(mesh), motion).value();
}

Pose Tilted() {
  return Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.7, {5, 6, 7});
}

bool Holds(const std::vector<uint32_t>& ids, uint32_t id) {
  return std::binary_search(ids.begin(), ids.end(), id);
}

struct Motions {
  RigidMotion a;
  RigidMotion b;
};

// One body turns. In every third case it slides along its axis as well.
Motions OneTurns(int i, meshes::Random& random) {
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
  return {turn, move};
}

// Both about one axis, which may travel, or about two that are almost one. Its
// points are given by different centers, its direction by either sense.
Motions BothTurn(int i, meshes::Random& random) {
  Motions m = OneTurns(1, random);
  const Vec3 along = m.a.axis;
  m.b = {.start = Pose::Rotation(random.Direction(), random.Uniform(0, 3),
                                 random.Point(-0.5, 0.5)),
         .axis = along * random.Uniform(-3, 3),
         .angle = random.Uniform(-7, 7),
         .center = m.a.center + along * random.Uniform(-1, 1)};
  if (i % 3 == 0) {
    const Vec3 travel = random.Point(-5, 5);
    m.a.translation = travel + along * random.Uniform(-1, 1);
    m.b.translation = travel + along * random.Uniform(-1, 1);
  }
  if (i % 3 == 1) {
    m.b.axis = along + random.Point(-0.02, 0.02);
    m.b.center += random.Point(-0.01, 0.01);
    m.b.translation = random.Point(-0.01, 0.01);
  }
  return m;
}

Motions NoneTurns(int i, meshes::Random& random) {
  Motions m = OneTurns(0, random);
  m.a.angle = 0;
  m.a.start.translation += m.a.translation * -0.5;
  if (i % 3 == 0) m.b.translation = {};
  // Along a coordinate, where shadows repeat.
  if (i % 3 == 1) m.a.translation = m.b.translation + Vec3{0, 0, -1};
  return m;
}

// About one axis, or almost, along which one slides.
Motions TurnAlike(int i, meshes::Random& random) {
  Motions m = BothTurn(0, random);
  m.b.axis = m.a.axis;
  m.b.angle = m.a.angle;
  if (i % 3 == 1) m.b.center += random.Point(-0.01, 0.01);
  if (i % 3 == 2) m.b.translation += random.Point(-0.01, 0.01);
  return m;
}

// All triangles that touch at some time are among the neighbours.
TEST(ProfileFilterTest, WhatTouchesIsNotLeftOut) {
  const auto expect = [](Motions (*motions)(int, meshes::Random&)) {
    meshes::Random random(1);
    size_t touching = 0;
    size_t left_out = 0;
    for (int i = 0; i < 30; ++i) {
      const Motions m = motions(i, random);
      const MovingTree a = Moving(meshes::Soup(60, 0.2, 1 + i), m.a);
      const MovingTree b = Moving(meshes::Soup(60, 0.2, 100 + i), m.b);
      const auto near = ProfileNeighborsOf(a, b);
      const auto swapped = ProfileNeighborsOf(b, a);
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
  };
  {
    SCOPED_TRACE("one turns");
    expect(OneTurns);
  }
  {
    SCOPED_TRACE("both turn");
    expect(BothTurn);
  }
  {
    SCOPED_TRACE("turn alike");
    expect(TurnAlike);
  }
  {
    SCOPED_TRACE("none turns");
    expect(NoneTurns);
  }
}

TEST(ProfileFilterTest, OtherMotionsHaveNone) {
  const Mesh cube = meshes::Cube();
  const MovingTree still = Moving(cube);
  EXPECT_FALSE(ProfileNeighborsOf(still, still));
  const MovingTree away = Moving(cube, {.translation = {1, 2, 3}});
  EXPECT_FALSE(ProfileNeighborsOf(away, away));
  const MovingTree turn = Moving(cube, {.angle = 1});
  const MovingTree beside = Moving(cube, {.angle = 1, .center = {1, 0, 0}});
  const MovingTree tilted = Moving(cube, {.axis = {0, 1, 1}, .angle = 1});
  EXPECT_TRUE(ProfileNeighborsOf(turn, turn));
  EXPECT_FALSE(ProfileNeighborsOf(turn, beside));
  EXPECT_FALSE(ProfileNeighborsOf(turn, tilted));
}

// A ring that turns in a shell around it: few steps, even for a gap that is
// small compared with the way of its points.
TEST(ProfileFilterTest, ABearingTakesFewSteps) {
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
  const auto near = ProfileNeighborsOf(coarse, around);
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
  // The nearest triangles at that time are of the arm and the wall.
  EXPECT_GE(hit.triangles.a, 3072u);
  EXPECT_GE(hit.triangles.b, 3072u);
  EXPECT_TRUE(AnyOverlap(with_arm.At(hit.latest), with_wall.At(hit.latest)));
}

// A ring in a shell whose axes are parallel and 0.001 apart.
TEST(ProfileFilterTest, AnAxisBesideTheMiddleIsAllowedFor) {
  const MovingTree ring =
      Moving(meshes::Torus(48, 16), {.angle = pi / 2, .center = {0.001, 0, 0}});
  const MovingTree shell = Moving(meshes::Torus(48, 16, 1, 0.26));
  const TimeOfContactResult r = TimeOfContact(ring, shell);
  EXPECT_EQ(r.outcome, MotionOutcome::kApart);
  EXPECT_LE(r.steps, 20);
}

// A bar along z, from -length to length, in `rings` pieces: hollow, or with a
// face at each end. Its cross section has waves of the height `wave`.
enum class Ends { kFaces, kOpen };
Mesh Bar(double size, double length, uint32_t rings, Ends ends,
         double wave = 0.2) {
  constexpr uint32_t kAround = 48;
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (uint32_t k = 0; k <= rings; ++k) {
    for (uint32_t i = 0; i < kAround; ++i) {
      const double angle = 2 * pi * i / kAround;
      const double r = size * (1 + wave * std::cos(3 * angle));
      vertices.push_back({r * std::cos(angle), r * std::sin(angle),
                          length * (2.0 * k / rings - 1)});
    }
  }
  const auto last = static_cast<uint32_t>(vertices.size());
  vertices.push_back({0, 0, -length});
  vertices.push_back({0, 0, length});
  for (uint32_t i = 0; i < kAround; ++i) {
    const uint32_t j = (i + 1) % kAround;
    for (uint32_t k = 0; k < rings * kAround; k += kAround) {
      triangles.push_back({k + i, k + j, k + j + kAround});
      triangles.push_back({k + i, k + j + kAround, k + i + kAround});
    }
    if (ends == Ends::kOpen) continue;
    triangles.push_back({last, j, i});
    triangles.push_back({last + 1, rings * kAround + i, rings * kAround + j});
  }
  return meshes::Make(std::move(vertices), std::move(triangles));
}

// Walls along a tilted axis: seen along it they are flat, except for rounding.
TEST(ProfileFilterTest, AShaftOfFlatFacesIsNowhereNearItsHole) {
  const Vec3 axis = Tilted().Apply(Vec3{0, 0, 1}) - Tilted().Apply(Vec3{});
  const RigidMotion turn{.start = Tilted(),
                         .axis = axis,
                         .angle = 1.3,
                         .center = Tilted().Apply(Vec3{0, 0, 0.7})};
  const double inner = std::cos(pi / 48);
  const MovingTree shaft = Moving(Bar(1, 2, 5, Ends::kFaces, 0), turn);
  const Mesh hole = Bar(1.001 / inner, 1, 3, Ends::kOpen, 0);
  RigidMotion back = turn;
  back.angle = -0.25;
  for (const RigidMotion& motion : {RigidMotion{.start = Tilted()}, back}) {
    const auto near = ProfileNeighborsOf(shaft, Moving(hole, motion));
    ASSERT_TRUE(near);
    EXPECT_TRUE(near->of_a.empty());
    EXPECT_LE(TimeOfContact(shaft, Moving(hole, motion)).steps, 20);
  }
  // A shadow is no wider than its triangle, nor is a face's.
  const auto near = ProfileNeighborsOf(
      Moving(Bar(1, 2, 5, Ends::kFaces),
             {.start = Tilted(), .translation = axis}),
      Moving(Bar(1.001, 1, 3, Ends::kOpen), {.start = Tilted()}));
  ASSERT_TRUE(near);
  EXPECT_TRUE(near->of_a.empty());
}

// Axes that move away from each other, or are tilted, by more than the gap.
TEST(ProfileFilterTest, AShaftThatStraysInItsHoleTouches) {
  const double inner = std::cos(pi / 48);
  const MovingTree shaft = Moving(Bar(1, 2, 5, Ends::kFaces, 0), {.angle = 1});
  const Mesh hole = Bar(1.001 / inner, 1, 3, Ends::kOpen, 0);
  const Pose tilt = Pose::Rotation({1, 0, 0}, 0.008);
  for (const RigidMotion& stray :
       {RigidMotion{.translation = {0.003, 0, 0}},
        RigidMotion{.translation = {0.003, 0, 0}, .angle = 0.5},
        RigidMotion{.angle = pi, .center = {0.002, 0, 0}},
        RigidMotion{
            .start = tilt, .axis = tilt.Apply(Vec3{0, 0, 1}), .angle = 1}}) {
    const MovingTree around = Moving(hole, stray);
    ASSERT_TRUE(AnyOverlap(shaft.At(1), around.At(1)));
    for (const auto& near : {ProfileNeighborsOf(shaft, around),
                             ProfileNeighborsOf(around, shaft)}) {
      ASSERT_TRUE(near);
      EXPECT_FALSE(near->of_a.empty());
      EXPECT_FALSE(near->of_b.empty());
    }
  }
}

// The knob and the wall are nearest at first, and their profiles overlap, but
// they only move apart. The surfaces that are close later are found then.
TEST(ProfileFilterTest, WhatGoesAwayDoesNotHideASlide) {
  const Mesh knob = meshes::Moved(meshes::Icosphere(2, {}, 0.1),
                                  Pose::Translation({3, 0, -3}));
  const Mesh wall = meshes::Cube({2.5, -0.5, -4.1002}, 1);
  const MovingTree bar =
      Moving(meshes::Joined(Bar(1, 4, 20, Ends::kFaces), knob),
             {.translation = {0, 0, 2}});
  const MovingTree sleeve =
      Moving(meshes::Joined(Bar(1.001, 1, 10, Ends::kOpen), wall));
  const TimeOfContactResult r = TimeOfContact(bar, sleeve);
  EXPECT_EQ(r.outcome, MotionOutcome::kApart);
  EXPECT_LE(r.steps, 40);
}

// A ring in a shell: both turn and travel.
TEST(ProfileFilterTest, BothTurnInABearing) {
  const Pose pose = Tilted();
  const Vec3 axis = pose.Apply(Vec3{0, 0, 1}) - pose.Apply(Vec3{0, 0, 0});
  const MovingTree ring =
      Moving(meshes::Torus(96, 16), {.start = pose,
                                     .translation = {1, 2, 3},
                                     .axis = axis,
                                     .angle = 1.5 * pi,
                                     .center = pose.Apply(Vec3{0, 0, 0.5})});
  for (const double angle : {1.5 * pi, 0.25, -0.25}) {
    const MovingTree shell = Moving(meshes::Torus(96, 16, 1, 0.259),
                                    {.start = pose,
                                     .translation = {1, 2, 3},
                                     .axis = axis * -2,
                                     .angle = angle,
                                     .center = pose.Apply(Vec3{0, 0, -1.5})});
    for (const TimeOfContactResult& r :
         {TimeOfContact(ring, shell), TimeOfContact(shell, ring)}) {
      EXPECT_EQ(r.outcome, MotionOutcome::kApart);
      EXPECT_LE(r.steps, 20);
    }
  }
}

// A bar in a sleeve whose walls are a thousandth away: few steps, also where
// something turns both.
TEST(ProfileFilterTest, ASlideTakesFewSteps) {
  for (const auto& [pose, angle] :
       {std::pair{Pose{}, 0.0}, {Tilted(), 0.0}, {Tilted(), 2.5}}) {
    const Vec3 along = pose.Apply(Vec3{0, 0, 1}) - pose.Apply(Vec3{0, 0, 0});
    const RigidMotion carried{.start = pose,
                              .translation = {1, 2, 3},
                              .axis = along,
                              .angle = angle,
                              .center = pose.Apply(Vec3{0, 0, 5})};
    RigidMotion slide = carried;
    slide.translation += along * 2;
    slide.center -= along * 7;
    const Mesh bar = Bar(1, 4, 20, Ends::kFaces);
    const MovingTree inner = Moving(bar, slide);
    const MovingTree outer = Moving(Bar(1.001, 1, 10, Ends::kOpen), carried);
    for (const TimeOfContactResult& r :
         {TimeOfContact(inner, outer), TimeOfContact(outer, inner)}) {
      EXPECT_EQ(r.outcome, MotionOutcome::kApart);
      EXPECT_LE(r.steps, 25);
    }
    // With a collar that meets the sleeve's end.
    const MovingTree stopped =
        Moving(meshes::Joined(bar, meshes::Cube({-1.5, -1.5, -5}, 3)), slide);
    const TimeOfContactResult hit = TimeOfContact(stopped, outer);
    EXPECT_EQ(hit.outcome, MotionOutcome::kContact);
    EXPECT_LE(hit.steps, 60);
    EXPECT_LE(hit.earliest, 0.5);
    EXPECT_NEAR(hit.earliest, 0.5, 1e-4);
    EXPECT_GE(hit.triangles.a, bar.triangle_count());
    EXPECT_TRUE(AnyOverlap(stopped.At(hit.latest), outer.At(hit.latest)));
    EXPECT_FALSE(AnyOverlap(stopped.At(hit.earliest), outer.At(hit.earliest)));
    // The closest pair at that time is that of the whole meshes, not only of
    // the triangles that the filter kept.
    const Witness d =
        *ClosestPair(stopped.At(hit.earliest), outer.At(hit.earliest));
    EXPECT_EQ(hit.triangles, d.triangles);
    EXPECT_EQ(hit.distance, d.distance);
  }
}

}  // namespace
}  // namespace orbox
