// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/motion/deforming_contact.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/overlap/motion/internal/apart_until.h"
#include "tests/support/deforming_motions.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using brute_force::ByForce;
using brute_force::Deforming;
using brute_force::ExpectSame;
using brute_force::Mapped;
using brute_force::Motion;
using brute_force::RandomMotion;
using brute_force::SharedCornersOf;
using brute_force::TriangleOf;
using brute_force::WithVertices;

// Every vertex moves to a multiple of its position.
Motion Scaled(const Mesh& mesh, double by, double (*round)(double)) {
  std::vector<Vec3> from;
  for (const Vec3& v : mesh.vertices()) {
    from.push_back({round(v.x), round(v.y), round(v.z)});
  }
  Motion m{WithVertices(mesh, from), {}};
  m.to = Mapped(from, [by](const Vec3& v) { return v * by; });
  return m;
}

// Half of a ball moves through the other half, until faces are on faces.
Motion Dented(const Mesh& ball) {
  Motion m{ball, {}};
  m.to = Mapped(ball.vertices(), [](const Vec3& v) {
    return v.x > 0 ? Vec3{v.x * -1.2, v.y, v.z} : v;
  });
  return m;
}

double ToFewDigits(double x) {
  return std::ldexp(std::round(std::ldexp(x, 16)), -16);
}
double AsItIs(double x) { return x; }

// All that touches at one time: the pair with the lowest ids, of every tree.
TEST(ContactAtOnceTest, EverythingTouchesAtOnce) {
  const auto expect = [](const Motion& m, double time) {
    SCOPED_TRACE(time);
    const auto expected = ByForce(m);
    ASSERT_TRUE(expected);
    EXPECT_NEAR(expected->earliest, time, 0x1p-40);
    EXPECT_NEAR(expected->latest, time, 0x1p-40);
    for (const trees::Named& variant : trees::Variants(m.from)) {
      SCOPED_TRACE(variant.name);
      ExpectSame(FirstSelfContact(*DeformingMesh::Create(variant.tree, m.to)),
                 expected);
    }
  };
  const Mesh ball = meshes::Icosphere(0);
  expect(Scaled(ball, -1, ToFewDigits), 0.5);
  expect(Scaled(ball, -3, ToFewDigits), 0.25);
  // Times that no double holds, at which all is exactly in one point, or
  // almost.
  expect(Scaled(ball, -0.75, ToFewDigits), 4.0 / 7);
  expect(Scaled(ball, -0.7, AsItIs), 10.0 / 17);
  expect(Scaled(meshes::Soup(24, 0.04, 1), -1, ToFewDigits), 0.5);
  expect(Scaled(meshes::Soup(24, 0.04, 1), -0.7, AsItIs), 10.0 / 17);
  expect(Dented(meshes::Icosphere(1)), 10.0 / 11);
  // Onto a line.
  for (const double by : {-1.0, -0.75}) {
    Motion line = Scaled(meshes::Soup(24, 0.04, 2), by, ToFewDigits);
    for (size_t i = 0; i < line.to.size(); ++i) {
      line.to[i].y = line.from.vertices()[i].y;
    }
    expect(line, 1 / (1 - by));
  }
}

// All of 48,840 pairs without common corners are proved apart until shortly
// before the contact. Their times of contact, which take up to milliseconds
// each, are not computed.
TEST(ContactAtOnceTest, ManyTouchAtOnceAndFewAreDecided) {
  const auto expect = [](const Motion& m, double time) {
    SCOPED_TRACE(time);
    const auto contact = FirstSelfContact(Deforming(m));
    ASSERT_TRUE(contact);
    EXPECT_NEAR(contact->earliest, time, 0x1p-40);
    EXPECT_NEAR(contact->latest, time, 0x1p-40);
    int apart = 0;
    int all = 0;
    for (uint32_t i = 0; i < m.from.triangle_count(); ++i) {
      for (uint32_t j = i + 1; j < m.from.triangle_count(); ++j) {
        if (!SharedCornersOf(m, i, j).empty()) continue;
        ++all;
        apart +=
            AreApartUntil(TriangleOf(m, i), TriangleOf(m, j), contact->earliest)
                ? 1
                : 0;
      }
    }
    EXPECT_GT(all, 48000);
    EXPECT_EQ(apart, all);
  };
  const Mesh ball = meshes::Icosphere(2);
  for (const double by : {-0.7, -0.75, -1.0}) {
    expect(Scaled(ball, by, ToFewDigits), 1 / (1 - by));
    expect(Scaled(ball, by, AsItIs), 1 / (1 - by));
  }
  expect(Dented(ball), 10.0 / 11);
}

TEST(ContactAtOnceTest, SheetsOnSheets) {
  meshes::Random random(8);
  for (int i = 0; i < 4; ++i) {
    SCOPED_TRACE(i);
    const Vec3 aside{random.Uniform(-1, 1), 0, 1};
    Motion a = RandomMotion(meshes::Grid(4), aside, {0, 0, -2}, 0, random);
    // One corner is sooner by less than the tolerance, or by more.
    if (i >= 2) a.to[7].z -= i == 2 ? 0x1p-45 : 0x1p-12;
    const Motion b = RandomMotion(meshes::Grid(5), {}, {}, 0, random);
    const auto expected = ByForce(a, b);
    ASSERT_TRUE(expected);
    EXPECT_LE(expected->earliest, 0.5);
    const DeformingMesh ground = Deforming(b);
    for (const trees::Named& variant : trees::Variants(a.from)) {
      SCOPED_TRACE(variant.name);
      ExpectSame(
          FirstContact(*DeformingMesh::Create(variant.tree, a.to), ground),
          expected);
    }
  }
}

// A pair that touches later by less than a cell of time is as good, if its ids
// are lower.
TEST(ContactAtOnceTest, TimesOfOneCellAreOne) {
  const Mesh ground = meshes::FromTriangles(
      {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{4, -9, 0}, {9, -9, 0}, {5, 9, 0}}});
  const Motion b{ground, {ground.vertices().begin(), ground.vertices().end()}};
  const Triangle flat{{0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  for (const double height : {1 + 0x1p-44, 1 + 0x1p-38}) {
    const Mesh above = meshes::FromTriangles(
        {{{5.1, 0.2, height}, {6, 0.3, 2}, {5, 1.1, 3}}, flat});
    const Motion a{above, Mapped(above.vertices(), [](const Vec3& v) {
                     return v + Vec3{0, 0, -2};
                   })};
    for (const trees::Named& variant : trees::Variants(a.from)) {
      SCOPED_TRACE(variant.name);
      const auto contact = FirstContact(
          *DeformingMesh::Create(variant.tree, a.to), Deforming(b));
      ASSERT_TRUE(contact);
      EXPECT_EQ(contact->earliest, 0.5 - 0x1p-41);
      EXPECT_EQ(contact->latest, 0.5 + 0x1p-41);
      EXPECT_EQ(contact->triangles, height == 1 + 0x1p-44
                                        ? (TrianglePair{0, 1})
                                        : (TrianglePair{1, 0}));
    }
  }
}

}  // namespace
}  // namespace orbox
