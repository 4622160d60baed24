// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/swept_sphere.h"

#include <cmath>

#include "gtest/gtest.h"
#include "tests/support/exact_triangles.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"

namespace orbox {
namespace {

using oracle::Point;
using oracle::Rational;

Rational SquaredDistanceAt(const SweptSphere& ball, const Triangle& t,
                           double time) {
  return oracle::ToTriangle(
      oracle::Between(oracle::Lift(ball.from), oracle::Lift(ball.to), time),
      oracle::Lift(t));
}

bool Touches(const SweptSphere& ball, const Triangle& t) {
  const Rational r = ball.radius;
  return oracle::SquaredDistance(Triangle{ball.from, ball.to, ball.to}, t) <=
         r * r;
}

// Checks whether there is a contact, and the enclosure of its time. The
// distance is a convex function of time. So at `earliest` it is not below the
// radius, unless the ball touches from the start, and at `latest` it has come
// down to the radius.
void Check(const SweptSphere& ball, const Triangle& t) {
  const auto contact = FirstContact(ball, t);
  ASSERT_EQ(contact.has_value(), Touches(ball, t));
  if (!contact) return;
  const Rational r2 = Rational(ball.radius) * ball.radius;
  EXPECT_LE(0, contact->earliest);
  EXPECT_LE(contact->earliest, contact->latest);
  EXPECT_LE(contact->latest, 1);
  if (SquaredDistanceAt(ball, t, 0) <= r2) {
    EXPECT_EQ(contact->latest, 0);
    return;
  }
  EXPECT_GE(SquaredDistanceAt(ball, t, contact->earliest), r2);
  // In passing it may have left again, or be nearer than rounding errors.
  const Vec3 end =
      ball.from * (1 - contact->latest) + ball.to * contact->latest;
  const double slack = 0x1p-40 * MaxCoordinate(Abs(ball.from));
  EXPECT_TRUE(SquaredDistanceAt(ball, t, contact->latest) <= r2 ||
              Touches({ball.from, end, ball.radius + slack}, t));
}

TEST(SweptSphereTest, AgreesWithRationalsAtRandom) {
  meshes::Random random(1);
  int contacts = 0;
  for (int i = 0; i < 300; ++i) {
    const Triangle t{random.Point(-1, 1), random.Point(-1, 1),
                     random.Point(-1, 1)};
    const SweptSphere ball{random.Point(-3, 3), random.Point(-1, 1),
                           random.Uniform(0, 0.5)};
    Check(ball, t);
    contacts += FirstContact(ball, t).has_value();
  }
  EXPECT_GT(contacts, 50);
}

// Small whole numbers: balls that touch at the start, at the end, in passing,
// or move along the triangle; balls of radius 0; triangles without area.
TEST(SweptSphereTest, AgreesWithRationalsOnALattice) {
  meshes::Random random(2);
  const auto lattice = [&random] {
    const auto coordinate = [&random] {
      return static_cast<double>(random.Below(7)) - 3;
    };
    const double x = coordinate();
    const double y = coordinate();
    return Vec3{x, y, coordinate()};
  };
  int contacts = 0;
  for (int i = 0; i < 600; ++i) {
    const Triangle t{lattice(), lattice(), lattice()};
    const SweptSphere ball{lattice(), lattice(),
                           static_cast<double>(random.Below(3))};
    Check(ball, t);
    contacts += FirstContact(ball, t).has_value();
  }
  EXPECT_GT(contacts, 100);
}

TEST(SweptSphereTest, TimesAreTight) {
  const Triangle t{{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}};
  // Onto the face: (4 - 1) / 8 of the way.
  const auto face = FirstContact({{0, 0, 4}, {0, 0, -4}, 1}, t);
  ASSERT_TRUE(face);
  EXPECT_NEAR(face->earliest, 0.375, 0x1p-42);
  EXPECT_LE(face->earliest, 0.375);
  EXPECT_GE(face->latest, 0.375);
  EXPECT_NEAR(face->latest, 0.375, 0x1p-42);
  // Onto an edge, with a 3-4-5 triangle next to it.
  const auto edge = FirstContact({{0, -14, 3}, {0, 2, 3}, 5}, t);
  ASSERT_TRUE(edge);
  EXPECT_NEAR(edge->earliest, 1.0 / 16, 0x1p-42);
  EXPECT_NEAR(edge->latest, 1.0 / 16, 0x1p-42);
  EXPECT_LE(MaxCoordinate(Abs(edge->point - Vec3{0, -9, 0})), 0x1p-40);
  // At random: closing in at most at 60 degrees from the normal.
  meshes::Random random(3);
  for (int i = 0; i < 200; ++i) {
    const Vec3 from = random.Point(-1, 1) + Vec3{0, 0, 4};
    const Vec3 to = random.Point(-1, 1) - Vec3{0, 0, 4};
    const double radius = std::pow(10.0, random.Uniform(-9, -1));
    const auto contact = FirstContact({from, to, radius}, t);
    ASSERT_TRUE(contact);
    EXPECT_LE(contact->latest - contact->earliest, 0x1p-42);
    EXPECT_NEAR(contact->latest, (from.z - radius) / (from.z - to.z), 0x1p-42);
  }
}

TEST(SweptSphereTest, GrazingContactIsFoundExactly) {
  const Triangle t{{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}};
  const SweptSphere along{{-20, 0, 1}, {20, 0, 1}, 1};
  EXPECT_TRUE(FirstContact(along, t));
  EXPECT_FALSE(FirstContact({along.from, along.to, std::nextafter(1, 0)}, t));
  // Past a corner, at a distance of exactly 5.
  const SweptSphere past{{13, -20, 0}, {13, 20, 0}, 4};
  const auto contact = FirstContact(past, t);
  ASSERT_TRUE(contact);
  EXPECT_LE(contact->earliest, 11.0 / 40);
  EXPECT_GE(contact->latest, 11.0 / 40);
  EXPECT_LE(contact->latest - contact->earliest, 0x1p-18);
  EXPECT_FALSE(FirstContact({past.from, past.to, std::nextafter(4, 0)}, t));
}

TEST(SweptSphereTest, EveryScaleAndPlace) {
  const Triangle t{{0, 0, 0}, {1, 0.25, 0}, {0.125, 1, 0.5}};
  const SweptSphere ball{{0.3, 0.2, 2}, {0.4, 0.25, -1}, 0.125};
  const auto expected = FirstContact(ball, t);
  ASSERT_TRUE(expected);
  const auto scaled = [](const Vec3& v, int e) {
    return Vec3{std::ldexp(v.x, e), std::ldexp(v.y, e), std::ldexp(v.z, e)};
  };
  for (const int e : {-1000, -300, -40, 40, 300, 1000}) {
    SCOPED_TRACE(e);
    const auto contact = FirstContact(
        {scaled(ball.from, e), scaled(ball.to, e), std::ldexp(ball.radius, e)},
        {scaled(t.a, e), scaled(t.b, e), scaled(t.c, e)});
    ASSERT_TRUE(contact);
    EXPECT_EQ(contact->earliest, expected->earliest);
    EXPECT_EQ(contact->latest, expected->latest);
  }
  for (const double offset : {0x1p20, 0x1p40, 1e300}) {
    const Vec3 move{offset, -offset, offset};
    Check({ball.from + move, ball.to + move, ball.radius},
          {t.a + move, t.b + move, t.c + move});
  }
  Check({{1e308, 0, 0}, {-1e308, 0, 0}, 1}, t);
  Check({{1e308, 0, 0}, {-1e308, 0, 0}, 1e308}, t);
  Check({{5e-324, 0, 1}, {0, 5e-324, -1}, 5e-324}, t);
}

// Contacts after max_t are not reported, and those before do not change.
TEST(SweptSphereTest, LaterContactsDoNotCount) {
  const Triangle t{{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}};
  const SweptSphere ball{{0, 0, 4}, {0, 0, -4}, 1};
  EXPECT_TRUE(FirstContact(ball, t, 0.375));
  EXPECT_FALSE(FirstContact(ball, t, 0.37));
  EXPECT_EQ(FirstContact(ball, t, 0.38)->latest, FirstContact(ball, t)->latest);
}

TEST(SweptSphereTest, BadInputTouchesNothing) {
  const Triangle t{{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}};
  EXPECT_FALSE(FirstContact({{0, 0, 4}, {0, 0, -4}, -1}, t));
  EXPECT_FALSE(FirstContact({{0, 0, 4}, {0, 0, -4}, kNan}, t));
  EXPECT_FALSE(FirstContact({{0, 0, 4}, {0, 0, -4}, kInf}, t));
  EXPECT_FALSE(FirstContact({{0, 0, kInf}, {0, 0, -4}, 1}, t));
  EXPECT_FALSE(FirstContact({{0, 0, 4}, {0, kNan, -4}, 1}, t));
  EXPECT_FALSE(FirstContact({{0, 0, 4}, {0, 0, -4}, 1}, t, kNan));
  // One that stays where it is.
  EXPECT_EQ(FirstContact({{0, 0, 1}, {0, 0, 1}, 1}, t)->latest, 0);
  EXPECT_FALSE(FirstContact({{0, 0, 1}, {0, 0, 1}, 0.5}, t));
}

}  // namespace
}  // namespace orbox
