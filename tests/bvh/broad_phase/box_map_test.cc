// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/broad_phase/internal/box_map.h"

#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace orbox {
namespace {

constexpr double kMax = std::numeric_limits<double>::max();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

// Bounds of every size, and numbers in them, on their ends and beyond.
TEST(BoxMapTest, IsMonotoneAndBounded) {
  std::mt19937_64 random(1);
  const std::vector<std::pair<double, double>> bounds = {{-1, 1},
                                                         {0, 0},
                                                         {1e300, 1e300},
                                                         {-kMax, kMax},
                                                         {0, kTiny},
                                                         {-1e-310, 3e-310},
                                                         {0x1p50, 0x1p50 + 1},
                                                         {kMax / 2, kMax},
                                                         {-kMax, -1e300},
                                                         {3, 3 + 1e-12}};
  for (const auto& [lo, hi] : bounds) {
    SCOPED_TRACE(testing::Message() << lo << " to " << hi);
    const BoxMap map(Aabb{{lo, lo, lo}, {hi, hi, hi}});
    std::vector<double> numbers = {lo, hi, 0.0, -0.0, kMax, -kMax, kTiny, 1};
    std::uniform_real_distribution<double> share(0, 1);
    for (int i = 0; i < 200; ++i) {
      const double t = share(random);
      numbers.push_back(lo * (1 - t) + hi * t);
      numbers.push_back(std::nextafter(numbers.back(), kMax));
    }
    for (const double a : numbers) {
      const float mapped = map(a, 1);
      EXPECT_LE(std::abs(mapped), kMapEnd);
      if (lo <= a && a <= hi) {
        EXPECT_LE(std::abs(mapped), 1.0001f);
      }
      for (const double b : numbers) {
        if (a <= b) {
          EXPECT_LE(mapped, map(b, 1)) << a << " " << b;
        }
      }
    }
  }
}

}  // namespace
}  // namespace orbox
