// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/triangle_spheres.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "orbox/overlap/boxes/sphere_sphere.h"
#include "orbox/overlap/shapes/range.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

// A convex set is in a ball if its corners are: points are spheres of radius 0.
bool Holds(const Sphere& s, const Triangle& t) {
  return std::isinf(s.radius) ||
         (Overlaps(s, Sphere{t.a, 0}) && Overlaps(s, Sphere{t.b, 0}) &&
          Overlaps(s, Sphere{t.c, 0}));
}

Triangle RandomTriangle(meshes::Random& random) {
  const Vec3 at = random.Point(-1, 1);
  // Needles, specks and well shaped ones, near to the origin and far from it.
  const double flat = std::ldexp(1.0, -static_cast<int>(random.Bits() % 60));
  const double scale =
      std::ldexp(1.0, static_cast<int>(random.Bits() % 400) - 200);
  const double far = random.Bits() % 4 == 0 ? 0x1p30 : 1;
  const Vec3 u = random.Direction();
  return Triangle{
      at * far * scale, (at * far + u) * scale,
      (at * far + u * random.Uniform(-1, 2) + random.Direction() * flat) *
          scale};
}

TEST(TriangleSpheresTest, HoldTheTriangle) {
  meshes::Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    const Triangle t = RandomTriangle(random);
    EXPECT_TRUE(Holds(CentroidSphere(t), t));
    EXPECT_TRUE(Holds(SmallestSphere(t), t));
    EXPECT_LE(SmallestSphere(t).radius, CentroidSphere(t).radius);
  }
}

// Below, no sphere is smaller: half the longest edge, or the circumradius
// where that triangle is acute (abc / 4A).
TEST(TriangleSpheresTest, TheSmallestIsTheSmallest) {
  meshes::Random random(2);
  for (int i = 0; i < 20'000; ++i) {
    const Triangle t{random.Point(-1, 1), random.Point(-1, 1),
                     random.Point(-1, 1)};
    double edges[3] = {Norm(t.a - t.b), Norm(t.b - t.c), Norm(t.c - t.a)};
    std::sort(edges, edges + 3);
    const bool obtuse =
        edges[0] * edges[0] + edges[1] * edges[1] <= edges[2] * edges[2];
    const double area = 0.5 * Norm(Cross(t.b - t.a, t.c - t.a));
    const double least =
        obtuse ? 0.5 * edges[2] : edges[0] * edges[1] * edges[2] / (4 * area);
    EXPECT_NEAR(SmallestSphere(t).radius, least, 1e-9 * least);
    EXPECT_LE(CentroidSphere(t).radius, (4.0 / 3 + 1e-12) * least);
  }
}

TEST(TriangleSpheresTest, CentroidSpheresAreAboutTheCentroid) {
  const Sphere s = CentroidSphere({{0, 0, 0}, {3, 0, 0}, {0, 3, 0}});
  EXPECT_NEAR(s.center.x, 1, 1e-15);
  EXPECT_NEAR(s.center.y, 1, 1e-15);
  EXPECT_EQ(s.center.z, 0);
  EXPECT_NEAR(s.radius, std::sqrt(5.0), 1e-14);
}

TEST(TriangleSpheresTest, DegenerateAndExtremeTriangles) {
  constexpr double kMax = kLargestCoordinate;
  constexpr double kMin = kSmallestCoordinate;
  const double values[] = {0, kMin, -kMin, 0.1, 1e-30, 1e30, kMax, -kMax};
  for (const double x : values) {
    for (const double y : values) {
      for (const double z : values) {
        for (const Triangle& t : {Triangle{{x, y, z}, {x, y, z}, {x, y, z}},
                                  Triangle{{x, y, z}, {y, z, x}, {y, z, x}},
                                  Triangle{{x, y, z}, {y, z, x}, {z, x, y}}}) {
          EXPECT_TRUE(Holds(CentroidSphere(t), t)) << x << ' ' << y << ' ' << z;
          EXPECT_TRUE(Holds(SmallestSphere(t), t)) << x << ' ' << y << ' ' << z;
        }
      }
    }
  }
  const Sphere point = CentroidSphere({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}});
  EXPECT_EQ(point.radius, 0);
  EXPECT_EQ(point.center, (Vec3{1, 2, 3}));
}

TEST(TriangleSpheresTest, ScalingByPowersOfTwoScalesThem) {
  meshes::Random random(4);
  for (int i = 0; i < 1000; ++i) {
    const Triangle t{random.Point(-1, 1), random.Point(-1, 1),
                     random.Point(-1, 1)};
    const Triangle big{t.a * 0x1p100, t.b * 0x1p100, t.c * 0x1p100};
    const Sphere s = CentroidSphere(t);
    const Sphere b = CentroidSphere(big);
    EXPECT_EQ(b.center, s.center * 0x1p100);
    EXPECT_EQ(b.radius, s.radius * 0x1p100);
    EXPECT_EQ(SmallestSphere(big).radius, SmallestSphere(t).radius * 0x1p100);
  }
}

// Spheres as leaf volumes: those of overlapping triangles overlap.
TEST(TriangleSpheresTest, NeverAFalseNegative) {
  meshes::Random random(3);
  int meeting = 0;
  for (int i = 0; i < 50'000; ++i) {
    const Triangle s{random.Point(-1, 1), random.Point(-1, 1),
                     random.Point(-1, 1)};
    const Triangle t{random.Point(-1, 1), random.Point(-1, 1),
                     random.Point(-1, 1)};
    if (!Overlaps(s, t)) continue;
    ++meeting;
    EXPECT_TRUE(MayOverlap(CentroidSphere(s), CentroidSphere(t)));
    EXPECT_TRUE(MayOverlap(SmallestSphere(s), SmallestSphere(t)));
  }
  EXPECT_GT(meeting, 1000);
}

}  // namespace
}  // namespace orbox
