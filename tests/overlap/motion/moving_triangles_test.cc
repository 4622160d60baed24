// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/motion/moving_triangles.h"

#include <cmath>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/exact_triangles.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

using oracle::Rational;

struct MovingPair {
  MovingTriangle s;
  MovingTriangle t;
};

oracle::Corners CornersAt(const MovingTriangle& moving, const Rational& t) {
  const oracle::Corners from = oracle::Lift(moving.from);
  const oracle::Corners to = oracle::Lift(moving.to);
  return {oracle::Between(from[0], to[0], t),
          oracle::Between(from[1], to[1], t),
          oracle::Between(from[2], to[2], t)};
}

Rational SquaredDistanceAt(const MovingPair& p, const Rational& t) {
  return oracle::SquaredDistance(CornersAt(p.s, t), CornersAt(p.t, t));
}

// At least the speed of any point of one triangle, seen from the other.
double SpeedOf(const MovingPair& p) {
  double speed = 0;
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      const Vec3 d = (p.s.to[i] - p.s.from[i]) - (p.t.to[j] - p.t.from[j]);
      speed = std::max(speed, Norm(d));
    }
  }
  return speed;
}

// Samples in rationals: none before `earliest` touches; what touches later is
// not missed; and close to `latest` the distance is as small as the speed and
// the tolerance allow. Returns whether there is contact.
bool Check(const MovingPair& p, int samples = 8) {
  const auto contact = FirstContact(p.s, p.t);
  if (contact) {
    EXPECT_LE(0, contact->earliest);
    EXPECT_LE(contact->earliest, contact->latest);
    EXPECT_LE(contact->latest, 1);
    EXPECT_LE(contact->latest - contact->earliest, 0x1p-40);
    const double reach = SpeedOf(p) * 0x1p-39;
    EXPECT_LE(SquaredDistanceAt(p, contact->latest), Rational(reach) * reach);
  }
  for (int i = 0; i <= samples; ++i) {
    const Rational t(i, samples);
    if (SquaredDistanceAt(p, t) == 0) {
      EXPECT_TRUE(contact && contact->earliest <= t) << "at " << t;
      break;
    }
  }
  if (contact && contact->earliest > 0) {
    // Just before, and halfway.
    const Rational earliest(contact->earliest);
    EXPECT_NE(SquaredDistanceAt(p, earliest / 2), 0);
    EXPECT_NE(SquaredDistanceAt(p, earliest * Rational(1023, 1024)), 0);
  }
  return contact.has_value();
}

MovingPair Reversed(const MovingPair& p) {
  return {{p.s.to, p.s.from}, {p.t.to, p.t.from}};
}

template <typename Map>
MovingTriangle Mapped(const MovingTriangle& t, Map map) {
  return {{map(t.from.a), map(t.from.b), map(t.from.c)},
          {map(t.to.a), map(t.to.b), map(t.to.c)}};
}
template <typename Map>
MovingPair Mapped(const MovingPair& p, Map map) {
  return {Mapped(p.s, map), Mapped(p.t, map)};
}

// Both ends of both motions of one kind.
MovingPair Next(TriangleCases& cases) {
  const TriangleCase from = cases.Next();
  const TriangleCase to = cases.Next();
  return {{from.first, to.first}, {from.second, to.second}};
}

const Triangle kFloor{{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}};
MovingTriangle Still(const Triangle& t) { return {t, t}; }
MovingTriangle Moved(const Triangle& t, const Vec3& by) {
  return {t, {t.a + by, t.b + by, t.c + by}};
}

class MovingTrianglesTest : public testing::TestWithParam<TriangleKind> {};

INSTANTIATE_TEST_SUITE_P(Kinds, MovingTrianglesTest,
                         testing::ValuesIn(kTriangleKinds),
                         [](const auto& kind) { return NameOf(kind.param); });

TEST_P(MovingTrianglesTest, AgreeWithSamplesInRationals) {
  TriangleCases cases(GetParam(), 1);
  for (int i = 0; i < 14 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    Check(Next(cases));
  }
}

