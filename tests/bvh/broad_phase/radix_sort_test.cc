#include "orbox/bvh/broad_phase/internal/radix_sort.h"

#include <algorithm>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace orbox {
namespace {

// Around the sizes and key lengths at which ways of sorting change.
constexpr size_t kSizes[] = {0, 1, 2, 255, 256, 257, 5000};
constexpr int kBits[] = {0, 1, 11, 12, 13, 17, 24, 25, 32};

uint32_t Key(std::mt19937& random, int bits) {
  return bits == 0 ? 0 : static_cast<uint32_t>(random()) >> (32 - bits);
}

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
      RadixSort(&items, &scratch);
      ASSERT_EQ(items.size(), expected.size());
      for (size_t i = 0; i < items.size(); ++i) {
        ASSERT_EQ(items[i].key, expected[i].key);
        ASSERT_EQ(items[i].index, expected[i].index) << "not stable";
      }
    }
  }
}

TEST(RadixSortTest, SortsPairsAsComparisonsDo) {
  std::mt19937 random(2);
  std::vector<BodyPair> scratch;
  for (const size_t size : kSizes) {
    for (const int bits : kBits) {
      std::vector<BodyPair> pairs;
      for (size_t i = 0; i < size; ++i) {
        const BodyId a = Key(random, bits);
        const BodyId b = Key(random, bits);
        pairs.push_back({std::min(a, b), std::max(a, b)});
      }
      std::vector<BodyPair> expected = pairs;
      std::sort(expected.begin(), expected.end());
      SortBodyPairs(&pairs, &scratch);
      ASSERT_EQ(pairs, expected);
    }
  }
}

}  // namespace
}  // namespace orbox
