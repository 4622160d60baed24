// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/boxes/sphere_obb.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "tests/support/exact_shapes.h"
#include "tests/support/shape_generator.h"

namespace orbox {
namespace {

// Turned by the angle of a 3-4-5 triangle about z: exact except for 0.6 and
// 0.8.
const Obb kTurned{
    {10, 20, 30}, {{{0.6, 0.8, 0}, {-0.8, 0.6, 0}, {0, 0, 1}}}, {5, 2, 1}};

TEST(SphereObbTest, FoldedTellsTouchingFromOverlapping) {
  EXPECT_EQ(FoldedContact(Sphere{{10, 20, 34}, 3}, kTurned),
            Contact::kTouching);
  EXPECT_EQ(FoldedContact(Sphere{{10, 20, 34}, 3.5}, kTurned),
            Contact::kOverlapping);
  EXPECT_EQ(FoldedContact(Sphere{{10, 20, 34}, 2.5}, kTurned),
            Contact::kSeparate);
}

TEST(SphereObbTest, MeasuresAlongTheBoxsAxes) {
  // Ten along the first axis: five beyond the face.
  const Sphere near{{16, 28, 30}, 5.001};
  const Sphere apart{{16, 28, 30}, 4.999};
  using Function = bool (*)(const Sphere&, const Obb&);
  for (const Function test :
       {Function{OverlapsArvo<double>}, Function{OverlapsQri<double>},
        Function{OverlapsQrf<double>}, Function{OverlapsFolded<double>},
        Function{OverlapsConservative<double>}}) {
    EXPECT_TRUE(test(near, kTurned));
    EXPECT_FALSE(test(apart, kTurned));
  }
}

TEST(SphereObbTest, ValidityIsOrthonormality) {
  EXPECT_TRUE(IsValid(kTurned));
  Obb bad = kTurned;
  bad.axes[0].x = 0.61;
  EXPECT_FALSE(IsValid(bad));
  bad = kTurned;
  bad.half_extents.y = -1;
  EXPECT_FALSE(IsValid(bad));
  bad = kTurned;
  bad.center.z = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(IsValid(bad));
  bad = kTurned;
  bad.axes[2] = bad.axes[1];
  EXPECT_FALSE(IsValid(bad));
}

TEST(SphereObbTest, DoubleIsRightWithinItsError) {
  ShapeGenerator<double> generator(/*seed=*/21);
  for (int n = 0; n < 100'000; ++n) {
    const auto [s, b] = generator.NextObb();
    ASSERT_TRUE(IsValid(b));
    if (!OverlapsConservative(s, b)) {
      ASSERT_FALSE(exact::Overlaps(s, b));
    }
    const long double d = exact::DistanceInFrame(s.center, b);
    const long double r = s.radius;
    if (!(d > 0x1p-400L && d < 0x1p500L && r < 0x1p500L)) continue;
    const long double size = exact::DistanceBetweenCentres1(s, b);
    const long double error =
        0x1p-53L * (4 * r + 8 * size) + size * exact::kSlop;
    if (d > r + error) {
      ASSERT_FALSE(OverlapsArvo(s, b));
      ASSERT_FALSE(OverlapsQri(s, b));
      ASSERT_FALSE(OverlapsQrf(s, b));
      ASSERT_FALSE(OverlapsFolded(s, b));
    } else if (d < r - error) {
      ASSERT_TRUE(OverlapsArvo(s, b));
      ASSERT_TRUE(OverlapsQri(s, b));
      ASSERT_TRUE(OverlapsQrf(s, b));
      ASSERT_TRUE(OverlapsFolded(s, b));
    }
  }
}

// Returns true if projections or their margin overflow.
TEST(SphereObbTest, ConservativeAtTheEndOfTheRange) {
  constexpr float kMax = std::numeric_limits<float>::max();
  const float s = std::sqrt(0.5f);
  const Obbf box{{-kMax, -kMax, 0},
                 {{{s, s, 0}, {-s, s, 0}, {0, 0, 1}}},
                 {kMax, kMax, kMax}};
  ASSERT_TRUE(IsValid(box));
  EXPECT_TRUE(OverlapsConservative(Spheref{{kMax, kMax, 0}, kMax}, box));
}

}  // namespace
}  // namespace orbox
