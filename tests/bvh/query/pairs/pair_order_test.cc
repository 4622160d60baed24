// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/internal/pair_run.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

std::vector<TrianglePair> RandomPairs(size_t count, uint64_t below) {
  meshes::Random random(count + below);
  std::vector<TrianglePair> pairs(count);
  for (TrianglePair& pair : pairs) {
    pair = {static_cast<uint32_t>(random.Below(below)),
            static_cast<uint32_t>(random.Below(below))};
  }
  return pairs;
}

// Few and many pairs, ids of one byte to four, with repetitions and without.
TEST(PairOrderTest, IsThatOfComparisons) {
  for (const size_t count : {0, 1, 2, 100, 127, 128, 129, 1000, 5000}) {
    for (const uint64_t below :
         {uint64_t{1}, uint64_t{3}, uint64_t{256}, uint64_t{257},
          uint64_t{70000}, uint64_t{1} << 24, uint64_t{1} << 32}) {
      std::vector<TrianglePair> pairs = RandomPairs(count, below);
      std::vector<TrianglePair> expected = pairs;
      std::sort(expected.begin(), expected.end());
      SortPairs(&pairs, Workers(1));
      EXPECT_EQ(pairs, expected) << count << " pairs below " << below;
    }
  }
}

// The distance of a pair stays with the pair.
TEST(PairOrderTest, DistancesFollowTheirPairs) {
  for (const size_t count : {1, 100, 2000}) {
    std::vector<PairDistance> pairs;
    for (size_t i = 0; i < count; ++i) {
      // 7919 is a prime: no pair comes twice.
      const auto id = static_cast<uint32_t>(i * 7919 % count);
      pairs.push_back({{id / 7, id}, static_cast<double>(id) * 0.5});
    }
    std::vector<PairDistance> expected = pairs;
    std::sort(expected.begin(), expected.end());
    SortPairs(&pairs, Workers(1));
    EXPECT_EQ(pairs, expected) << count;
  }
}

// Digits in which no two ids differ are skipped, for any value.
TEST(PairOrderTest, SharedDigitsDoNotMatter) {
  std::vector<TrianglePair> pairs;
  for (uint32_t i = 0; i < 500; ++i) {
    pairs.push_back({0x00ab0000u | i * 7 % 500, 0xff000012u | (i % 4) << 8});
  }
  std::vector<TrianglePair> expected = pairs;
  std::sort(expected.begin(), expected.end());
  SortPairs(&pairs, Workers(1));
  EXPECT_EQ(pairs, expected);
}

}  // namespace
}  // namespace orbox
