// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/internal/no_closer.h"

#include <cmath>
#include <numbers>
#include <vector>

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
  int proven = 0;
  for (const TriangleKind kind : kTriangleKinds) {
    TriangleCases cases(kind, 5);
    for (int i = 0; i < 3000; ++i) {
      const auto [s, t] = cases.Next();
      const double d = Distance(s, t).distance;
      for (const double more :
           {std::nextafter(d, kInf), d * (1 + 0x1p-40), 2 * d + 1e-300}) {
        if (more == d) continue;
        ASSERT_FALSE(AreNoCloser(s, t, more)) << static_cast<int>(kind);
      }
      if (AreNoCloser(s, t, d)) ++proven;
    }
  }
  EXPECT_GT(proven, 1000);
}

// A triangle and one over it in a parallel plane, turned as they like: half of
// the distances are rounded up or down.
TEST(NoCloserTest, ParallelFacesAreToldApart) {
  meshes::Random random(6);
  int proven = 0;
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
    if (AreNoCloser(s, t, gap * (1 - 0x1p-12))) ++proven;
  }
  EXPECT_GT(proven, kCount * 9 / 10);
}

// Two tubes of flat sides, one in the other with a tiny gap: edges and faces
// are equally near at many points, to the last bit, and closest at any feature.
TEST(NoCloserTest, TubesThatHardlyLeaveAGapAreTold) {
  constexpr int kSides = 12;
  constexpr int kRings = 4;
  const auto tube = [](double radius, double length) {
    std::vector<Triangle> triangles;
    const auto at = [&](int side, int ring) {
      const double angle = 2 * std::numbers::pi * (side % kSides) / kSides;
      return Vec3{radius * std::cos(angle), radius * std::sin(angle),
                  length * ring / kRings};
    };
    for (int ring = 0; ring < kRings; ++ring) {
      for (int side = 0; side < kSides; ++side) {
        const Vec3 a = at(side, ring), b = at(side + 1, ring);
        const Vec3 c = at(side + 1, ring + 1), d = at(side, ring + 1);
        triangles.push_back({a, b, c});
        triangles.push_back({a, c, d});
      }
    }
    return triangles;
  };
  const Pose turn = Pose::Rotation(Normalized(Vec3{1, 2, 3}), 1);
  for (const double gap : {1e-15, 1e-14, 1e-12}) {
    for (const bool is_turned : {false, true}) {
      int queried = 0;
      int proven = 0;
      for (Triangle s : tube(1, 2)) {
        if (is_turned) s = turn.Apply(s);
        for (Triangle t : tube(1 + gap, 1)) {
          if (is_turned) t = turn.Apply(t);
          const double d = Distance(s, t).distance;
          if (d > 2 * gap || d == 0) continue;
          ++queried;
          for (const double least : {d, std::nextafter(d, 0.0)}) {
            proven += AreNoCloser(s, t, least) ? 1 : 0;
          }
          ASSERT_FALSE(AreNoCloser(s, t, std::nextafter(d, kInf)));
        }
      }
      EXPECT_GT(proven, 2 * queried * 4 / 5) << gap;
      if (!is_turned) EXPECT_GT(queried, 500) << gap;
    }
  }
}

// Coordinates show a gap along an axis, of any size.
TEST(NoCloserTest, GapsAlongAnAxisAreToldInAnyRange) {
  const Triangle s{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  for (const double gap : {5e-324, 1e-310, 1e-160, 1e-60, 1.0, 1e200, 1e308}) {
    for (const double along : {0.0, 0.25}) {
      const Triangle t{
          {along, along, gap}, {1 + along, along, gap}, {along, 1, gap}};
      EXPECT_EQ(Distance(s, t).distance, gap);
      EXPECT_TRUE(AreNoCloser(s, t, gap));
      EXPECT_TRUE(AreNoCloser(t, s, gap));
      EXPECT_FALSE(AreNoCloser(s, t, std::nextafter(gap, kInf)));
    }
  }
  // The difference of coordinates rounds, and so does the distance.
  const Triangle low{{0, 0, 0.1}, {1, 0, 0.1}, {0, 1, 0.1}};
  const Triangle high{{0, 0, 0.7}, {1, 0, 0.7}, {0, 1, 0.7}};
  EXPECT_TRUE(AreNoCloser(low, high, Distance(low, high).distance));
}

TEST(NoCloserTest, NothingElseIsToldOutOfRange) {
  const Triangle s{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const Triangle t{{0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  const Triangle point{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  EXPECT_TRUE(AreNoCloser(s, t, 1));
  EXPECT_FALSE(AreNoCloser(s, t, kInf));
  // Turned out of the axes.
  const Triangle u{{0, 0, 0}, {1, 0, 1}, {0, 1, 1}};
  const Triangle v{{0, 0, 0.5}, {1, 0, 1.5}, {0, 1, 1.5}};
  EXPECT_TRUE(AreNoCloser(u, v, 0.25));
  EXPECT_FALSE(AreNoCloser(u, v, 0));
  EXPECT_FALSE(AreNoCloser(u, v, kInf));
  EXPECT_FALSE(AreNoCloser(u, v, 1e-60));
  EXPECT_FALSE(AreNoCloser(point, point, 0.5));
  EXPECT_FALSE(AreNoCloser(s, s, 0.5));
}

}  // namespace
}  // namespace orbox
