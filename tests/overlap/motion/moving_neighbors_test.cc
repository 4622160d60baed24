// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/motion/internal/moving_neighbors.h"

#include <array>
#include <cmath>
#include <cstddef>

#include "gtest/gtest.h"
#include "orbox/overlap/triangles/adjacent_triangles.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

using Corners = std::array<MovingPoint, 3>;

// Multiples of 2^-20, so that what is at times of five bits is a double.
double Snapped(double x) {
  return std::ldexp(std::round(std::ldexp(x, 20)), -20);
}
Vec3 Snapped(const Vec3& v) {
  return {Snapped(v.x), Snapped(v.y), Snapped(v.z)};
}

// A point in the plane z = 0 or near it, that strays by up to `stray`.
MovingPoint Point(double angle, double stray, meshes::Random& random) {
  const Vec3 from{0.5 * std::cos(angle), 0.5 * std::sin(angle),
                  random.Uniform(-0.1, 0.1)};
  return {Snapped(from), Snapped(from + random.Point(-stray, stray))};
}

Triangle At(const Corners& c, double t) {
  const auto at = [t](const MovingPoint& p) {
    return p.from * (1 - t) + p.to * t;
  };
  return {at(c[0]), at(c[1]), at(c[2])};
}

// Returns true if the triangles have points beyond the first `shared` corners
// in common at any of the sampled times; exact at each of them.
bool MeetBeyond(const Corners& s, const Corners& t, size_t shared) {
  for (int i = 0; i <= 32; ++i) {
    const Triangle here = At(s, i / 32.0);
    CornerSet points;
    for (size_t k = 0; k < shared; ++k) points.Add(here[k]);
    if (OverlapsBeyond(here, At(t, i / 32.0), points.points())) return true;
  }
  return false;
}

TEST(MovingNeighborsTest, WhatStaysApartAtACornerNeverMeets) {
  meshes::Random random(1);
  int apart = 0;
  int meet = 0;
  for (int i = 0; i < 2000; ++i) {
    const double stray = random.Uniform(0, 0.4);
    const MovingPoint corner{{}, Snapped(random.Point(-0.3, 0.3))};
    const double turn = random.Uniform(0, 6.28);
    const Corners s{corner, Point(0, stray, random), Point(1, stray, random)};
    const Corners t{corner, Point(turn, stray, random),
                    Point(turn + 1, stray, random)};
    const bool is_apart = StayApartAtCorner(s, t);
    EXPECT_EQ(StayApartAtCorner(t, s), is_apart);
    const bool meets = MeetBeyond(s, t, 1);
    EXPECT_FALSE(is_apart && meets) << i;
    apart += is_apart ? 1 : 0;
    meet += meets ? 1 : 0;
  }
  EXPECT_GT(apart, 500);
  EXPECT_GT(meet, 300);
}

TEST(MovingNeighborsTest, WhatStaysApartAtAnEdgeNeverMeets) {
  meshes::Random random(2);
  int apart = 0;
  int meet = 0;
  for (int i = 0; i < 2000; ++i) {
    const double stray = random.Uniform(0, 0.8);
    const MovingPoint a = Point(0, stray, random);
    const MovingPoint b = Point(3, stray, random);
    const Corners s{a, b, Point(1.5, stray, random)};
    Corners t{a, b, Point(-1.5, stray, random)};
    if (i % 4 == 0) {
      // In the other one's face at half time.
      const Triangle half = At(s, 0.5);
      const Vec3 in_face = half.a * 0.25 + half.b * 0.25 + half.c * 0.5;
      const Vec3 d = Snapped(random.Point(-0.2, 0.2));
      t[2] = {in_face - d, in_face + d};
    }
    const bool is_apart = StayApartAtEdge(s, t);
    EXPECT_EQ(StayApartAtEdge(t, s), is_apart);
    const bool meets = MeetBeyond(s, t, 2);
    EXPECT_FALSE(is_apart && meets) << i;
    apart += is_apart ? 1 : 0;
    meet += meets ? 1 : 0;
  }
  EXPECT_GT(apart, 500);
  EXPECT_GT(meet, 0);
}

// A hinge that folds flat, exactly, at half time: the plane may not part it.
TEST(MovingNeighborsTest, AHingeThatFoldsIsNotPassed) {
  const MovingPoint a{{-0.5, 0, 0}, {-0.5, 0, 0}};
  const MovingPoint b{{0.5, 0, 0}, {0.5, 0, 0}};
  const MovingPoint still{{0, 0.5, 0}, {0, 0.5, 0}};
  const MovingPoint folding{{0, -0.25, 0.5}, {0, 0.75, -0.5}};
  EXPECT_TRUE(MeetBeyond({a, b, still}, {a, b, folding}, 2));
  EXPECT_FALSE(StayApartAtEdge({a, b, still}, {a, b, folding}));
  const MovingPoint open{{0, -0.25, 0.5}, {0, -0.75, -0.5}};
  EXPECT_TRUE(StayApartAtEdge({a, b, still}, {a, b, open}));
}

}  // namespace
}  // namespace orbox
