// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/motion/internal/apart_until.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "gtest/gtest.h"
#include "tests/support/exact_triangles.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

using oracle::Rational;

Rational At(double from, double to, double t) {
  return Rational(from) + (Rational(to) - Rational(from)) * Rational(t);
}

oracle::Point At(const MovingPoint& p, const Rational& t) {
  return oracle::Between(oracle::Lift(p.from), oracle::Lift(p.to), t);
}

// A corner is a triangle without area, and so is an edge.
Rational SquaredDistanceAt(const MovingFeatures& f, const Rational& t) {
  std::array<oracle::Point, 4> p;
  for (size_t i = 0; i < 4; ++i) p[i] = At(f.points[i], t);
  return f.kind == MovingFeatureKind::kCornerFace
             ? oracle::SquaredDistance(oracle::Corners{p[0], p[0], p[0]},
                                       oracle::Corners{p[1], p[2], p[3]})
             : oracle::SquaredDistance(oracle::Corners{p[0], p[1], p[1]},
                                       oracle::Corners{p[2], p[3], p[3]});
}

// Points of which some come together at `time`, and others go anywhere.
MovingFeatures FeaturesThatMeet(double time, meshes::Random& random) {
  MovingFeatures f{random.Below(2) == 0 ? MovingFeatureKind::kCornerFace
                                        : MovingFeatureKind::kEdgeEdge,
                   {}};
  const Vec3 at = random.LatticePoint(4);
  const bool flatten = random.Below(2) == 0;
  for (MovingPoint& p : f.points) {
    const Vec3 v = random.LatticePoint(4);
    p = {at - v * time, at + v * (1 - time)};
    if (random.Below(6) == 0) p.to = random.LatticePoint(4);
    if (flatten) {
      // All of it stays above each other, and comes to one height.
      p.from.x = random.LatticePoint(4).x;
      p.to.x = random.LatticePoint(4).x;
    }
  }
  return f;
}

TEST(ApartUntilTest, CoordinatesAreEnclosed) {
  meshes::Random random(1);
  int exact = 0;
  for (int i = 0; i < 2000; ++i) {
    const double scale = std::pow(2, random.Uniform(-500, 500));
    const double from = random.Uniform(-1, 1) * scale;
    // Every other one is about to vanish.
    const double to = i % 4 == 0   ? -from
                      : i % 4 == 2 ? from * -0.7
                                   : random.Uniform(-1, 1) * scale;
    const double t = i % 3 == 0   ? 0.5
                     : i % 3 == 1 ? 10.0 / 17 - 0x1p-42
                                  : random.Uniform(0, 1);
    const Enclosure at = CoordinateAt(from, to, t);
    EXPECT_LE(Rational(at.lo), At(from, to, t));
    EXPECT_GE(Rational(at.hi), At(from, to, t));
    EXPECT_LE(at.hi - at.lo,
              0x1p-49 * std::abs(at.lo) + 0x1p-98 * scale + 0x1p-990);
    exact += at.lo == at.hi ? 1 : 0;
  }
  EXPECT_GT(exact, 100);
  EXPECT_EQ(CoordinateAt(0.3, -0.3, 0.5).lo, 0);
  EXPECT_EQ(CoordinateAt(0.3, -0.3, 0.5).hi, 0);
  EXPECT_EQ(CoordinateAt(0.3, 0.3, 0.7).hi, 0.3);
  const Enclosure least = CoordinateAt(0x1p-1074, 0, 0.5);
  EXPECT_LT(least.lo, least.hi);
}

