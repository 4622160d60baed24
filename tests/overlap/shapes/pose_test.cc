#include "orbox/overlap/shapes/pose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numbers>

#include "tests/support/exact_triangles.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

using oracle::Rational;

// Whether `rounded` is the double nearest to `exact`, ties to even.
bool IsNearest(double rounded, const Rational& exact) {
  if (exact == 0) return rounded == 0 && !std::signbit(rounded);
  constexpr double kLargest = std::numeric_limits<double>::max();
  // Half an ulp above the largest double, what rounds to infinity begins.
  const Rational limit = Rational(kLargest) + Rational(0x1p970);
  if (abs(exact) >= limit) {
    return std::isinf(rounded) && (rounded > 0) == (exact > 0);
  }
  if (!std::isfinite(rounded)) return false;
  const Rational error = abs(Rational(rounded) - exact);
  for (double neighbor : {std::nextafter(rounded, -kLargest),
                          std::nextafter(rounded, kLargest)}) {
    if (neighbor == rounded) continue;
    const Rational other = abs(Rational(neighbor) - exact);
    if (other < error) return false;
    int64_t bits = 0;
    std::memcpy(&bits, &rounded, sizeof(bits));
    if (other == error && bits % 2 != 0) return false;
  }
  return true;
}

void ExpectNearest(const Pose& pose, const Vec3& p) {
  const Vec3 moved = pose.Apply(p);
  for (size_t i = 0; i < 3; ++i) {
    const Rational exact =
        oracle::Product(oracle::Lift(pose.rows[i]), oracle::Lift(p)) +
        Rational(pose.translation[i]);
    EXPECT_TRUE(IsNearest(moved[i], exact)) << i << ": " << moved[i];
  }
}

TEST(Pose, RoundsEachCoordinateOnce) {
  TriangleCases cases(TriangleKind::kRandom, 1);
  for (int i = 0; i < 2000; ++i) {
    const Pose pose{{{cases.Gaussian(), cases.Gaussian(), cases.Gaussian()}},
                    cases.Gaussian()};
    ExpectNearest(pose, cases.Gaussian());
  }
}

TEST(Pose, RoundsOnceWhereTermsCancel) {
  TriangleCases cases(TriangleKind::kRandom, 2);
  for (int i = 0; i < 1000; ++i) {
    Pose pose{{{cases.Gaussian(), cases.Gaussian(), cases.Gaussian()}}, {}};
    const Vec3 p = cases.Gaussian();
    for (size_t k = 0; k < 3; ++k) {
      pose.translation[k] = -Dot(pose.rows[k], p);
    }
    ExpectNearest(pose, p);
  }
}

TEST(Pose, RoundsTiesToEven) {
  // 1 + 2^-53 and 1 + 3 * 2^-53 are halfway between doubles.
  Pose pose;
  pose.rows[0] = {1, 1, 0};
  EXPECT_EQ(pose.Apply(Vec3{1, 0x1p-53, 0}).x, 1);
  EXPECT_EQ(pose.Apply(Vec3{1, 3 * 0x1p-53, 0}).x, 1 + 0x1p-51);
  // A little more than halfway, by far less than a double's last bit.
  pose.rows[0] = {1, 1, 1};
  EXPECT_EQ(pose.Apply(Vec3{1, 0x1p-53, 0x1p-200}).x, 1 + 0x1p-52);
  EXPECT_EQ(pose.Apply(Vec3{1, 0x1p-53, -0x1p-200}).x, 1);
}

TEST(Pose, HoldsAtAnyMagnitude) {
  TriangleCases cases(TriangleKind::kRandom, 3);
  for (double large : {1e300, 1e200, 1e-200, 1e-300, 1e-310, 1e155}) {
    for (double small : {1.0, 1e-300, 1e300, 1e155}) {
      for (int i = 0; i < 20; ++i) {
        const Pose pose{{{cases.Gaussian() * large, cases.Gaussian(),
                          cases.Gaussian() * small}},
                        cases.Gaussian() * small};
        ExpectNearest(pose, cases.Gaussian() * large);
        ExpectNearest(pose, cases.Gaussian() * small);
      }
    }
  }
}

TEST(Pose, IdentityAndTranslationAreSums) {
  TriangleCases cases(TriangleKind::kRandom, 4);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 p = cases.Gaussian();
    const Vec3 t = cases.Gaussian();
    EXPECT_EQ(Pose::Identity().Apply(p), p);
    EXPECT_EQ(Pose::Translation(t).Apply(p), p + t);
  }
  EXPECT_TRUE(Pose::Identity().IsIdentity());
  EXPECT_FALSE(Pose::Translation({0, 0, 1}).IsIdentity());
  EXPECT_FALSE(std::signbit(Pose::Identity().Apply(Vec3{-0.0, 0, 0}).x));
}

TEST(Pose, RotationTurnsCounterclockwise) {
  const Pose quarter =
      Pose::Rotation({0, 0, 1}, std::numbers::pi / 2, {10, 0, 0});
  const Vec3 moved = quarter.Apply(Vec3{1, 0, 5});
  EXPECT_NEAR(moved.x, 10, 1e-15);
  EXPECT_NEAR(moved.y, 1, 1e-15);
  EXPECT_EQ(moved.z, 5);
  TriangleCases cases(TriangleKind::kRandom, 5);
  for (int i = 0; i < 100; ++i) {
    const Vec3 axis = Normalized(cases.Gaussian());
    const Pose pose = Pose::Rotation(axis, cases.Gaussian().x);
    EXPECT_TRUE(pose.IsRigid());
    EXPECT_NEAR(Norm(pose.Apply(axis) - axis), 0, 1e-15);
  }
}

TEST(Pose, TellsWhatIsRigidAndFinite) {
  Pose pose;
  EXPECT_TRUE(pose.IsRigid());
  pose.rows[2] = {0, 0, -1};  // a mirror
  EXPECT_FALSE(pose.IsRigid());
  pose.rows[2] = {0, 0, 1 + 1e-6};
  EXPECT_FALSE(pose.IsRigid());
  EXPECT_TRUE(pose.IsRigid(1e-5));
  pose.rows[2].x = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(pose.IsRigid());
  EXPECT_FALSE(pose.IsFinite());
  EXPECT_FALSE(
      Pose::Translation({0, std::numeric_limits<double>::infinity(), 0})
          .IsFinite());
}

TEST(Pose, BeyondDoubleIsInfinite) {
  Pose pose;
  pose.rows[0] = {1e300, 0, 0};
  EXPECT_EQ(pose.Apply(Vec3{1e300, 0, 0}).x,
            std::numeric_limits<double>::infinity());
  // ... but not where only the terms are.
  pose.rows[0] = {1e300, 1e300, 0};
  EXPECT_EQ(pose.Apply(Vec3{1e300, -1e300, 0}).x, 0);
}

TEST(Pose, MovesTrianglesCornerByCorner) {
  const Pose pose = Pose::Rotation({0, 1, 0}, 0.3, {1, 2, 3});
  const Triangle t{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Triangle moved = pose.Apply(t);
  EXPECT_EQ(moved.a, pose.Apply(t.a));
  EXPECT_EQ(moved.b, pose.Apply(t.b));
  EXPECT_EQ(moved.c, pose.Apply(t.c));
}

}  // namespace
}  // namespace orbox
