// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/internal/solid_angle.h"

#include <cmath>
#include <numbers>
#include <random>
#include <utility>

#include "gtest/gtest.h"

namespace orbox {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(AngleSumTest, AngleOfTheProductAndItsTurns) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> angle(-kPi, kPi), length(0.7, 1.4);
  for (int k = 0; k < 3000; ++k) {
    AngleSum sum;
    double expected = 0;
    for (int i = 0; i < 8; ++i) {
      // Also sums that end near the border between two turns.
      const double next = i == 7 && k % 3 == 0
                              ? std::remainder(kPi - expected, 2 * kPi)
                              : angle(random);
      const double size = length(random);
      sum.Add(size * std::cos(next), size * std::sin(next));
      expected += next;
    }
    EXPECT_NEAR(sum.Sum(), expected, 1e-13);
  }
}

TEST(AngleSumTest, AnglesOnTheAxesAndNearThem) {
  constexpr double kTiny = 0x1p-700;
  const std::pair<double, double> kNumbers[] = {
      {1, 0},      {0, 1},      {0, -1},      {-1, 0},    {1, kTiny},
      {1, -kTiny}, {-1, kTiny}, {-1, -kTiny}, {kTiny, 1}, {-kTiny, -1},
      {1, 1},      {-1, 1},     {-1, -1},     {1, -1}};
  for (const auto& [a, b] : kNumbers) {
    for (const auto& [c, d] : kNumbers) {
      for (const auto& [e, f] : kNumbers) {
        AngleSum sum;
        sum.Add(a, b);
        sum.Add(c, d);
        sum.Add(e, f);
        const double expected =
            std::atan2(b, a) + std::atan2(d, c) + std::atan2(f, e);
        EXPECT_NEAR(sum.Sum(), expected, 1e-14)
            << a << "," << b << " " << c << "," << d << " " << e << "," << f;
      }
    }
  }
}

TEST(SolidAngleTest, OrthogonalEdgesCutAnEighthOfTheSphere) {
  const Triangle t{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_NEAR(SolidAngle({0, 0, 0}, t), kPi / 2, 1e-15);
  EXPECT_NEAR(SolidAngle({0, 0, 0}, {t.a, t.c, t.b}), -kPi / 2, 1e-15);
  EXPECT_EQ(SolidAngle({3, -1, -1}, t), 0);  // in its plane
  const double small = 0x1p-260;
  EXPECT_NEAR(SolidAngle({0, 0, 0}, {t.a * small, t.b * small, t.c * small}),
              kPi / 2, 1e-15);
  EXPECT_EQ(SolidAngle({1e200, 0, 0}, t), 0);
}

}  // namespace
}  // namespace orbox
