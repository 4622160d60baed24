// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/boxes/sphere_aabb.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "tests/support/exact_shapes.h"
#include "tests/support/shape_generator.h"

namespace orbox {
namespace {

// Erratum: the published pseudocode of the branch-eliminated test rejects where
// e <= r. That form is kept here to show what is wrong with it.
bool BranchEliminatedAsPublished(const Sphere& s, const Aabb& b) {
  double d = 0;
  for (size_t i = 0; i < 3; ++i) {
    const double e = std::max(b.lo[i] - s.center[i], 0.0) +
                     std::max(s.center[i] - b.hi[i], 0.0);
    if (e <= s.radius) return false;
    d += e * e;
  }
  return d <= s.radius * s.radius;
}

TEST(SphereAabbErrataTest, BranchEliminationRejectsWhatIsFartherThanTheRadius) {
  const Aabb box{{-1, -1, -1}, {1, 1, 1}};
  const Sphere inside{{0, 0, 0}, 0.5};
  const Sphere face{{1.5, 0, 0}, 1};
  const Sphere apart{{3, 0, 0}, 1};
  EXPECT_FALSE(BranchEliminatedAsPublished(inside, box));
  EXPECT_FALSE(BranchEliminatedAsPublished(face, box));
  EXPECT_TRUE(OverlapsBranchEliminated(inside, box));
  EXPECT_TRUE(OverlapsBranchEliminated(face, box));
  EXPECT_FALSE(OverlapsBranchEliminated(apart, box));
  EXPECT_TRUE(OverlapsBranchEliminated(Sphere{{3, 0, 0}, 2}, box));
}

// Erratum: the article's Sphere drops its radius, and its test returns nothing.
TEST(SphereAabbErrataTest, SphereKeepsItsRadiusAndTheTestAnswers) {
  const Sphere s{{1, 2, 3}, 4};
  EXPECT_EQ(s.radius, 4);
  const Aabb box{{-1, -1, -1}, {1, 1, 1}};
  EXPECT_TRUE(OverlapsSquaredDistance(Sphere{{3, 0, 0}, 2}, box));
  EXPECT_FALSE(OverlapsSquaredDistance(Sphere{{3, 0, 0}, 1.5}, box));
}

TEST(SphereAabbTest, SquaredDistance) {
  const Aabb box{{-1, -2, -3}, {1, 2, 3}};
  EXPECT_EQ(SquaredDistance(Vec3{0.5, -2, 3}, box), 0);
  EXPECT_EQ(SquaredDistance(Vec3{4, 0, 0}, box), 9);
  EXPECT_EQ(SquaredDistance(Vec3{-4, 6, 0}, box), 25);
  EXPECT_EQ(SquaredDistance(Vec3{-3, 5, -9}, box), 49);
}

TEST(SphereAabbTest, FoldedTellsTouchingFromOverlapping) {
  const Aabb box{{-1, -1, -1}, {1, 1, 1}};
  EXPECT_EQ(FoldedContact(Sphere{{3, 0, 0}, 2}, box), Contact::kTouching);
  EXPECT_EQ(FoldedContact(Sphere{{4, -5, 0}, 5}, box), Contact::kTouching);
  EXPECT_EQ(FoldedContact(Sphere{{3, 0, 0}, 2.5}, box), Contact::kOverlapping);
  EXPECT_EQ(FoldedContact(Sphere{{3, 0, 0}, 1.5}, box), Contact::kSeparate);
  EXPECT_EQ(FoldedContact(Sphere{{0, 0, 0}, 0.1}, box), Contact::kOverlapping);
  EXPECT_EQ(FoldedContact(Sphere{{0, 0, 0}, 0}, box), Contact::kTouching);
}

// Each zone once, by its number; the zones' corners, edges and faces in turn.
TEST(SphereAabbTest, TwentySevenZones) {
  const Aabb box{{-1, -1, -1}, {1, 1, 1}};
  for (int zone = 0; zone < 27; ++zone) {
    const Vec3 p{2.0 * (zone % 3 - 1), 2.0 * (zone / 3 % 3 - 1),
                 2.0 * (zone / 9 - 1)};
    EXPECT_EQ(ZoneOf(p, box), zone);
    const double distance = std::sqrt(SquaredDistance(p, box));
    EXPECT_TRUE(OverlapsZones(Sphere{p, distance * 1.001}, box)) << zone;
    if (zone != 13) {
      EXPECT_FALSE(OverlapsZones(Sphere{p, distance * 0.999}, box)) << zone;
    }
  }
}

TEST(SphereAabbTest, BoundaryBelongsToTheMiddleZone) {
  const Aabb box{{-1, -1, -1}, {1, 1, 1}};
  EXPECT_EQ(ZoneOf(Vec3{-1, 1, 1}, box), 13);
  EXPECT_EQ(ZoneOf(Vec3{-1, 1, std::nextafter(1.0, 2.0)}, box), 22);
}

// In double the same functions have the same error, in units of 2^-53.
TEST(SphereAabbTest, DoubleIsRightWithinItsError) {
  ShapeGenerator<double> generator(/*seed=*/11);
  for (int n = 0; n < 100'000; ++n) {
    const auto [s, b] = generator.NextAabb();
    const long double d = exact::Distance(s.center, b);
    const long double r = s.radius;
    if (!(d == 0 || (d > 0x1p-400L && d < 0x1p500L))) continue;
    if (!(r == 0 || (r > 0x1p-400L && r < 0x1p500L))) continue;
    const long double error = 4 * 0x1p-53L * r + d * exact::kSlop;
    if (d > r + error) {
      ASSERT_FALSE(OverlapsArvo(s, b));
      ASSERT_FALSE(OverlapsQri(s, b));
      ASSERT_FALSE(OverlapsQrf(s, b));
      ASSERT_FALSE(OverlapsBranchEliminated(s, b));
      ASSERT_FALSE(OverlapsSquaredDistance(s, b));
      ASSERT_FALSE(OverlapsZones(s, b));
    } else if (d < r - error || d == 0) {
      ASSERT_TRUE(OverlapsArvo(s, b));
      ASSERT_TRUE(OverlapsQri(s, b));
      ASSERT_TRUE(OverlapsQrf(s, b));
      ASSERT_TRUE(OverlapsBranchEliminated(s, b));
      ASSERT_TRUE(OverlapsSquaredDistance(s, b));
      ASSERT_TRUE(OverlapsZones(s, b));
    }
    if (!OverlapsConservative(s, b)) {
      ASSERT_FALSE(exact::Overlaps(s, b));
    }
  }
}

// Differences that overflow to infinity still decide on the safe side.
TEST(SphereAabbTest, ConservativeAtTheEndOfTheRange) {
  constexpr float kMax = std::numeric_limits<float>::max();
  const Aabbf box{{-kMax, -kMax, -kMax}, {-kMax, 0, 0}};
  EXPECT_FALSE(OverlapsConservative(Spheref{{kMax, 0, 0}, 1}, box));
  EXPECT_FALSE(OverlapsConservative(Spheref{{kMax, 0, 0}, kMax}, box));
  EXPECT_TRUE(OverlapsConservative(Spheref{{0, 0, 0}, kMax}, box));
}

}  // namespace
}  // namespace orbox
