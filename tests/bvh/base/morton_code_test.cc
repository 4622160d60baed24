// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/base/internal/morton_code.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace orbox {
namespace {

TEST(MortonCodeTest, BitsOfThreeNumbersTakeTurns) {
  for (const uint32_t x : {0u, 1u, 0x15555u, 0x1fffffu, 0x3a7u}) {
    for (const uint32_t y : {0u, 1u, 0x100800u, 0xabcu}) {
      for (const uint32_t z : {0u, 0x1fffffu, 0x12345u}) {
        uint64_t code = 0;
        for (int bit = 20; bit >= 0; --bit) {
          for (const uint32_t number : {x, y, z}) {
            code = code << 1 | (number >> bit & 1);
          }
        }
        EXPECT_EQ(MortonCode(x, y, z), code);
      }
    }
  }
}

TEST(MortonCodeTest, HigherBitsAreLeftOut) {
  EXPECT_EQ(SpreadBits(0xffe00000), 0u);
}

}  // namespace
}  // namespace orbox
