// SPDX-License-Identifier: Apache-2.0

// The tests of two triangles are related: overlap, distance within d, and
// distance. Compares them with each other on grids of coordinates where exact
// contact is the rule: far from the origin, where few bits are left for a
// shape.
#include "gtest/gtest.h"
#include "orbox/overlap/triangles/triangle_distance.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

void ExpectAgreement(const Triangle& s, const Triangle& t, double d) {
  const double distance = Distance(s, t).distance;
  EXPECT_EQ(distance == 0, Overlaps(s, t)) << distance;
  if (distance != d) {
    EXPECT_EQ(distance < d, WithinDistance(s, t, d)) << distance;
  }
}

TEST(TriangleAgreementTest, FarFromTheOrigin) {
  for (const double offset : {0.0, 0x1p20, 0x1p40, 0x1p48, 0x1p60}) {
    SCOPED_TRACE(offset);
    const Mesh still = meshes::Moved(
        meshes::Torus(6, 4), Pose::Translation({offset, -offset, offset}));
    const Mesh moved = meshes::Moved(still, Pose::Translation({1, 0.5, 0}));
    for (size_t i = 0; i < moved.triangle_count(); ++i) {
      for (size_t j = 0; j < still.triangle_count(); ++j) {
        ExpectAgreement(moved.triangle(i), still.triangle(j), 0.1);
      }
    }
  }
}

TEST(TriangleAgreementTest, OnASmallGrid) {
  meshes::Random random(1);
  const auto corner = [&] {
    return Vec3{static_cast<double>(random.Below(4)),
                static_cast<double>(random.Below(4)),
                static_cast<double>(random.Below(4))};
  };
  for (int i = 0; i < 20'000; ++i) {
    const Triangle s{corner(), corner(), corner()};
    const Triangle t{corner(), corner(), corner()};
    ExpectAgreement(s, t, 1);
  }
}

// Few bits are left of each coordinate: many features are as close as others,
// or nearly so.
TEST(TriangleAgreementTest, WhereOffsetsLeaveFewBits) {
  meshes::Random random(2);
  for (const double offset : {0x1p30, 0x1p44, 0x1p49, 0x1p51}) {
    SCOPED_TRACE(offset);
    const auto corner = [&](double lo) {
      return random.Point(lo, lo + 2) + Vec3{offset, offset, -offset};
    };
    for (int i = 0; i < 4000; ++i) {
      const double gap = random.Uniform(-1, 2.5);
      const Triangle s{corner(0), corner(0), corner(0)};
      const Triangle t{corner(gap), corner(gap), corner(gap)};
      ExpectAgreement(s, t, 0.5);
    }
  }
}

}  // namespace
}  // namespace orbox
