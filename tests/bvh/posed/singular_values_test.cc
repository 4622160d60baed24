// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/posed/internal/singular_values.h"

#include <algorithm>
#include <cmath>

#include "gtest/gtest.h"
#include "orbox/overlap/shapes/pose.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

struct Columns {
  Vec3 columns[3];
};

// Axes of a turn, lengthened, and turned again.
Columns Stretched(const Vec3& lengths, meshes::Random& random) {
  const Pose first = Pose::Rotation(random.Direction(), random.Uniform(-3, 3));
  const Pose second = Pose::Rotation(random.Direction(), random.Uniform(-3, 3));
  Columns m;
  for (size_t k = 0; k < 3; ++k) {
    Vec3 unit;
    unit[k] = 1;
    Vec3 v = first.Apply(unit);
    for (size_t i = 0; i < 3; ++i) v[i] *= lengths[i];
    m.columns[k] = second.Apply(v);
  }
  return m;
}

TEST(SingularValuesTest, EncloseKnownOnesClosely) {
  meshes::Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const double unit = std::ldexp(1.0, static_cast<int>(random.Below(200)));
    const Vec3 lengths = Vec3{random.Uniform(1, 2), random.Uniform(1, 64),
                              i % 3 == 0 ? 1 : random.Uniform(1, 8)} *
                         unit;
    const SingularValues s =
        SingularValuesOf(Stretched(lengths, random).columns);
    const double least = std::min({lengths.x, lengths.y, lengths.z});
    const double largest = MaxCoordinate(lengths);
    // The matrix itself was rounded.
    EXPECT_LE(s.least, least * (1 + 0x1p-40));
    EXPECT_GE(s.largest, largest * (1 - 0x1p-40));
    EXPECT_GE(s.least, least * (1 - 0x1p-30));
    EXPECT_LE(s.largest, largest * (1 + 0x1p-30));
  }
}

TEST(SingularValuesTest, NoVectorIsBeyondThem) {
  meshes::Random random(2);
  for (int i = 0; i < 300; ++i) {
    const Columns m = {
        {random.Point(-2, 2), random.Point(-2, 2), random.Point(-2, 2)}};
    const SingularValues s = SingularValuesOf(m.columns);
    for (int k = 0; k < 100; ++k) {
      const Vec3 v = random.Direction();
      const double length =
          Norm(m.columns[0] * v.x + m.columns[1] * v.y + m.columns[2] * v.z) /
          Norm(v);
      EXPECT_GE(length * (1 + 0x1p-48), s.least);
      EXPECT_LE(length * (1 - 0x1p-48), s.largest);
    }
  }
}

TEST(SingularValuesTest, OfFlatMapsNothingIsLeft) {
  EXPECT_EQ(SingularValuesOf({{1, 0, 0}, {0, 2, 0}, {0, 0, 0}}).least, 0);
  EXPECT_EQ(SingularValuesOf({{1, 1, 1}, {2, 2, 2}, {3, 4, 5}}).least, 0);
  const SingularValues none = SingularValuesOf({{}, {}, {}});
  EXPECT_EQ(none.least, 0);
  EXPECT_EQ(none.largest, 0);
}

}  // namespace
}  // namespace orbox