// Features reported as apart until a time are apart at all earlier times. They
// may touch at that time.
TEST(ApartUntilTest, NothingTouchesUntilThen) {
  meshes::Random random(2);
  int apart = 0;
  int at_time = 0;
  for (int i = 0; i < 3000 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const double time = static_cast<double>(1 + random.Below(8)) / 8;
    const MovingFeatures f = FeaturesThatMeet(time, random);
    if (!AreApartUntil(f, time)) continue;
    ++apart;
    for (int k = 0; k < 8; ++k) {
      EXPECT_NE(SquaredDistanceAt(f, Rational(time) * k / 8), 0);
    }
    at_time += SquaredDistanceAt(f, Rational(time)) == 0 ? 1 : 0;
  }
  EXPECT_GT(apart, 300);
  EXPECT_GT(at_time, 100);
}

// Times nearly at the one at which all points come together, for any such time
// and any unit.
TEST(ApartUntilTest, TheLastMomentIsTold) {
  meshes::Random random(3);
  int apart = 0;
  for (int i = 0; i < 400; ++i) {
    MovingFeatures f{i % 2 == 0 ? MovingFeatureKind::kCornerFace
                                : MovingFeatureKind::kEdgeEdge,
                     {}};
    const Vec3 aside = random.Point(-1, 1) * (i % 3 == 0 ? 100.0 : 0.0);
    const int exponent = i % 5 == 0 ? -900 : i % 5 == 1 ? 900 : 0;
    for (MovingPoint& p : f.points) {
      const Vec3 v = random.Point(-1, 1);
      p = {v + aside, v * -0.7 + aside};
      for (size_t k = 0; k < 3; ++k) {
        p.from[k] = std::ldexp(p.from[k], exponent);
        p.to[k] = std::ldexp(p.to[k], exponent);
      }
    }
    apart += AreApartUntil(f, 10.0 / 17 - 0x1p-42) ? 1 : 0;
    EXPECT_FALSE(AreApartUntil(f, 10.0 / 17 + 0x1p-42));
  }
  EXPECT_GT(apart, 390);
}

// A coordinate whose products underflow, next to large ones.
TEST(ApartUntilTest, NothingIsLostToUnderflow) {
  const MovingFeatures f{MovingFeatureKind::kCornerFace,
                         {{{{0, 0, 0x1p-400}, {0, 0, -0x1p-400}},
                           {{-1, -1, 0}, {-1, -1, 0}},
                           {{1, -1, 0}, {1, -1, 0}},
                           {{0, 1, 0}, {0, 1, 0}}}}};
  EXPECT_TRUE(AreApartUntil(f, 0.5));
  EXPECT_FALSE(AreApartUntil(f, 0.5 + 0x1p-40));
}

// Nothing but what begins later changes a contact.
TEST(ApartUntilTest, ContactsBeforeAreFound) {
  meshes::Random random(4);
  int before = 0;
  int none = 0;
  int apart = 0;
  for (int i = 0; i < 600 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const double time = static_cast<double>(1 + random.Below(8)) / 8;
    const Vec3 at = random.LatticePoint(4);
    std::array<MovingTriangle, 2> pair;
    for (MovingTriangle& m : pair) {
      for (size_t k = 0; k < 3; ++k) {
        const Vec3 v = random.LatticePoint(4);
        m.from[k] = at - v * time;
        m.to[k] =
            random.Below(8) == 0 ? random.LatticePoint(4) : at + v * (1 - time);
      }
    }
    const auto& [s, t] = pair;
    const auto contact = FirstContact(s, t);
    const auto found = FirstContactBefore(s, t, {}, {}, time);
    const bool is_apart = AreApartUntil(s, t, time);
    apart += is_apart ? 1 : 0;
    if (contact && contact->latest < time) {
      EXPECT_EQ(found, contact);
      EXPECT_FALSE(is_apart);
      ++before;
    } else if (found) {
      EXPECT_GE(found->latest, time);
    } else {
      ++none;
    }
    EXPECT_EQ(FirstContactBefore(s, t, {}, {}, 2), contact);
  }
  EXPECT_GT(before, 50);
  EXPECT_GT(none, 50);
  EXPECT_GT(apart, 50);
}

}  // namespace
}  // namespace orbox
