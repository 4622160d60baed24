// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/internal/no_closer.h"

#include <cmath>

#include "gtest/gtest.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/triangle_cases.h"

namespace orbox {
namespace {

// Yes is certain: never for more than the distance.
TEST(NoCloserTest, NeverForMoreThanTheDistance) {
  int told = 0;
  for (const TriangleKind kind : kTriangleKinds) {
    TriangleCases cases(kind, 5);
    for (int i = 0; i < 3000; ++i) {
      const auto [s, t] = cases.Next();
      const double d = Distance(s, t).distance;
      for (const double more :
           {std::nextafter(d, kInf), d * (1 + 0x1p-40), 2 * d + 1e-300}) {
        ASSERT_FALSE(AreNoCloser(s, t, more)) << static_cast<int>(kind);
      }
      if (AreNoCloser(s, t, d)) ++told;
    }
  }
  EXPECT_GT(told, 1000);
}

// A triangle and one over it in a parallel plane, turned as they like: half of
// the distances are rounded up or down.
TEST(NoCloserTest, ParallelFacesAreToldApart) {
  meshes::Random random(6);
  int told = 0;
  constexpr int kCount = 2000;
  for (int i = 0; i < kCount; ++i) {
    const auto corner = [&](double z) {
      return Vec3{random.Uniform(0, 1), random.Uniform(0, 1), z};
    };
    const double gap = std::ldexp(random.Uniform(0.5, 1), -(i % 30));
    Triangle s{corner(0), corner(0), corner(0)};
    Triangle t{corner(gap), corner(gap), corner(gap)};
    const Triangle flat_t{
        {t.a.x, t.a.y, 0}, {t.b.x, t.b.y, 0}, {t.c.x, t.c.y, 0}};
    const bool is_over = Distance(s, flat_t).distance == 0;
    if (is_over) {
      EXPECT_TRUE(AreNoCloser(s, t, gap));
      EXPECT_TRUE(AreNoCloser(t, s, gap));
    }
    EXPECT_TRUE(AreNoCloser(s, t, std::nextafter(gap, 0.0)));
    EXPECT_FALSE(is_over && AreNoCloser(s, t, std::nextafter(gap, kInf)));
    // Turned and rounded, they are a few units apart that are lost here.
    const Pose pose = Pose::Rotation(random.Direction(), i);
    s = {pose.Apply(s.a), pose.Apply(s.b), pose.Apply(s.c)};
    t = {pose.Apply(t.a), pose.Apply(t.b), pose.Apply(t.c)};
    EXPECT_FALSE(
        AreNoCloser(s, t, std::nextafter(Distance(s, t).distance, kInf)));
    if (AreNoCloser(s, t, gap * (1 - 0x1p-12))) ++told;
  }
  EXPECT_GT(told, kCount * 9 / 10);
}

TEST(NoCloserTest, NothingIsToldOutOfRange) {
  const Triangle s{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const Triangle t{{0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  const Triangle point{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  EXPECT_TRUE(AreNoCloser(s, t, 1));
  EXPECT_FALSE(AreNoCloser(s, t, 0));
  EXPECT_FALSE(AreNoCloser(s, t, kInf));
  EXPECT_FALSE(AreNoCloser(s, t, 1e-60));
  EXPECT_FALSE(AreNoCloser(point, point, 0.5));
  EXPECT_FALSE(AreNoCloser(s, s, 0.5));
}

}  // namespace
}  // namespace orbox
