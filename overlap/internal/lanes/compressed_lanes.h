// SPDX-License-Identifier: Apache-2.0

// Table of the lanes that a compressing store keeps. For instruction sets that
// have no such store. Private.
#ifndef ORBOX_OVERLAP_INTERNAL_LANES_COMPRESSED_LANES_H_
#define ORBOX_OVERLAP_INTERNAL_LANES_COMPRESSED_LANES_H_

#include <array>
#include <bit>
#include <cstdint>

namespace orbox {

// The indices of the set bits in ascending order, followed by zeros.
struct CompressedLanes {
  uint8_t lanes[8];
};

inline constexpr std::array<CompressedLanes, 256> kCompressedLanes = [] {
  std::array<CompressedLanes, 256> table{};
  for (uint32_t bits = 0; bits < 256; ++bits) {
    int count = 0;
    for (uint32_t rest = bits; rest != 0; rest &= rest - 1) {
      table[bits].lanes[count++] = static_cast<uint8_t>(std::countr_zero(rest));
    }
  }
  return table;
}();

}  // namespace orbox

#endif  // ORBOX_OVERLAP_INTERNAL_LANES_COMPRESSED_LANES_H_
