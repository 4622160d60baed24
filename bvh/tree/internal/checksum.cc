// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/tree/internal/checksum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace orbox::tree_internal {
namespace {

// The fractional part of the golden ratio in 64 bits, which is odd. A product
// spreads low bits to all higher ones, and the rotation moves high bits back
// down.
constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15;
constexpr int kRotation = 29;

// A multiplication takes three to four cycles, and one can start in each cycle.
// So eight independent multiplications are faster than memory.
constexpr size_t kWords = 8;
constexpr size_t kBlock = kWords * sizeof(uint64_t);

// Absorb, local to this file. In a shared library, a call of Absorb could be
// redirected to another library's function, and would not be inlined.
uint64_t WithWord(uint64_t sum, uint64_t word) {
  return std::rotl((sum ^ word) * kMultiplier, kRotation);
}

using LaneSums = std::array<uint64_t, kWords>;

void AddBlock(const std::byte* block, LaneSums& lanes) {
  for (size_t i = 0; i < kWords; ++i) {
    uint64_t word;
    std::memcpy(&word, block + i * sizeof word, sizeof word);
    lanes[i] = WithWord(lanes[i], word);
  }
}

}  // namespace

uint64_t Absorb(uint64_t sum, uint64_t word) { return WithWord(sum, word); }

uint64_t ChecksumOfPiece(std::span<const std::byte> piece) {
  const size_t whole = piece.size() / kBlock * kBlock;
  const size_t rest = piece.size() - whole;
  LaneSums lanes;
  for (size_t i = 0; i < kWords; ++i) {
    lanes[i] = (whole + (rest > 0 ? kBlock : 0)) ^ i;
  }
  for (size_t at = 0; at < whole; at += kBlock) {
    AddBlock(piece.data() + at, lanes);
  }
  if (rest > 0) {
    std::array<std::byte, kBlock> last = {};
    std::memcpy(last.data(), piece.data() + whole, rest);
    AddBlock(last.data(), lanes);
  }
  uint64_t sum = kChecksumStart;
  for (const uint64_t lane : lanes) sum = WithWord(sum, lane);
  return sum;
}

uint64_t ChecksumOf(std::span<const std::byte> bytes) {
  uint64_t sum = kChecksumStart;
  for (size_t at = 0; at < bytes.size(); at += kChecksumPiece) {
    const size_t size = std::min(kChecksumPiece, bytes.size() - at);
    sum = Absorb(sum, ChecksumOfPiece(bytes.subspan(at, size)));
  }
  return sum;
}

}  // namespace orbox::tree_internal
