// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/boxes/circle_rect.h"

#include <cmath>
#include <limits>
#include <random>

#include "gtest/gtest.h"

namespace orbox {
namespace {

constexpr Rect kSquare{{-1, -1}, {1, 1}};

// Erratum: published examples answer touching shapes now with <, now with <=.
TEST(CircleRectErrataTest, TouchingIsOverlappingForEveryPairOfShapes) {
  EXPECT_TRUE(Overlaps(Circle{{0, 0}, 2}, Circle{{3, 4}, 3}));
  EXPECT_FALSE(Overlaps(Circle{{0, 0}, 2}, Circle{{3, 4}, 2.999999}));
  EXPECT_TRUE(Overlaps(kSquare, Rect{{1, 1}, {2, 2}}));
  EXPECT_TRUE(Overlaps(kSquare, Rect{{-3, 0}, {-1, 0}}));
  EXPECT_FALSE(Overlaps(kSquare, Rect{{std::nextafter(1.0, 2.0), 0}, {2, 2}}));
  for (const Circle& c : {Circle{{3, 0}, 2}, Circle{{0.5, -4}, 3},
                          Circle{{4, 5}, 5}, Circle{{-4, 5}, 5}}) {
    EXPECT_TRUE(OverlapsNineZones(c, kSquare));
    EXPECT_TRUE(OverlapsFolded(c, kSquare));
    EXPECT_EQ(FoldedContact(c, kSquare), Contact::kTouching);
    const Circle less{c.center, std::nextafter(c.radius, 0.0)};
    EXPECT_FALSE(OverlapsNineZones(less, kSquare));
    EXPECT_FALSE(OverlapsFolded(less, kSquare));
    EXPECT_EQ(FoldedContact(less, kSquare), Contact::kSeparate);
    const Circle more{c.center, std::nextafter(c.radius, 9.0)};
    EXPECT_EQ(FoldedContact(more, kSquare), Contact::kOverlapping);
  }
}

TEST(CircleRectTest, NineZones) {
  for (int zone = 0; zone < 9; ++zone) {
    const Vec2 p{2.0 * (zone % 3 - 1), 2.0 * (zone / 3 - 1)};
    EXPECT_EQ(ZoneOf(p, kSquare), zone);
    const int outside = (p.x != 0) + (p.y != 0);
    const double distance = std::sqrt(static_cast<double>(outside));
    EXPECT_TRUE(OverlapsNineZones(Circle{p, distance * 1.001}, kSquare));
    EXPECT_EQ(OverlapsNineZones(Circle{p, distance * 0.999}, kSquare),
              outside == 0);
  }
  EXPECT_EQ(ZoneOf(Vec2{1, -1}, kSquare), 4);
}

// Not square, and not about the origin: a test that mixes up its axes fails.
TEST(CircleRectTest, AgreesWithLongDouble) {
  std::mt19937_64 random(61);
  auto uniform = [&](double lo, double hi) {
    return lo + (hi - lo) * static_cast<double>(random() >> 11) * 0x1p-53;
  };
  int overlapping = 0;
  constexpr int kPairs = 200'000;
  for (int n = 0; n < kPairs; ++n) {
    const double offset = n % 3 == 0 ? 0x1p20 : 0;
    const Rect r{{offset + uniform(-2, 0), uniform(-4, 0)},
                 {offset + (n % 5 == 0 ? 0 : uniform(0, 2)), uniform(0, 4)}};
    Circle c{{offset + uniform(-4, 4), uniform(-8, 8)}, uniform(0, 3)};
    const long double x =
        std::max({0.0L, static_cast<long double>(r.lo.x) - c.center.x,
                  static_cast<long double>(c.center.x) - r.hi.x});
    const long double y =
        std::max({0.0L, static_cast<long double>(r.lo.y) - c.center.y,
                  static_cast<long double>(c.center.y) - r.hi.y});
    const long double d = std::sqrt(x * x + y * y);
    if (n % 2 == 0) c.radius = static_cast<double>(d) * (1 + 1e-15 * (n % 9));
    const long double error = 5 * 0x1p-53L * c.radius;
    const long double folding = error + 13 * 0x1p-53L * (offset + 8);
    if (d > c.radius + error) {
      ASSERT_FALSE(OverlapsNineZones(c, r));
    } else if (d < c.radius - error || d == 0) {
      ASSERT_TRUE(OverlapsNineZones(c, r));
      ++overlapping;
    }
    if (d > c.radius + folding) {
      ASSERT_EQ(FoldedContact(c, r), Contact::kSeparate);
    } else if (d < c.radius - folding) {
      ASSERT_EQ(FoldedContact(c, r), Contact::kOverlapping);
    }
  }
  EXPECT_GT(overlapping, kPairs / 10);
  EXPECT_LT(overlapping, kPairs * 9 / 10);
}

TEST(CircleRectTest, PointsAndFlatRectangles) {
  const Rect point{{3, 4}, {3, 4}};
  EXPECT_TRUE(OverlapsNineZones(Circle{{0, 0}, 5}, point));
  EXPECT_FALSE(OverlapsNineZones(Circle{{0, 0}, 4.999}, point));
  EXPECT_TRUE(OverlapsFolded(Circle{{3, 4}, 0}, point));
  EXPECT_TRUE(Overlaps(point, point));
  EXPECT_TRUE(Overlaps(Circle{{1, 1}, 0}, Circle{{1, 1}, 0}));
}

}  // namespace
}  // namespace orbox
