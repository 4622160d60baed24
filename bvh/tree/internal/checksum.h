// SPDX-License-Identifier: Apache-2.0

// The checksum of tree files.
//
//   uint64_t sum = ChecksumOf(bytes);
//
// The bytes are padded with zeros to a multiple of 64 and cut into pieces of
// kChecksumPiece, the last one shorter. A piece is words of eight bytes, in the
// machine's byte order. Word i goes to lane i mod 8, and a lane absorbs a word
// by
//
//   lane = rotate(((lane xor word) * kMultiplier), 29)
//
// A lane starts as the piece's length xor the lane's number. In the same way,
// the sum of the piece absorbs its lanes in order, and the checksum absorbs the
// sums of the pieces in order. For a given word, absorbing is a bijection of
// the lane; for a given lane, it is a bijection of the word, because the
// multiplier is odd. So any change within a single word changes the result.
#ifndef ORBOX_BVH_TREE_INTERNAL_CHECKSUM_H_
#define ORBOX_BVH_TREE_INTERNAL_CHECKSUM_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "orbox/overlap/base/export.h"

namespace orbox::tree_internal {

// A megabyte is enough work for a thread, and fits in its second-level cache.
inline constexpr size_t kChecksumPiece = size_t{1} << 20;

// Returns `sum` after it has absorbed `word`.
uint64_t Absorb(uint64_t sum, uint64_t word);

// Returns the sum of one piece. Requires at most kChecksumPiece bytes.
uint64_t ChecksumOfPiece(std::span<const std::byte> piece);

// Initial value of the checksum, which absorbs the pieces' sums.
inline constexpr uint64_t kChecksumStart = 0x6f72626f78747265;  // "orboxtre"

// Returns the checksum of all bytes, computed on one thread.
ORBOX_EXPORT uint64_t ChecksumOf(std::span<const std::byte> bytes);

}  // namespace orbox::tree_internal

#endif  // ORBOX_BVH_TREE_INTERNAL_CHECKSUM_H_
