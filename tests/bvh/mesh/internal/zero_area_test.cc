// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/internal/zero_area.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"

namespace orbox::mesh_internal {
namespace {

using boost::multiprecision::cpp_rational;

// By the definition, in rationals.
bool HasZeroAreaSlowly(const Triangle& t) {
  cpp_rational ab[3], ac[3];
  for (size_t axis = 0; axis < 3; ++axis) {
    ab[axis] = cpp_rational(t.b[axis]) - cpp_rational(t.a[axis]);
    ac[axis] = cpp_rational(t.c[axis]) - cpp_rational(t.a[axis]);
  }
  return ab[0] * ac[1] == ab[1] * ac[0] && ab[1] * ac[2] == ab[2] * ac[1] &&
         ab[2] * ac[0] == ab[0] * ac[2];
}

// In every order of its corners.
void ExpectZeroArea(const Triangle& t, bool expected) {
  EXPECT_EQ(HasZeroAreaSlowly(t), expected);
  EXPECT_EQ(HasZeroArea(t), expected);
  EXPECT_EQ(HasZeroArea({t.b, t.c, t.a}), expected);
  EXPECT_EQ(HasZeroArea({t.c, t.b, t.a}), expected);
}

TEST(HasZeroAreaTest, PointsAndSegments) {
  ExpectZeroArea({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, true);
  ExpectZeroArea({{1, 2, 3}, {1, 2, 3}, {4, 5, 6}}, true);
  ExpectZeroArea({{0, 0, 0}, {0.0, -0.0, 0.0}, {4, 5, 6}}, true);
  ExpectZeroArea({{1, 1, 1}, {2, 2, 2}, {7, 7, 7}}, true);
  ExpectZeroArea({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, false);
}

TEST(HasZeroAreaTest, OneUlpOffTheLine) {
  const double above = std::nextafter(7.0, 8.0);
  ExpectZeroArea({{1, 1, 1}, {2, 2, 2}, {7, 7, above}}, false);
  // A third of a unit is not representable, so these are not on a line.
  ExpectZeroArea({{0, 0, 0}, {1. / 3, 1. / 3, 1}, {1, 1, 3}}, false);
}

TEST(HasZeroAreaTest, AtEveryScale) {
  const Triangle segment = {{1, 2, 3}, {3, 5, 4}, {7, 11, 6}};
  const Triangle sliver = {{1, 2, 3}, {3, 5, 4}, {7, 11, 6 + 0x1p-40}};
  for (int exponent = -1000; exponent <= 1000; exponent += 25) {
    const double s = std::ldexp(1.0, exponent);
    ExpectZeroArea({segment.a * s, segment.b * s, segment.c * s}, true);
    ExpectZeroArea({sliver.a * s, sliver.b * s, sliver.c * s}, false);
  }
}

TEST(HasZeroAreaTest, LargestSmallestAndMixedMagnitudes) {
  const double max = std::numeric_limits<double>::max();
  const double least = std::numeric_limits<double>::denorm_min();
  ExpectZeroArea({{-max, -max, -max}, {0, 0, 0}, {max, max, max}}, true);
  ExpectZeroArea({{-max, -max, -max}, {0, least, 0}, {max, max, max}}, false);
  ExpectZeroArea({{0, 0, 0}, {least, 0, 0}, {0, least, 0}}, false);
  ExpectZeroArea({{0, 0, 0}, {least, least, 0}, {2 * least, 2 * least, 0}},
                 true);
  ExpectZeroArea({{max, 0, 0}, {0, least, 0}, {0, 0, 0}}, false);
}

TEST(HasZeroAreaTest, AgreesWithRationalsNearTheLine) {
  meshes::Random random(5);
  int degenerate = 0;
  for (int i = 0; i < 4000; ++i) {
    const Vec3 a = random.Point(-1, 1);
    const Vec3 b = random.Point(-1, 1);
    const double s = random.Uniform(-2, 2);
    const Vec3 on_line = random.Below(2) == 0 ? a + (b - a) * s : a + b - a;
    const Triangle t = {a, b, on_line};
    const bool expected = HasZeroAreaSlowly(t);
    degenerate += expected ? 1 : 0;
    ASSERT_EQ(HasZeroArea(t), expected) << i;
  }
  // Both answers have been asked for.
  EXPECT_GT(degenerate, 100);
  EXPECT_LT(degenerate, 3900);
}

}  // namespace
}  // namespace orbox::mesh_internal
