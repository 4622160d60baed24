// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/shapes/pose.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numbers>
#include <optional>

#include "tests/support/exact_triangles.h"
#include "tests/support/special_numbers.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

using oracle::Rational;

// Returns true if `rounded` is the double nearest to `exact`, ties to even.
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

Pose RandomPose(TriangleCases& cases) {
  return {{{cases.Gaussian(), cases.Gaussian(), cases.Gaussian()}},
          cases.Gaussian()};
}

TEST(Pose, ProductsAreRoundedOnce) {
  TriangleCases cases(TriangleKind::kRandom, 6);
  for (int i = 0; i < 300; ++i) {
    const Pose a = RandomPose(cases);
    const Pose b = RandomPose(cases);
    const Pose product = a * b;
    EXPECT_EQ(product.translation, a.Apply(b.translation));
    for (size_t row = 0; row < 3; ++row) {
      for (size_t k = 0; k < 3; ++k) {
        const Vec3 column{b.rows[0][k], b.rows[1][k], b.rows[2][k]};
        EXPECT_TRUE(IsNearest(
            product.rows[row][k],
            oracle::Product(oracle::Lift(a.rows[row]), oracle::Lift(column))));
      }
    }
    const Vec3 p = cases.Gaussian();
    EXPECT_NEAR(Norm(product.Apply(p) - a.Apply(b.Apply(p))), 0, 1e-13);
  }
}

// Turning and moving do not commute: the right factor comes first.
TEST(Pose, TheRightFactorOfAProductMovesFirst) {
  const Pose turn = Pose::Rotation({0, 0, 1}, std::numbers::pi / 2);
  const Pose move = Pose::Translation({1, 0, 0});
  EXPECT_NEAR(Norm((turn * move).Apply(Vec3{}) - Vec3{0, 1, 0}), 0, 1e-15);
  EXPECT_NEAR(Norm((move * turn).Apply(Vec3{}) - Vec3{1, 0, 0}), 0, 1e-15);
  EXPECT_EQ(turn * Pose::Identity(), turn);
  EXPECT_EQ(Pose::Identity() * turn, turn);
}

oracle::Point Cross(const oracle::Point& a, const oracle::Point& b) {
  return {Rational(a[1] * b[2] - a[2] * b[1]),
          Rational(a[2] * b[0] - a[0] * b[2]),
          Rational(a[0] * b[1] - a[1] * b[0])};
}

// Entry (i, j) of the inverse and what it moves the origin to, exactly.
void ExpectInverse(const Pose& pose, const Pose& inverse) {
  using oracle::Lift;
  const auto& r = pose.rows;
  const Rational determinant =
      oracle::Product(Lift(r[0]), Cross(Lift(r[1]), Lift(r[2])));
  for (size_t j = 0; j < 3; ++j) {
    const auto column = Cross(Lift(r[(j + 1) % 3]), Lift(r[(j + 2) % 3]));
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_TRUE(
          IsNearest(inverse.rows[i][j], Rational(column[i] / determinant)));
    }
  }
  for (size_t i = 0; i < 3; ++i) {
    Rational moved = 0;
    for (size_t j = 0; j < 3; ++j) {
      moved -= Cross(Lift(r[(j + 1) % 3]), Lift(r[(j + 2) % 3]))[i] *
               Rational(pose.translation[j]);
    }
    EXPECT_TRUE(
        IsNearest(inverse.translation[i], Rational(moved / determinant)));
  }
}

TEST(Pose, InversesAreRoundedOnce) {
  TriangleCases cases(TriangleKind::kRandom, 7);
  for (int i = 0; i < 300; ++i) {
    const Pose pose = RandomPose(cases);
    const std::optional<Pose> inverse = pose.Inverse();
    ASSERT_TRUE(inverse.has_value());
    ExpectInverse(pose, *inverse);
    const Pose turn =
        Pose::Rotation(Normalized(cases.Gaussian()), 1, cases.Gaussian());
    ASSERT_TRUE(turn.Inverse()->IsRigid());
    ExpectInverse(turn, *turn.Inverse());
  }
  // Nearly singular, and far from 1.
  Pose flat;
  flat.rows = {{{1, 1, 1}, {1, 1 + 0x1p-52, 1}, {0, 0, 0x1p-500}}};
  flat.translation = {1e200, -1e-200, 3};
  ASSERT_TRUE(flat.Inverse().has_value());
  ExpectInverse(flat, *flat.Inverse());
  EXPECT_EQ(Pose::Identity().Inverse(), Pose::Identity());
  EXPECT_EQ(Pose::Translation({1, -2, 3}).Inverse(),
            Pose::Translation({-1, 2, -3}));
}

