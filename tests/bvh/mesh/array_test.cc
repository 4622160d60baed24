// SPDX-License-Identifier: Apache-2.0

// Arrays: who owns their memory, and what copies share.
#include "orbox/bvh/mesh/array.h"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace orbox {
namespace {

TEST(ArrayTest, CopiesShareWhatOneOwns) {
  Array<int> copy;
  EXPECT_TRUE(copy.empty());
  const int* data = nullptr;
  {
    const Array<int> first(std::vector<int>{3, 1, 4});
    data = first.data();
    copy = first;
  }
  ASSERT_EQ(copy.size(), 3u);
  EXPECT_EQ(copy.data(), data);
  EXPECT_EQ(copy[2], 4);
}

TEST(ArrayTest, KeepsTheOwnerOfMemoryThatIsNotItsOwn) {
  const auto owner = std::make_shared<std::vector<int>>(5, 7);
  {
    const Array<int> part(std::span<const int>(*owner).subspan(1, 2), owner);
    EXPECT_EQ(part.size(), 2u);
    EXPECT_EQ(part.front(), 7);
    EXPECT_EQ(owner.use_count(), 2);
  }
  EXPECT_EQ(owner.use_count(), 1);
}

TEST(FreshArrayTest, HandsOverWhatWasWritten) {
  constexpr size_t kCount = 100'000;
  FreshArray<size_t> fresh(kCount);
  ASSERT_EQ(fresh.values().size(), kCount);
  for (size_t i = 0; i < kCount; ++i) fresh.values()[i] = i * i;
  const size_t* const data = fresh.values().data();
  const Array<size_t> done = std::move(fresh).Finish();
  EXPECT_EQ(done.data(), data);
  for (size_t i = 0; i < kCount; ++i) ASSERT_EQ(done[i], i * i);
}

TEST(FreshArrayTest, MayBeEmpty) {
  EXPECT_EQ(FreshArray<double>(0).Finish().size(), 0u);
}

}  // namespace
}  // namespace orbox
