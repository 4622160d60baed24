// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/frontier.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

struct Entry {
  float key;
  int id;
};
constexpr size_t kCapacity = 20'000;
using Best = BestFirst<Entry, kCapacity>;

// Keys of all magnitudes, of both signs, with some that no list is made for.
float RandomKey(meshes::Random& random) {
  const float size = std::exp2(static_cast<float>(random.Uniform(-20, 10)));
  return random.Below(3) == 0 ? -size : size;
}

// The entry is the lowest of those waiting, except for entries of its list.
void ExpectLowest(const Entry& entry, const std::vector<Entry>& waiting) {
  for (const Entry& other : waiting) {
    if (entry.key >= 0x1p-11f && entry.key < 0x1p5f) {
      ASSERT_GT(other.key, entry.key * (1 - 1.0f / 16));
    }
    if (entry.key > -0.9f && entry.key <= -0x1p-5f) {
      ASSERT_GT(other.key, entry.key * (1 + 1.0f / 15));
    }
  }
}

TEST(FrontierTest, BestFirstTakesTheLowestFirst) {
  meshes::Random random(1);
  const auto frontier = std::make_unique<Best>();
  std::vector<Entry> waiting;
  for (int round = 0; round < 3000; ++round) {
    if (random.Below(5) < 3) {
      const Entry entry{RandomKey(random), round};
      frontier->Push(entry);
      waiting.push_back(entry);
      continue;
    }
    Entry entry{};
    ASSERT_EQ(frontier->Next(&entry), !waiting.empty());
    if (waiting.empty()) continue;
    ExpectLowest(entry, waiting);
    const auto at =
        std::find_if(waiting.begin(), waiting.end(),
                     [&](const Entry& e) { return e.id == entry.id; });
    ASSERT_NE(at, waiting.end());
    waiting.erase(at);
  }
}

TEST(FrontierTest, FollowLeavesTheBestChildOnlyForABetterEntry) {
  const auto frontier = std::make_unique<Best>();
  Entry entry{1, 1};
  frontier->Follow(&entry);
  EXPECT_EQ(entry.id, 1);
  frontier->Push({2, 2});
  frontier->Follow(&entry);
  EXPECT_EQ(entry.id, 1);
  frontier->Push({-0.5f, 3});
  frontier->Follow(&entry);
  EXPECT_EQ(entry.id, 3);
  for (const int id : {1, 2}) {
    ASSERT_TRUE(frontier->Next(&entry));
    EXPECT_EQ(entry.id, id);
  }
  EXPECT_FALSE(frontier->Next(&entry));
}

// More than the lists have room for: nothing is lost, and what came last is
// finished first.
TEST(FrontierTest, WhatFindsNoRoomComesDepthFirst) {
  meshes::Random random(2);
  const auto frontier = std::make_unique<Best>();
  constexpr int kCount = 10'000;
  for (int id = 0; id < kCount; ++id) frontier->Push({RandomKey(random), id});
  std::vector<bool> seen(kCount);
  Entry entry{};
  for (int i = 0; i < kCount; ++i) {
    ASSERT_TRUE(frontier->Next(&entry));
    EXPECT_FALSE(seen[entry.id]);
    seen[entry.id] = true;
    if (i == 0) {
      EXPECT_EQ(entry.id, kCount - 1);
    }
    // An entry pushed in between belongs to the current subtree, so it is next.
    if (i == 10) {
      frontier->Push({1e9f, -1});
      Entry pushed{};
      ASSERT_TRUE(frontier->Next(&pushed));
      EXPECT_EQ(pushed.id, -1);
    }
  }
  EXPECT_FALSE(frontier->Next(&entry));
}

TEST(FrontierTest, InfiniteKeysAreOrderedToo) {
  const auto frontier = std::make_unique<Best>();
  const float inf = std::numeric_limits<float>::infinity();
  for (const float key : {inf, 0.0f, -inf}) {
    frontier->Push({key, 0});
  }
  Entry entry{};
  for (const float key : {-inf, 0.0f, inf}) {
    ASSERT_TRUE(frontier->Next(&entry));
    EXPECT_EQ(entry.key, key);
  }
}

}  // namespace
}  // namespace orbox