TEST(Pose, WhatHasNoInverseSaysSo) {
  Pose flat;
  // In double the determinant would be rounding alone.
  flat.rows = {{{0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}, {0, 0, 0}}};
  flat.rows[2] = flat.rows[0] * 2;
  EXPECT_FALSE(flat.Inverse().has_value());
  Pose tiny;  // the inverse would be beyond double
  tiny.rows[1] = {0, 0x1p-1074, 0};
  EXPECT_FALSE(tiny.Inverse().has_value());
  Pose bad;
  bad.translation.x = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(bad.Inverse().has_value());
  bad = {};
  bad.rows[0].z = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(bad.Inverse().has_value());
}

TEST(Pose, QuaternionsTurnAsAxisAndAngleDo) {
  TriangleCases cases(TriangleKind::kRandom, 8);
  for (int i = 0; i < 100; ++i) {
    const Vec3 axis = Normalized(cases.Gaussian());
    const double angle = cases.Gaussian().x;
    const Vec3 t = cases.Gaussian();
    const Pose expected = Pose::Rotation(axis, angle, t);
    const double s = std::sin(angle / 2);
    // Quaternions of any length, and either sign.
    for (const double length : {1.0, -1.0, 3.0, 1e-200, 1e300, 0x1p-1060}) {
      const Pose pose = Pose::FromQuaternion({.w = length * std::cos(angle / 2),
                                              .x = length * s * axis.x,
                                              .y = length * s * axis.y,
                                              .z = length * s * axis.z},
                                             t);
      EXPECT_EQ(pose.translation, t);
      for (size_t row = 0; row < 3; ++row) {
        // Denormal numbers have few digits.
        EXPECT_NEAR(Norm(pose.rows[row] - expected.rows[row]), 0,
                    length == 0x1p-1060 ? 1e-3 : 1e-14);
      }
    }
  }
  EXPECT_EQ(Pose::FromQuaternion({}), Pose::Identity());
  // A quarter about x, exactly.
  const Pose quarter = Pose::FromQuaternion({.w = 1, .x = 1});
  EXPECT_EQ(quarter.Apply(Vec3{0, 1, 0}), (Vec3{0, 0, 1}));
}

TEST(Pose, QuaternionsWithoutARotationAreNotFinite) {
  for (const Quaternion& q :
       {Quaternion{0, 0, 0, 0}, Quaternion{kNan, 1, 0, 0},
        Quaternion{1, 0, 0, kNan}, Quaternion{1, -kInf, 0, 0}}) {
    const Pose pose = Pose::FromQuaternion(q);
    EXPECT_FALSE(pose.IsFinite());
    EXPECT_FALSE(IsFinite(pose.rows[0]));
  }
}

TEST(Pose, MatricesAreTakenRowByRow) {
  std::array<double, 16> matrix = {1, 2, 3, 10, 4,   5, 6, 20,
                                   7, 8, 9, 30, -0., 0, 0, 1};
  const std::optional<Pose> pose = Pose::FromRowMajor(matrix);
  ASSERT_TRUE(pose.has_value());
  EXPECT_EQ(*pose, (Pose{{{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}}, {10, 20, 30}}));
  for (const size_t entry : {0, 3, 11, 12, 13, 14, 15}) {
    std::array<double, 16> bad = matrix;
    bad[entry] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(Pose::FromRowMajor(bad).has_value()) << entry;
  }
  matrix[15] = 2;  // a projection
  EXPECT_FALSE(Pose::FromRowMajor(matrix).has_value());
  matrix[15] = 1;
  matrix[12] = 10;  // column by column, perhaps
  EXPECT_FALSE(Pose::FromRowMajor(matrix).has_value());
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
