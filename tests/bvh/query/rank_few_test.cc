// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/internal/rank_few.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

TEST(RankFewTest, CountsWhatComesBefore) {
  meshes::Random random(1);
  trees::OnEachInstructionSet([&] {
    for (size_t count = 0; count <= kMostRanked; ++count) {
      double distances[kMostRanked];
      double ids[kMostRanked];
      std::vector<std::pair<double, double>> before;
      for (size_t i = 0; i < kMostRanked; ++i) {
        distances[i] = static_cast<double>(random.Below(20)) - 10;
        // Distances may be beyond the range of doubles.
        if (random.Below(10) == 0) {
          distances[i] = std::numeric_limits<double>::infinity();
        }
        // No two are equal, and the largest is that of any triangle.
        ids[i] = std::numeric_limits<uint32_t>::max() - 37.0 * ((5 * i) % 32);
        if (i < count) before.emplace_back(distances[i], ids[i]);
      }
      int64_t ranks[kMostRanked];
      RankFew(distances, ids, count, ranks);
      for (size_t i = 0; i < count; ++i) {
        EXPECT_EQ(ranks[i],
                  std::count_if(before.begin(), before.end(),
                                [&](const auto& x) { return x < before[i]; }));
      }
    }
  });
}

TEST(SortIdsTest, SortsAnyNumberOfAnyIds) {
  constexpr uint32_t kLargest = std::numeric_limits<uint32_t>::max();
  meshes::Random random(2);
  trees::OnEachInstructionSet([&] {
    for (size_t count = 0; count <= kMostIdsCounted + 40; ++count) {
      std::set<uint32_t> sorted;
      // Next to both ends of the numbers, and to where their sign would change.
      for (uint32_t i = 0; sorted.size() < count; ++i) {
        const uint32_t somewhere =
            static_cast<uint32_t>(random.Below(kLargest));
        const uint32_t choices[] = {i, kLargest - i, kLargest / 2 + i,
                                    somewhere};
        sorted.insert(choices[random.Below(4)]);
      }
      std::vector<uint32_t> ids(sorted.begin(), sorted.end());
      for (size_t i = ids.size(); i > 1; --i) {
        std::swap(ids[i - 1], ids[random.Below(i)]);
      }
      SortIds(ids);
      EXPECT_TRUE(std::equal(ids.begin(), ids.end(), sorted.begin()));
    }
  });
}

}  // namespace
}  // namespace orbox
