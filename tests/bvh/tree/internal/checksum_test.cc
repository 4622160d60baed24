// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/tree/internal/checksum.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"

namespace orbox::tree_internal {
namespace {

// The checksum that the header describes, computed word by word.
uint64_t SlowChecksum(std::vector<std::byte> bytes) {
  while (bytes.size() % 64 != 0) bytes.push_back(std::byte{0});
  const auto absorb = [](uint64_t& sum, uint64_t word) {
    sum = (sum ^ word) * 0x9e3779b97f4a7c15;
    sum = (sum << 29) | (sum >> 35);
  };
  uint64_t checksum = kChecksumStart;
  for (size_t begin = 0; begin < bytes.size(); begin += kChecksumPiece) {
    const size_t size = std::min(kChecksumPiece, bytes.size() - begin);
    uint64_t lanes[8];
    for (size_t i = 0; i < 8; ++i) lanes[i] = size ^ i;
    for (size_t i = 0; i < size / 8; ++i) {
      uint64_t word = 0;
      std::memcpy(&word, &bytes[begin + 8 * i], 8);
      absorb(lanes[i % 8], word);
    }
    uint64_t sum = kChecksumStart;
    for (const uint64_t lane : lanes) absorb(sum, lane);
    absorb(checksum, sum);
  }
  return checksum;
}

std::vector<std::byte> RandomBytes(size_t size) {
  meshes::Random random(size);
  std::vector<std::byte> bytes(size);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random.Below(256));
  return bytes;
}

TEST(ChecksumTest, IsAsDescribed) {
  for (const size_t size :
       {size_t{0}, size_t{1}, size_t{63}, size_t{64}, size_t{65}, size_t{1000},
        kChecksumPiece - 1, kChecksumPiece, kChecksumPiece + 1,
        3 * kChecksumPiece + 192}) {
    const std::vector<std::byte> bytes = RandomBytes(size);
    EXPECT_EQ(ChecksumOf(bytes), SlowChecksum(bytes)) << size;
  }
}

TEST(ChecksumTest, SeesEachFlipOfABit) {
  std::vector<std::byte> bytes = RandomBytes(512);
  const uint64_t right = ChecksumOf(bytes);
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    const auto flip = static_cast<std::byte>(1 << (bit % 8));
    bytes[bit / 8] ^= flip;
    EXPECT_NE(ChecksumOf(bytes), right) << bit;
    bytes[bit / 8] ^= flip;
  }
}

TEST(ChecksumTest, SeesWordsThatChangePlaces) {
  const std::vector<std::byte> bytes = RandomBytes(512);
  const uint64_t right = ChecksumOf(bytes);
  for (size_t i = 0; i < 64; ++i) {
    for (size_t k = 0; k < i; ++k) {
      std::vector<std::byte> swapped = bytes;
      std::swap_ranges(swapped.begin() + static_cast<ptrdiff_t>(8 * i),
                       swapped.begin() + static_cast<ptrdiff_t>(8 * i + 8),
                       swapped.begin() + static_cast<ptrdiff_t>(8 * k));
      EXPECT_NE(ChecksumOf(swapped), right) << i << " " << k;
    }
  }
}

TEST(ChecksumTest, SeesZerosThatAreMoreOrFewer) {
  const std::vector<std::byte> zeros(1024);
  for (size_t size = 64; size <= 1024; size += 64) {
    EXPECT_NE(ChecksumOf(std::span(zeros).first(size)),
              ChecksumOf(std::span(zeros).first(size - 64)));
  }
}

}  // namespace
}  // namespace orbox::tree_internal
