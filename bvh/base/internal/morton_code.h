// SPDX-License-Identifier: Apache-2.0

// Codes along a space-filling curve (Morton, 1966). Cells that are near each
// other in space mostly have codes that are near each other.
#ifndef ORBOX_BVH_BASE_INTERNAL_MORTON_CODE_H_
#define ORBOX_BVH_BASE_INTERNAL_MORTON_CODE_H_

#include <cstdint>

namespace orbox {

// Returns the lowest 21 bits of x, with two zero bits between each two of them.
constexpr uint64_t SpreadBits(uint32_t x) {
  uint64_t v = x & 0x1fffff;
  v = (v | v << 32) & 0x001f00000000ffff;
  v = (v | v << 16) & 0x001f0000ff0000ff;
  v = (v | v << 8) & 0x100f00f00f00f00f;
  v = (v | v << 4) & 0x10c30c30c30c30c3;
  v = (v | v << 2) & 0x1249249249249249;
  return v;
}

// Interleaves the bits of the three numbers, with the bits of x highest.
// Returns 63 bits.
constexpr uint64_t MortonCode(uint32_t x, uint32_t y, uint32_t z) {
  return SpreadBits(x) << 2 | SpreadBits(y) << 1 | SpreadBits(z);
}

}  // namespace orbox

#endif  // ORBOX_BVH_BASE_INTERNAL_MORTON_CODE_H_
