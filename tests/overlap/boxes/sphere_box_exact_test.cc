// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/boxes/sphere_box_exact.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "tests/support/exact_shapes.h"
#include "tests/support/sanitized.h"
#include "tests/support/shape_generator.h"

namespace orbox {
namespace {

// Compares pairs of spheres and boxes that `next` makes with rationals. The
// generator grazes often enough for doubles and exact numbers to be used.
template <typename Next>
void CheckPairs(int pairs, const Next& next) {
  ArithmeticCounts counts;
  int overlapping = 0;
  for (int n = 0; n < pairs; ++n) {
    const auto [s, b] = next();
    const bool overlaps = Overlaps(s, b, &counts);
    ASSERT_EQ(overlaps, exact::Overlaps(s, b)) << n;
    overlapping += overlaps;
  }
  EXPECT_GT(overlapping, pairs / 10);
  EXPECT_LT(overlapping, pairs * 9 / 10);
  EXPECT_EQ(counts.by_double + counts.by_expansion + counts.by_exact,
            static_cast<uint64_t>(pairs));
  EXPECT_GT(counts.by_double, static_cast<uint64_t>(pairs / 4));
  EXPECT_LT(counts.by_exact, static_cast<uint64_t>(pairs / 4));
}

TEST(SphereBoxExactTest, AabbAgreesWithRationals) {
  ShapeGenerator<double> generator(/*seed=*/41);
  CheckPairs(60'000, [&] { return generator.NextAabb(); });
}

TEST(SphereBoxExactTest, ObbAgreesWithRationals) {
  ShapeGenerator<double> generator(/*seed=*/42);
  // Rationals take milliseconds.
  CheckPairs(kSanitized ? 150 : 400, [&] { return generator.NextObb(); });
}

// Pythagorean contacts are exact; the next smaller radius is not enough.
TEST(SphereBoxExactTest, TouchingIsOverlapping) {
  const Aabb box{{-1, -1, -1}, {1, 1, 1}};
  const Obb oriented{{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {1, 1, 1}};
  for (const Sphere& s :
       {Sphere{{3, 0, 0}, 2}, Sphere{{4, -5, 0.5}, 5}, Sphere{{-3, 4, 7}, 7}}) {
    const Sphere less{s.center, std::nextafter(s.radius, 0.0)};
    EXPECT_TRUE(Overlaps(s, box));
    EXPECT_TRUE(Overlaps(s, oriented));
    EXPECT_FALSE(Overlaps(less, box));
    EXPECT_FALSE(Overlaps(less, oriented));
  }
}

// A distance that no double is: sqrt(2). The nearest double below is too
// little, the one above is enough; naive squaring cannot distinguish them from
// equality.
TEST(SphereBoxExactTest, IrrationalDistances) {
  const Aabb box{{-1, -1, -1}, {1, 1, 1}};
  const double root = std::sqrt(2.0);  // rounded up: root * root > 2 exactly
  EXPECT_TRUE(Overlaps(Sphere{{2, 2, 0}, root}, box));
  EXPECT_FALSE(Overlaps(Sphere{{2, 2, 0}, std::nextafter(root, 0.0)}, box));
}

TEST(SphereBoxExactTest, AnyMagnitude) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  const double huge = std::numeric_limits<double>::max();
  for (double unit : {tiny, 0x1p-600, 0x1p-300, 1.0, 0x1p300, 0x1p1000}) {
    const Aabb box{{-unit, -unit, -unit}, {unit, unit, unit}};
    const Obb oriented{
        {0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {unit, unit, unit}};
    const Vec3 corner{-3 * unit, 4 * unit, 7 * unit};
    EXPECT_TRUE(Overlaps(Sphere{corner, 7 * unit}, box)) << unit;
    EXPECT_FALSE(Overlaps(Sphere{corner, 6 * unit}, box)) << unit;
    EXPECT_TRUE(Overlaps(Sphere{corner, 7 * unit}, oriented)) << unit;
    EXPECT_FALSE(Overlaps(Sphere{corner, 6 * unit}, oriented)) << unit;
  }
  const Aabb everything{{-huge, -huge, -huge}, {-huge, huge, huge}};
  EXPECT_TRUE(Overlaps(Sphere{{0, 0, 0}, huge}, everything));
  EXPECT_FALSE(
      Overlaps(Sphere{{0, 0, 0}, std::nextafter(huge, 0.0)}, everything));
}

TEST(SphereBoxExactTest, PointSphere) {
  const Aabb box{{-1, -1, -1}, {1, 1, 1}};
  EXPECT_TRUE(Overlaps(Sphere{{1, 1, -1}, 0}, box));
  EXPECT_TRUE(Overlaps(Sphere{{0, 0, 0}, 0}, box));
  EXPECT_FALSE(Overlaps(Sphere{{std::nextafter(1.0, 2.0), 0, 0}, 0}, box));
  const double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_FALSE(Overlaps(Sphere{{tiny, 0, 0}, 0}, Aabb{{0, 0, 0}, {0, 0, 0}}));
  EXPECT_TRUE(Overlaps(Sphere{{tiny, 0, 0}, tiny}, Aabb{{0, 0, 0}, {0, 0, 0}}));
}

}  // namespace
}  // namespace orbox
