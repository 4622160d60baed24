// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/half_spaces.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/support/exact_triangles.h"
#include "tests/support/meshes.h"
#include "tests/support/sanitized.h"
#include "tests/support/special_numbers.h"

namespace orbox {
namespace {

using Set = std::vector<HalfSpace>;

// The definition: what clipping in rational arithmetic leaves.
bool OracleOverlaps(const Set& set, const Triangle& t) {
  const oracle::Corners corners = oracle::Lift(t);
  std::vector<oracle::Point> polygon(corners.begin(), corners.end());
  for (const HalfSpace& h : set) {
    polygon = oracle::Clip(polygon, oracle::Lift(h.normal), h.offset);
  }
  return !polygon.empty();
}

void Check(const Set& set, const Triangle& t) {
  const bool expected = OracleOverlaps(set, t);
  EXPECT_EQ(Overlaps(set, t), expected);
  EXPECT_EQ(Overlaps(set, {t.b, t.c, t.a}), expected);
  EXPECT_EQ(Overlaps(set, {t.b, t.a, t.c}), expected);
  EXPECT_EQ(Overlaps(Set(set.rbegin(), set.rend()), t), expected);
}

Triangle LatticeTriangle(meshes::Random& random) {
  const Vec3 a = random.LatticePoint(2);
  const Vec3 b = random.LatticePoint(2);
  return {a, b, random.LatticePoint(2)};
}

Triangle RandomTriangle(meshes::Random& random, double size) {
  const Vec3 a = random.Point(-1, 1);
  const Vec3 b = a + random.Point(-size, size);
  return {a, b, a + random.Point(-size, size)};
}

TEST(HalfSpacesTest, OneHalfSpaceTouches) {
  const Triangle t{{0, 0, 1}, {1, 0, 2}, {0, 1, 3}};
  EXPECT_TRUE(Overlaps(Set{{{0, 0, 1}, 1}}, t));
  EXPECT_FALSE(Overlaps(Set{{{0, 0, 1}, std::nextafter(1, 0)}}, t));
  EXPECT_TRUE(Overlaps(Set{{{0, 0, -4}, -12}}, t));
  EXPECT_FALSE(Overlaps(Set{{{0, 0, -4}, std::nextafter(-12, -13)}}, t));
}

TEST(HalfSpacesTest, NoneAreEverythingAndZeroNormalsAllOrNothing) {
  const Triangle t{{0, 0, 1}, {1, 0, 2}, {0, 1, 3}};
  EXPECT_TRUE(Overlaps(Set{}, t));
  EXPECT_TRUE(Overlaps(Set{{{0, 0, 0}, 0}}, t));
  EXPECT_TRUE(Overlaps(Set{{{0, 0, 0}, 1}}, t));
  EXPECT_FALSE(Overlaps(Set{{{0, 0, 0}, -1e-300}}, t));
}

// Each half-space has something of the triangle, each two of them as well, and
// all three do not.
TEST(HalfSpacesTest, CornersOfTheSetDoNotDeceive) {
  const Triangle t{{-8, -8, 0}, {8, -8, 0}, {0, 8, 0}};
  const Set empty = {{{1, 1, 0}, -1}, {{-1, 1, 0}, -1}, {{0, -1, 0}, 0}};
  EXPECT_FALSE(Overlaps(empty, t));
  const Set point = {{{1, 1, 0}, 0}, {{-1, 1, 0}, 0}, {{0, -1, 0}, 0}};
  EXPECT_TRUE(Overlaps(point, t));
  Set missed = point;
  missed[2].offset = -0x1p-60;
  EXPECT_FALSE(Overlaps(missed, t));
}

TEST(HalfSpacesTest, AgreesWithTheOracleOnTheLattice) {
  meshes::Random random(1);
  int yes = 0;
  for (int i = 0; i < 4000; ++i) {
    Set set(1 + random.Below(5));
    for (HalfSpace& h : set) {
      h = {random.LatticePoint(2), static_cast<double>(random.Below(7)) - 3};
    }
    const Triangle t = LatticeTriangle(random);
    Check(set, t);
    yes += OracleOverlaps(set, t) ? 1 : 0;
  }
  EXPECT_GT(yes, 500);
  EXPECT_LT(yes, 3500);
}

// Half-spaces about a point. A vertex of their region is in the triangle or
// nearly.
TEST(HalfSpacesTest, AgreesWithTheOracleNearCornersOfTheSet) {
  meshes::Random random(2);
  ArithmeticCounts counts;
  const int sets = kSanitized ? 400 : 2000;
  for (int i = 0; i < sets; ++i) {
    const Triangle t = RandomTriangle(random, i % 2 == 0 ? 1 : 0.01);
    const double u = random.Uniform(0, 1);
    const double v = random.Uniform(0, 1 - u);
    const Vec3 corner = t.a + u * (t.b - t.a) + v * (t.c - t.a);
    Set set;
    for (int k = 0; k < 4; ++k) {
      const Vec3 n = random.Direction();
      set.push_back({n, Dot(n, corner)});
    }
    Check(set, t);
    Overlaps(set, t, &counts);
  }
  EXPECT_EQ(counts.by_double + counts.by_expansion,
            static_cast<uint64_t>(sets));
}

// Double decides all cases without a coincidence made on purpose.
TEST(HalfSpacesTest, ExactArithmeticIsRare) {
  meshes::Random random(3);
  ArithmeticCounts counts;
  int yes = 0;
  for (int i = 0; i < 5000; ++i) {
    Set set;
    for (int k = 0; k < 6; ++k) {
      set.push_back({random.Direction(), random.Uniform(-0.1, 0.5)});
    }
    const Triangle t = RandomTriangle(random, 1);
    const bool found = Overlaps(set, t, &counts);
    yes += found ? 1 : 0;
    if (i < 1000) {
      EXPECT_EQ(found, OracleOverlaps(set, t));
    }
  }
  EXPECT_GT(yes, 300);
  EXPECT_LT(yes, 4700);
  EXPECT_EQ(counts.by_exact, 0u);
  EXPECT_EQ(counts.by_double, 5000u);
}

TEST(HalfSpacesTest, IsTheBoxTestWhereItIsABox) {
  meshes::Random random(4);
  for (int i = 0; i < 3000; ++i) {
    const Triangle t = LatticeTriangle(random);
    const Vec3 p = random.LatticePoint(2);
    const Vec3 q = random.LatticePoint(2);
    const Aabb box{Min(p, q), Max(p, q)};
    const Set set = {{{1, 0, 0}, box.hi.x}, {{-1, 0, 0}, -box.lo.x},
                     {{0, 1, 0}, box.hi.y}, {{0, -1, 0}, -box.lo.y},
                     {{0, 0, 1}, box.hi.z}, {{0, 0, -1}, -box.lo.z}};
    EXPECT_EQ(Overlaps(set, t), Overlaps(box, t));
  }
}

TEST(HalfSpacesTest, EveryScaleAndFarFromTheOrigin) {
  meshes::Random random(5);
  for (int i = 0; i < 300; ++i) {
    Set set(4);
    for (HalfSpace& h : set) {
      h = {random.LatticePoint(2), static_cast<double>(random.Below(7)) - 3};
    }
    const Triangle t = LatticeTriangle(random);
    const bool expected = OracleOverlaps(set, t);
    for (const int exponent : {-1000, -500, -40, 40, 500, 1000}) {
      const double s = std::ldexp(1.0, exponent);
      Set scaled = set;
      for (HalfSpace& h : scaled) h.offset *= s;
      EXPECT_EQ(Overlaps(scaled, {t.a * s, t.b * s, t.c * s}), expected);
      // Normals of any length.
      Set longer = set;
      for (HalfSpace& h : longer) h = {h.normal * s, h.offset * s};
      EXPECT_EQ(Overlaps(longer, t), expected);
    }
    const Vec3 away{0x1p40, -0x1p40, 0x1p41};
    Set moved = set;
    for (HalfSpace& h : moved) h.offset += Dot(h.normal, away);
    EXPECT_EQ(Overlaps(moved, {t.a + away, t.b + away, t.c + away}), expected);
  }
}

TEST(HalfSpacesTest, ManyHalfSpaces) {
  meshes::Random random(6);
  for (int i = 0; i < (kSanitized ? 10 : 50); ++i) {
    Set ball;
    for (int k = 0; k < 200; ++k) ball.push_back({random.Direction(), 0.7});
    Check(ball, RandomTriangle(random, 1));
  }
}

TEST(HalfSpacesTest, WhatIsValid) {
  EXPECT_TRUE(IsValid(HalfSpace{{0, 0, 0}, -1}));
  EXPECT_FALSE(IsValid(HalfSpace{{0, 0, 1}, kInf}));
  EXPECT_FALSE(IsValid(HalfSpace{{0, kInf, 1}, 0}));
}

}  // namespace
}  // namespace orbox
