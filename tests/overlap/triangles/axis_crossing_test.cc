// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/axis_crossing.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/exact_triangles.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

// Without simulation: a ray that is moved aside by so little that no lattice
// point is in between, in rational arithmetic.
AxisCrossing OracleCrossing(const Vec3& p, const Triangle& t) {
  using oracle::Rational;
  if (oracle::SquaredDistance(p, t) == 0) return {0, true};
  const Rational epsilon(1, 1 << 20);
  const Rational y = Rational(p.y) + epsilon;
  const Rational z = Rational(p.z) + epsilon * epsilon;
  const oracle::Corners c = oracle::Lift(t);
  const auto area = [&](const oracle::Point& a, const oracle::Point& b,
                        const Rational& u, const Rational& v) {
    return Rational((b[1] - a[1]) * (v - a[2]) - (b[2] - a[2]) * (u - a[1]));
  };
  const Rational whole = area(c[0], c[1], c[2][1], c[2][2]);
  if (whole == 0) return {};
  const Rational w = area(c[0], c[1], y, z) / whole;
  const Rational u = area(c[1], c[2], y, z) / whole;
  const Rational v = area(c[2], c[0], y, z) / whole;
  if (u < 0 || v < 0 || w < 0) return {};
  const Rational x = u * c[0][0] + v * c[1][0] + w * c[2][0];
  if (x < Rational(p.x)) return {};
  return {whole > 0 ? 1 : -1, false};
}

TEST(AxisCrossingTest, AgreesWithTheOracleOnTheLattice) {
  meshes::Random random(1);
  int crossed = 0;
  int on = 0;
  for (int i = 0; i < 6000; ++i) {
    const Vec3 p = random.LatticePoint(2);
    const Vec3 a = random.LatticePoint(2);
    const Vec3 b = random.LatticePoint(2);
    const Triangle t{a, b, random.LatticePoint(2)};
    const AxisCrossing expected = OracleCrossing(p, t);
    for (const Triangle& s :
         {t, Triangle{t.b, t.c, t.a}, Triangle{t.c, t.a, t.b}}) {
      const AxisCrossing found = CrossingAlongX(p, s);
      EXPECT_EQ(found.is_on_triangle, expected.is_on_triangle);
      if (!found.is_on_triangle) {
        EXPECT_EQ(found.sign, expected.sign);
      }
    }
    const AxisCrossing reverse = CrossingAlongX(p, {t.a, t.c, t.b});
    EXPECT_EQ(reverse.is_on_triangle, expected.is_on_triangle);
    if (!reverse.is_on_triangle) {
      EXPECT_EQ(reverse.sign, -expected.sign);
    }
    crossed += expected.sign != 0 ? 1 : 0;
    on += expected.is_on_triangle ? 1 : 0;
  }
  EXPECT_GT(crossed, 100);
  EXPECT_GT(on, 100);
}

// Rays along edges and through vertices of closed meshes are counted once.
TEST(AxisCrossingTest, ClosedMeshesWindOnceAboutTheirInside) {
  const auto winding = [](const Mesh& mesh, const Vec3& p) {
    int sum = 0;
    for (size_t i = 0; i < mesh.triangle_count(); ++i) {
      sum += CrossingAlongX(p, mesh.triangle(i)).sign;
    }
    return sum;
  };
  const Mesh cube = meshes::Cube({-2, -2, -2}, 4);
  for (double x = -3; x <= 3; ++x) {
    for (double y = -3; y <= 3; ++y) {
      for (double z = -3; z <= 3; ++z) {
        const double far =
            std::max(std::abs(x), std::max(std::abs(y), std::abs(z)));
        if (far == 2) continue;  // on it
        EXPECT_EQ(winding(cube, {x, y, z}), far < 2 ? 1 : 0);
      }
    }
  }
  const Mesh ball = meshes::Icosphere(3);
  for (const Vec3& v : ball.vertices()) {
    EXPECT_EQ(winding(ball, v * 0.9), 1);
    EXPECT_EQ(winding(ball, v * 1.1), 0);
    EXPECT_EQ(winding(ball, {0, v.y * 0.99, v.z * 0.99}), 1);
    EXPECT_EQ(winding(ball, {-2, v.y, v.z}), 0);
  }
}

TEST(AxisCrossingTest, CountsWhatDecided) {
  ArithmeticCounts counts;
  const Triangle t{{1, -1, -1}, {1, 1, -1}, {1, 0, 1}};
  EXPECT_EQ(CrossingAlongX({0, 0, 0}, t, &counts).sign, 1);
  EXPECT_EQ(CrossingAlongX({2, 0, 0}, t, &counts).sign, 0);
  EXPECT_EQ(CrossingAlongX({0, 0x1p-60, 0.1}, t, &counts).sign, 1);
  EXPECT_EQ(counts.by_double + counts.by_exact, 3u);
}

}  // namespace
}  // namespace orbox