// A motion that keeps what it can of the kind: a corner each moves otherwise.
TEST_P(MovingTrianglesTest, AgreeWithSamplesWhereTheyAreCarriedPast) {
  TriangleCases cases(GetParam(), 2);
  int contacts = 0;
  for (int i = 0; i < 14 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const auto [s, t] = cases.Next();
    const Vec3 by = cases.Gaussian() * 4.0;
    Vec3 start = by * -0.5;
    if (cases.Coin()) start += t.b - s.a;  // a corner onto a corner, or nearly
    MovingPair p{Moved({s.a + start, s.b + start, s.c + start}, by), Still(t)};
    if (cases.Coin()) p.t.to.a += cases.Gaussian() * 0.25;
    contacts += Check(p) ? 1 : 0;
  }
  EXPECT_GT(contacts, 0);
}

// The existence of a contact does not depend on the direction of time, on axes
// or scale. The enclosure does not depend on the order of triangles and
// corners.
TEST_P(MovingTrianglesTest, DoNotDependOnOrderTimeScaleOrAxes) {
  TriangleCases cases(GetParam(), 3);
  for (int i = 0; i < 25 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const MovingPair p = Next(cases);
    const auto contact = FirstContact(p.s, p.t);
    EXPECT_EQ(FirstContact(p.t, p.s), contact);
    const MovingTriangle turned{{p.s.from.c, p.s.from.a, p.s.from.b},
                                {p.s.to.c, p.s.to.a, p.s.to.b}};
    const MovingTriangle flipped{{p.t.from.b, p.t.from.a, p.t.from.c},
                                 {p.t.to.b, p.t.to.a, p.t.to.c}};
    EXPECT_EQ(FirstContact(flipped, turned), contact);
    const MovingPair back = Reversed(p);
    EXPECT_EQ(FirstContact(back.s, back.t).has_value(), contact.has_value());
    for (const int exponent : {-900, -40, 40, 900}) {
      const MovingPair scaled = Mapped(p, [=](const Vec3& v) {
        return Vec3{std::ldexp(v.x, exponent), std::ldexp(v.y, exponent),
                    std::ldexp(v.z, exponent)};
      });
      EXPECT_EQ(FirstContact(scaled.s, scaled.t), contact);
    }
    const MovingPair mirrored = Mapped(p, [](const Vec3& v) {
      return Vec3{-v.z, v.x, v.y};
    });
    const auto other = FirstContact(mirrored.s, mirrored.t);
    ASSERT_EQ(other.has_value(), contact.has_value());
    if (contact) {
      EXPECT_LE(contact->earliest, other->latest);
      EXPECT_LE(other->earliest, contact->latest);
    }
  }
}

// Corners of small whole numbers around a contact at a time with few bits, from
// which they move both ways: all of it without rounding.
TEST(MovingTrianglesExactTest, ContactsThatAreBuiltAreFound) {
  meshes::Random random(4);
  int first = 0;
  for (int i = 0; i < 150 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    Triangle s{random.LatticePoint(4), random.LatticePoint(4),
               random.LatticePoint(4)};
    Triangle t{random.LatticePoint(4), random.LatticePoint(4),
               random.LatticePoint(4)};
    // A corner in the face, on an edge, at a corner; or edges that cross.
    switch (random.Below(4)) {
      case 0:
        t.a = (s.a + s.b + s.c * 2.0) * 0.25;
        break;
      case 1:
        t.a = (s.a * 3.0 + s.b) * 0.25;
        break;
      case 2:
        t.a = s.b;
        break;
      default:
        t.b = (s.a + s.b) - t.a;  // both edges' middles
    }
    const double time = static_cast<double>(random.Below(9)) / 8;
    MovingPair p;
    for (size_t k = 0; k < 3; ++k) {
      const Vec3 v = random.LatticePoint(4);
      const Vec3 w = random.LatticePoint(4);
      p.s.from[k] = s[k] - v * time;
      p.s.to[k] = s[k] + v * (1 - time);
      p.t.from[k] = t[k] - w * time;
      p.t.to[k] = t[k] + w * (1 - time);
    }
    const auto contact = FirstContact(p.s, p.t);
    ASSERT_TRUE(contact);
    EXPECT_LE(contact->earliest, time);
    first += contact->latest >= time ? 1 : 0;
    Check(p, 8);
  }
  EXPECT_GT(first, 25);  // with nothing before
}

