// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/predicates.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/exact_triangles.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

using oracle::Rational;

int SignOf(const Rational& value) { return value.sign(); }

int OracleOrient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const oracle::Point e = oracle::Minus(oracle::Lift(b), oracle::Lift(a));
  const oracle::Point f = oracle::Minus(oracle::Lift(c), oracle::Lift(a));
  const oracle::Point g = oracle::Minus(oracle::Lift(d), oracle::Lift(a));
  return SignOf(e[0] * f[1] * g[2] + e[1] * f[2] * g[0] + e[2] * f[0] * g[1] -
                e[2] * f[1] * g[0] - e[1] * f[0] * g[2] - e[0] * f[2] * g[1]);
}

int OracleOrient2d(const Vec3& a, const Vec3& b, const Vec3& c, size_t u,
                   size_t v) {
  const oracle::Point e = oracle::Minus(oracle::Lift(b), oracle::Lift(a));
  const oracle::Point f = oracle::Minus(oracle::Lift(c), oracle::Lift(a));
  return SignOf(e[u] * f[v] - e[v] * f[u]);
}

TEST(Predicates, AgreeWithRationals) {
  for (TriangleKind kind : kTriangleKinds) {
    TriangleCases cases(kind, 1);
    for (int i = 0; i < 500; ++i) {
      const auto [s, t] = cases.Next();
      ASSERT_EQ(Orient3d(s.a, s.b, s.c, t.a),
                OracleOrient3d(s.a, s.b, s.c, t.a));
      ASSERT_EQ(Orient3d(s.a, s.b, t.a, t.b),
                OracleOrient3d(s.a, s.b, t.a, t.b));
      ASSERT_EQ(Orient2d(s.a, s.b, t.a, 2, 0),
                OracleOrient2d(s.a, s.b, t.a, 2, 0));
    }
  }
}

TEST(Predicates, GrazingPointsGetTheirSide) {
  // Around the plane x + y + z = 1 and around the line x = y, ulp by ulp.
  const Vec3 a{1, 0, 0}, b{0, 1, 0}, c{0, 0, 1};
  int sides[3] = {};
  for (int i = -20; i <= 20; ++i) {
    for (int j = -20; j <= 20; ++j) {
      const Vec3 d{0.5 + i * 0x1p-53, 0.5 + j * 0x1p-53, 0};
      const int side = Orient3d(a, b, c, d);
      ASSERT_EQ(side, (i + j > 0) - (i + j < 0));
      ASSERT_EQ(Orient2d({0, 0, 0}, {12, 12, 0}, d, 0, 1), (j > i) - (j < i));
      ++sides[side + 1];
    }
  }
  EXPECT_EQ(sides[0], sides[2]);
  EXPECT_EQ(sides[1], 41);
}

TEST(Predicates, HoldWhereProductsLeaveTheRangeOfDouble) {
  TriangleCases cases(TriangleKind::kRandom, 2);
  for (double scale :
       {1e300, 1e150, 1e60, 1e-60, 1e-110, 1e-200, 1e-300, 1e-320}) {
    for (int i = 0; i < 200; ++i) {
      const auto [s, t] = cases.Next();
      const Vec3 p = s.a * scale, q = s.b * scale, r = s.c * scale;
      ASSERT_EQ(Orient3d(p, q, r, t.a * scale),
                OracleOrient3d(p, q, r, t.a * scale));
      // One coordinate tiny, another huge.
      const Vec3 d{t.a.x * scale, t.a.y / scale, t.a.z};
      if (IsFinite(d)) {
        ASSERT_EQ(Orient3d(s.a, q, r, d), OracleOrient3d(s.a, q, r, d));
      }
      ASSERT_EQ(Orient2d(p, q, r, 0, 1), OracleOrient2d(p, q, r, 0, 1));
    }
  }
}

