// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/turn.h"

#include <cmath>

#include "gtest/gtest.h"

namespace orbox::mesh_internal {
namespace {

TEST(TurnTest, QuartersAreExact) {
  for (uint64_t whole : {4, 8, 100, 4096}) {
    EXPECT_EQ(TurnOf(0, whole).cos, 1);
    EXPECT_EQ(TurnOf(0, whole).sin, 0);
    EXPECT_EQ(TurnOf(whole / 4, whole).cos, 0);
    EXPECT_EQ(TurnOf(whole / 4, whole).sin, 1);
    EXPECT_EQ(TurnOf(whole / 2, whole).cos, -1);
    EXPECT_EQ(TurnOf(whole / 2, whole).sin, 0);
    EXPECT_EQ(TurnOf(3 * whole / 4, whole).cos, 0);
    EXPECT_EQ(TurnOf(3 * whole / 4, whole).sin, -1);
    EXPECT_EQ(TurnOf(5 * whole, whole).cos, 1);
    EXPECT_FALSE(std::signbit(TurnOf(whole / 2, whole).sin));
    EXPECT_FALSE(std::signbit(TurnOf(3 * whole / 4, whole).cos));
  }
}

TEST(TurnTest, WithinTwoUlpOfTheTruth) {
  constexpr uint64_t kWhole = 99991;
  for (uint64_t part = 0; part < kWhole; ++part) {
    // libc++'s pi_v is that of double.
    constexpr long double kPi = 3.14159265358979323846264338327950288L;
    const long double angle = 2 * kPi * static_cast<long double>(part) / kWhole;
    const Turn t = TurnOf(part, kWhole);
    ASSERT_NEAR(t.cos, static_cast<double>(std::cos(angle)),
                0x1p-51 * std::abs(t.cos) + 1e-18L)
        << part;
    ASSERT_NEAR(t.sin, static_cast<double>(std::sin(angle)),
                0x1p-51 * std::abs(t.sin) + 1e-18L)
        << part;
  }
}

TEST(TurnTest, OctantsMirrorEachOther) {
  constexpr uint64_t kWhole = 840;
  for (uint64_t part = 0; part <= kWhole / 8; ++part) {
    const Turn t = TurnOf(part, kWhole);
    const Turn across = TurnOf(kWhole / 4 - part, kWhole);
    EXPECT_EQ(t.cos, across.sin) << part;
    EXPECT_EQ(t.sin, across.cos) << part;
    const Turn back = TurnOf(kWhole - part, kWhole);
    EXPECT_EQ(t.cos, back.cos) << part;
    EXPECT_EQ(t.sin, 0 - back.sin) << part;
  }
}

}  // namespace
}  // namespace orbox::mesh_internal
