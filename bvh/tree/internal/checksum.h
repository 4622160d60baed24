// The checksum of tree files.
//
//   uint64_t sum = ChecksumOf(bytes);
//
// The bytes are filled up by zeros to a multiple of 64 and cut into pieces of
// kChecksumPiece, the last one shorter. A piece is read as words of eight
// bytes, as the machine has them; word i goes to lane i mod 8, and a lane takes
// a word by
//
//   lane = rotate(((lane xor word) * kMultiplier), 29)
//
// starting from the piece's length xor the lane's number. The piece's sum takes
// the lanes, and the checksum takes the pieces' sums, in the same way, one
// after the other. For a given word that is a bijection of the lane, and for a
// given lane one of the word, the multiplier being odd: so whatever changes
// within a single word changes the result for certain.
#ifndef ORBOX_BVH_TREE_INTERNAL_CHECKSUM_H_
#define ORBOX_BVH_TREE_INTERNAL_CHECKSUM_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace orbox::tree_internal {

// A megabyte is enough for a thread and stays in its second cache.
inline constexpr size_t kChecksumPiece = size_t{1} << 20;

// Takes the next of a row of words.
uint64_t Absorb(uint64_t sum, uint64_t word);

// The sum of one piece. Requires at most kChecksumPiece bytes.
uint64_t ChecksumOfPiece(std::span<const std::byte> piece);

// What the pieces' sums are absorbed into.
inline constexpr uint64_t kChecksumStart = 0x6f72626f78747265;  // "orboxtre"

// All of it, on one thread.
uint64_t ChecksumOf(std::span<const std::byte> bytes);

}  // namespace orbox::tree_internal

#endif  // ORBOX_BVH_TREE_INTERNAL_CHECKSUM_H_