TEST(Predicates, SaysWhatItTook) {
  Arithmetic used = Arithmetic::kDouble;
  EXPECT_EQ(Orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, &used), 1);
  EXPECT_EQ(used, Arithmetic::kDouble);
  // In one plane to within 1e-17: double-double sees it.
  const Vec3 o{0, 0, 0}, p{0.1, 0.2, 0.3}, q{0.3, 0.1, 0.7};
  const Vec3 r{0.4, 0.3 + 0x1p-54, 1};
  EXPECT_EQ(Orient3d(o, p, q, r, &used), OracleOrient3d(o, p, q, r));
  EXPECT_EQ(used, Arithmetic::kDouble);
  // Whole numbers, and points that coincide, are exact in any case.
  EXPECT_EQ(Orient3d({7, 0, 0}, {0, 7, 0}, {0, 0, 7}, {2, 2, 3}, &used), 0);
  EXPECT_EQ(Orient3d(o, p, q, q, &used), 0);
  EXPECT_EQ(used, Arithmetic::kDouble);
  // In one plane, and on one line: sums of doubles that lose nothing see it,
  EXPECT_EQ(Orient3d(o, p, q, p + p, &used), 0);
  const Vec3 s{1.9781, 12.7554, -1.0672};
  const Vec3 e{0.0999, 0, 0}, f{0, 0.0078, 0.096818};
  const Vec3 t = s + e, u = s + f;
  EXPECT_EQ(Orient3d(s, t, u, (s + e) + f, &used),
            OracleOrient3d(s, t, u, (s + e) + f));
  EXPECT_EQ(Orient2d(o, p, p + p, 0, 1, &used), 0);
  EXPECT_EQ(used, Arithmetic::kExpansion);
  // for any unit,
  for (const double unit : {0x1p-1000, 0x1p-300, 0x1p1000}) {
    EXPECT_EQ(Orient3d(o, p * unit, q * unit, (p + p) * unit, &used), 0);
  }
  EXPECT_EQ(used, Arithmetic::kExpansion);
  // and integers where exponents are too far apart for that.
  const double tiny = 0x1p-600;
  EXPECT_EQ(Orient3d(o, {tiny, 0x1p-1000, 1}, {3 * tiny, 0x3p-1000, 3},
                     {0x1p-900, tiny, 7}, &used),
            0);
  EXPECT_EQ(used, Arithmetic::kExact);
}

// Planes through points whose differences round, too.
TEST(Predicates, ExactlyCoplanarPointsTakeNoIntegers) {
  TriangleCases cases(TriangleKind::kRandom, 9);
  Arithmetic used = Arithmetic::kDouble;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p = cases.Gaussian();
    const Vec3 q = cases.Gaussian();
    // Sums and differences of points that keep all their bits.
    const auto coarse = [](const Vec3& v) {
      return Vec3{static_cast<float>(v.x), static_cast<float>(v.y),
                  static_cast<float>(v.z)};
    };
    const Vec3 a = coarse(p) * 0x1p-30;
    const Vec3 e = coarse(q);
    const Vec3 f = coarse(cases.Gaussian());
    const Vec3 d = a + (e + f);
    ASSERT_EQ(Orient3d(a, a + e, a + f, d, &used),
              OracleOrient3d(a, a + e, a + f, d));
    const Vec3 b{e.x, f.x, 0};
    ASSERT_EQ(Orient2d(a, b, a + (b - a) * 2, 0, 1, &used),
              OracleOrient2d(a, b, a + (b - a) * 2, 0, 1));
  }
  EXPECT_NE(used, Arithmetic::kExact);
}

TEST(Predicates, CollinearMeansOneLineOrFewerPoints) {
  EXPECT_TRUE(AreCollinear({0, 0, 0}, {1, 2, 3}, {2, 4, 6}));
  EXPECT_TRUE(AreCollinear({1, 1, 1}, {1, 1, 1}, {2, 4, 6}));
  EXPECT_TRUE(AreCollinear({1, 1, 1}, {1, 1, 1}, {1, 1, 1}));
  EXPECT_FALSE(AreCollinear({0, 0, 0}, {1, 2, 3}, {2, 4, 6 + 1e-15}));
  EXPECT_FALSE(AreCollinear({0, 0, 0}, {0, 0, 1}, {0, 1e-300, 0}));
}

// In every order of the corners.
TEST(Predicates, CollinearAgreesWithRationalsNearTheLine) {
  TriangleCases cases(TriangleKind::kRandom, 5);
  int collinear = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 a = cases.Gaussian();
    const Vec3 b = cases.Gaussian();
    const double scale = std::ldexp(1.0, 20 * (i % 20 - 10));
    const Vec3 c = i % 2 == 0 ? a + (b - a) * cases.Gaussian().x : a + b - a;
    const Vec3 p = a * scale, q = b * scale, r = c * scale;
    const bool expected = OracleOrient2d(p, q, r, 0, 1) == 0 &&
                          OracleOrient2d(p, q, r, 1, 2) == 0 &&
                          OracleOrient2d(p, q, r, 2, 0) == 0;
    collinear += expected ? 1 : 0;
    ASSERT_EQ(AreCollinear(p, q, r), expected) << i;
    ASSERT_EQ(AreCollinear(q, r, p), expected) << i;
    ASSERT_EQ(AreCollinear(r, q, p), expected) << i;
  }
  EXPECT_GT(collinear, 50);
  EXPECT_LT(collinear, 1950);
}

}  // namespace
}  // namespace orbox