TEST(MovingTrianglesExactTest, TimesAreTheRightOnes) {
  // A corner onto the face, after three quarters of the way.
  const Triangle spike{{0, 0, 3}, {1, 0, 5}, {0, 1, 5}};
  const auto face = FirstContact(Moved(spike, {0, 0, -4}), Still(kFloor));
  ASSERT_TRUE(face);
  EXPECT_LE(face->earliest, 0.75);
  EXPECT_GE(face->latest, 0.75);
  // Exactly at the end, and a bit less.
  EXPECT_TRUE(FirstContact(Moved(spike, {0, 0, -3}), Still(kFloor)));
  EXPECT_EQ(FirstContact(Moved(spike, {0, 0, -3}), Still(kFloor))->latest, 1);
  MovingTriangle less = Moved(spike, {0, 0, -3});
  less.to.a.z = 0x1p-1074;
  EXPECT_FALSE(FirstContact(less, Still(kFloor)));
  // Exactly at the start.
  const MovingTriangle leaving =
      Moved({{0, 0, 0}, {1, 0, 2}, {0, 1, 2}}, {0, 0, 7});
  EXPECT_EQ(FirstContact(leaving, Still(kFloor)), (MotionContact{0, 0}));
  // Two edges, crossed.
  const Triangle roof{{0, -2, 1}, {0, 2, 1}, {0, 0, 3}};
  const Triangle ridge{{-2, 0, 0}, {2, 0, 0}, {0, 0, -3}};
  const auto edges = FirstContact(Moved(roof, {0, 0, -4}), Still(ridge));
  ASSERT_TRUE(edges);
  EXPECT_LE(edges->earliest, 0.25);
  EXPECT_GE(edges->latest, 0.25);
}

// The corner's path is tangent to the face that comes up to meet it: a double
// root, which rounding would lose.
TEST(MovingTrianglesExactTest, GrazingIsTouching) {
  // The face turns as it moves: its plane is z = (4 t - 2) x at time t, and the
  // corner is at x = 4 t - 2, z = 0 or just below: (4 t - 2)^2 over it.
  const MovingTriangle face{{{-8, -9, 16}, {8, -9, -16}, {0, 9, 0}},
                            {{-8, -9, -16}, {8, -9, 16}, {0, 9, 0}}};
  const auto corner = [](double z) {
    return MovingTriangle{{{-2, 0, z}, {-2, 0, -90}, {-2, 1, -90}},
                          {{2, 0, z}, {2, 0, -90}, {2, 1, -90}}};
  };
  const auto contact = FirstContact(face, corner(0));
  ASSERT_TRUE(contact);
  EXPECT_LE(contact->earliest, 0.5);
  EXPECT_GE(contact->latest, 0.5);
  EXPECT_FALSE(FirstContact(face, corner(-0x1p-60)));
  const auto through = FirstContact(face, corner(0x1p-60));
  ASSERT_TRUE(through);
  EXPECT_LE(through->earliest, 0.5 - 0x1p-32);
  EXPECT_GE(through->latest, 0.5 - 0x1p-32);
}

// Fast and thin: everything happens within a billionth of the time.
TEST(MovingTrianglesExactTest, NothingTunnels) {
  meshes::Random random(5);
  for (int i = 0; i < 200; ++i) {
    const Vec3 aim{random.Uniform(-3, 3), random.Uniform(-6, 0), 0};
    const Vec3 way{random.Uniform(-1, 1), random.Uniform(-1, 1), -1};
    const Vec3 from = aim - way * 1e9;
    const Triangle bullet{from, from + Vec3{1e-3, 0, 1e-3}, from + way * -1e-3};
    const auto contact = FirstContact(Moved(bullet, way * 3e9), Still(kFloor));
    ASSERT_TRUE(contact);
    EXPECT_NEAR(contact->earliest, 1.0 / 3, 1e-6);
  }
}

