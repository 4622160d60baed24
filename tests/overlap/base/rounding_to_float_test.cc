// SPDX-License-Identifier: Apache-2.0

// Tests that the compiler, with the options of our targets, rounds to float if
// the code does. Bounds are rounded outward by comparing a double with the
// float made of it; a compiler that skips the float makes bounds that do not
// hold.
#include "gtest/gtest.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {
namespace {

// Neighbouring conversions, as a compiler likes to put into one vector. Not
// inlined: what is known at compile time, the compiler computes itself.
[[gnu::noinline]] Vec3 ThroughFloat(const Vec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y),
          static_cast<float>(v.z)};
}

[[gnu::noinline]] void ThroughFloats(const double* from, double* to, int n) {
  for (int i = 0; i < n; ++i) to[i] = static_cast<float>(from[i]);
}

TEST(RoundingToFloatTest, IsNotOptimisedAway) {
  // A tenth as a float is 0x1.99999ap-4.
  const double rounded = 0x1.99999ap-4;
  EXPECT_EQ(ThroughFloat({0.1, 0.1, 0.1}), (Vec3{rounded, rounded, rounded}));
  const double from[8] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
  double to[8];
  ThroughFloats(from, to, 8);
  for (const double x : to) EXPECT_EQ(x, rounded);
}

}  // namespace
}  // namespace orbox
