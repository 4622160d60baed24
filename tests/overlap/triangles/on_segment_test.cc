// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/internal/on_segment.h"

#include <cmath>
#include <random>

#include "gtest/gtest.h"
#include "tests/support/exact_shapes.h"

namespace orbox {
namespace {

bool IsOnSegmentRationally(const Vec3& p, const Vec3& a, const Vec3& b) {
  using exact::operator-;
  const exact::Vec w = exact::ToVec(p) - exact::ToVec(a);
  const exact::Vec e = exact::ToVec(b) - exact::ToVec(a);
  const exact::Vec across = exact::Cross(w, e);
  if (across != exact::Vec{0, 0, 0}) return false;
  const exact::Rational along = exact::Dot(w, e);
  return exact::Dot(e, e) == 0 ? exact::Dot(w, w) == 0
                               : along >= 0 && along <= exact::Dot(e, e);
}

// All of them are seen where coordinates are floats.
TEST(OnSegmentTest, IsThatOfRationalsForFloats) {
  std::mt19937_64 random(7);
  int on = 0;
  int off = 0;
  for (int i = 0; i < 20000; ++i) {
    const int bits = 1 + i % 20;
    const auto coordinate = [&] {
      return static_cast<float>(static_cast<int>(random() >> (64 - bits)) -
                                (1 << (bits - 1)));
    };
    const Vec3 a{coordinate(), coordinate(), coordinate()};
    const Vec3 b{coordinate(), coordinate(), coordinate()};
    Vec3 p{coordinate(), coordinate(), coordinate()};
    if (i % 3 == 0) p = a + (b - a) * (static_cast<int>(random() % 9) * 0.25);
    if (i % 7 == 0) p = i % 2 == 0 ? a : b;
    const bool expected = IsOnSegmentRationally(p, a, b);
    EXPECT_EQ(IsOnSegment(p, a, b), expected);
    EXPECT_EQ(IsOnSegment(p, b, a), expected);
    ++(expected ? on : off);
  }
  EXPECT_GT(on, 3000);
  EXPECT_GT(off, 3000);
}

// Returns false if doubles do not prove that the point is on the segment.
TEST(OnSegmentTest, IsNeverWrongForDoublesOfAnySize) {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> unit(-1, 1);
  int on = 0;
  for (const int exponent : {0, -300, -500, -540, -1060, 500, 1000}) {
    for (int i = 0; i < 500; ++i) {
      const auto point = [&] {
        return Vec3{std::ldexp(unit(random), exponent),
                    std::ldexp(unit(random), exponent),
                    std::ldexp(unit(random), exponent)};
      };
      const Vec3 a = point();
      Vec3 b = point();
      if (i % 4 == 0) b = a + Vec3{0, a.y * 0.25, 0};
      const Vec3 p = i % 5 == 0 ? a : a * 0.5 + b * 0.5;
      if (!IsOnSegment(p, a, b)) continue;
      EXPECT_TRUE(IsOnSegmentRationally(p, a, b));
      ++on;
    }
  }
  EXPECT_GT(on, 300);
}

TEST(OnSegmentTest, ProductsThatUnderflowAreNotTakenForEqual) {
  EXPECT_TRUE(AreEqualProducts(3, 4, 2, 6));
  EXPECT_TRUE(AreEqualProducts(0, 4, 2, 0));
  EXPECT_FALSE(AreEqualProducts(0x1p-600, 0x1p-600, 0x1p-601, 0x1p-601));
  EXPECT_FALSE(AreEqualProducts(0x1p-600, 0x1p-600, 0, 1));
  EXPECT_FALSE(AreEqualProducts(1 + 0x1p-52, 1 + 0x1p-52, 1 + 0x1p-51, 1));
}

}  // namespace
}  // namespace orbox
