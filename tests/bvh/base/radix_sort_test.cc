// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/base/internal/radix_sort.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "gtest/gtest.h"

namespace orbox {
namespace {

// Around the sizes and key lengths at which ways of sorting change.
constexpr size_t kSizes[] = {0, 1, 2, 31, 32, 33, 100, 255, 5000};
constexpr int kBits[] = {0, 1, 4, 11, 12, 13, 17, 24, 25, 32};

uint32_t Key(std::mt19937& random, int bits) {
  return bits == 0 ? 0 : static_cast<uint32_t>(random()) >> (32 - bits);
}

uint32_t KeyOf(const KeyedIndex& item) { return item.key; }

TEST(RadixSortTest, SortsAsComparisonsDo) {
  std::mt19937 random(1);
  std::vector<KeyedIndex> scratch;
  for (const size_t size : kSizes) {
    for (const int bits : kBits) {
      std::vector<KeyedIndex> items;
      for (uint32_t i = 0; i < size; ++i) {
        items.push_back({Key(random, bits), i});
      }
      std::vector<KeyedIndex> expected = items;
      std::stable_sort(expected.begin(), expected.end(),
                       [](const KeyedIndex& a, const KeyedIndex& b) {
                         return a.key < b.key;
                       });
      RadixSort(&items, &scratch, KeyOf);
      ASSERT_EQ(items.size(), expected.size());
      for (size_t i = 0; i < items.size(); ++i) {
        ASSERT_EQ(items[i].key, expected[i].key);
        ASSERT_EQ(items[i].index, expected[i].index) << "not stable";
      }
    }
  }
}

// Keys of 64 bits that differ in the lowest, the middle, the highest, or all.
TEST(RadixSortTest, KeysDifferAnywhere) {
  std::mt19937_64 random(2);
  for (const uint64_t mask :
       {uint64_t{0x7ff}, uint64_t{0xfff} << 25, uint64_t{0x1fff} << 51,
        ~uint64_t{0}, uint64_t{0x8000000000000001}}) {
    for (const size_t size : kSizes) {
      std::vector<uint64_t> keys(size);
      for (uint64_t& key : keys) {
        key = (random() & mask) | (0x5a5a5a5a5a5a5a5a & ~mask);
      }
      std::vector<uint64_t> expected = keys;
      std::sort(expected.begin(), expected.end());
      std::vector<uint64_t> scratch;
      RadixSort(&keys, &scratch, [](uint64_t key) { return key; });
      ASSERT_EQ(keys, expected) << "mask " << mask;
    }
  }
}

// The highest bits alone, and the same with any number of threads.
TEST(RadixSortTest, PiecesOnSeveralCoresAreOneStableSort) {
  std::mt19937_64 random(3);
  // One piece, two, the second of one key, and as many as threads take.
  for (const size_t n : {1000, 8193, 16'384, 20'000, 200'000}) {
    std::vector<uint64_t> keys(n);
    for (uint64_t& key : keys) {
      // Few different codes, so that many are equal; positions in disorder.
      key = random() % 500 * 0x0123'4567'89ab << 28 | random() % (1 << 28);
    }
    std::vector<uint64_t> expected = keys;
    std::stable_sort(expected.begin(), expected.end(),
                     [](uint64_t x, uint64_t y) { return x >> 28 < y >> 28; });
    for (const int threads : {1, 2, 0}) {
      std::vector<uint64_t> sorted = keys;
      std::vector<uint64_t> scratch;
      RadixSort(
          &sorted, &scratch, [](uint64_t key) { return key >> 28; },
          Workers(threads));
      EXPECT_EQ(sorted, expected) << n;
    }
  }
}

struct Ids {
  uint32_t a = 0;
  uint32_t b = 0;
  friend auto operator<=>(const Ids&, const Ids&) = default;
};

TEST(RadixSortTest, SortsPairsAsComparisonsDo) {
  std::mt19937 random(4);
  std::vector<Ids> scratch;
  for (const size_t size : kSizes) {
    for (const int bits : kBits) {
      std::vector<Ids> pairs;
      for (size_t i = 0; i < size; ++i) {
        pairs.push_back({Key(random, bits), Key(random, bits)});
      }
      std::vector<Ids> expected = pairs;
      std::sort(expected.begin(), expected.end());
      RadixSortPairs(&pairs, &scratch, [](const Ids& ids) { return ids; });
      ASSERT_EQ(pairs, expected);
    }
  }
}

// A poll comes before each block of each pass, and may end the sort.
TEST(RadixSortTest, PollsBetweenBlocks) {
  std::mt19937_64 random(5);
  std::vector<uint64_t> keys(100'000);
  for (uint64_t& key : keys) key = random() % (1 << 24);
  const auto key_of = [](uint64_t key) { return key; };
  for (const int threads : {1, 2}) {
    std::atomic<size_t> polls = 0;
    std::vector<uint64_t> sorted = keys;
    std::vector<uint64_t> scratch;
    RadixSort(&sorted, &scratch, key_of, Workers(threads, [&] { ++polls; }));
    EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
    // Two passes at least: the digits, the counts, and the moves.
    constexpr size_t kBlock = 2048;
    EXPECT_GE(polls, 4 * (keys.size() / kBlock));
    for (const size_t last : {size_t{1}, size_t{70}, size_t{150}}) {
      polls = 0;
      const Workers ending(threads, [&] {
        if (++polls >= last) throw std::runtime_error("cancelled");
      });
      sorted = keys;
      EXPECT_THROW(RadixSort(&sorted, &scratch, key_of, ending),
                   std::runtime_error);
      // Each thread ends at its next block.
      EXPECT_LE(polls, last + static_cast<size_t>(threads));
    }
  }
}

}  // namespace
}  // namespace orbox