TEST(MovingTrianglesExactTest, WithinOnePlane) {
  const Triangle left{{-5, 0, 0}, {-4, 0, 0}, {-5, 1, 0}};
  const Triangle right{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const auto contact = FirstContact(Moved(left, {8, 0, 0}), Still(right));
  ASSERT_TRUE(contact);
  EXPECT_LE(contact->earliest, 0.5);
  EXPECT_GE(contact->latest, 0.5);
  // Next to it, along an edge, and just not touching.
  EXPECT_TRUE(FirstContact(
      Moved({{-5, -1, 0}, {-4, -1, 0}, {-5, 0, 0}}, {16, 0, 0}), Still(right)));
  EXPECT_FALSE(FirstContact(
      Moved({{-5, -1, 0}, {-4, -1, 0}, {-5, -0x1p-40, 0}}, {16, 0, 0}),
      Still(right)));
  // A tilted plane, corner to corner, that moves itself.
  const auto tilt = [](const Vec3& v, double lift) {
    return Vec3{v.x, v.y, v.x + 2 * v.y + lift};
  };
  const MovingTriangle s{
      {tilt(left.a, 0), tilt(left.b, 0), tilt(left.c, 0)},
      {tilt(left.a + Vec3{8, 0, 0}, 5), tilt(left.b + Vec3{8, 0, 0}, 5),
       tilt(left.c + Vec3{8, 0, 0}, 5)}};
  const MovingTriangle t{
      {tilt(right.a, 0), tilt(right.b, 0), tilt(right.c, 0)},
      {tilt(right.a, 5), tilt(right.b, 5), tilt(right.c, 5)}};
  const auto tilted = FirstContact(s, t);
  ASSERT_TRUE(tilted);
  EXPECT_LE(tilted->earliest, 0.5);
  EXPECT_GE(tilted->latest, 0.5);
}

// Points and segments, on one line all the time or not.
TEST(MovingTrianglesExactTest, WithoutArea) {
  const auto point = [](const Vec3& from, const Vec3& to) {
    return MovingTriangle{{from, from, from}, {to, to, to}};
  };
  const auto half = [](const std::optional<MotionContact>& c) {
    return c && c->earliest <= 0.5 && c->latest >= 0.5;
  };
  EXPECT_TRUE(half(FirstContact(point({0, 0, 1}, {0, 0, -1}),
                                point({0, 0, -1}, {0, 0, 1}))));
  EXPECT_TRUE(half(FirstContact(point({-1, 0, 1}, {1, 0, -1}),
                                point({0, -1, -1}, {0, 1, 1}))));
  EXPECT_FALSE(FirstContact(point({-1, 0, 1}, {1, 0, -1}),
                            point({0, -1, -1}, {0, 1.5, 1})));
  const MovingTriangle segment = Still({{0, 0, 0}, {3, 3, 3}, {1, 1, 1}});
  EXPECT_TRUE(half(FirstContact(point({4, 4, 4}, {2, 2, 2}), segment)));
  EXPECT_TRUE(half(FirstContact(point({3, 2, 2}, {1, 2, 2}), segment)));
  EXPECT_TRUE(half(FirstContact(point({0, 0, 2}, {0, 0, -2}), Still(kFloor))));
}

TEST(MovingTrianglesExactTest, EveryPlace) {
  meshes::Random random(6);
  for (const double offset : {0x1p20, 0x1p40, 1e300}) {
    const Vec3 move{offset, -offset, offset};
    for (int i = 0; i < 20; ++i) {
      const auto triangle = [&] {
        const Vec3 a = random.Point(-1, 1) + move;
        const Vec3 b = random.Point(-1, 1) + move;
        return Triangle{a, b, random.Point(-1, 1) + move};
      };
      Check({{triangle(), triangle()}, {triangle(), triangle()}}, 8);
    }
  }
  const Triangle far{{1e308, 0, 5}, {1e308, 1, 5}, {1e308, 0, 6}};
  EXPECT_TRUE(
      FirstContact({far, {{-1e308, 0, -5}, {-1e308, 1, -5}, {-1e308, 0, -6}}},
                   Still(kFloor)));
}

TEST(MovingTrianglesExactTest, ToleranceAndLimitAreKept) {
  const Triangle spike{{0.1, 0.2, 3}, {1, 0, 5}, {0, 1, 5.5}};
  const MovingTriangle falling = Moved(spike, {0.3, 0.2, -4.7});
  for (const double tolerance : {1.0, 1e-3, 1e-9, 1e-15, 0.0}) {
    const auto contact =
        FirstContact(falling, Still(kFloor), {.tolerance = tolerance});
    ASSERT_TRUE(contact);
    EXPECT_LE(contact->latest - contact->earliest,
              std::max(tolerance, 0x1p-50));
    EXPECT_LE(contact->earliest, 3 / 4.7 + 1e-15);
    EXPECT_GE(contact->latest, 3 / 4.7 - 1e-15);
  }
  EXPECT_TRUE(FirstContact(falling, Still(kFloor), {.max_t = 0.6383}));
  EXPECT_FALSE(FirstContact(falling, Still(kFloor), {.max_t = 0.6382}));
  EXPECT_EQ(FirstContact(falling, Still(kFloor), {.max_t = 0.7}),
            FirstContact(falling, Still(kFloor)));
}

TEST(MovingTrianglesExactTest, BadInputTouchesNothing) {
  const Triangle spike{{0, 0, 3}, {1, 0, 5}, {0, 1, 5}};
  for (const double bad : {kInf, -kInf, kNan}) {
    MovingTriangle s = Moved(spike, {0, 0, -4});
    s.to.b.y = bad;
    EXPECT_FALSE(FirstContact(s, Still(kFloor)));
    EXPECT_FALSE(FirstContact(Still(kFloor), s));
  }
  EXPECT_FALSE(
      FirstContact(Moved(spike, {0, 0, -4}), Still(kFloor), {.max_t = kNan}));
}

TEST(MovingTrianglesExactTest, CountsTheArithmeticThatDecides) {
  ArithmeticCounts counts;
  const auto meet = [&](const Triangle& spike, const Vec3& step,
                        const Triangle& still) {
    return FirstContact(Moved(spike, step), Still(still), {}, &counts)
        .has_value();
  };
  const Triangle spike{{0.1, 0.2, 3}, {1, 0, 5}, {0, 1, 5.5}};
  EXPECT_TRUE(meet(spike, {0.3, 0.2, -4.7}, kFloor));
  EXPECT_TRUE(meet(spike, {0, 0, -3}, kFloor));
  EXPECT_EQ(counts, (ArithmeticCounts{.by_double = 2}));
  // A corner of many digits passes through the middle of such an edge.
  const auto grid = [](double x) { return std::round(x * 0x1p40) * 0x1p-40; };
  const Vec3 middle{0.5, 0.5, 0.5};
  const Vec3 half{grid(1.0 / 3), grid(1.0 / 7), grid(1.0 / 5)};
  const Vec3 step{grid(1.0 / 11), grid(-1.0 / 13), grid(-3.0 / 17)};
  const Triangle face{middle - half, middle + half, {grid(0.1), -3, 0.7}};
  const Triangle tip{middle - step, {1, 0, 5}, {0, 1, 5.5}};
  EXPECT_TRUE(meet(tip, step * 2, face));
  EXPECT_EQ(counts, (ArithmeticCounts{.by_double = 2, .by_expansion = 1}));
  // And one of which coordinates are thousands of binary orders apart.
  EXPECT_TRUE(
      meet({{0x1p-1070, 0.2, 3}, {1, 0, 5}, {0, 1, 5.5}}, {0, 0, -3}, kFloor));
  EXPECT_EQ(counts, (ArithmeticCounts{
                        .by_double = 2, .by_expansion = 1, .by_exact = 1}));
}

}  // namespace
}  // namespace orbox
